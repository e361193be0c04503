from __future__ import annotations

import datetime
import enum
import json
import math
import types
from collections.abc import Iterator
from decimal import Decimal
from typing import Annotated, Any, Generic, Literal, NamedTuple, TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, Field, RootModel, StringConstraints, WithJsonSchema, create_model
from typing_extensions import TypeAliasType, TypedDict

from webtools._exceptions import ToolDefinitionError
from webtools.tools.tool import make_tool

Item = TypeVar("Item")
MaybeInt = TypeAliasType("MaybeInt", "int | None")


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Address(BaseModel):
    """Where to deliver."""

    title: str
    coupon: str | None


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int


class Dog(BaseModel):
    kind: Literal["dog"]


class Box(BaseModel, Generic[Item]):
    content: Item


class Tree(BaseModel):
    children: list[Tree]


class Options(TypedDict, total=False):
    deep: bool


class Point(NamedTuple):
    x: int
    y: int = 0


def schema_of(annotation: Any, default: Any = ...) -> dict[str, Any]:
    """The lowered schema of one parameter."""

    def handler(one: Any) -> None: ...

    handler.__annotations__["one"] = annotation
    if default is not ...:
        handler.__defaults__ = (default,)
    return dict(make_tool(handler, description="x").definition.input_schema["properties"]["one"])


@pytest.mark.parametrize(
    ("annotation", "lowered"),
    [
        (str, {"type": "string"}),
        (float, {"type": "number"}),
        (Any, {}),
        (None, {}),
        (int | None, {"type": "integer"}),
        (MaybeInt, {"type": "integer"}),
        (int | str | None, {"anyOf": [{"type": "integer"}, {"type": "string"}]}),
        (list[int | None], {"type": "array", "items": {"type": "integer"}}),
        (set[str], {"type": "array", "uniqueItems": True, "items": {"type": "string"}}),
        (dict[str, int | None], {"type": "object", "additionalProperties": {"type": "integer"}}),
        (Colour, {"type": "string", "enum": ["red", "blue"]}),
        (Literal["a", None], {"enum": ["a"]}),
        (Literal[None], {}),
        (Decimal, {"anyOf": [{"type": "number"}, {"type": "string"}]}),
        (datetime.date, {"type": "string", "description": "A date, YYYY-MM-DD"}),
        (RootModel[list[int]], {"type": "array", "items": {"type": "integer"}}),
        (Annotated[str, WithJsonSchema({"type": ["string", "null"]})], {"type": "string"}),
        (Annotated[list[Any], WithJsonSchema({"items": True})], {"items": {}}),
        (Annotated[int, Field(ge=1, le=5)], {"type": "integer", "minimum": 1, "maximum": 5}),
        (Annotated[int | None, Field(ge=1)], {"type": "integer", "minimum": 1}),
    ],
)  # fmt: skip
def test_a_type_is_lowered_to_plain_keywords(annotation: Any, lowered: dict[str, Any]) -> None:
    assert schema_of(annotation) == lowered


def test_a_typed_dict_takes_its_own_keys_only() -> None:
    properties = {"deep": {"type": "boolean"}}
    assert schema_of(Options) == {"type": "object", "properties": properties, "additionalProperties": False}


def test_a_named_tuple_is_a_list_with_places() -> None:
    places = [{"type": "integer"}, {"type": "integer", "default": 0}]
    assert schema_of(Point) == {"type": "array", "minItems": 1, "maxItems": 2, "prefixItems": places}


def test_a_nested_model_is_put_in_place_and_its_nullable_field_is_optional() -> None:
    assert schema_of(Address) == {
        "type": "object",
        "description": "Where to deliver.",
        "properties": {"title": {"type": "string"}, "coupon": {"type": "string"}},
        "required": ["title"],
    }


def test_the_description_of_a_parameter_wins_over_that_of_its_model() -> None:
    assert schema_of(Annotated[Address, Field(description="Mine")])["description"] == "Mine"


def test_a_described_date_that_may_be_null_still_names_its_format() -> None:
    lowered = schema_of(Annotated[datetime.date | None, Field(description="Day")])
    assert lowered == {"type": "string", "description": "Day (a date, YYYY-MM-DD)"}


def test_a_generic_model_is_lowered_with_its_argument() -> None:
    assert schema_of(Box[MaybeInt]) == {"type": "object", "properties": {"content": {"type": "integer"}}}


def test_a_discriminated_union_becomes_alternatives() -> None:
    lowered = schema_of(Annotated[Cat | Dog, Field(discriminator="kind")])
    assert [each["properties"]["kind"]["const"] for each in lowered["anyOf"]] == ["cat", "dog"]


def test_a_dict_with_a_pattern_for_its_keys_keeps_the_type_of_its_values() -> None:
    key = Annotated[str, StringConstraints(pattern="^a")]
    assert schema_of(dict[key, int])["additionalProperties"] == {"type": "integer"}


@pytest.mark.parametrize(
    ("annotation", "default", "written"),
    [
        (int, 3, 3),
        (Colour, Colour.RED, "red"),
        (Decimal, Decimal("1.10"), "1.10"),
        (datetime.date, datetime.date(2026, 1, 2), "2026-01-02"),
        (str, "\ud800", "\ufffd"),
        (int, 2**70, str(2**70)),
    ],
)
def test_a_default_is_written_as_json(annotation: Any, default: Any, written: Any) -> None:
    assert schema_of(annotation, default)["default"] == written


@pytest.mark.parametrize("default", [None, math.nan, math.inf, object()])
def test_a_default_that_json_has_not_is_left_out(default: object) -> None:
    assert "default" not in schema_of(Any, default)


def test_a_recursive_model_is_refused_with_its_trail_and_a_cure() -> None:
    with pytest.raises(ToolDefinitionError, match=r"Tree contains itself \(Tree > Tree\).*Take ids"):
        schema_of(Tree)


def test_one_model_may_occur_twice() -> None:
    lowered = schema_of(tuple[Cat, Cat])
    assert lowered["prefixItems"][0] == lowered["prefixItems"][1]


def test_the_root_is_an_object_that_takes_nothing_else() -> None:
    def handler() -> None: ...

    made = make_tool(handler, description="x")
    assert made.definition.input_schema == {"type": "object", "properties": {}, "additionalProperties": False}


# -- generated models ----------------------------------------------------------------------------------------

NAMES = st.sampled_from(
    ["title", "type", "anyOf", "required", "properties", "default", "fields", "metadata", "a"]
)
LEAVES: st.SearchStrategy[Any] = st.sampled_from(
    [str, int, float, bool, Colour, datetime.date, Decimal, Literal["x", None], Literal[1, "y"], Address]
)


@st.composite
def models(draw: st.DrawFn, inner: st.SearchStrategy[Any]) -> type[BaseModel]:
    kinds = draw(st.dictionaries(NAMES, inner, min_size=1, max_size=3))
    fields: dict[str, Any] = {name: (kind, ...) for name, kind in kinds.items()}
    return create_model(draw(st.sampled_from(["One", "Two"])), **fields)


TYPES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        inner.map(lambda one: one | None),
        inner.map(lambda one: types.GenericAlias(list, one)),
        inner.map(lambda one: types.GenericAlias(dict, (str, one))),
        st.tuples(inner, inner).map(lambda both: both[0] | both[1]),
        models(inner),
    ),
    max_leaves=6,
)


def nodes(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The schema and all that stand in schema positions below it."""
    yield schema
    below = [*schema.get("anyOf", ()), *schema.get("prefixItems", ()), *schema.get("properties", {}).values()]
    below += [schema[key] for key in ("items", "additionalProperties") if isinstance(schema.get(key), dict)]
    for each in below:
        yield from nodes(each)


def example(schema: dict[str, Any]) -> Any:
    """The least value that the schema asks for."""
    if "anyOf" in schema:
        return example(schema["anyOf"][0])
    if "const" in schema or "enum" in schema:
        return schema["const"] if "const" in schema else schema["enum"][0]
    if schema["type"] == "object":
        return {name: example(schema["properties"][name]) for name in schema.get("required", ())}
    if schema.get("description", "").startswith("A date"):
        return "2026-01-02"
    return {"array": [], "string": "text", "integer": 1, "number": 1.5, "boolean": True}[schema["type"]]


@given(kind=models(TYPES))
@settings(max_examples=60)
def test_a_generated_model_lowers_to_plain_keywords_and_accepts_the_least_value(
    kind: type[BaseModel],
) -> None:
    def handler(one: Any) -> None: ...

    handler.__annotations__["one"] = kind
    made = make_tool(handler, description="x")
    schema = made.definition.input_schema

    assert schema["type"] == "object"
    assert schema["properties"]["one"]["properties"].keys() == kind.model_fields.keys()
    for node in nodes(schema):
        assert not node.keys() & {"$ref", "$defs", "title", "oneOf", "format"}
        assert node.get("type") != "null"
        assert None not in node.get("enum", ())
    made.arguments.accept(json.dumps(example(schema)))
