"""Python goes on from what the page has done; `tests/js/takeover.test.mjs` makes the same table's entries."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from tests.unit.browser.border import FakeBorder, host_at
from tests.unit.calls.caller import verdict
from tests.unit.lifecycle.rig import Rig, tool_called
from webtools.browser.promises import Promises
from webtools.browser.takeover import take_over
from webtools.browser.wishes import Wishes
from webtools.lifecycle.routes import Routes
from webtools.lifecycle.slot import RESPONSE_GRACE, Slot
from webtools.tools.definition import Definition
from webtools.tools.page_tool import PageTool

TABLE: dict[str, Any] = json.loads((Path(__file__).parents[2] / "takeover.json").read_text())

SHOP = "https://shop.example/shop.py"

A = '{"name":"a","description":"d"}'

STATES = {
    "nothing": [],
    "a hold that waits for the context": ["waiting"],
    "a registration that the browser is deciding on": ["registering"],
    "a tool that was never called": ["registered"],
    "a release in this very tick": ["leaving"],
    "a call in flight": ["registered"],
    "released while a call is in flight": ["leaving"],
    "released, 200 ms after its last call settled": ["leaving"],
    "a change of route is open": ["leaving"],
    "another definition, while a call is in flight": ["leaving"],
    "two holds with resource and owner": ["registered"],
    "a registration that the browser refused": ["failed"],
    "a wish for a tool of Python's": [],
    "calls in flight of two generations": ["registered"],
    "another owner's hold in this very tick, and a call of it": ["registered"],
    "a remount in this very tick, while a call is in flight": ["registered"],
    "a tool that came and went": [],
    "a call by name without a registration, and a release": ["unknown"],
    "a hold without a registration, released in this very tick": ["unknown"],
    "promised tools, of which one is registered": ["registered"],
    "a promised tool of the path, and one of a wish": ["registered"] * 2,
    "calls that wait for a promised tool": ["registered"],
    "a call that waits for a promised tool whose path was left": ["leaving"],
    "a catalogue": ["registered"] * 3,
}


class Scene:
    """A browser as the page has left it, and Python that has just taken over."""

    def __init__(self, situation: str) -> None:
        self.wire = TABLE[situation]
        self.rig = rig = Rig(has_context=self.wire["attempts"] > 0)
        rig.clock.advance(1000)
        for slot in self.wire["slots"]:
            if registration := slot["registration"]:
                rig.delays[registration["number"]] = 0.01
                rig.register(registration["number"], Definition.of_text(registration["text"]))
        rig.traffic.clear()
        self.wishes = Wishes(rig.registry)
        self.routes = Routes(rig.registry)
        self.promises = Promises(rig.registry, self.routes, self.wishes)
        text = json.dumps(self.wire)
        self.tickets, self.early = take_over(text, rig.registry, self.wishes, self.promises, rig.clock.now())
        rig.registry.reconcile()

    @property
    def slot(self) -> Slot:
        slot = self.rig.registry.named("a")
        assert slot is not None
        return slot

    @property
    def traffic(self) -> list[tuple[float, str]]:
        """What the browser was asked for, and when, in seconds after the takeover."""
        return [(round(at - 1000, 3), what) for at, what, _ in self.rig.traffic]

    def settle(self, call_id: str) -> None:
        self.slot.settle(self.tickets[call_id])


def test_the_table_has_a_state_for_each_situation() -> None:
    assert STATES.keys() == TABLE.keys()


@pytest.mark.parametrize("situation", TABLE)
def test_taking_over_asks_the_browser_for_nothing_and_tells_no_news(situation: str) -> None:
    scene = Scene(situation)
    assert [slot.state for slot in scene.rig.registry] == STATES[situation]
    assert scene.rig.traffic == []
    assert scene.rig.states == []


@pytest.mark.parametrize("situation", TABLE)
def test_slots_keep_their_order_generation_and_counts(situation: str) -> None:
    scene = Scene(situation)
    slots = list(scene.rig.registry)
    assert [(slot.name, slot.generation, slot.calls, slot.reason) for slot in slots] == [
        (each["name"], each["generation"], each["calls"], each["reason"]) for each in scene.wire["slots"]
    ]
    for slot in slots:
        assert slot.in_flight == sum(each["name"] == slot.name for each in scene.wire["calls"])
    calls = [each["id"] for each in scene.wire["calls"]]
    assert [*scene.tickets, *(each.call_id for each in scene.early)] == calls


@pytest.mark.parametrize("situation", TABLE)
def test_what_the_page_let_go_leaves_nothing_and_what_it_holds_stays(situation: str) -> None:
    scene = Scene(situation)
    for ticket in (*scene.tickets.values(), *(each.ticket for each in scene.early)):
        ticket.slot.settle(ticket)
    scene.rig.clock.advance(60)
    names = {each["name"] for each in scene.wire["wishes"] if "text" in each}
    assert {slot.name for slot in scene.rig.registry} == names
    assert {slot.in_flight for slot in scene.rig.registry} <= {0}
    assert scene.rig.clock.pending == 0
    for wish in scene.wire["wishes"]:
        scene.wishes.release(wish["number"])
    scene.promises.end(SHOP)
    scene.rig.clock.advance(60)
    assert list(scene.rig.registry) == []
    assert scene.rig.context.get_tools() == []
    assert scene.rig.clock.pending == 0


def test_what_an_open_change_of_route_keeps_stays_until_its_end() -> None:
    scene = Scene("a change of route is open")
    scene.rig.clock.advance(1)
    assert scene.traffic == []
    change = scene.rig.registry.changes.begin()
    scene.rig.registry.changes.end(change)
    assert scene.traffic == [(1, "unregister")]


def test_what_waits_is_registered_when_the_context_comes() -> None:
    scene = Scene("a hold that waits for the context")
    scene.rig.registry.attach(scene.rig)
    assert scene.traffic == [(0, "register")]


@pytest.mark.parametrize(("error", "state"), [(None, "registered"), ("SecurityError", "failed")])
def test_the_browsers_word_on_a_registration_of_the_pages_counts(error: str | None, state: str) -> None:
    scene = Scene("a registration that the browser is deciding on")
    if error:
        scene.rig.registry.rejected(1, error)
    else:
        scene.rig.registry.accepted(1)
    assert (scene.slot.state, scene.slot.reason) == (state, error)


def test_a_hold_that_was_taken_over_is_released_by_its_number() -> None:
    scene = Scene("a tool that was never called")
    scene.wishes.release(1)
    scene.wishes.release(1)
    scene.rig.turn()
    assert scene.traffic == [(0, "unregister")]


def test_a_release_of_the_tick_before_is_a_release() -> None:
    scene = Scene("a release in this very tick")
    scene.rig.turn()
    assert scene.traffic == [(0, "unregister")]


def test_a_release_of_the_tick_before_can_be_taken_back_in_this_one() -> None:
    scene = Scene("a release in this very tick")
    scene.wishes.hold(9, "a", A, None, None)
    scene.rig.clock.advance(60)
    assert scene.traffic == []
    assert (scene.slot.state, scene.slot.generation) == ("registered", 0)


def test_the_call_enters_the_newest_wishs_handler_of_the_page() -> None:
    scene = Scene("two holds with resource and owner")
    tool = scene.slot.begin().tool
    assert isinstance(tool, PageTool)
    assert tool.number == 3
    scene.wishes.release(3)
    older = scene.slot.begin()
    assert isinstance(older.tool, PageTool)
    assert (older.tool.number, older.key) == (2, (A, "doc-1", 1))
    assert scene.traffic == []


def test_an_equal_definition_causes_no_traffic_and_a_remount_keeps_the_call_current() -> None:
    scene = Scene("a remount in this very tick, while a call is in flight")
    ticket = scene.tickets["call-1"]
    assert ticket.is_current
    scene.rig.clock.advance(1)
    assert ticket.is_current
    scene.wishes.hold(8, "a", A, None, None)
    scene.wishes.release(2)
    scene.rig.clock.advance(1)
    assert ticket.is_current
    assert scene.traffic == []


def test_a_call_of_the_pages_keeps_a_released_tool_until_it_has_settled_and_the_grace_is_over() -> None:
    scene = Scene("released while a call is in flight")
    assert not scene.tickets["call-1"].is_current
    scene.rig.clock.advance(10)
    assert scene.traffic == []
    scene.settle("call-1")
    scene.rig.clock.advance(60)
    assert scene.traffic == [(10 + RESPONSE_GRACE, "unregister")]


def test_the_grace_goes_on_from_the_last_answers_age() -> None:
    scene = Scene("released, 200 ms after its last call settled")
    scene.rig.clock.advance(60)
    assert scene.traffic == [(RESPONSE_GRACE - 0.2, "unregister")]


def test_another_definition_waits_for_the_pages_call_and_gets_a_new_number() -> None:
    scene = Scene("another definition, while a call is in flight")
    refused = scene.slot.begin()
    assert refused.refusal
    assert refused.refusal.code == "TOOL_CHANGED"
    scene.slot.settle(refused)
    scene.rig.clock.advance(2)
    scene.settle("call-1")
    scene.rig.clock.advance(60)
    left = 2 + RESPONSE_GRACE
    assert scene.traffic == [(left, "unregister"), (left, "register")]
    assert (scene.slot.registration, scene.slot.state) == (2, "registered")


def test_of_two_generations_the_calls_of_the_newer_one_are_current() -> None:
    scene = Scene("calls in flight of two generations")
    old, new = scene.tickets["call-1"], scene.tickets["call-2"]
    assert (old.is_current, new.is_current) == (False, True)
    scene.rig.clock.advance(1)
    assert (old.is_current, new.is_current) == (False, True)
    scene.wishes.release(4)
    scene.rig.turn()
    assert not new.is_current


def test_a_generation_that_was_about_to_come_comes() -> None:
    scene = Scene("another owner's hold in this very tick, and a call of it")
    old, new = scene.tickets["call-1"], scene.tickets["call-2"]
    for _ in range(2):
        assert (old.is_current, new.is_current) == (False, True)
        scene.rig.clock.advance(1)
    assert scene.slot.generation == 1


def test_a_refused_registration_is_tried_again_by_a_new_hold_only() -> None:
    scene = Scene("a registration that the browser refused")
    scene.rig.clock.advance(60)
    assert scene.traffic == []
    assert scene.slot.reason == "InvalidStateError: taken"
    scene.wishes.hold(9, "a", A, None, None)
    assert scene.traffic == [(60, "register")]
    assert scene.slot.registration == 2


def test_a_wish_for_a_tool_of_pythons_is_a_hold_once_python_defines_it() -> None:
    scene = Scene("a wish for a tool of Python's")
    scene.wishes.know([tool_called("p")])
    slot = scene.rig.registry.named("p")
    assert slot is not None
    assert slot.current is not None
    assert (slot.current.resource_id, slot.current.owner) == ("doc-1", 1)
    scene.wishes.release(2)
    scene.rig.turn()
    assert list(scene.rig.registry) == []


@pytest.mark.parametrize("situation", TABLE)
def test_attempts_are_numbered_above_those_of_the_page(situation: str) -> None:
    scene = Scene(situation)
    scene.rig.registry.attach(scene.rig)
    scene.wishes.hold(99, "new", '{"name":"new","description":"d"}', None, None)
    slot = scene.rig.registry.named("new")
    assert slot is not None
    assert slot.registration > scene.wire["attempts"]


@pytest.mark.parametrize(
    "situation",
    [
        "released while a call is in flight",
        "a call by name without a registration, and a release",
        "a hold without a registration, released in this very tick",
    ],
)
def test_a_call_of_what_nobody_holds_any_more_is_stale(situation: str) -> None:
    ticket = Scene(situation).slot.begin()
    assert ticket.refusal
    assert ticket.refusal.code == "STALE_TOOL_CALL"


def test_of_a_catalogue_only_what_changed_is_registered_anew() -> None:
    scene = Scene("a catalogue")
    for number, name in enumerate("cab", 1):
        text = f'{{"name":"{name}","description":"{"new" if name == "b" else "d"}"}}'
        scene.wishes.hold(number + 10, name, text, None, None)
        scene.wishes.release(number)
    scene.rig.clock.advance(60)
    assert scene.rig.asked == ["unregister b", "register b"]


# Through the host, as JavaScript asks


def test_calls_that_run_in_the_page_are_counted_out_by_the_host() -> None:
    async def scene() -> None:
        border = FakeBorder()
        with host_at(border) as host:
            host.take_over(json.dumps(TABLE["calls in flight of two generations"]))
            assert (host.is_current("call-1"), host.is_current("call-2")) == (False, True)
            for left, call_id in [(2, "unknown"), (1, "call-1"), (1, "call-1"), (0, "call-2")]:
                host.count_out(call_id)
                (state,) = json.loads(host.states())
                assert state == {"name": "a", "state": "registered", "inFlight": left, "calls": 2}
            assert not host.is_current("call-2")
            assert host.call(1, "call-3", "{}") == 4
        assert border.registered == {}

    asyncio.run(scene())


@pytest.mark.parametrize("situation", TABLE)
def test_the_host_answers_whoever_calls_after_the_takeover(situation: str) -> None:
    async def scene() -> None:
        with host_at(FakeBorder(), has_context=False) as host:
            host.take_over(json.dumps(TABLE[situation]))
            answer = host.call_named("a", "new", "{}", None)
            if isinstance(answer, str):
                code, effect, _ = verdict(json.loads(answer))
                assert code in {"TOOL_NOT_FOUND", "STALE_TOOL_CALL", "TOOL_CHANGED"}
                assert effect == "none"
            elif answer is not None:
                assert answer in [each["number"] for each in TABLE[situation]["wishes"]]
                host.count_out("new")

    asyncio.run(scene())


@pytest.mark.parametrize(
    "more",
    [
        {"exposedTo": 5},
        {"exposedTo": "https://partner.example"},
        {"annotations": 5},
        {"inputSchema": None},
        {"title": None},
    ],
)
def test_a_definition_that_breaks_webmcps_rules_is_handed_to_the_browser_as_it_is(
    more: dict[str, Any],
) -> None:
    wire = {"name": "a", "description": "d", **more}
    border = FakeBorder()
    with host_at(border) as host:
        host.hold(1, "a", json.dumps(wire), None, None)
        assert border.registered == {1: wire}
        host.rejected(1, "TypeError: no")
        (state,) = json.loads(host.states())
        assert (state["state"], state["reason"]) == ("failed", "TypeError: no")
