"""Supply None for the fields that may be null and that an agent left out, also where a model demands them.

The JSON Schema is made of what comes out here, so what it calls optional and what is accepted cannot differ.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from webtools.tools.core_schemas import CoreNode, rewritten

FIELDS = ("model-field", "dataclass-field", "typed-dict-field")


def with_nulls(schema: CoreNode) -> CoreNode:
    """Return the core schema with None as the default of every demanded field that accepts null by name."""
    definitions = {each["ref"]: each for each in schema.get("definitions", ())}

    def change(node: CoreNode) -> CoreNode:
        is_demanded = node.get("type") in FIELDS and node.get("required", True)
        if not is_demanded or not _takes_null(node["schema"], definitions):
            return node
        # validated, so that an author's validators see the None that an agent could have sent
        default = {"type": "default", "schema": node["schema"], "default": None, "validate_default": True}
        # only a TypedDict's field says itself that it is demanded
        return {**node, "schema": default, **({"required": False} if "required" in node else {})}

    rewritten_schema: CoreNode = rewritten(schema, change)
    return rewritten_schema


def _takes_null(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> bool:
    kind = schema["type"]
    if kind in ("nullable", "none"):
        return True
    if kind == "literal":
        return None in schema["expected"]
    if kind == "enum":
        return any(member.value is None for member in schema["members"])
    if kind in ("default", "json"):  # has a default already; its null is inside of a text
        return False
    return any(_takes_null(each, definitions) for each in _inside(schema, definitions))


def _inside(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> list[Any]:
    """What else a schema stands for: a definition's, each of a union's, the one that a validator wraps."""
    kind = schema["type"]
    if kind == "definition-ref":
        return [definitions[schema["schema_ref"]]] if schema["schema_ref"] in definitions else []
    if kind == "union":
        return [each[0] if isinstance(each, tuple) else each for each in schema["choices"]]
    if kind == "tagged-union":
        return list(schema["choices"].values())
    return [schema[key] for key in ("schema", "lax_schema", "json_schema") if key in schema]
