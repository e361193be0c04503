"""A change of route as one verb: what the old route held goes, the block decides, what it named is held."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.lifecycle.rig import QUIET, Call, Rig, renewed, tool_called
from tests.unit.lifecycle.test_routes import bound
from webtools import ToolDefinitionError
from webtools._exceptions import WebtoolsError
from webtools.lifecycle.registry import ToolRegistry
from webtools.lifecycle.route_change import RouteChange
from webtools.lifecycle.routes import Routes
from webtools.lifecycle.slot import MAX_LEAVING, RESPONSE_GRACE
from webtools.testing import FakeClock
from webtools.tools.tool import Tool

A, B = tool_called("a"), tool_called("b")


def play(scene: Callable[[Rig], Awaitable[None]]) -> None:
    asyncio.run(_played(scene, Rig()))


async def _played(scene: Callable[[Rig], Awaitable[None]], rig: Rig) -> None:
    await scene(rig)


async def go(rig: Rig, *tools: Tool, **options: Any) -> None:
    """Come to a route that holds these."""
    async with rig.registry.route_change() as route:
        for each in tools:
            route.hold(each, **options)
    rig.turn()


async def fail(rig: Rig, error: Exception) -> None:
    """Begin to come to a route that would hold B, and raise."""
    async with rig.registry.route_change() as route:
        route.hold(B)
        raise error


def test_what_the_block_names_is_held_when_it_has_ended() -> None:
    async def scene(rig: Rig) -> None:
        async with rig.registry.route_change() as route:
            route.hold(A)
            rig.turn()
            assert rig.asked == []
        assert rig.asked == ["register a"]

    play(scene)


def test_calls_of_the_old_route_are_stale_at_once_and_its_tools_leave_when_the_new_one_is_there() -> None:
    async def scene(rig: Rig) -> None:
        await go(rig, A)
        call = rig.call("a")
        async with rig.registry.route_change() as route:
            assert not rig.is_current(call)
            assert rig.registry.named("a").state == "leaving"  # type: ignore[union-attr]  # it is there
            assert rig.call("a").refused == "STALE_TOOL_CALL"
            route.hold(B)
            call.finish()
            rig.clock.advance(1)
            assert rig.asked == ["register a"]
        assert rig.asked == ["register a", "register b", "unregister a"]
        rig.clock.advance(QUIET)
        assert call.is_answered
        assert rig.clock.pending == 0

    play(scene)


def test_the_answer_of_a_call_gets_out_however_short_the_block_is() -> None:
    async def scene(rig: Rig) -> None:
        await go(rig, A)
        call = rig.call("a")
        await go(rig, B)
        call.finish()
        rig.clock.advance(QUIET)
        assert call.is_answered
        assert rig.traffic[-1] == (RESPONSE_GRACE, "unregister", "a")

    play(scene)


@pytest.mark.parametrize("seconds", [0.0, MAX_LEAVING - 0.1])
def test_a_tool_that_both_routes_name_does_not_flap_but_its_old_calls_are_stale(seconds: float) -> None:
    async def scene(rig: Rig) -> None:
        await go(rig, A, resource_id="doc-1")
        old = rig.call("a")
        async with rig.registry.route_change() as route:
            route.hold(renewed(A), resource_id="doc-1")
            rig.clock.advance(seconds)
        assert not rig.is_current(old)
        assert rig.is_current(rig.call("a"))
        rig.clock.advance(QUIET)
        assert rig.asked == ["register a"]
        assert not rig.is_current(old)

    play(scene)


def test_a_tool_that_is_named_again_in_the_same_tick_has_no_old_calls_left() -> None:
    async def scene(rig: Rig) -> None:
        await go(rig, A)
        old = rig.call("a")
        async with rig.registry.route_change() as route:
            route.hold(A)
        assert not rig.is_current(old)
        rig.turn()
        assert not rig.is_current(old)
        assert rig.is_current(rig.call("a"))
        assert rig.asked == ["register a"]

    play(scene)


def test_a_block_that_takes_long_keeps_no_tool_of_the_old_route_for_more_than_five_seconds() -> None:
    async def scene(rig: Rig) -> None:
        await go(rig, A)
        async with rig.registry.route_change():
            rig.clock.advance(60)
            assert rig.traffic[1:] == [(MAX_LEAVING, "unregister", "a")]

    play(scene)


def test_c8_a_tool_that_is_not_the_routes_keeps_its_calls() -> None:
    async def scene(rig: Rig) -> None:
        rig.registry.hold(A)
        await go(rig, B)
        calls = [rig.call("a"), rig.call("b")]
        async with rig.registry.route_change():
            assert [rig.is_current(each) for each in calls] == [True, False]
        rig.turn()
        assert [rig.is_current(each) for each in calls] == [True, False]

    play(scene)


def test_a_tool_that_something_else_holds_too_keeps_its_calls() -> None:
    async def scene(rig: Rig) -> None:
        rig.registry.hold(A)
        await go(rig, A)
        call = rig.call("a")
        await go(rig, B)
        assert rig.is_current(call)
        assert rig.asked == ["register a", "register b"]

    play(scene)


def test_a_block_that_raises_holds_nothing_new_and_its_error_goes_on() -> None:
    async def scene(rig: Rig) -> None:
        await go(rig, A)
        wrong = LookupError("no such order")
        with pytest.raises(LookupError, match="no such order"):
            await fail(rig, wrong)
        rig.clock.advance(QUIET)
        assert rig.asked == ["register a", "unregister a"]
        assert not rig.registry.changes.is_open

    play(scene)


@pytest.mark.parametrize("ends_first", ["newer", "older"])
def test_the_newer_of_two_changes_wins_and_the_older_ends_quietly(ends_first: str) -> None:
    async def scene(rig: Rig) -> None:
        older, newer = rig.registry.route_change(), rig.registry.route_change()
        first = await older.__aenter__()
        first.hold(A)
        second = await newer.__aenter__()
        second.hold(B)
        assert (first.is_current(), second.is_current()) == (False, True)
        for each in (newer, older) if ends_first == "newer" else (older, newer):
            await each.__aexit__(None, None, None)
            assert (first.is_current(), second.is_current()) == (False, True)
        rig.clock.advance(QUIET)
        assert rig.asked == ["register b"]
        await go(rig)
        assert not second.is_current()
        rig.clock.advance(QUIET)
        assert rig.asked == ["register b", "unregister b"]

    play(scene)


def test_a_change_that_has_not_begun_says_how_it_begins() -> None:
    async def scene(rig: Rig) -> None:
        change: Any = rig.registry.route_change()
        with pytest.raises(AttributeError, match=r"async with registry\(\).*and route.hold in its block"):
            change.hold(A)

    play(scene)


def test_a_change_begins_once() -> None:
    async def scene(rig: Rig) -> None:
        change = rig.registry.route_change()
        async with change:
            pass
        with pytest.raises(WebtoolsError, match="begun already"):
            await change.__aenter__()

    play(scene)


def test_a_change_whose_newer_one_raised_holds_nothing_either() -> None:
    async def scene(rig: Rig) -> None:
        async with rig.registry.route_change() as route:
            route.hold(A)
            with pytest.raises(LookupError):
                await fail(rig, LookupError())
        rig.clock.advance(QUIET)
        assert rig.asked == []

    play(scene)


def test_tools_of_a_path_leave_within_the_block_and_come_at_its_end() -> None:
    async def scene(rig: Rig) -> None:
        routes = Routes(rig.registry)
        for each in (bound("cart", "/cart"), bound("pay", "/pay"), bound("both", "/pay", "/cart")):
            routes.bind(each)
        routes.moved(("/cart", ""))
        rig.turn()
        call = rig.call("both")
        async with rig.registry.route_change():
            assert rig.is_current(call)
            routes.moved(("/pay", ""))
            rig.turn()
            assert rig.asked[2:] == ["unregister cart"]
            routes.bind(bound("late", "*"))
        assert rig.asked[3:] == ["register pay", "register late"]
        assert rig.is_current(call), "it still fits"

    play(scene)


def test_tools_of_a_path_wait_for_the_newest_change_however_the_others_end() -> None:
    async def scene(rig: Rig) -> None:
        routes = Routes(rig.registry)
        routes.bind(bound("pay", "/pay"))
        older, newer = rig.registry.route_change(), rig.registry.route_change()
        await older.__aenter__()
        await newer.__aenter__()
        routes.moved(("/pay", ""))
        await older.__aexit__(None, None, None)
        assert rig.asked == []
        await newer.__aexit__(None, None, None)
        assert rig.asked == ["register pay"]

    play(scene)


def test_what_cannot_be_held_is_refused_where_it_is_named() -> None:
    async def scene(rig: Rig) -> None:
        async with rig.registry.route_change() as route:
            with pytest.raises(ToolDefinitionError, match="no tool"):
                route.hold(print)
            with pytest.raises(TypeError, match="resource_id must be a text"):
                route.hold(A, resource_id=5)  # type: ignore[arg-type]  # that is the point
        assert rig.asked == []

    play(scene)


def test_naming_a_tool_after_the_block_is_an_error() -> None:
    async def scene(rig: Rig) -> None:
        async with rig.registry.route_change() as route:
            pass
        with pytest.raises(WebtoolsError, match="within its block"):
            route.hold(A)

    play(scene)


def test_a_change_that_is_open_when_the_registry_is_closed_holds_nothing() -> None:
    async def scene(rig: Rig) -> None:
        async with rig.registry.route_change() as route:
            route.hold(A)
            rig.registry.close()
        assert rig.asked == []
        assert rig.clock.pending == 0

    play(scene)


def test_what_asks_is_told_at_once_after_the_page_was() -> None:
    told: list[str] = []
    registry = ToolRegistry(
        FakeClock(),
        lambda _: None,
        on_look=lambda: told.append("look"),
        on_route_change=lambda: told.append("route"),
    )

    async def scene() -> None:
        async with registry.route_change() as route:
            assert isinstance(route, RouteChange)
            assert told == ["route", "look"]

    asyncio.run(scene())


ROUTES = {"none": [], "a": [A], "b": [B], "both": [B, A], "renewed": [renewed(A)]}
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("begin"), st.sampled_from(sorted(ROUTES))),
        st.tuples(st.sampled_from(["end", "fail", "call", "finish", "turn", "grace", "long"]), st.just("")),
    )
)


class Story:
    """A page whose routes change at random, and its agents.

    Attributes:
        there: The route that the page has come to.
    """

    def __init__(self) -> None:
        self.rig = Rig()
        self.changes = self.rig.registry.changes
        self.there = "none"
        self.begun: list[tuple[RouteChange, str]] = []
        self.running: list[Call] = []
        self.calls: list[Call] = []

    def begin(self, name: str) -> None:
        change = self.changes.begin()
        self.there = "none"
        for each in ROUTES[name]:
            change.hold(each)
        self.begun.append((change, name))
        assert not any(self.rig.is_current(call) for call in self.calls)

    def end(self, *, is_well: bool = True) -> None:
        if self.begun:
            change, name = self.begun.pop(0)
            if change.is_current() and is_well:
                self.there = name
            self.changes.end(change, is_well=is_well)

    def call(self) -> None:
        for each in self.rig.context.get_tools():
            made = self.rig.call(each["name"])
            self.calls.append(made)
            if made.refused is None:
                self.running.append(made)

    def finish(self) -> None:
        if self.running:
            self.running.pop(0).finish()

    def step(self, what: str, name: str) -> None:
        actions: dict[str, Callable[[], object]] = {
            "begin": lambda: self.begin(name),
            "end": self.end,
            "fail": lambda: self.end(is_well=False),
            "call": self.call,
            "finish": self.finish,
            "turn": self.rig.turn,
            "grace": lambda: self.rig.clock.advance(RESPONSE_GRACE),
            "long": lambda: self.rig.clock.advance(MAX_LEAVING),
        }
        actions[what]()


@given(STEPS)
def test_however_routes_change_no_call_is_lost_and_the_newest_is_there(steps: list[tuple[str, str]]) -> None:
    story = Story()
    for step in steps:
        story.step(*step)
    while story.running:
        story.finish()
    while story.begun:
        story.end(is_well=False)
    story.rig.clock.advance(QUIET)
    assert all(each.is_answered for each in story.calls)
    wanted = {each.name for each in ROUTES[story.there]}
    assert {each["name"] for each in story.rig.context.get_tools()} == wanted
    assert {slot.name for slot in story.rig.registry} == wanted
    assert story.rig.collisions == []
    assert story.rig.clock.pending == 0
