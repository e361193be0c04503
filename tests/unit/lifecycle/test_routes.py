from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.lifecycle.rig import QUIET, Call, Rig, renewed, tool_called
from webtools.lifecycle.routes import Routes, fits
from webtools.lifecycle.slot import RESPONSE_GRACE
from webtools.tools.tool import Tool, make_tool

PATHS = json.loads((Path(__file__).parents[2] / "paths.json").read_text(encoding="utf-8"))
"""What fits what; JavaScript's half, `static/paths.js`, is held to the same table."""


def bound(name: str, *match: str) -> Tool:
    """A tool that is bound to these paths."""
    return replace(tool_called(name), match=match)


CART = bound("cart", "/cart/*")


class Visit:
    """A page with path-bound tools, at ``/`` to begin with."""

    def __init__(self, *tools: Tool) -> None:
        self.rig = Rig()
        self.routes = Routes(self.rig.registry)
        self.go("/")
        self.bindings = [self.routes.bind(each) for each in tools]

    def go(self, pathname: str, fragment: str = "") -> None:
        """Where `static/navigation.js` says that the page is."""
        self.routes.moved((pathname, fragment))


@pytest.mark.parametrize("example", PATHS, ids=lambda each: f"{each['match']} {each['path']}{each['hash']}")
def test_the_table_of_paths_holds(example: dict[str, Any]) -> None:
    def handler() -> None: ...

    patterns = make_tool(handler, description="d", match=example["match"]).match
    assert fits(patterns, (example["path"], example["hash"])) is example["fits"]


@given(st.text("ab*", max_size=8).map("/".__add__), st.text("ab", max_size=8).map("/".__add__))
def test_a_star_is_any_text_as_the_definition_of_it_says(pattern: str, path: str) -> None:
    def is_like(pattern: str, path: str) -> bool:
        if not pattern:
            return not path
        if pattern[0] == "*":
            return any(is_like(pattern[1:], path[skipped:]) for skipped in range(len(path) + 1))
        return path[:1] == pattern[0] and is_like(pattern[1:], path[1:])

    assert fits((pattern,), (path, "")) is is_like(pattern, path)


def test_nothing_bound_is_held_before_the_page_has_said_where_it_is() -> None:
    rig = Rig()
    routes = Routes(rig.registry)
    routes.bind(bound("all", "*"))
    rig.turn()
    assert rig.asked == []
    routes.moved(("/", ""))
    assert rig.asked == ["register all"]


def test_a_tool_whose_path_fits_when_it_is_bound_is_held_at_once() -> None:
    visit = Visit(bound("home", "/"), CART)
    assert visit.rig.asked == ["register home"]


def test_w11_a_tool_is_registered_within_the_notice_of_a_path_that_fits() -> None:
    visit = Visit(CART)
    visit.go("/cart/1")
    assert visit.rig.asked == ["register cart"]  # without a turn of the clock


def test_a_tool_leaves_in_a_macrotask_after_the_path_has_stopped_to_fit() -> None:
    visit = Visit(CART)
    visit.go("/cart/1")
    visit.go("/")
    assert visit.rig.asked == ["register cart"]
    visit.rig.turn()
    assert visit.rig.asked == ["register cart", "unregister cart"]


def test_a_move_between_paths_that_fit_causes_no_traffic() -> None:
    visit = Visit(CART)
    for path in ("/cart/1", "/cart/2", "/cart/2", "/cart/3/lines"):
        visit.go(path)
        visit.rig.turn()
    assert visit.rig.asked == ["register cart"]


def test_a_tool_bound_to_the_hash_follows_the_hash() -> None:
    visit = Visit(bound("details", "#/details/*"))
    visit.go("/", "#/details/7")
    assert visit.rig.asked == ["register details"]
    visit.go("/", "")
    visit.rig.turn()
    assert visit.rig.asked == ["register details", "unregister details"]


def test_there_and_back_in_one_tick_causes_no_traffic_and_keeps_calls_current() -> None:
    visit = Visit(CART)
    visit.go("/cart/1")
    visit.rig.turn()
    call = visit.rig.call("cart")
    visit.go("/")
    visit.go("/cart/1")
    visit.rig.turn()
    assert visit.rig.asked == ["register cart"]
    assert visit.rig.is_current(call)


def test_back_while_the_tool_is_still_leaving_causes_no_traffic() -> None:
    visit = Visit(CART)
    visit.go("/cart/1")
    visit.rig.turn()
    call = visit.rig.call("cart")
    visit.go("/")
    visit.rig.clock.advance(1)
    call.finish()
    visit.rig.clock.advance(RESPONSE_GRACE / 2)
    visit.go("/cart/1")
    visit.rig.clock.advance(QUIET)
    assert visit.rig.asked == ["register cart"]
    assert call.is_answered
    assert not visit.rig.is_current(call)


def test_a_call_in_flight_when_the_path_leaves_is_answered_and_new_ones_are_refused() -> None:
    visit = Visit(CART)
    visit.go("/cart/1")
    visit.rig.turn()
    call = visit.rig.call("cart")
    visit.go("/")
    visit.rig.turn()
    assert visit.rig.call("cart").refused == "STALE_TOOL_CALL"
    visit.rig.clock.advance(0.3)
    call.finish()
    visit.rig.clock.advance(QUIET)
    assert call.is_answered
    assert visit.rig.traffic[1:] == [(0.3 + RESPONSE_GRACE, "unregister", "cart")]


def test_a_released_binding_lets_go_and_follows_the_path_no_more() -> None:
    visit = Visit(CART)
    visit.go("/cart/1")
    visit.bindings[0].release()
    visit.bindings[0].release()
    visit.rig.turn()
    assert visit.rig.asked == ["register cart", "unregister cart"]
    visit.go("/")
    visit.go("/cart/1")
    assert visit.rig.asked == ["register cart", "unregister cart"]


def test_a_binding_that_takes_an_equal_ones_place_causes_no_traffic() -> None:
    visit = Visit(CART)
    visit.go("/cart/1")
    visit.rig.turn()
    newer = renewed(CART)
    visit.routes.bind(newer)
    visit.bindings[0].release()
    visit.rig.turn()
    assert visit.rig.asked == ["register cart"]
    assert visit.rig.call("cart").ticket.tool is newer


STEPS = st.lists(st.sampled_from(["/", "/cart/1", "/cart/2", "/checkout", "call", "finish", "turn", "grace"]))


@given(STEPS)
def test_however_the_page_moves_no_call_is_lost_and_what_fits_is_there(steps: list[str]) -> None:
    visit = Visit(CART, bound("pay", "/checkout", "/cart/2"))
    rig = visit.rig
    place = "/"
    running: list[Call] = []
    calls: list[Call] = []

    def call() -> None:
        for each in rig.context.get_tools():
            begun = rig.call(each["name"])
            calls.append(begun)
            if begun.refused is None:
                running.append(begun)

    def finish() -> None:
        if running:
            running.pop(0).finish()

    actions: dict[str, Callable[[], object]] = {
        "call": call,
        "finish": finish,
        "turn": rig.turn,
        "grace": lambda: rig.clock.advance(RESPONSE_GRACE),
    }
    for step in steps:
        if step in actions:
            actions[step]()
        else:
            place = step
            visit.go(place)
    while running:
        finish()
    rig.clock.advance(QUIET)
    assert all(each.is_answered for each in calls)
    fitting = {each.tool.name for each in visit.bindings if fits(each.tool.match, (place, ""))}
    assert {each["name"] for each in rig.context.get_tools()} == fitting
    assert {slot.name for slot in rig.registry} == fitting
    assert rig.clock.pending == 0
