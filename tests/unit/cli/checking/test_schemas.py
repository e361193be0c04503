"""Schemas that an agent can read."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.cli.checking.tools import checked, found

SAID = {"description": "Of what is wanted"}
TEXT = {"type": "string"}


def nested(levels: int) -> dict[str, Any]:
    """Give a parameter below which there are so many levels, itself included."""
    if levels == 1:
        return TEXT
    return {"type": "object", "properties": {"more": nested(levels - 1)}}


@pytest.mark.parametrize(
    ("schema", "rules"),
    [
        ({"type": "object", "properties": {"sku": TEXT}}, []),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, []),
        ({"type": "object"}, ["free-object given"]),
        ({"type": "object", "additionalProperties": True}, ["free-object given"]),
        ({"type": "object", "additionalProperties": False}, []),
        ({"type": "array", "items": {"type": "object"}}, ["free-object given[]"]),
        ({"anyOf": [TEXT, {"type": "object"}]}, ["free-object given"]),
        ({}, ["no-type given"]),
        ({"type": "array", "items": {}}, ["no-type given[]"]),
        ({"type": "array", "prefixItems": [TEXT, {}]}, ["no-type given[1]"]),
        ({"type": "object", "additionalProperties": {"minimum": 1}}, ["no-type given.*"]),
        ({"enum": ["a", 1]}, []),
        ({"$ref": "#/$defs/Line"}, ["schema-reference given"]),
        ({"type": "string", "enum": [f"{number}" for number in range(50)]}, []),
        ({"type": "string", "enum": [f"{number}" for number in range(51)]}, ["long-enum given"]),
        (nested(5), []),
        (nested(6), ["deep-schema given.more.more.more.more.more"]),
        ({"type": "string", "pattern": "[A-Z]+"}, []),
        ({"anyOf": [{"type": "string", "pattern": "[A-Z]+"}, {"type": "integer"}]}, []),
        (
            {"type": "array", "items": {"type": "string", "pattern": "[A-Z]+"}},
            ["unexplained-pattern given[]"],
        ),
    ],
)
def test_a_schema_says_what_fits_and_stays_small(schema: dict[str, Any], rules: list[str]) -> None:
    assert found(checked(properties={"given": {**schema, **SAID}})) == rules


def test_a_pattern_without_a_text_is_told_once() -> None:
    pattern = {"type": "string", "pattern": "[A-Z]+"}
    assert found(checked(properties={"given": pattern})) == ["unexplained-pattern given"]


@pytest.mark.parametrize(("count", "rules"), [(12, []), (13, ["many-parameters"])])
def test_there_are_not_too_many_parameters(count: int, rules: list[str]) -> None:
    assert found(checked(properties={f"p{number}": TEXT | SAID for number in range(count)})) == rules


def test_a_schema_may_be_of_any_depth() -> None:
    schema: dict[str, Any] = TEXT
    for _ in range(5000):
        schema = {"type": "array", "items": schema}
    (rule,) = found(checked(properties={"given": schema | SAID}))
    assert rule == f"deep-schema given{'[]' * 5000}"
