"""Rules of input schemas: whether an agent can read them."""

from __future__ import annotations

from collections.abc import Iterator

from webtools.cli.checking.subjects import CheckedTool, Node, nodes, parameters

__all__ = [
    "DEEPEST",
    "LONGEST_ENUM",
    "MOST_PARAMETERS",
    "deep_schema",
    "free_object",
    "long_enum",
    "many_parameters",
    "no_type",
    "reference",
    "unexplained_pattern",
]

DEEPEST = 5
"""Levels: `lines[].product.name` has four."""

LONGEST_ENUM = 50
"""Values."""

MOST_PARAMETERS = 12

_SAY_WHAT = frozenset({"type", "enum", "const", "anyOf", "oneOf", "allOf", "$ref", "properties", "items"})


def reference(tool: CheckedTool) -> Iterator[tuple[str, str]]:
    """Find references, which `@tool` never writes."""
    for node in nodes(tool):
        if "$ref" in node.schema:
            yield node.path, "a $ref, which not every agent follows: put the schema in its place"


def deep_schema(tool: CheckedTool) -> Iterator[tuple[str, str]]:
    """Find what is nested deeper than agents fill in well; the deepest place alone."""
    deepest = max(nodes(tool), key=lambda node: node.depth, default=None)
    if deepest and deepest.depth > DEEPEST:
        cure = "take flat parameters, or ids of what other tools return"
        yield deepest.path, f"{deepest.depth} levels deep, and agents get lost below {DEEPEST}: {cure}"


def many_parameters(tool: CheckedTool) -> Iterator[tuple[None, str]]:
    """Find tools that want too much at once."""
    count = len(parameters(tool))
    if count > MOST_PARAMETERS:
        yield (
            None,
            f"{count} parameters, and agents mix up more than {MOST_PARAMETERS}: make several tools of it",
        )


def free_object(tool: CheckedTool) -> Iterator[tuple[str, str]]:
    """Find objects that do not say what is in them."""
    for node in nodes(tool):
        if _is_free(node):
            yield node.path, "an object that names no fields: take a pydantic model, or a TypedDict"


def _is_free(node: Node) -> bool:
    schema = node.schema
    if schema.get("type") != "object" or schema.get("properties"):
        return False
    if any(keyword in schema for keyword in ("anyOf", "oneOf", "allOf", "$ref")):
        return False
    return schema.get("additionalProperties", True) in (True, {})


def no_type(tool: CheckedTool) -> Iterator[tuple[str, str]]:
    """Find what takes anything."""
    for node in nodes(tool):
        is_free_objects_value = node.path.endswith(".*") and not node.schema
        if not _SAY_WHAT & node.schema.keys() and not is_free_objects_value:
            yield node.path, "no type, so an agent can only guess: annotate it, as list[str] or a Literal"


def long_enum(tool: CheckedTool) -> Iterator[tuple[str, str]]:
    """Find lists of values that cost more than they tell."""
    for node in nodes(tool):
        values = node.schema.get("enum")
        if isinstance(values, list) and len(values) > LONGEST_ENUM:
            cure = "take a text, and a tool that finds the values"
            yield node.path, f"{len(values)} values, which an agent pays for in every turn: {cure}"


def unexplained_pattern(tool: CheckedTool) -> Iterator[tuple[str, str]]:
    """Find patterns without words."""
    for node in nodes(tool):
        if "pattern" in node.schema and not node.is_explained:
            yield node.path, "a pattern without a description: say it in words, with an example"
