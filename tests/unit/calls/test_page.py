from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Generator, Iterator
from decimal import Decimal
from typing import Any

import pytest

from webtools import ToolDefinitionError, ToolError, page, tool
from webtools._exceptions import WebtoolsError
from webtools.calls import page as port
from webtools.testing import tool_call


class Functions:
    """The port: it notes each call, and answers with the next text."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, str, Any]] = []
        self.next: str | Awaitable[str] = '{"value": null}'

    def call(self, name: str, function: str, arguments: str) -> str | Awaitable[str]:
        self.calls.append((name, function, json.loads(arguments)))
        return self.next

    def call_now(self, name: str, function: str, arguments: str) -> str | None:
        answer = self.call(name, function, arguments)
        return answer if isinstance(answer, str) else None


class Later:
    """An answer that nobody waits for."""

    def __await__(self) -> Generator[None, None, str]:
        raise AssertionError("somebody waited")


@pytest.fixture
def functions() -> Iterator[Functions]:
    attached = Functions()
    before = port.attach(attached)
    yield attached
    assert port.attach(before) is attached


def run(call: Awaitable[Any]) -> Any:
    async def awaited() -> Any:
        return await call

    return asyncio.run(awaited())


def test_a_call_names_the_object_and_the_function_and_hands_its_arguments_over(functions: Functions) -> None:
    shop = page("shop")
    run(shop.add("靴", {"n": [1, None, True]}))
    assert functions.calls == [("shop", "add", ["靴", {"n": [1, None, True]}])]


@pytest.mark.parametrize(
    ("text", "value"), [("{}", None), ('{"value": {"error": 1}}', {"error": 1}), ('{"value": [1]}', [1])]
)
def test_the_value_comes_back_as_json_has_it(functions: Functions, text: str, value: Any) -> None:
    functions.next = text
    assert run(page("shop").get()) == value


def test_an_answer_may_come_later(functions: Functions) -> None:
    async def later() -> str:
        await asyncio.sleep(0)
        return '{"value": 7}'

    functions.next = later()
    assert run(page("shop").get()) == 7


@pytest.mark.parametrize(("code", "raised"), [('"SOLD_OUT"', "SOLD_OUT"), ("null", "PAGE_ERROR")])
def test_an_error_of_the_page_is_raised_with_its_text_and_code(
    functions: Functions, code: str, raised: str
) -> None:
    functions.next = f'{{"error": {{"message": "none left", "code": {code}}}}}'
    with pytest.raises(ToolError, match=r"^none left$") as caught:
        run(page("shop").add("42"))
    assert caught.value.code == raised


def test_an_error_of_the_page_needs_no_code(functions: Functions) -> None:
    functions.next = '{"error": {"message": "broken"}}'
    with pytest.raises(ToolError) as caught:
        run(page("shop").add("42"))
    assert caught.value.code == "PAGE_ERROR"


@pytest.mark.parametrize("argument", [object(), print, [object()]])
def test_what_json_cannot_hold_is_refused_before_the_page_is_asked(
    functions: Functions, argument: Any
) -> None:
    with pytest.raises(TypeError, match=r"shop\.add takes JSON data only"):
        run(page("shop").add(argument))
    assert functions.calls == []


def test_arguments_are_written_by_the_rules_of_answers(functions: Functions) -> None:
    run(page("shop").add(Decimal("1.10"), {2}, "\ud800"))
    assert functions.calls == [("shop", "add", ["1.10", [2], "\ufffd"])]


def test_nothing_is_called_before_the_call_is_awaited(functions: Functions) -> None:
    call = page("shop").add
    assert functions.calls == []
    run(call())
    assert len(functions.calls) == 1


def test_without_a_page_a_call_says_how_a_test_gets_one() -> None:
    with pytest.raises(WebtoolsError, match="fake_page"):
        run(page("shop").add())


@pytest.mark.parametrize("look", [lambda shop: shop._private, lambda shop: shop.__wrapped__])
def test_private_names_are_no_functions_of_the_page(look: Callable[[Any], Any]) -> None:
    with pytest.raises(AttributeError):
        look(page("shop"))


def test_a_page_and_its_functions_are_named_after_what_they_stand_for() -> None:
    shop = page("shop")
    assert repr(shop) == "<page('shop')>"
    assert shop.add.__name__ == "add"
    assert repr(shop.add) == "<page('shop').add>"


def test_a_function_that_answers_at_once_can_be_asked_without_a_wait(functions: Functions) -> None:
    functions.next = '{"value": 7}'
    assert page("shop").version.now("靴") == 7
    assert functions.calls == [("shop", "version", ["靴"])]


def test_an_error_is_raised_without_a_wait_as_with_one(functions: Functions) -> None:
    functions.next = '{"error": {"message": "none left", "code": "SOLD_OUT"}}'
    with pytest.raises(ToolError, match=r"^none left$") as caught:
        page("shop").version.now()
    assert caught.value.code == "SOLD_OUT"


def test_a_function_that_answers_later_cannot_be_asked_without_a_wait(functions: Functions) -> None:
    functions.next = Later()
    with pytest.raises(WebtoolsError, match=r"shop\.version answers later .* not async"):
        page("shop").version.now()


def test_what_is_asked_without_a_wait_is_a_guard_as_it_is(functions: Functions) -> None:
    functions.next = '{"value": 2}'

    @tool(expected_version="expected", version=page("shop").version.now)
    def clear(expected: int) -> str:
        """Clear."""
        return "cleared"

    assert run(tool_call(clear, {"expected": 2}))["content"][0]["text"] == "cleared"
    error = run(tool_call(clear, {"expected": 1}))["structuredContent"]["error"]
    assert (error["code"], error["effect"]) == ("VERSION_CONFLICT", "none")


def test_a_guard_whose_page_is_not_ready_refuses_and_says_so(functions: Functions) -> None:
    functions.next = '{"error": {"message": "Try again.", "code": "PAGE_NOT_READY"}}'

    @tool(expected_version="expected", version=page("shop").version.now)
    def clear(expected: int) -> str:
        """Clear."""
        raise AssertionError("the handler ran")

    error = run(tool_call(clear, {"expected": 2}))["structuredContent"]["error"]
    assert (error["code"], error["effect"], error["retryable"]) == ("PAGE_NOT_READY", "none", True)


def test_a_function_of_the_page_is_asynchronous_and_no_guard() -> None:
    with pytest.raises(ToolDefinitionError, match="not async"):

        @tool(expected_version="expected", version=page("shop").version)
        def clear(expected: int) -> str:
            """Clear."""
            return "cleared"
