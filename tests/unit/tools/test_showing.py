"""What `@tool(target=…, fields=…, fill=…)` takes, and what of it is part of the definition."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from webtools import ToolDefinitionError
from webtools.tools.tool import make_tool


def search(query: str, cents: int = 0) -> str:
    """Search."""
    return f"{query} {cents}"


async def late(arguments: dict[str, Any]) -> str:
    return "#late"


def nothing() -> dict[str, str]:
    return {}


def target_of(text: str) -> Callable[[dict[str, Any]], str]:
    return lambda given: f"#{text}"


def defined(**options: Any) -> Any:
    """What the canonical text says of the target."""
    return json.loads(make_tool(search, **options).definition.text).get("target")


def test_a_target_that_is_a_text_is_part_of_the_definition() -> None:
    assert defined(target="#search") == "#search"
    assert make_tool(search, target="#a").definition != make_tool(search, target="#b").definition


@pytest.mark.parametrize(
    "options",
    [
        {"target": lambda given: f"#{given['query']}"},
        {"fields": {"query": "#q"}},
        {"fill": lambda given: {"#price": "1"}},
    ],
    ids=lambda options: next(iter(options)),
)
def test_of_what_a_call_decides_the_definition_says_only_that_it_does(options: dict[str, Any]) -> None:
    assert defined(**options) is True


def test_a_function_is_no_part_of_the_definition() -> None:
    one, other = (make_tool(search, target=target_of(text)) for text in ("a", "b"))
    assert one.definition == other.definition


def test_a_target_stands_in_the_definition_beside_fields() -> None:
    assert defined(target="#search", fields={"query": "#q"}) == "#search"


def test_a_tool_that_is_nowhere_in_the_page_says_nothing() -> None:
    assert "target" not in json.loads(make_tool(search, fields={}).definition.text)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"target": ""}, "target='' must be a CSS selector"),
        ({"target": " "}, "must be a CSS selector"),
        ({"target": 7}, "target=7 must be a CSS selector"),
        ({"target": late}, "target must be a function that is not async"),
        ({"target": lambda: "#a"}, r"target is called as target\(arguments\)"),
        ({"fields": "#q"}, "fields maps arguments to CSS selectors"),
        ({"fields": {"query": ""}}, "fields maps arguments to CSS selectors"),
        ({"fields": {"query": 1}}, "fields maps arguments to CSS selectors"),
        ({"fields": {"quarry": "#q"}}, "fields='quarry' is none of its parameters, which are query, cents"),
        ({"fields": {1: "#q"}}, "fields=1 is none of its parameters"),
        ({"fill": {"#price": "1"}}, "fill={'#price': '1'} must be a function"),
        ({"fill": late}, "fill must be a function that is not async"),
        ({"fill": nothing}, r"fill is called as fill\(arguments\)"),
    ],
)
def test_what_cannot_work_is_refused_with_the_cure(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ToolDefinitionError, match=said):
        make_tool(search, **options)
