"""Rules of tools' names, and of how many there are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from webtools.cli.checking.subjects import CheckedTool, Hit
from webtools.cli.checking.words import words_of_name
from webtools.tools.rules import NAME_RULE

__all__ = [
    "LONGEST_NAME",
    "MOST_TOOLS",
    "alike",
    "long_name",
    "many_tools",
    "mixed_styles",
    "no_tools",
    "odd_name",
    "refused_name",
    "same_name",
    "vague_name",
]

LONGEST_NAME = 30
"""Characters. Source: ../shared/spec/platform.md, "Chrome's advice for authors"."""

MOST_TOOLS = 40
"""Tools that an agent chooses well from. Source: the same."""

_STYLES = {
    "snake_case": re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)+"),
    "kebab-case": re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)+"),
    "camelCase": re.compile(r"[a-z][a-z0-9]*([A-Z][a-z0-9]*)+"),
    "dotted.case": re.compile(r"[a-z][a-z0-9]*(\.[a-z0-9]+)+"),
}
_ONE_WORD = re.compile(r"[a-z][a-z0-9]*")
_VAGUE = frozenset(
    {
        "action",
        "call",
        "data",
        "do",
        "execute",
        "fetch",
        "function",
        "get",
        "handle",
        "handler",
        "helper",
        "info",
    }
    | {
        "invoke",
        "main",
        "perform",
        "process",
        "run",
        "set",
        "submit",
        "test",
        "tool",
        "update",
        "use",
        "util",
    }
)
_VERSION = re.compile(r"([_.-]?v)?\d+$|[_.-]new$")


def refused_name(tool: CheckedTool) -> Iterator[tuple[None, str]]:
    """Find what no browser takes."""
    if not NAME_RULE.fullmatch(tool.name):
        yield None, "browsers refuse this name: take 1 to 128 of the characters A-Z a-z 0-9 _ . -"


def same_name(tools: Sequence[CheckedTool]) -> Iterator[Hit]:
    """Find names that two tools have at once."""
    seen: set[str] = set()
    for tool in tools:
        if tool.is_always_there and tool.name in seen:
            yield Hit("another tool has this name, and a page takes it once: rename one of them", tool)
        seen |= {tool.name} if tool.is_always_there else set()


def long_name(tool: CheckedTool) -> Iterator[tuple[None, str]]:
    """Find names above what Chrome advises."""
    if len(tool.name) > LONGEST_NAME:
        yield None, f"the name has {len(tool.name)} characters: shorten it to {LONGEST_NAME} at most"


def odd_name(tool: CheckedTool) -> Iterator[tuple[None, str]]:
    """Find names that are not words in one style."""
    styles = (_ONE_WORD, *_STYLES.values())
    if not any(style.fullmatch(tool.name) for style in styles):
        yield None, "the name is not small words in one style: write it as search_products"


def vague_name(tool: CheckedTool) -> Iterator[tuple[None, str]]:
    """Find names that would fit any tool."""
    if set(words_of_name(tool.name)) <= _VAGUE:
        yield None, "the name fits any tool: say what it does to what, as search_products"


def mixed_styles(tools: Sequence[CheckedTool]) -> Iterator[Hit]:
    """Find apps whose tools are called in several styles."""
    examples: dict[str, str] = {}
    for tool in tools:
        for style, shape in _STYLES.items():
            if shape.fullmatch(tool.name):
                examples.setdefault(style, tool.name)
    if len(examples) > 1:
        said = " and ".join(f"{name} ({style})" for style, name in examples.items())
        yield Hit(f"the names are in several styles, {said}: take one for all")


def alike(tools: Sequence[CheckedTool]) -> Iterator[Hit]:
    """Find names that an agent takes for each other."""
    seen: dict[frozenset[str], CheckedTool] = {}
    for tool in tools:
        key = frozenset(words_of_name(_VERSION.sub("", tool.name)))
        first = seen.setdefault(key, tool)
        if key and first.name != tool.name:
            yield Hit(
                f"the name is nearly that of {first.name}, so an agent takes one for the other: "
                "say in the names what is different",
                tool,
            )


def no_tools(tools: Sequence[CheckedTool]) -> Iterator[Hit]:
    """Find apps that offer nothing."""
    if not tools:
        yield Hit("there are no tools: put @tool on functions that the module's global names hold")


def many_tools(tools: Sequence[CheckedTool]) -> Iterator[Hit]:
    """Find apps with more tools at once than an agent chooses well from."""
    always = sum(tool.is_always_there for tool in tools)
    if always > MOST_TOOLS:
        others = len(tools) - always
        beside = f", beside {others} that come and go" if others else ""
        yield Hit(
            f"{always} tools are there at once{beside}; agents choose badly among more than {MOST_TOOLS}: "
            "bind some to their pages, match=…, or to what is open, held=True"
        )
