"""Say what is wrong with an input: the path, what was expected, what came.

The expectation is read from the schema that the agent knows, so pydantic's own wording never reaches it; only
the words of an author's validator do.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, get_args

from pydantic_core import ErrorDetails
from pydantic_core.core_schema import ErrorType

from webtools.tools.definition import JsonObject
from webtools.tools.nesting import MAX_NESTING

MAX_LINES = 10
"""Lines of one message, its heading and its rest included."""

MAX_SHOWN = 60
"""Characters of a wrong value that are repeated to the agent."""

MAX_SAID = 300
"""Characters of an author's words in one line."""

KINDS = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}
OWN = frozenset(get_args(ErrorType))
"""Pydantic's error types; an author may add others with PydanticCustomError."""

RAISED = ("value_error", "assertion_error")
"""Pydantic's error types for a plain exception of an author's validator."""

TAGS = ("union_tag_invalid", "union_tag_not_found")
MISSING = ("missing", "missing_argument")
EMPTY = '""'
"""Stands in a path for the key that is an empty text."""

KEY = "[key]"
"""What pydantic adds to the location of a dict's key."""

UNKNOWN = ("extra_forbidden", "unexpected_keyword_argument")


def problems(errors: Sequence[ErrorDetails], schema: JsonObject, data: Any) -> list[dict[str, str]]:
    """Return ``[{"path", "expected", "got"}]``, one for each place of the input, in the errors' order."""
    found: dict[str, dict[str, str]] = {}
    for error in errors:
        path = _path(error, data)
        name = _written(path)
        problem = {"path": name, **_judge(error, _at(schema, path), data, path)}
        if name not in found or _is_authored(error):
            found[name] = problem
    return list(found.values())


def message(tool: str, found: Sequence[Mapping[str, str]]) -> str:
    """Compose the text that an agent reads, at most ten lines long."""
    lines = [f"The arguments of {tool} were not accepted; the tool did not run."]
    room = MAX_LINES - 1 if len(found) < MAX_LINES else MAX_LINES - 2
    lines += [f"{each['path']}: expected {each['expected']}; got {each['got']}" for each in found[:room]]
    if len(found) > room:
        lines.append(f"… and {len(found) - room} more")
    return "\n".join(lines)


def not_an_object(data: Any) -> list[dict[str, str]]:
    """The problem of an input that is no JSON object at all."""
    return [{"path": "(input)", "expected": "an object with the tool's arguments", "got": shown(data)}]


def not_json(text: str) -> list[dict[str, str]]:
    """The problem of an input that is text, but not JSON, or JSON that is deeper than any parser takes."""
    expected = "JSON text of an object with the tool's arguments, without extreme depth or digits"
    return [{"path": "(input)", "expected": expected, "got": shown(text)}]


def too_deep() -> list[dict[str, str]]:
    """The problem of an input that nobody could read."""
    expected = f"an object nested at most {MAX_NESTING} deep"
    return [{"path": "(input)", "expected": expected, "got": "a deeper one"}]


def shown(value: Any) -> str:
    """Describe a wrong value shortly: texts and numbers are repeated, lists and objects only measured."""
    if isinstance(value, dict):
        names = ", ".join(_cut(key) for key in list(value)[:5])
        return f"an object with {names}" if value else "an empty object"
    if isinstance(value, list):
        return f"a list of {len(value)}" if value else "an empty list"
    kind = "text " if isinstance(value, str) else ""
    return kind + _cut(json.dumps(value, ensure_ascii=False))


def _cut(text: str, most: int = MAX_SHOWN) -> str:
    """One line of at most `most` characters."""
    line = " ".join(text[: most + 1].split())
    return line if len(text) <= most else line[: most - 1] + "…"


def expectation(schema: Mapping[str, Any]) -> str:
    """Put a lowered schema into words: its type, alternatives and bounds."""
    if "const" in schema:
        return json.dumps(schema["const"], ensure_ascii=False)
    if "enum" in schema:
        return "one of " + ", ".join(json.dumps(value, ensure_ascii=False) for value in schema["enum"][:20])
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(expectation(option) for option in schema["anyOf"]))
    kind = KINDS.get(str(schema.get("type")), "another value")
    return kind + _bounds(schema)


def _bounds(schema: Mapping[str, Any]) -> str:
    words = {
        "minimum": "at least {}",
        "exclusiveMinimum": "more than {}",
        "maximum": "at most {}",
        "exclusiveMaximum": "less than {}",
        "multipleOf": "a multiple of {}",
        "pattern": "matching {}",
    }
    counted = [
        _count(schema, "minLength", "maxLength", "character"),
        _count(schema, "minItems", "maxItems", "item"),
    ]
    said = [text.format(schema[key]) for key, text in words.items() if key in schema]
    said[:0] = [each for each in counted if each]
    if not said and schema.get("type") == "string" and "description" in schema:
        said = [_cut(schema["description"], MAX_SAID)]
    return f" ({', '.join(said)})" if said else ""


def _count(schema: Mapping[str, Any], least: str, most: str, thing: str) -> str:
    """Say "1 to 80 characters", or the one bound that there is; nothing where there is none."""
    low, high = schema.get(least), schema.get(most)
    last = low if high is None else high
    if last is None:
        return ""
    if low == high:
        said = "exactly"
    elif high is None:
        said = "at least"
    else:
        said = "at most" if low is None else f"{low} to"
    return f"{said} {last} {thing}{'' if last == 1 else 's'}"


def _path(error: ErrorDetails, data: Any) -> tuple[str | int, ...]:
    """Keep the way through the input; drop what pydantic adds to it (names of union members, of keys)."""
    path: list[str | int] = []
    loc = error["loc"][:-1] if error["type"] in MISSING else error["loc"]
    for part in loc:
        is_key = isinstance(data, dict) and part in data
        if is_key or (isinstance(data, list) and isinstance(part, int) and part < len(data)):
            data = data[part]
            path.append(part)
    return (*path, *error["loc"][len(loc) :])


def _written(path: tuple[str | int, ...]) -> str:
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{_cut(part) or EMPTY}" for part in path)
    return text.removeprefix(".") if path else "(input)"


def _judge(
    error: ErrorDetails, schema: Mapping[str, Any], data: Any, path: tuple[str | int, ...]
) -> dict[str, str]:
    if error["type"] in MISSING:
        return {"expected": f"{expectation(schema)}, it is required", "got": "nothing"}
    if error["loc"][-1:] == (KEY,):
        return {"expected": "another key in this place", "got": shown(path[-1])}
    for part in path:
        data = data[part]
    if error["type"] in UNKNOWN:
        return {"expected": "no argument of this name", "got": shown(data)}
    if error["type"] in TAGS:
        tag = error["ctx"]["discriminator"].strip("'")
        return {"expected": f"{tag} to be one of {_tags(schema, tag)}", "got": shown(data)}
    said = _cut(_authored(error), MAX_SAID) if _is_authored(error) else ""
    return {"expected": said or expectation(schema), "got": shown(data)}


def _is_authored(error: ErrorDetails) -> bool:
    return error["type"] in RAISED or error["type"] not in OWN


def _authored(error: ErrorDetails) -> str:
    return str(error["ctx"]["error"]) if error["type"] in RAISED else error["msg"]


def _tags(schema: Mapping[str, Any], tag: str) -> str:
    options = [option.get("properties", {}).get(tag, {}) for option in schema.get("anyOf", ())]
    values = [value for option in options for value in option.get("enum", [option.get("const")])]
    return ", ".join(json.dumps(value, ensure_ascii=False) for value in values)


def _at(schema: Mapping[str, Any], path: tuple[str | int, ...]) -> Mapping[str, Any]:
    """The lowered schema of the place that a path leads to; empty where the schema says nothing of it."""
    for part in path:
        schema = _step(schema, part)
    return schema


def _step(schema: Mapping[str, Any], part: str | int) -> Mapping[str, Any]:
    found = [step for option in schema.get("anyOf", ()) if (step := _step(option, part))]
    if found:
        return found[0] if len(found) == 1 else {"anyOf": found}
    if isinstance(part, int):
        prefix = schema.get("prefixItems", ())
        step = prefix[part] if part < len(prefix) else schema.get("items", {})
    else:
        step = schema.get("properties", {}).get(part, schema.get("additionalProperties"))
    return step if isinstance(step, Mapping) else {}
