"""All rules, and what they find in an app."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from difflib import get_close_matches

from webtools.cli.checking import effects, names, schemas, texts
from webtools.cli.checking.subjects import CheckedTool, Finding, Hit, Rule, of_each
from webtools.cli.terminal.problems import CommandProblem

__all__ = ["RULES", "check_ignored", "dead_ignored", "findings", "findings_of_page"]

RULES = (
    Rule("refused-name", "error", of_each(names.refused_name)),
    Rule("same-name", "error", names.same_name, is_of_pages=True),
    Rule("no-description", "error", of_each(texts.no_description)),
    Rule("no-tools", "warning", names.no_tools),
    Rule("many-tools", "warning", names.many_tools, is_of_pages=True),
    Rule("long-name", "warning", of_each(names.long_name)),
    Rule("mixed-styles", "warning", names.mixed_styles),
    Rule("alike-names", "warning", names.alike, is_of_pages=True),
    Rule("thin-description", "warning", of_each(texts.thin_description)),
    Rule("long-description", "warning", of_each(texts.long_description)),
    Rule("same-description", "warning", texts.same_description, is_of_pages=True),
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
            if not _is_ignored(rule, hit, ignored):
                yield Finding(rule, app, hit)


def findings_of_page(
    page: str, apps: Sequence[Sequence[CheckedTool]], ignored: Collection[str] = ()
) -> Iterator[Finding]:
    """Give what the apps of a page break together, and none of them alone.

    Args:
        page: How problems name it.
        apps: The tools of each.
        ignored: As of `findings`.
    """
    together = [tool for tools in apps for tool in tools]
    for rule in (each for each in RULES if each.is_of_pages):
        alone = {id(hit.tool) for tools in apps for hit in rule.find(tools)}
        for hit in rule.find(together):
            if id(hit.tool) not in alone and not _is_ignored(rule, hit, ignored):
                yield Finding(rule, page, hit)


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


def _is_ignored(rule: Rule, hit: Hit, ignored: Collection[str]) -> bool:
    place = f"{rule.id}:{hit.tool.name}" if hit.tool else rule.id
    return rule.id in ignored or place in ignored
