"""A page's tools at a fake browser, as an author tests them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from webtools import Hold, ToolDefinitionError, registry, tool
from webtools.testing import PROFILES, FakeHost, fake_host

goes_on = asyncio.Event()
panel: Hold | None = None


@tool(held=True)
async def read_panel() -> str:
    """Read the panel, when it has loaded."""
    await goes_on.wait()
    return "read"


@tool
def close_panel() -> None:
    """Close the panel."""
    assert panel
    panel.release()


@tool(match=["/cart/*", "#/cart"])
def read_cart() -> str:
    """Read the cart."""
    return "empty"


@tool(confirm="Pay?")
def pay() -> str:
    """Pay."""
    return "paid"


def play(scene: Callable[[FakeHost], Coroutine[Any, Any, None]], profile: str = "chrome-152") -> None:
    global goes_on
    goes_on = asyncio.Event()  # one belongs to one loop
    with fake_host(read_panel, close_panel, read_cart, profile=profile) as host:
        asyncio.run(scene(host))


def test_an_apps_tools_are_held_bound_to_their_path_or_left_to_who_holds_them() -> None:
    with fake_host(read_panel, close_panel, read_cart) as host:
        assert host.listed == ["close_panel"]
        host.goto("/cart/7")
        assert host.listed == ["close_panel", "read_cart"]
        with registry().hold(read_panel):
            assert host.listed == ["close_panel", "read_cart", "read_panel"]
        assert host.traffic == ["register close_panel", "register read_cart", "register read_panel"]


def test_a_tool_of_a_hash_is_there_where_the_hash_fits() -> None:
    with fake_host(read_cart) as host:
        host.goto("/#/cart")
        assert host.listed == ["read_cart"]
        host.goto("/#/help")
        host.clock.advance(0)
        assert host.listed == []


@pytest.mark.parametrize("profile", PROFILES)
def test_a_call_in_flight_keeps_its_tool_until_its_answer_is_out(profile: str) -> None:
    async def scene(host: FakeHost) -> None:
        hold = registry().hold(read_panel)
        call = host.begin("read_panel")
        hold.release()
        await host.sleep(3)
        assert "read_panel" in host.listed
        goes_on.set()
        await host.sleep(0.49)
        assert "read_panel" in host.listed
        await host.sleep(0.02)
        assert "read_panel" not in host.listed
        assert call.answer["content"][0]["text"] == "read"
        assert host.traffic[1:] == ["register read_panel", "unregister read_panel"]

    play(scene, profile)


def test_a_browser_of_old_loses_the_call_of_a_tool_that_is_taken_from_it() -> None:
    async def scene(host: FakeHost) -> None:
        registry().hold(read_panel)
        call = host.begin("read_panel")
        host.registry.close()
        assert call.is_lost
        with pytest.raises(AssertionError, match="the call of read_panel is lost"):
            _ = call.answer

    play(scene)


def test_a_call_without_an_answer_says_how_to_get_one() -> None:
    async def scene(host: FakeHost) -> None:
        registry().hold(read_panel)
        call = host.begin("read_panel")
        assert not call.is_answered
        assert not call.is_lost
        with pytest.raises(AssertionError, match=r"no answer yet; let time pass: host\.sleep"):
            _ = call.answer

    play(scene)


def test_a_tool_that_closes_its_own_owner_is_answered_by_a_coroutine_in_one_line() -> None:
    async def scene(host: FakeHost) -> None:
        global panel
        panel = registry().hold(read_panel)
        answer = await host.call("close_panel")
        assert "isError" not in answer
        await host.sleep(0)
        assert "read_panel" not in host.listed

    play(scene)


def test_a_tool_that_is_not_listed_is_lost_to_its_caller() -> None:
    with fake_host() as host:
        assert host.begin("read_panel").is_lost


def test_the_person_says_what_the_test_wants() -> None:
    with fake_host(pay, confirm=True) as host:
        assert asyncio.run(host.call("pay"))["content"][0]["text"] == "paid"


def test_what_the_browser_refuses_is_not_listed() -> None:
    with fake_host(close_panel) as host:
        host.context.register_tool({"name": "read_cart", "description": "The page's own."}, lambda *_: None)
        host.load(read_cart)
        host.goto("/cart/7")
        slot = host.registry.named("read_cart")
        assert slot is not None
        assert (slot.state, slot.reason) == ("failed", "FakeDOMException: read_cart is taken")


def test_the_pages_registry_is_the_hosts_as_long_as_the_block_runs() -> None:
    with fake_host() as host:
        assert registry() is host.registry
    with pytest.raises(Exception, match="no page here"):
        registry()


def test_a_function_that_is_no_tool_is_told() -> None:
    with fake_host() as host, pytest.raises(ToolDefinitionError, match="is no tool: decorate it"):
        host.load(play)
