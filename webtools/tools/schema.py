"""Lower pydantic's JSON Schema to the plain subset that every browser and model takes.

No ``$ref`` and no ``$defs`` (definitions are put in place), no ``title``, no ``null`` among the types: what
may be null is not required. Formats become words in the description. The root is always an object.

Source: ../shared/spec/platform.md, "document.modelContext in the draft" (an allowlist is under discussion).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from webtools._exceptions import ToolDefinitionError
from webtools.tools.definition import JsonObject
from webtools.tools.encoding import Encoder

KEPT = (
    "type", "description", "const", "enum", "default",
    "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
    "minLength", "maxLength", "pattern",
    "minItems", "maxItems", "uniqueItems",
)  # fmt: skip
"""Keywords that are carried over as they are; those that hold schemas are lowered one by one."""

FORMATS = {
    "date": "a date, YYYY-MM-DD",
    "date-time": "a date and time, ISO 8601",
    "time": "a time of day, HH:MM[:SS]",
    "duration": "a duration, ISO 8601, such as PT30M",
    "uuid": "a UUID",
    "uri": "a URL",
    "email": "an e-mail address",
}

REF = "#/$defs/"


def lower(schema: Mapping[str, Any], *, tool: str) -> JsonObject:
    """Return the lowered schema of an object.

    Raises:
        ToolDefinitionError: A model refers to itself; an agent's schema cannot be recursive.
    """
    lowered = _Lowering(schema.get("$defs", {}), tool).node(schema, ())
    return {**lowered, "type": "object", "properties": lowered.get("properties", {})}


class _Lowering:
    def __init__(self, definitions: Mapping[str, Any], tool: str) -> None:
        self._definitions = definitions
        self._tool = tool

    def node(self, schema: Mapping[str, Any] | bool, trail: tuple[str, ...]) -> JsonObject:
        if isinstance(schema, bool):
            return {}
        schema, trail = self._resolved(schema, trail)
        lowered = {key: schema[key] for key in KEPT if key in schema}
        self._drop_null(lowered)
        self._encode_default(lowered)
        self._describe_format(lowered, schema.get("format"))
        lowered.update(self._containers(schema, trail))
        return self._union(schema, lowered, trail)

    def _resolved(
        self, schema: Mapping[str, Any], trail: tuple[str, ...]
    ) -> tuple[Mapping[str, Any], tuple[str, ...]]:
        """Follow a reference; keywords beside it win over those of its target."""
        while "$ref" in schema:
            name = schema["$ref"].removeprefix(REF)
            trail = self._enter(name, trail)
            beside = {key: value for key, value in schema.items() if key != "$ref"}
            schema = {**self._definitions[name], **beside}
        return schema, trail

    def _enter(self, name: str, trail: tuple[str, ...]) -> tuple[str, ...]:
        if name in trail:
            raise ToolDefinitionError(
                f"Tool {self._tool!r}: {name} contains itself ({' > '.join((*trail, name))}), and an "
                f"agent's schema cannot be recursive. Take ids instead of nested objects, or a list that "
                f"names each parent."
            )
        return (*trail, name)

    @staticmethod
    def _drop_null(lowered: JsonObject) -> None:
        if isinstance(lowered.get("type"), list):
            kinds = [kind for kind in lowered["type"] if kind != "null"]
            lowered["type"] = kinds[0] if len(kinds) == 1 else kinds
        if "enum" in lowered:
            lowered["enum"] = [value for value in lowered["enum"] if value is not None]
        if _is_null(lowered):  # nothing but null: no plain type says so
            for key in ("type", "const", "enum"):
                lowered.pop(key, None)

    @staticmethod
    def _encode_default(lowered: JsonObject) -> None:
        default = Encoder().encode(lowered.pop("default", None))  # it may be NaN
        if default is not None:
            lowered["default"] = default

    @staticmethod
    def _describe_format(lowered: JsonObject, form: str | None) -> None:
        if form in FORMATS:
            words = FORMATS[form]
            given = lowered.get("description")
            lowered["description"] = f"{given} ({words})" if given else words[0].upper() + words[1:]

    def _containers(self, schema: Mapping[str, Any], trail: tuple[str, ...]) -> JsonObject:
        out: JsonObject = {}
        if "properties" in schema:
            out["properties"] = {name: self.node(sub, trail) for name, sub in schema["properties"].items()}
            if schema.get("required"):
                out["required"] = list(schema["required"])
        if "items" in schema:
            out["items"] = self.node(schema["items"], trail)
        if "prefixItems" in schema:
            out["prefixItems"] = [self.node(sub, trail) for sub in schema["prefixItems"]]
        extra = self._additional(schema)
        if extra is not None:
            out["additionalProperties"] = extra if isinstance(extra, bool) else self.node(extra, trail)
        return out

    @staticmethod
    def _additional(schema: Mapping[str, Any]) -> Mapping[str, Any] | bool | None:
        patterns = list(schema.get("patternProperties", {}).values())
        return patterns[0] if len(patterns) == 1 else schema.get("additionalProperties")

    def _union(self, schema: Mapping[str, Any], lowered: JsonObject, trail: tuple[str, ...]) -> JsonObject:
        branches = [*schema.get("anyOf", ()), *schema.get("oneOf", ())]
        kept = [branch for branch in branches if not _is_null(self._resolved(branch, trail)[0])]
        if len(kept) == 1 and "description" in schema:
            kept = [{**kept[0], "description": lowered.pop("description")}]
        if not kept:
            return lowered
        options: list[JsonObject] = []
        for branch in kept:
            option = self.node(branch, trail)
            nested = option["anyOf"] if set(option) == {"anyOf"} else [option]
            options += [each for each in nested if each not in options]
        if len(options) == 1:
            return {**options[0], **lowered}
        return {**lowered, "anyOf": options}


def _is_null(schema: Mapping[str, Any]) -> bool:
    return (
        schema.get("type") == "null" or schema.get("const", ...) is None or schema.get("enum") in ([], [None])
    )
