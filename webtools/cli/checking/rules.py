"""All rules, and what they find in an app."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from difflib import get_close_matches

from webtools.cli.checking import effects, names, schemas, texts
from webtools.cli.checking.subjects import CheckedTool, Finding, Rule, of_each
from webtools.cli.terminal.problems import CommandProblem

__all__ = ["RULES", "check_ignored", "dead_ignored", "findings"]

RULES = (
    Rule("refused-name", "error", of_each(names.refused_name)),
    Rule("same-name", "error", names.same_name),
    Rule("no-description", "error", of_each(texts.no_description)),
    Rule("no-tools", "warning", names.no_tools),
    Rule("many-tools", "warning", names.many_tools),
    Rule("long-name", "warning", of_each(names.long_name)),
    Rule("mixed-styles", "warning", names.mixed_styles),
    Rule("alike-names", "warning", names.alike),
    Rule("thin-description", "warning", of_each(texts.thin_description)),
    Rule("long-description", "warning", of_each(texts.long_description)),
    Rule("same-description", "warning", texts.same_description),
    Rule("no-parameter-description", "warning", of_each(texts.no_parameter_description)),
    Rule("long-parameter-description", "warning", of_each(texts.long_parameter)),
    Rule("no-type", "warning", of_each(schemas.no_type)),
    Rule("free-object", "warning", of_each(schemas.free_object)),
    Rule("schema-reference", "warning", of_each(schemas.reference)),
    Rule("deep-schema", "warning", of_each(schemas.deep_schema)),
    Rule("many-parameters", "warning", of_each(schemas.many_parameters)),
    Rule("long-enum", "warning", of_each(schemas.long_enum)),
    Rule("unexplained-pattern", "warning", of_each(schemas.unexplained_pattern)),
    Rule("unmarked-effect", "warning", of_each(effects.unmarked_effect)),
    Rule("read-only-writes", "warning", of_each(effects.read_only_writes)),
    Rule("unmarked-untrusted", "warning", of_each(effects.unmarked_untrusted)),
    Rule("odd-name", "advice", of_each(names.odd_name)),
    Rule("vague-name", "advice", of_each(names.vague_name)),
    Rule("thin-parameter-description", "advice", of_each(texts.thin_parameter)),
)
"""The worst first."""


def findings(app: str, tools: Sequence[CheckedTool], ignored: Collection[str] = ()) -> Iterator[Finding]:
    """Give what breaks a rule, in the rules' order.

    Args:
        app: How problems name it.
        tools: Its tools.
        ignored: Rules, or ``RULE:TOOL``.
    """
    for rule in RULES:
        for hit in rule.find(tools):
            place = f"{rule.id}:{hit.tool.name}" if hit.tool else rule.id
            if not {rule.id, place} & set(ignored):
                yield Finding(rule, app, hit)


def check_ignored(ignored: Collection[str]) -> None:
    """Refuse rules that there are not.

    Raises:
        CommandProblem: One is none.
    """
    known = [rule.id for rule in RULES]
    for each in ignored:
        name = each.partition(":")[0]
        if name not in known:
            meant = get_close_matches(name, known, n=1)
            cure = f"did you mean {meant[0]}?" if meant else f"there is {', '.join(known)}"
            raise CommandProblem(f"There is no rule {name} to ignore; {cure}")


def dead_ignored(ignored: Collection[str], tools: Collection[CheckedTool]) -> Iterator[str]:
    """Find each ``RULE:TOOL`` whose tool there is not, as after a change of its name, and say so."""
    names = {tool.name for tool in tools}
    for each in ignored:
        name = each.partition(":")[2]
        if name and name not in names:
            meant = get_close_matches(name, names, n=1)
            cure = f"did you mean {meant[0]}?" if meant else "leave it out"
            yield f"warning: {each} ignores nothing, since there is no tool {name}; {cure}"
