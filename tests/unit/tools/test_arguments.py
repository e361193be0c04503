import functools
import math
import sys
import types
from collections.abc import Callable, Iterable
from typing import Annotated, Any, ClassVar

import pytest
from pydantic import AfterValidator, BaseModel, Field, Json

from webtools._exceptions import InvalidArguments, ToolDefinitionError
from webtools.tools.tool import make_tool


class Order(BaseModel):
    sku: str
    coupon: str | None = None


def accept(handler: Callable[..., Any], text: str) -> dict[str, Any]:
    return make_tool(handler, name="t", description="x").arguments.accept(text)


def refusal(handler: Callable[..., Any], text: str) -> str:
    with pytest.raises(InvalidArguments) as caught:
        accept(handler, text)
    return caught.value.message


def definition_error(handler: Callable[..., Any]) -> str:
    with pytest.raises(ToolDefinitionError) as caught:
        make_tool(handler, name="t", description="x")
    return str(caught.value)


FOREIGN = object()


def anything(one: Any) -> None: ...


def words(one: str) -> None: ...


def numbers(one: list[int]) -> None: ...


# -- what arrives --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["0042", "true", "[1]", "null", "{}", "1e5", ""])
def test_a_text_is_never_parsed(text: str) -> None:
    assert accept(words, f'{{"one": "{text}"}}') == {"one": text}


def test_a_list_in_a_text_is_a_validation_message() -> None:
    assert 'one: expected a list; got text "[1,2]"' in refusal(numbers, '{"one": "[1,2]"}')


def test_a_number_in_a_text_is_taken_as_json_leniently_allows() -> None:
    assert accept(numbers, '{"one": ["42"]}') == {"one": [42]}


def test_a_json_parameter_that_its_author_asked_for_is_parsed() -> None:
    def handler(one: Json[list[int]]) -> None: ...

    assert accept(handler, '{"one": "[1]"}') == {"one": [1]}
    assert 'expected text; got text "[1"' in refusal(handler, '{"one": "[1"}')


def test_null_inside_a_nested_object_arrives_as_none() -> None:
    def handler(order: Order) -> None: ...

    assert accept(handler, '{"order": {"sku": "a", "coupon": null}}')["order"].coupon is None


def test_an_absent_argument_is_left_to_the_handlers_own_default() -> None:
    def handler(a: int = 1, b: Any = FOREIGN) -> None: ...

    assert accept(handler, "{}") == {}


def test_a_default_of_field_is_supplied_because_the_handler_has_none() -> None:
    def handler(
        a: Annotated[int, Field(default=3)], b: Annotated[list[int], Field(default_factory=list)]
    ) -> None: ...

    assert accept(handler, "{}") == {"a": 3, "b": []}


def test_parameters_may_have_the_names_of_pydantics_own() -> None:
    def handler(
        schema: int, model_config: int, self: int, json: int, _x: int, p0: int, copy: int = 1
    ) -> None: ...

    given = {"schema": 1, "model_config": 2, "self": 3, "json": 4, "_x": 5, "p0": 6}
    assert accept(handler, str(given).replace("'", '"')) == given


@pytest.mark.parametrize(
    ("json_text", "value"),
    [
        ('"\\ud800x"', "\ufffdx"),
        ('"\ud800x"', "\ufffdx"),
        ('"\\ud83d\\udc5f"', "\N{ATHLETIC SHOE}"),
        ('["\\ud800", 123456789012345678901234567890]', ["\ufffd", 123456789012345678901234567890]),
        ("1e999", math.inf),
        ("Infinity", math.inf),
        ('{"__proto__": {"": []}}', {"__proto__": {"": []}}),
        ('"\\u0000"', "\0"),
    ],
)
def test_an_odd_value_arrives_whole(json_text: str, value: Any) -> None:
    assert accept(anything, f'{{"one": {json_text}}}') == {"one": value}


def test_of_two_equal_keys_the_last_one_counts() -> None:
    assert accept(anything, '{"one": 1, "one": 2}') == {"one": 2}


def test_five_megabytes_of_text_arrive() -> None:
    assert len(accept(words, f'{{"one": "{"x" * 5_000_000}"}}')["one"]) == 5_000_000


@pytest.mark.parametrize("inside", ["", '"\\ud800"', '"]]]"'])
@pytest.mark.parametrize("depth", [250, 10_000])
def test_an_input_that_is_nested_too_deeply_is_refused_before_pythons_parser_sees_it(
    depth: int, inside: str
) -> None:
    text = f'{{"one": {"[" * depth}{inside}{"]" * depth}}}'
    assert "nested at most 200 deep" in refusal(anything, text)


def test_brackets_inside_of_texts_are_no_nesting() -> None:
    brackets = "[" * 500
    assert accept(anything, f'{{"one": ["\\ud800", "{brackets}"]}}') == {"one": ["\ufffd", brackets]}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "undefined",
        '{"one": 1} x',
        '\ufeff{"one": 1}',
        f'{{"one": {"9" * 5000}}}',
    ],
)
def test_a_text_that_no_parser_takes_is_refused_as_such(text: str) -> None:
    assert "(input): expected JSON text of an object" in refusal(anything, text)


@pytest.mark.parametrize("text", ["null", "[]", '"{}"', "3"])
def test_json_that_is_no_object_is_refused_as_such(text: str) -> None:
    assert "(input): expected an object with the tool's arguments; got" in refusal(anything, text)


def test_an_unknown_argument_is_refused_even_beside_a_lone_surrogate() -> None:
    assert "two: expected no argument of this name" in refusal(anything, '{"one": "\\ud800", "two": 2}')


def test_an_internal_name_is_no_argument() -> None:
    assert "p0: expected no argument of this name; got 1" in refusal(anything, '{"p0": 1, "one": 1}')


def test_what_an_authors_validator_raises_passes_unchanged() -> None:
    def fail(value: int) -> int:
        raise LookupError("down")

    def handler(one: Annotated[int, AfterValidator(fail)]) -> None: ...

    with pytest.raises(LookupError, match="down"):
        accept(handler, '{"one": 1}')


def test_a_refusal_says_that_nothing_was_done_and_holds_the_problems() -> None:
    with pytest.raises(InvalidArguments) as caught:
        accept(numbers, '{"one": 5}')
    error = caught.value
    assert (error.code, error.retryable, error.effect) == ("INVALID_TOOL_ARGS", True, "none")
    assert error.details == {"problems": [{"path": "one", "expected": "a list", "got": "5"}]}


# -- which parameters are offered ----------------------------------------------------------------------------


def test_what_a_partial_fixed_is_not_offered() -> None:
    def handler(a: int, b: int, c: int = 3) -> None: ...

    made = make_tool(functools.partial(handler, 1, b=2), description="x")
    assert made.arguments.accept("{}") == {}
    assert list(made.definition.input_schema["properties"]) == ["c"]


def test_a_callable_object_that_looks_like_a_partial_is_none() -> None:
    class Handler:
        func = None
        keywords = ("a",)

        def __call__(self, a: int) -> None: ...

    assert accept(Handler(), '{"a": 1}') == {"a": 1}


def test_a_wrapper_takes_what_it_wraps() -> None:
    def handler(a: int) -> None: ...

    @functools.wraps(handler)
    def wrapper(*args: Any, **kwargs: Any) -> None: ...

    assert accept(wrapper, '{"a": 1}') == {"a": 1}


def test_annotations_in_quotes_are_looked_up_in_the_handlers_module(monkeypatch: pytest.MonkeyPatch) -> None:
    source = "import pydantic\nclass Item(pydantic.BaseModel): ...\ndef handler(a: list['Item']): ..."
    module = types.ModuleType("an_app")
    monkeypatch.setitem(sys.modules, "an_app", module)
    exec(source, vars(module))  # an app is run like this
    assert accept(module.handler, '{"a": [{}]}') == {"a": [module.Item()]}


# -- what is refused at definition ---------------------------------------------------------------------------


def test_star_args_are_refused() -> None:
    def handler(*items: int) -> None: ...

    assert definition_error(handler) == (
        "Tool 't': *items cannot be described to an agent. Name each parameter, or take one list or one dict."
    )


def test_star_star_kwargs_are_refused() -> None:
    def handler(**items: int) -> None: ...

    assert "**items cannot be described" in definition_error(handler)


def test_a_positional_only_parameter_is_refused() -> None:
    def handler(a: int, /) -> None: ...

    assert definition_error(handler) == (
        "Tool 't': a is positional-only, and an agent gives arguments by name. Drop the '/'."
    )


def test_a_parameter_without_annotation_is_refused() -> None:
    def handler(a) -> None: ...  # type: ignore[no-untyped-def]  # noqa: ANN001  # that is the point

    assert definition_error(handler) == (
        "Tool 't': parameter a has no annotation. Write a: str, for instance."
    )


def test_a_method_that_is_not_bound_is_refused_with_the_cure() -> None:
    class Shop:
        def find(self, a: int) -> None: ...

    assert "Decorate the bound method instead: tool(instance.method)." in definition_error(Shop.find)


def test_an_alias_is_refused() -> None:
    def handler(a: Annotated[int, Field(alias="b")]) -> None: ...

    assert "parameter a has an alias" in definition_error(handler)


def test_field_as_a_default_is_refused() -> None:
    def handler(a: int = Field(3, ge=1)) -> None: ...

    assert "parameter a has Field(...) as its default" in definition_error(handler)


@pytest.mark.parametrize(
    ("annotation", "reason"),
    [
        (object(), "cannot send as JSON"),
        (Callable[[int], int], "cannot send as JSON"),
        (type[int], "a class is no data"),
        (Iterable[int], "take a list"),
        (ClassVar[int], "ClassVar and Final say something of a class"),
        (Annotated[str, Field(pattern="(?=x)")], "look-around"),
    ],
)
def test_a_type_that_json_cannot_fill_is_refused_with_the_parameters_name(
    annotation: Any, reason: str
) -> None:
    def handler(fine: int, one: Any) -> None: ...

    handler.__annotations__["one"] = annotation
    said = definition_error(handler)
    assert said.startswith("Tool 't': parameter one is annotated ")
    assert reason in said


@pytest.mark.parametrize("annotation", ["Nope", types.GenericAlias(list, "Nope")])
def test_a_name_that_is_not_defined_is_named(annotation: Any) -> None:
    anything_else = types.FunctionType(anything.__code__, {}, "anything_else")
    anything_else.__annotations__ = {"one": annotation}
    assert "uses the name 'Nope', which is not defined in its module" in definition_error(anything_else)


@pytest.mark.parametrize("annotation", ["int |", "1 / 0", "int.nope"])
def test_an_annotation_that_cannot_be_evaluated_is_refused(annotation: str) -> None:
    def handler(one: Any) -> None: ...

    handler.__annotations__["one"] = annotation
    assert "its signature cannot be read" in definition_error(handler)


def test_a_types_own_code_that_raises_is_refused() -> None:
    class Broken:
        @classmethod
        def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
            raise LookupError("broken")

    def handler(one: Broken) -> None: ...

    assert "parameter one is annotated Broken" in definition_error(handler)
