"""What is checked, and what can be said of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

__all__ = ["CheckedTool", "Finding", "Hit", "Node", "Rule", "Severity", "nodes", "of_each", "parameters"]

Severity = Literal["error", "warning", "advice"]
"""What a browser or the page refuses; what an agent will stumble over; what could be better."""

Schema = Mapping[str, Any]


@dataclass(frozen=True)
class CheckedTool:
    """A tool as an agent gets it, and where it was made.

    Attributes:
        annotations: WebMCP's hints, by their names there.
        asks_person: Whether a call asks the person, as far as can be told.
        is_always_there: Whether the page has it from its start to its end.
        file: Where its handler is written; None where that is not known.
        line: The line there, counted from 1.
    """

    name: str
    description: str
    schema: Schema = field(default_factory=dict)
    annotations: Mapping[str, Any] = field(default_factory=dict)
    asks_person: bool = False
    is_always_there: bool = True
    file: str | None = None
    line: int | None = None

    @property
    def is_read_only(self) -> bool:
        """Whether it says that it changes nothing."""
        return self.annotations.get("readOnlyHint") is True


@dataclass(frozen=True)
class Hit:
    """One place that breaks a rule; without a tool it is the app, or the page."""

    message: str
    tool: CheckedTool | None = None
    parameter: str | None = None


@dataclass(frozen=True)
class Rule:
    """A rule: its stable id, how bad it is to break it, and what finds the places.

    Attributes:
        is_of_pages: Whether also the apps of one page break it together.
    """

    id: str
    severity: Severity
    find: Callable[[Sequence[CheckedTool]], Iterable[Hit]]
    is_of_pages: bool = False


@dataclass(frozen=True)
class Finding:
    """A place that breaks a rule, in an app, or in a page whose apps break it together."""

    rule: Rule
    app: str
    hit: Hit


@dataclass(frozen=True)
class Node:
    """A schema inside of an input schema.

    Attributes:
        path: As ``lines[].sku``; ``*`` stands for any name.
        depth: A parameter has 1, what it holds 2.
        union: That of which it is a branch.
    """

    path: str
    depth: int
    schema: Schema
    union: Node | None = None

    @property
    def is_explained(self) -> bool:
        """Whether it has a text, or the union has."""
        return bool(self.description.strip()) or bool(self.union and self.union.is_explained)

    @property
    def description(self) -> str:
        """Its text, "" where it has none."""
        given = self.schema.get("description")
        return given if isinstance(given, str) else ""


def of_each(
    find: Callable[[CheckedTool], Iterable[tuple[str | None, str]]],
) -> Callable[[Sequence[CheckedTool]], Iterator[Hit]]:
    """Lift what gives parameters and messages of one tool to all tools of an app."""

    def find_in_all(tools: Sequence[CheckedTool]) -> Iterator[Hit]:
        for tool in tools:
            for parameter, message in find(tool):
                yield Hit(message, tool, parameter)

    return find_in_all


def parameters(tool: CheckedTool) -> list[Node]:
    """Give a tool's parameters."""
    return _members(Node("", 0, tool.schema))


def nodes(tool: CheckedTool) -> Iterator[Node]:
    """Give the parameters and all that they hold, in order; the branches of a union have the union's path."""
    waiting = parameters(tool)[::-1]
    while waiting:  # no recursion: a schema may be of any depth
        node = waiting.pop()
        yield node
        waiting += _inside(node)[::-1]


def _inside(node: Node) -> list[Node]:
    schema = node.schema
    found = _members(node)
    below = node.depth + 1
    found += _nodes([(f"{node.path}[]", schema.get("items"))], below)
    found += _nodes(
        ((f"{node.path}[{at}]", each) for at, each in enumerate(_list(schema, "prefixItems"))), below
    )
    found += _nodes([(f"{node.path}.*", schema.get("additionalProperties"))], below)
    for keyword in ("anyOf", "oneOf", "allOf"):
        branches = ((node.path, each) for each in _list(schema, keyword))
        found += _nodes(branches, node.depth, union=node)
    return found


def _members(node: Node) -> list[Node]:
    properties = node.schema.get("properties")
    named = properties.items() if isinstance(properties, dict) else ()
    before = f"{node.path}." if node.path else ""
    return _nodes(((f"{before}{name}", each) for name, each in named), node.depth + 1)


def _nodes(found: Iterable[tuple[str, object]], depth: int, union: Node | None = None) -> list[Node]:
    return [Node(path, depth, each, union) for path, each in found if isinstance(each, dict)]


def _list(schema: Schema, keyword: str) -> list[Any]:
    given = schema.get(keyword)
    return given if isinstance(given, list) else []
