from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any

import pytest

from webtools import ToolError, page
from webtools._exceptions import WebtoolsError
from webtools.testing import fake_page

shop = page("shop")


class SoldOut(Exception):
    """An error with a code, as the page's own have."""

    code = "SOLD_OUT"


class FakeShop:
    """What the page exposes."""

    title = "no function"

    def __init__(self) -> None:
        self.lines: list[dict[str, Any]] = []

    def add(self, sku: str, options: dict[str, Any]) -> int:
        self.lines.append({"sku": sku, **options})
        return len(self.lines)

    async def add_later(self, sku: str) -> int:
        await asyncio.sleep(0)
        return self.add(sku, {})

    def refuse(self) -> None:
        raise SoldOut("none left")

    async def refuse_later(self) -> None:
        await asyncio.sleep(0)
        raise SoldOut("none left")

    def give_an_object(self) -> object:
        return object()

    async def give_an_object_later(self) -> object:
        return object()


def call(function: Callable[..., Any], *arguments: Any) -> Any:
    async def awaited() -> Any:
        return await function(*arguments)

    return asyncio.run(awaited())


def test_functions_of_an_exposed_object_can_be_called_sync_and_async() -> None:
    fake = FakeShop()
    with fake_page(shop=fake):
        assert call(shop.add, "42", {"n": 1}) == 1
        assert call(shop.add_later, "43") == 2
    assert fake.lines == [{"sku": "42", "n": 1}, {"sku": "43"}]


def test_a_function_that_is_not_async_can_be_asked_without_a_wait() -> None:
    with fake_page(shop=FakeShop()):
        assert shop.add.now("42", {}) == 1
        with pytest.raises(ToolError, match=r"^none left$"):
            shop.refuse.now()
        with pytest.raises(ToolError, match="has no function"):
            shop.missing.now()


def test_an_async_function_cannot_be_asked_without_a_wait_and_is_not_run() -> None:
    fake = FakeShop()
    with fake_page(shop=fake), pytest.raises(WebtoolsError, match=r"shop\.add_later answers later"):
        shop.add_later.now("42")
    assert fake.lines == []


def test_what_is_handed_over_is_copied_as_in_a_page() -> None:
    fake, options = FakeShop(), {"sizes": [1]}
    with fake_page(shop=fake):
        call(shop.add, "42", options)
    options["sizes"].append(2)
    assert fake.lines == [{"sku": "42", "sizes": [1]}]


@pytest.mark.parametrize("function", [shop.refuse, shop.refuse_later])
def test_what_a_function_raises_arrives_as_a_tool_error_with_its_code(function: Callable[..., Any]) -> None:
    with fake_page(shop=FakeShop()), pytest.raises(ToolError, match=r"^none left$") as caught:
        call(function)
    assert caught.value.code == "SOLD_OUT"


@pytest.mark.parametrize("function", [shop.give_an_object, shop.give_an_object_later])
def test_a_result_that_json_cannot_hold_is_an_error_of_the_page(function: Callable[..., Any]) -> None:
    with fake_page(shop=FakeShop()), pytest.raises(ToolError, match="JSON") as caught:
        call(function)
    assert caught.value.code == "PAGE_ERROR"


@pytest.mark.parametrize("function", [shop.title, shop.missing])
def test_what_is_no_function_is_an_error_of_the_page(function: Callable[..., Any]) -> None:
    with fake_page(shop=FakeShop()), pytest.raises(ToolError, match="has no function") as caught:
        call(function)
    assert caught.value.code == "PAGE_ERROR"


def test_a_name_that_is_not_exposed_yet_says_to_try_again() -> None:
    with fake_page(cart=FakeShop()), pytest.raises(ToolError, match="Try again") as caught:
        call(shop.add, "42", {})
    assert caught.value.code == "PAGE_NOT_READY"
    assert caught.value.retryable


def test_arguments_that_do_not_fit_the_function_are_an_error_of_the_page() -> None:
    with fake_page(shop=FakeShop()), pytest.raises(ToolError, match="argument") as caught:
        call(shop.add)
    assert caught.value.code == "PAGE_ERROR"


def test_pages_may_be_nested_and_end_with_their_blocks() -> None:
    outer, inner = FakeShop(), FakeShop()
    with fake_page(shop=outer):
        with contextlib.suppress(LookupError), fake_page(shop=inner):
            call(shop.add, "inner", {})
            raise LookupError
        call(shop.add, "outer", {})
    assert [line["sku"] for line in inner.lines + outer.lines] == ["inner", "outer"]
    with pytest.raises(WebtoolsError):
        call(shop.add, "after", {})
