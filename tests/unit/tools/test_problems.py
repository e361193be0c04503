import datetime
import json
from typing import Annotated, Any, Literal

import pytest
from pydantic import AfterValidator, BaseModel, Field, StringConstraints, model_validator
from pydantic_core import PydanticCustomError

from webtools._exceptions import InvalidArguments
from webtools.tools.problems import MAX_LINES, expectation
from webtools.tools.tool import make_tool


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int


class Dog(BaseModel):
    kind: Literal["dog"]


class Even(BaseModel):
    value: int

    @model_validator(mode="after")
    def is_even(self) -> "Even":
        if self.value % 2:
            raise ValueError("the value must be even")
        return self


def refusal(annotation: Any, sent: Any) -> str:
    """The message for one parameter's value, without the heading and the parameter's name."""

    def handler(one: Any) -> None: ...

    handler.__annotations__["one"] = annotation
    with pytest.raises(InvalidArguments) as caught:
        make_tool(handler, name="t", description="x").arguments.accept(json.dumps({"one": sent}))
    heading, *lines = caught.value.message.split("\n")
    assert heading == "The arguments of t were not accepted; the tool did not run."
    return "\n".join(lines).removeprefix("one")


@pytest.mark.parametrize(
    ("annotation", "sent", "said"),
    [
        (str, 5, ": expected text; got 5"),
        (int, 1.5, ": expected a whole number; got 1.5"),
        (float, "x", ': expected a number; got text "x"'),
        (bool, None, ": expected true or false; got null"),
        (list[int], {}, ": expected a list; got an empty object"),
        (Cat, [1, 2], ": expected an object; got a list of 2"),
        (Cat, [], ": expected an object; got an empty list"),
        (dict[str, int], {"a": {"b": 1}}, ".a: expected a whole number; got an object with b"),
        (list[list[int]], [[1], [2, "x"]], '[1][1]: expected a whole number; got text "x"'),
        (tuple[int, str], [1, 2], "[1]: expected text; got 2"),
        (tuple[int, str], [1], "[1]: expected text, it is required; got nothing"),
        (Cat, {"kind": "cat"}, ".lives: expected a whole number, it is required; got nothing"),
        (Cat, {"kind": "cow", "lives": 1}, '.kind: expected "cat"; got text "cow"'),
        (Literal["a", 1], "b", ': expected one of "a", 1; got text "b"'),
        (int | list[int], "x", ': expected a whole number or a list; got text "x"'),
        (Cat | Dog, {"kind": "cow"}, '.kind: expected "cat" or "dog"; got text "cow"'),
        (Annotated[int, Field(ge=1, le=5)], 9, ": expected a whole number (at least 1, at most 5); got 9"),
        (Annotated[str, Field(max_length=1)], "ab", ': expected text (at most 1 character); got text "ab"'),
        (Annotated[str, Field(pattern="^x{1,2}$")], "y", ': expected text (matching ^x{1,2}$); got text "y"'),
        (datetime.date, "soon", ': expected text (A date, YYYY-MM-DD); got text "soon"'),
        (dict[int, int], {"x": 1}, '.x: expected another key in this place; got text "x"'),
        (dict[str, int], {"": "x"}, '."": expected a whole number; got text "x"'),
        (dict[str, int], {"a\nb": "x"}, '.a b: expected a whole number; got text "x"'),
    ],
)  # fmt: skip
def test_a_problem_names_the_path_what_was_expected_and_what_came(
    annotation: Any, sent: Any, said: str
) -> None:
    assert refusal(annotation, sent).split("\n")[0] == said


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"type": "string", "minLength": 1, "maxLength": 80}, "text (1 to 80 characters)"),
        ({"type": "string", "minLength": 2}, "text (at least 2 characters)"),
        ({"type": "string", "minLength": 2, "maxLength": 2}, "text (exactly 2 characters)"),
        ({"type": "array", "minItems": 1}, "a list (at least 1 item)"),
        ({"type": "array", "minItems": 0, "maxItems": 1}, "a list (0 to 1 item)"),
        ({"type": "string", "maxLength": 9, "pattern": "^x+$"}, "text (at most 9 characters, matching ^x+$)"),
    ],
)
def test_how_much_is_expected_is_said_as_a_person_would(schema: dict[str, Any], said: str) -> None:
    assert expectation(schema) == said


def test_a_discriminated_union_names_the_values_of_its_tag() -> None:
    annotation = Annotated[Cat | Dog, Field(discriminator="kind")]
    assert refusal(annotation, {"kind": "cow"}) == (
        ': expected kind to be one of "cat", "dog"; got an object with kind'
    )
    assert refusal(annotation, {}) == ': expected kind to be one of "cat", "dog"; got an empty object'


def test_the_key_of_a_dict_is_blamed_and_not_its_value() -> None:
    key = Annotated[str, StringConstraints(pattern="^a")]
    assert refusal(dict[key, int], {"b": 1}) == '.b: expected another key in this place; got text "b"'


def test_the_words_of_an_authors_validator_reach_the_agent() -> None:
    assert (
        refusal(list[Even], [{"value": 1}])
        == "[0]: expected the value must be even; got an object with value"
    )


def test_the_words_of_a_custom_error_reach_the_agent() -> None:
    def refuse(value: int) -> int:
        raise PydanticCustomError("sold_out", "one of {stock} in stock", {"stock": 3})

    assert refusal(Annotated[int, AfterValidator(refuse)], 9) == ": expected one of 3 in stock; got 9"


def test_an_author_who_says_nothing_leaves_the_schemas_words() -> None:
    def refuse(value: int) -> int:
        raise ValueError

    assert refusal(Annotated[int, AfterValidator(refuse)], 9) == ": expected a whole number; got 9"


def test_many_lines_of_an_author_become_one_short_line() -> None:
    def refuse(value: int) -> int:
        raise ValueError("no\n" * 1000)

    said = refusal(Annotated[int, AfterValidator(refuse)], 9)
    assert said.count("\n") == 0
    assert len(said) < 400


def test_pydantics_own_words_never_reach_the_agent() -> None:
    assert "Input should be" not in refusal(int | Cat | None, "x")


def test_fifty_problems_make_ten_lines_with_the_rest_counted() -> None:
    lines = refusal(list[int], ["x"] * 50).split("\n")
    assert len(lines) == MAX_LINES - 1
    assert lines[-1] == "… and 42 more"


def test_nine_problems_are_all_listed() -> None:
    lines = refusal(list[int], ["x"] * 9).split("\n")
    assert len(lines) == 9
    assert lines[-1].startswith("one[8]: ")


@pytest.mark.parametrize("sent", [{"k" * 5_000_000: 1}, "x" * 5_000_000, [{"k" * 5_000_000: "x"}]])
def test_a_huge_value_is_shown_short(sent: Any) -> None:
    assert len(refusal(list[dict[str, int]], sent)) < 300


def test_an_unknown_argument_is_named() -> None:
    def handler() -> None: ...

    with pytest.raises(
        InvalidArguments, match=r"\n__proto__: expected no argument of this name; got an object with a$"
    ):
        make_tool(handler, description="x").arguments.accept('{"__proto__": {"a": 1}}')
