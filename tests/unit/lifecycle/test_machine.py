"""Any interleaving of owners, calls, time, strangers and an unfriendly browser.

The invariants of ../shared/spec/lifecycle.md are checked by their numbers, after each step or within it.
Elsewhere are: the dispatcher's half of 7 and 8 (tests/unit/calls/test_properties.py), and 9 (test_costs.py).
More steps than in a normal run:
``pytest tests/unit/lifecycle/test_machine.py --hypothesis-profile=nightly``.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    MultipleResults,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    multiple,
    precondition,
    rule,
)

from tests.unit.lifecycle.rig import POSTBACK, QUIET, Call, Rig, renewed, tool_called
from webtools.lifecycle.hold import AnyTool, Hold
from webtools.lifecycle.slot import EARLY, MAX_LEAVING, MAX_LOSSES, RESPONSE_GRACE
from webtools.testing import FakeSignal
from webtools.tools.definition import Definition
from webtools.tools.page_tool import PageTool

TOOLS = {(name, text): tool_called(name, text) for name in "ab" for text in ("one", "two")}
"""With a handler in Python; `of_the_page` has equal ones with a handler in JavaScript."""

OWNERS = [None, "one", "two"]

MAX_HOLDS = 5
"""At a time."""


def of_the_page(tool: AnyTool) -> PageTool:
    """An equal definition with a handler in the page's JavaScript."""
    return PageTool(Definition.of_text(tool.definition.text), 0)


@dataclass
class Past:
    """What has happened to a name, as the time of its unregistering depends on it.

    Attributes:
        unwished_at: Since when the browser has what nobody wishes.
        settled_at: When its last call settled.
        accepted_settled_at: When the last one settled that had entered its handler.
    """

    unwished_at: float | None = None
    settled_at: float = -60.0
    accepted_settled_at: float = -60.0


class Machine(RuleBasedStateMachine):
    """Two names with two definitions each, some holds, any number of calls, and strangers who want names."""

    holds: Bundle[Hold] = Bundle("holds")
    calls: Bundle[Call] = Bundle("calls")

    def __init__(self) -> None:
        super().__init__()
        self.rig = Rig(has_context=False)
        self.is_attached = False
        self.owned: list[Hold] = []
        self.open: list[Call] = []
        self.all_calls: list[Call] = []
        self.robbed: list[Call] = []
        self.stale: list[Call] = []
        self.losses = 0
        self.strangers: dict[str, FakeSignal] = {}
        self.past = {name: Past() for name in "ab"}

    # What owners do

    @precondition(lambda self: len(self.owned) < MAX_HOLDS)
    @rule(
        target=holds,
        key=st.sampled_from(sorted(TOOLS)),
        resource=st.sampled_from([None, "r"]),
        owner=st.sampled_from(OWNERS),
        variant=st.sampled_from([lambda tool: tool, renewed, of_the_page]),
    )
    def hold(
        self,
        key: tuple[str, str],
        resource: str | None,
        owner: str | None,
        variant: Callable[[AnyTool], AnyTool],
    ) -> Hold:
        hold = self.rig.registry.hold(variant(TOOLS[key]), resource_id=resource, owner=owner)
        self.owned.append(hold)
        return hold

    @rule(hold=consumes(holds))
    def release(self, hold: Hold) -> None:
        hold.release()
        self.owned.remove(hold)

    @rule(target=holds, hold=consumes(holds), is_looked_at=st.booleans())
    def invariant_2_a_remount_causes_no_traffic(self, hold: Hold, is_looked_at: bool) -> Hold:
        name, status, is_newest = hold.tool.name, hold.status, hold is self.newest(hold.tool.name)
        before = self.asked_of(name)
        hold.release()
        self.owned.remove(hold)
        again = self.rig.registry.hold(of_the_page(hold.tool), resource_id=hold.resource_id, owner=hold.owner)
        self.owned.append(again)
        if status != "failed":
            assert self.asked_of(name) == before
        if is_looked_at:
            self.time_passes(0.0)
            if status == "registered" and is_newest:
                assert self.asked_of(name) == before
        return again

    # What agents do

    @precondition(lambda self: self.rig.live)
    @rule(target=calls, which=st.sampled_from("ab"), count=st.integers(1, 3))
    def call(self, which: str, count: int) -> MultipleResults[Call]:
        name = which if which in self.rig.live else min(self.rig.live)
        return multiple(*(call for _ in range(count) if (call := self.call_once(name))))

    @rule(call=consumes(calls))
    def settle(self, call: Call) -> None:
        if call in self.open:
            self.open.remove(call)
            call.finish()
            past = self.past[call.execution.name]
            past.settled_at = past.accepted_settled_at = self.rig.clock.now()

    # What the browser, its time and its other scripts do

    @initialize(is_late=st.sampled_from([False, False, False, True]))
    def the_page_begins(self, is_late: bool) -> None:
        if not is_late:
            self.the_context_arrives()

    # A rule that could do nothing is not offered, or most steps would be spent on those.

    @precondition(lambda self: not self.is_attached)
    @rule()
    def the_context_arrives(self) -> None:
        self.is_attached = True
        self.rig.registry.attach(self.rig)

    @precondition(lambda self: self.rig.clock.pending)
    @rule(seconds=st.sampled_from([0.0, 0.01, POSTBACK, 0.3, RESPONSE_GRACE, 2.0]))
    def time_passes(self, seconds: float) -> None:
        self.rig.clock.advance(seconds)
        self.check_who_is_current()

    @precondition(lambda self: self.next_attempt() not in self.rig.delays)
    @rule(delay=st.sampled_from([0.05, 1.0]), error=st.sampled_from([None, None, "SecurityError"]))
    def the_browser_will_be_late_or_refuse(self, delay: float, error: str | None) -> None:
        number = self.next_attempt()
        self.rig.delays[number] = delay
        if error:
            self.rig.refusals[number] = error

    @precondition(lambda self: self.rig.live and self.losses <= MAX_LOSSES)
    @rule(which=st.sampled_from("ab"), is_taken=st.booleans())
    def a_stranger_takes_ours_away(self, which: str, is_taken: bool) -> None:
        name = which if which in self.rig.live else min(self.rig.live)
        self.robbed += [
            each for each in self.all_calls if each.execution.name == name and not each.execution.outcome
        ]
        self.losses += 1
        self.rig.drop(name)
        if is_taken:
            signal = self.strangers[name] = FakeSignal()
            theirs = {"name": name, "description": "theirs"}
            self.rig.context.register_tool(theirs, lambda *_: {}, signal=signal)

    @precondition(lambda self: self.strangers)
    @rule()
    def a_stranger_goes(self) -> None:
        self.strangers.popitem()[1].abort()

    @precondition(lambda self: self.open)
    @rule(is_answered=st.booleans())
    def the_page_is_left_and_comes_back(self, is_answered: bool) -> None:
        self.rig.registry.interrupt()
        self.stale += self.open
        assert not any(call.ticket.is_current for call in self.open)
        for call in tuple(self.open) if is_answered else ():
            self.settle(call)
        self.rig.registry.reconcile()

    # What must hold

    @invariant()
    def invariant_1_no_call_is_lost_by_us(self) -> None:
        for call in self.all_calls:
            assert call in self.robbed or call.is_answered in (True, False)

    @invariant()
    def invariant_3_at_most_one_registration_of_a_name_is_ours(self) -> None:
        assert self.rig.collisions == []
        assert self.rig.live.keys() <= {slot.name for slot in self.rig.registry}
        assert self.rig.live.keys() <= self.listed().keys() - self.strangers.keys()

    @invariant()
    def invariant_4_calls_in_flight_are_counted_right(self) -> None:
        for slot in self.rig.registry:
            assert slot.in_flight == sum(call.ticket.slot is slot for call in self.open)

    @invariant()
    def invariant_5_what_nobody_wishes_leaves_in_time(self) -> None:
        now = self.rig.clock.now()
        for name, past in self.past.items():
            has, newest = self.rig.live.get(name), self.newest(name)
            if has is None or (newest and newest.tool.definition == has):
                past.unwished_at = None
            elif past.unwished_at is None:
                past.unwished_at = now
            if past.unwished_at is not None and not any(each.execution.name == name for each in self.open):
                limit = max(past.unwished_at, past.accepted_settled_at) + MAX_LEAVING
                due = max(past.unwished_at, min(past.settled_at + RESPONSE_GRACE, limit))
                assert now <= due + 2 * EARLY

    @invariant()
    def invariant_8_an_answer_is_one_json_text(self) -> None:
        for call in self.all_calls:
            if call.execution.outcome and call not in self.robbed:
                assert json.loads(call.execution.outcome["text"]).keys() <= {"answer", "refused"}

    def check_who_is_current(self) -> None:
        """After a macrotask: what is stale stays so, and current is what is held as it began."""
        for call in self.open:
            newest = self.newest(call.execution.name)
            if newest is None or newest.key != call.ticket.key:
                self.stale.append(call)
            assert call.ticket.is_current is (call not in self.stale)

    def teardown(self) -> None:
        """Let all become quiet, give everything up, and let it become quiet again."""
        if not self.is_attached:
            self.the_context_arrives()
        for call in tuple(self.open):
            self.settle(call)
        self.time_passes(QUIET)
        self.invariant_6_when_all_is_quiet_the_browser_has_what_is_wished()
        assert all(call in self.robbed or call.is_answered for call in self.all_calls)
        for hold in self.owned:
            hold.release()
        self.owned.clear()
        self.time_passes(QUIET)
        self.invariant_6_when_all_is_quiet_the_browser_has_what_is_wished()
        assert list(self.rig.registry) == []

    def invariant_6_when_all_is_quiet_the_browser_has_what_is_wished(self) -> None:
        assert self.rig.clock.pending == 0
        desired = {hold.tool.name: hold.tool.definition for hold in self.owned}
        slots = {slot.name: slot for slot in self.rig.registry}
        assert slots.keys() == desired.keys()
        for slot in slots.values():
            assert slot.in_flight == 0
            assert slot.state in ("registered", "failed")
        live = {name: each for name, each in desired.items() if slots[name].state == "registered"}
        assert self.rig.live == live
        assert self.listed().keys() == live.keys() | self.strangers.keys()

    def call_once(self, name: str) -> Call | None:
        """Call; None where it was refused."""
        call = self.rig.call(name)
        self.all_calls.append(call)
        if call.refused:
            self.past[name].settled_at = self.rig.clock.now()
            return None
        newest = self.newest(name)
        assert newest is not None
        assert call.ticket.tool is newest.tool
        assert call.ticket.is_current
        self.invariant_7_the_input_is_judged_by_the_model_of_what_the_agent_saw(call)
        self.open.append(call)
        return call

    def invariant_7_the_input_is_judged_by_the_model_of_what_the_agent_saw(self, call: Call) -> None:
        definition = call.ticket.tool.definition
        assert definition.description == self.listed()[definition.name]

    # What the checks look at

    def newest(self, name: str) -> Hold | None:
        return next((hold for hold in reversed(self.owned) if hold.tool.name == name), None)

    def next_attempt(self) -> int:
        return max([0, *(slot.registration for slot in self.rig.registry)]) + 1

    def listed(self) -> dict[str, str]:
        return {each["name"]: each["description"] for each in self.rig.context.get_tools()}

    def asked_of(self, name: str) -> list[str]:
        return [what for _, what, asked in self.rig.traffic if asked == name]


TestMachine = Machine.TestCase
