"""Rules of descriptions, of tools and of parameters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from webtools.cli.checking.subjects import CheckedTool, Hit, nodes, parameters
from webtools.cli.checking.words import SMALL, singular, words_of_name, words_of_text

__all__ = [
    "LONGEST_DESCRIPTION",
    "LONGEST_PARAMETER",
    "long_description",
    "long_parameter",
    "no_description",
    "no_parameter_description",
    "same_description",
    "thin_description",
    "thin_parameter",
]

LONGEST_DESCRIPTION = 500
"""Characters. Source: ../shared/spec/platform.md, "Chrome's advice for authors"."""

LONGEST_PARAMETER = 150
"""Characters of a parameter's description. Source: the same."""

_FEWEST_WORDS = 3
_FIRST_WITHOUT_SPACES = "\u2e80"
"""From here on lie the scripts of East Asia, whose words nothing parts."""


def no_description(tool: CheckedTool) -> Iterator[tuple[None, str]]:
    """Find tools without one, which browsers refuse."""
    if not tool.description.strip():
        yield None, "browsers refuse a tool without a description: say what it does and when to take it"


def thin_description(tool: CheckedTool) -> Iterator[tuple[None, str]]:
    """Find texts that tell no more than the name."""
    words = words_of_text(tool.description)
    if not words or _has_no_spaces(tool.description):
        return
    if len(words) < _FEWEST_WORDS or _adds_nothing(tool.description, tool.name):
        yield None, "the description says hardly more than the name: say what it does, and what it returns"


def long_description(tool: CheckedTool) -> Iterator[tuple[None, str]]:
    """Find texts above what Chrome advises."""
    length = len(tool.description)
    if length > LONGEST_DESCRIPTION:
        cure = "and leave to the parameters what is theirs"
        yield None, f"the description has {length} characters: shorten it to {LONGEST_DESCRIPTION}, {cure}"


def same_description(tools: Sequence[CheckedTool]) -> Iterator[Hit]:
    """Find texts that two tools have."""
    seen: dict[str, CheckedTool] = {}
    for tool in tools:
        words = " ".join(words_of_text(tool.description))
        first = seen.setdefault(words, tool)
        if words and first is not tool:
            yield Hit(
                f"the description is that of {first.name}, so an agent cannot choose: say what is different",
                tool,
            )


def no_parameter_description(tool: CheckedTool) -> Iterator[tuple[str, str]]:
    """Find parameters without a text; of those with a pattern another rule says so."""
    for node in parameters(tool):
        if not node.description.strip() and "pattern" not in node.schema:
            cure = 'say so below "Args:" in the docstring, or by Field(description="…")'
            yield node.path, f"an agent is not told what it takes: {cure}"


def thin_parameter(tool: CheckedTool) -> Iterator[tuple[str, str]]:
    """Find parameters whose text tells no more than their name."""
    for node in parameters(tool):
        is_said = node.description.strip() and not _has_no_spaces(node.description)
        if is_said and _adds_nothing(node.description, node.path):
            yield node.path, "the description says no more than the name: say what is expected"


def long_parameter(tool: CheckedTool) -> Iterator[tuple[str, str]]:
    """Find texts above what Chrome advises, at any depth."""
    for node in nodes(tool):
        length = len(node.description)
        if length > LONGEST_PARAMETER:
            yield node.path, f"the description has {length} characters: shorten it to {LONGEST_PARAMETER}"


def _adds_nothing(text: str, name: str) -> bool:
    told = {singular(word) for word in words_of_text(text.replace("_", " "))} - SMALL
    return told <= {singular(word) for word in words_of_name(name)} | {name.lower()}


def _has_no_spaces(text: str) -> bool:
    return any(character >= _FIRST_WITHOUT_SPACES for character in text)
