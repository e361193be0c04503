import dataclasses
import enum
import json
from typing import Annotated, Any, Literal, NotRequired

import pytest
from pydantic import AfterValidator, AliasChoices, BaseModel, ConfigDict, Field, RootModel, field_validator
from typing_extensions import TypeAliasType, TypedDict

from webtools.tools.tool import make_tool

MaybeInt = TypeAliasType("MaybeInt", "int | None")


class Nothing(enum.Enum):
    NONE = None
    SOME = "some"


class Cat(BaseModel):
    kind: Literal["cat", "lion"]
    lives: int | None


class Dog(BaseModel):
    kind: Literal["dog", "wolf"]
    name: str | None


class Counted(BaseModel):
    model_config = ConfigDict(extra="forbid")

    value: int
    unit: str | None


class Named(BaseModel):
    model_config = ConfigDict(extra="forbid")

    value: str
    language: str | None


class Awkward(BaseModel):
    type: int | None
    fields: int | None
    metadata: Cat | None
    default: Cat


@dataclasses.dataclass(frozen=True, slots=True)
class Size:
    unit: str | None
    width: int


class Filter(TypedDict):
    colour: str | None
    price: NotRequired[int | None]


def accept(annotation: Any, text: str) -> Any:
    """What a handler with one parameter is given."""

    def handler(one: Any) -> None: ...

    handler.__annotations__["one"] = annotation
    return make_tool(handler, description="x").arguments.accept(text)["one"]


@pytest.mark.parametrize(
    ("annotation", "given"),
    [
        (int | None, None),
        (MaybeInt, None),
        (None, None),
        (Literal["a", None], None),
        (Nothing, Nothing.NONE),
        (RootModel[int | None], RootModel[int | None](None)),
        (Annotated[int | None, AfterValidator(lambda value: value or 7)], 7),
    ],
)
def test_a_demanded_parameter_that_may_be_null_is_given_none_when_absent(annotation: Any, given: Any) -> None:
    assert accept(annotation, "{}") == given


@pytest.mark.parametrize(
    ("annotation", "sent", "given"),
    [
        (Cat, {"kind": "cat"}, Cat(kind="cat", lives=None)),
        (Size, {"width": 3}, Size(unit=None, width=3)),
        (Filter, {}, {"colour": None}),
        (list[Cat | None], [{"kind": "cat"}, None], [Cat(kind="cat", lives=None), None]),
        (dict[str, Cat], {"a": {"kind": "cat"}}, {"a": Cat(kind="cat", lives=None)}),
        (tuple[int, Cat], [1, {"kind": "cat"}], (1, Cat(kind="cat", lives=None))),
        (Cat | Dog, {"kind": "wolf"}, Dog(kind="wolf", name=None)),
        (Counted | Named, {"value": "x"}, Named(value="x", language=None)),
        (
            list[dict[str, Counted | Named] | None],
            [{"a": {"value": 1}}],
            [{"a": Counted(value=1, unit=None)}],
        ),
    ],
)
def test_a_field_that_may_be_null_may_be_absent_at_every_depth(
    annotation: Any, sent: Any, given: Any
) -> None:
    assert accept(annotation, json.dumps({"one": sent})) == given


def test_fields_with_names_of_pydantics_schemas_are_fields() -> None:
    given = accept(Awkward, '{"one": {"default": {"kind": "cat"}}}')
    assert given == Awkward(type=None, fields=None, metadata=None, default=Cat(kind="cat", lives=None))


def test_null_that_was_sent_arrives_as_none() -> None:
    assert accept(Cat, '{"one": {"kind": "cat", "lives": null}}') == Cat(kind="cat", lives=None)


def test_an_absent_key_that_a_typed_dict_does_not_demand_stays_absent() -> None:
    assert "price" not in accept(Filter, '{"one": {"colour": "red"}}')


def test_a_value_under_another_alias_is_not_overwritten() -> None:
    class Aliased(BaseModel):
        amount: int | None = Field(validation_alias=AliasChoices("one", "two"))

    assert accept(Aliased, '{"one": {"two": 2}}').amount == 2


def test_an_authors_validator_sees_the_none_that_was_supplied() -> None:
    class Validated(BaseModel):
        amount: int | None

        @field_validator("amount")
        @classmethod
        def none_is_zero(cls, value: int | None) -> int:
            return value or 0

    assert accept(Validated, '{"one": {}}').amount == 0
