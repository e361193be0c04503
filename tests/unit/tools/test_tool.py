import asyncio
import functools
import gc
import inspect
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Annotated, Any, cast

import pytest
from pydantic import Field

from webtools import ToolDefinitionError, tool
from webtools.tools.tool import DEFAULT_MAX_CHARS, DEFAULT_TIMEOUT, Options, Tool, make_tool, tool_of


def find(query: str, limit: int = 10) -> list[str]:
    """Find products.

    Args:
        query: Words.
    """
    return [query] * limit


class Shop:
    """A shop."""

    def find(self, query: str) -> str:
        """Find in the shop."""
        return f"found {query}"

    @classmethod
    def open(cls, name: str) -> str:
        """Open a shop."""
        return name


class Echo:
    """What the object is."""

    def __call__(self, query: str) -> str:
        return query


class Documented(Echo):
    def __call__(self, query: str) -> str:
        """What a call does."""
        return query


class Slotted:
    """Has no room for a mark."""

    __slots__ = ()

    def __call__(self) -> None: ...


def made_of(handler: Any) -> Tool:
    made = tool_of(handler)
    assert made is not None
    return made


def definition_error(handler: Any, **options: Any) -> str:
    with pytest.raises(ToolDefinitionError) as caught:
        tool(handler, **options)
    return str(caught.value)


# -- what is decorated ---------------------------------------------------------------------------------------


def test_a_function_is_returned_as_it_was_and_carries_its_tool() -> None:
    def handler(a: int) -> int:
        """Double."""
        return a * 2

    assert tool(handler) is handler
    assert handler(2) == 4
    assert made_of(handler).handler is handler


def test_the_decorator_may_be_used_with_options_only() -> None:
    @tool(name="double", read_only=True)
    async def handler(a: int) -> int:
        """Double."""
        return a * 2

    assert made_of(handler).name == "double"
    assert asyncio.run(handler(2)) == 4


@pytest.mark.parametrize("bound", [Shop().find, Shop.open])
def test_a_bound_method_can_be_a_tool(bound: Callable[[str], str]) -> None:
    tool(bound)
    assert list(made_of(bound).definition.input_schema["properties"]) in (["query"], ["name"])


def test_a_bound_method_of_another_object_is_no_tool() -> None:
    bound = tool(Shop().find)
    assert made_of(bound).handler("a") == "found a"
    assert tool_of(Shop().find) is None


def test_a_partial_is_named_and_described_by_its_function() -> None:
    made = made_of(tool(functools.partial(functools.partial(find, "a"), limit=2)))
    assert (made.name, made.definition.description) == ("find", "Find products.")
    assert made.definition.input_schema["properties"] == {}
    assert made.handler() == ["a", "a"]


def test_a_callable_object_is_described_by_its_class() -> None:
    assert made_of(tool(Echo(), name="c")).definition.description == "What the object is."


def test_a_callable_object_is_described_by_its_call_where_that_says_something() -> None:
    assert made_of(tool(Documented(), name="c")).definition.description == "What a call does."


def test_a_cached_function_can_be_a_tool() -> None:
    cached = tool(functools.lru_cache(find))
    assert made_of(cached).handler("a", 1) == ["a"]


def test_a_wrapper_of_a_tool_is_none_until_it_is_decorated() -> None:
    inner = tool(functools.partial(find))

    @tool
    def handler(a: int) -> int:
        """Double."""
        return a

    @functools.wraps(handler)
    def wrapper(a: int) -> int:
        return a

    assert tool_of(wrapper) is None
    assert made_of(tool(wrapper)) is not made_of(handler)
    assert tool_of(inner) is not None


@pytest.mark.parametrize("value", [None, 1, "a", find, Shop, Shop(), asyncio])
def test_what_was_not_decorated_is_no_tool(value: object) -> None:
    assert tool_of(value) is None


def test_an_object_with_a_broken_dict_is_no_tool() -> None:
    class Broken:
        __dict__ = cast("dict[str, Any]", 5)

    assert tool_of(Broken()) is None


def test_a_tool_names_itself_and_what_it_calls() -> None:
    assert repr(make_tool(find)) == "<Tool 'find' calls find>"
    assert repr(make_tool(Echo(), name="c")) == "<Tool 'c' calls Echo>"


# -- what becomes of it --------------------------------------------------------------------------------------


def test_a_docstring_describes_the_tool_and_its_parameters() -> None:
    definition = make_tool(find).definition
    assert definition.description == "Find products."
    assert definition.input_schema == {
        "type": "object",
        "properties": {
            "query": {"type": "string", "description": "Words."},
            "limit": {"type": "integer", "default": 10},
        },
        "required": ["query"],
        "additionalProperties": False,
    }


def test_the_text_of_an_annotation_wins_over_the_docstrings() -> None:
    def handler(a: Annotated[int, Field(description="annotated")]) -> None:
        """Do.

        Args:
            a: documented
        """

    assert make_tool(handler).definition.input_schema["properties"]["a"]["description"] == "annotated"


def test_a_method_inherits_the_docstring_of_the_one_that_it_overrides() -> None:
    class Branch(Shop):
        def find(self, query: str) -> str:
            return query

    assert make_tool(Branch().find).definition.description == "Find in the shop."


def test_the_options_become_the_browsers_annotations() -> None:
    made = make_tool(find, read_only=True, untrusted_content=True, debugging=True)
    assert made.definition.annotations == {
        "readOnlyHint": True,
        "untrustedContentHint": True,
        "debugging": True,
    }
    assert make_tool(find, consequential=True).definition.annotations == {"consequentialHint": True}


def test_the_options_become_the_definition_and_the_limits() -> None:
    origin = "https://a.example"
    made = make_tool(find, name="n", title="T", description="D", exposed_to=[origin], timeout=1, max_chars=9)
    definition = made.definition
    assert (definition.name, definition.title, definition.description) == ("n", "T", "D")
    assert (definition.exposed_to, made.timeout, made.max_chars) == ((origin,), 1.0, 9)


def test_a_tool_has_limits_without_being_told() -> None:
    made = make_tool(find)
    assert (made.timeout, made.max_chars) == (DEFAULT_TIMEOUT, DEFAULT_MAX_CHARS)


# -- what is refused -----------------------------------------------------------------------------------------


def yields(a: int) -> Iterator[int]:
    """Count."""
    yield a


async def yields_later(a: int) -> AsyncIterator[int]:
    """Count."""
    yield a


class Yields:
    """Count."""

    def __call__(self, a: int) -> Iterator[int]:
        yield a


@pytest.mark.parametrize("handler", [yields, yields_later, Yields(), functools.partial(yields, 1)])
def test_what_yields_is_refused(handler: Any) -> None:
    assert "yields, and a call has one answer. Collect the items and return a list." in definition_error(
        handler
    )


@pytest.mark.parametrize("handler", [Shop, 5, Shop(), vars(Shop)["open"]])
def test_what_is_no_function_is_refused(handler: Any) -> None:
    assert "a tool is made of a function or a callable object" in definition_error(handler)


def test_a_handler_without_docstring_is_refused_with_the_cure() -> None:
    def handler() -> None: ...

    assert definition_error(handler) == (
        "Tool 'handler' has no description. "
        'Agents choose by it: write a docstring, or @tool(description="...").'
    )


def test_a_function_without_a_usable_name_is_refused() -> None:
    assert "'<lambda>' cannot be a tool's name" in definition_error(lambda: None)


def test_an_object_without_a_name_is_refused() -> None:
    assert "Echo: None cannot be a tool's name" in definition_error(Echo())


def test_an_object_that_can_carry_no_mark_is_refused() -> None:
    assert definition_error(Slotted(), name="s") == (
        "Tool 's': Slotted objects cannot carry a tool. Wrap it in a function."
    )


@pytest.mark.parametrize(
    ("option", "said"),
    [("confrim", "there is no option confrim; did you mean confirm?"), ("colour", "there is name, title,")],
)
def test_an_unknown_option_is_refused_with_the_one_that_was_meant(option: str, said: str) -> None:
    with pytest.raises(ToolDefinitionError, match=f"^find: there is no option {option}; ") as refused:
        tool(find, **{option: "Pay?"})  # type: ignore[call-overload]  # that is the point
    assert said in str(refused.value)


@pytest.mark.parametrize(
    "option",
    [
        {"name": "a b"},
        {"title": ""},
        {"description": " "},
        {"read_only": 1},
        {"exposed_to": ["*"]},
        {"timeout": 0},
        {"max_chars": 0},
    ],
)
def test_every_option_is_checked(option: dict[str, Any]) -> None:
    definition_error(find, **option)


def test_a_refused_handler_is_left_unmarked() -> None:
    definition_error(find, timeout=0)
    assert tool_of(find) is None


def test_a_tool_dies_with_its_function() -> None:
    def handler() -> None:
        """Do."""

    tool(handler)
    name = made_of(handler).name
    del handler
    gc.collect()
    assert not [each for each in gc.get_objects() if type(each) is Tool and each.name == name]


def test_held_is_true_or_false() -> None:
    def handler() -> None:
        """Do nothing."""

    assert make_tool(handler, held=True).is_held_by_others is True
    assert definition_error(handler, held="yes") == "Tool 'handler': held='yes' must be True or False."


def test_a_match_is_no_part_of_what_agents_see() -> None:
    def handler() -> None:
        """Do nothing."""

    bound = make_tool(handler, match=("/cart/*", "#"))
    assert bound.match == ("/cart/*", "#")
    assert bound.definition == make_tool(handler).definition
    assert make_tool(handler).match == ()
    assert "no path is like it" in definition_error(handler, match="cart")
    assert "both match and held=True" in definition_error(handler, match="/", held=True)


def test_the_decorator_and_its_maker_know_the_same_options() -> None:
    keywords = {
        name
        for name, parameter in inspect.signature(make_tool).parameters.items()
        if parameter.kind is parameter.KEYWORD_ONLY
    }
    assert set(Options.__annotations__) == keywords
