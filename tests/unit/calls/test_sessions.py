from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from webtools import SessionRouter, ToolContext, ToolError, tool
from webtools.testing import tool_call


class Cart:
    """A session's state."""

    def __init__(self) -> None:
        self.skus: list[str] = []


class Shop:
    """Two sessions, of which the page shows one; and a tool that works in the caller's."""

    def __init__(self, shown: str = "B") -> None:
        self.sessions = SessionRouter[Cart]()
        self.carts = {"A": Cart(), "B": Cart()}
        self.shown = shown
        self.door: asyncio.Event | None = None
        for session_id, cart in self.carts.items():
            self.sessions.open(session_id, cart)
        self.add: Callable[..., Any] = tool(name="add")(self._add)

    async def _add(self, sku: str, ctx: ToolContext) -> int:
        """Put it into the cart."""
        cart = self.sessions.of(ctx)
        if self.door:
            await self.door.wait()
        cart.skus.append(sku)
        return len(cart.skus)

    @property
    def skus(self) -> dict[str, list[str]]:
        return {session_id: cart.skus for session_id, cart in self.carts.items()}


def called(shop: Shop, session_id: str | None, sku: str = "A1") -> dict[str, Any]:
    return asyncio.run(tool_call(shop.add, {"sku": sku}, session_id=session_id))


@pytest.fixture
def shop() -> Shop:
    return Shop()


def test_c4_a_call_for_one_session_changes_only_its_state_while_the_page_shows_another(shop: Shop) -> None:
    assert called(shop, "A")["structuredContent"] == {"result": 1}
    assert shop.skus == {"A": ["A1"], "B": []}


def test_c4_a_call_for_an_unknown_session_is_refused_and_changes_nothing(shop: Shop) -> None:
    error = called(shop, "X")["structuredContent"]["error"]
    assert (error["code"], error["effect"], error["retryable"]) == ("SESSION_NOT_FOUND", "none", False)
    assert error["details"] == {"session_id": "X"}
    assert shop.skus == {"A": [], "B": []}


@pytest.mark.parametrize("session_id", [None, ""])
def test_a_call_that_names_no_session_is_refused_and_none_is_made_up(
    shop: Shop, session_id: str | None
) -> None:
    error = called(shop, session_id)["structuredContent"]["error"]
    assert (error["code"], error["effect"]) == ("SESSION_NOT_FOUND", "none")
    assert "details" not in error
    assert shop.skus == {"A": [], "B": []}


def test_interleaved_calls_of_two_sessions_touch_only_their_own_state(shop: Shop) -> None:
    async def scene() -> None:
        shop.door = asyncio.Event()
        calls = [
            asyncio.ensure_future(tool_call(shop.add, {"sku": f"{session}{number}"}, session_id=session))
            for number in range(3)
            for session in ("A", "B")
        ]
        for _ in range(10):
            await asyncio.sleep(0)
        assert shop.skus == {"A": [], "B": []}
        shop.door.set()
        await asyncio.gather(*calls)

    asyncio.run(scene())
    assert shop.skus == {"A": ["A0", "A1", "A2"], "B": ["B0", "B1", "B2"]}


def test_a_session_ends_for_the_calls_to_come_and_closing_is_harmless_twice(shop: Shop) -> None:
    shop.sessions.close("A")
    shop.sessions.close("A")
    assert called(shop, "A")["structuredContent"]["error"]["code"] == "SESSION_NOT_FOUND"
    assert called(shop, "B")["structuredContent"] == {"result": 1}
    assert repr(shop.sessions) == "<SessionRouter, 1 open>"


def test_a_session_may_be_opened_again_after_it_was_closed() -> None:
    sessions = SessionRouter[str]()
    sessions.open("A", "first")
    sessions.close("A")
    sessions.open("A", "second")
    assert sessions.get("A") == "second"


def test_a_session_whose_state_is_empty_is_there() -> None:
    sessions = SessionRouter[dict[str, str] | None]()
    sessions.open("A", {})
    sessions.open("B", None)
    assert (sessions.get("A"), sessions.get("B")) == ({}, None)


def test_a_session_that_is_open_is_not_replaced_in_silence() -> None:
    sessions = SessionRouter[str]()
    sessions.open("A", "first")
    with pytest.raises(ValueError, match="is open"):
        sessions.open("A", "second")
    assert sessions.get("A") == "first"


def test_a_session_without_an_id_cannot_be_opened() -> None:
    with pytest.raises(ValueError, match="not empty"):
        SessionRouter[str]().open("", "state")


def test_asking_for_an_unknown_session_outside_of_a_call_says_so_too() -> None:
    with pytest.raises(ToolError, match="no session 'X'"):
        SessionRouter[str]().get("X")


@pytest.mark.parametrize("wrong", [3, None, b"A"])
def test_the_id_of_a_session_is_a_text(wrong: Any) -> None:
    with pytest.raises(TypeError, match=r"write str\("):
        SessionRouter[Cart]().open(wrong, Cart())
