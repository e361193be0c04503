"""Any interleaving of owners, calls, time and an unfriendly browser.

The invariants of ../shared/spec/lifecycle.md are checked after each step. More steps than in a normal run:
``pytest tests/unit/lifecycle/test_machine.py --hypothesis-profile=nightly``.
"""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    MultipleResults,
    RuleBasedStateMachine,
    consumes,
    invariant,
    multiple,
    precondition,
    rule,
)

from tests.unit.lifecycle.rig import POSTBACK, Call, Rig, renewed, tool_called
from webtools.lifecycle.hold import Hold
from webtools.lifecycle.slot import MAX_LEAVING, RESPONSE_GRACE
from webtools.tools.tool import Tool

TOOLS = {(name, text): tool_called(name, text) for name in "ab" for text in ("one", "two")}
QUIET = RESPONSE_GRACE + MAX_LEAVING + POSTBACK + 1


class Machine(RuleBasedStateMachine):
    """Two names with two definitions each, any number of owners and calls."""

    holds: Bundle[Hold] = Bundle("holds")
    calls: Bundle[Call] = Bundle("calls")

    def __init__(self) -> None:
        super().__init__()
        self.rig = Rig(has_context=False)
        self.is_attached = False
        self.owned: list[Hold] = []
        self.open: list[Call] = []
        self.all_calls: list[Call] = []

    @precondition(lambda self: not self.is_attached)
    @rule()
    def the_context_arrives(self) -> None:
        self.is_attached = True
        self.rig.registry.attach(self.rig)

    @rule(
        target=holds,
        key=st.sampled_from(sorted(TOOLS)),
        resource=st.sampled_from([None, "r"]),
        is_renewed=st.booleans(),
    )
    def hold(self, key: tuple[str, str], resource: str | None, is_renewed: bool) -> Hold:
        tool = renewed(TOOLS[key]) if is_renewed else TOOLS[key]
        hold = self.rig.registry.hold(tool, resource_id=resource)
        self.owned.append(hold)
        return hold

    @rule(hold=consumes(holds))
    def release(self, hold: Hold) -> None:
        hold.release()
        self.owned.remove(hold)

    @rule(target=holds, hold=consumes(holds))
    def remount(self, hold: Hold) -> Hold:
        """Release and hold an equal definition in one tick: no traffic beyond what is under way."""
        before = len(self.rig.traffic)
        status = hold.status
        hold.release()
        self.owned.remove(hold)
        assert isinstance(hold.tool, Tool)
        again = self.rig.registry.hold(renewed(hold.tool), resource_id=hold.resource_id)
        self.owned.append(again)
        if status == "registered":
            assert len(self.rig.traffic) == before
        return again

    @rule(target=calls, name=st.sampled_from("ab"))
    def call(self, name: str) -> Call | MultipleResults[Call]:
        if name not in {each["name"] for each in self.rig.context.get_tools()}:
            return multiple()
        call = self.rig.call(name)
        self.all_calls.append(call)
        if call.refused:
            return multiple()
        slot = self.rig.registry.named(name)
        assert slot is not None
        assert slot.current is not None
        assert call.ticket.tool is slot.current.tool
        assert call.ticket.is_current
        self.open.append(call)
        return call

    @rule(call=consumes(calls))
    def settle(self, call: Call) -> None:
        self.open.remove(call)
        call.finish()

    @rule(seconds=st.sampled_from([0.0, 0.01, POSTBACK, 0.3, RESPONSE_GRACE, 2.0]))
    def time_passes(self, seconds: float) -> None:
        self.rig.clock.advance(seconds)

    @rule(delay=st.sampled_from([0.05, 1.0]), error=st.sampled_from([None, "SecurityError"]))
    def the_browser_will_be_late_or_refuse(self, delay: float, error: str | None) -> None:
        number = max([0, *(slot.registration for slot in self.rig.registry)]) + 1
        self.rig.delays[number] = delay
        if error:
            self.rig.refusals[number] = error

    @invariant()
    def no_call_is_lost(self) -> None:
        for call in self.all_calls:
            assert call.is_answered in (True, False)

    @invariant()
    def at_most_one_registration_per_name_is_ours(self) -> None:
        names = [each["name"] for each in self.rig.context.get_tools()]
        assert len(names) == len(set(names))
        assert set(names) <= {slot.name for slot in self.rig.registry}

    @invariant()
    def calls_are_counted_right(self) -> None:
        for slot in self.rig.registry:
            assert slot.in_flight == sum(call.ticket.slot is slot for call in self.open)

    def teardown(self) -> None:
        """When all is quiet, actual equals desired, and a name that nobody holds owns nothing."""
        if not self.is_attached:
            self.the_context_arrives()
        for call in self.open:
            call.finish()
        self.rig.clock.advance(QUIET)
        desired = {hold.tool.name: hold.tool.definition for hold in self.owned}
        slots = {slot.name: slot for slot in self.rig.registry}
        assert slots.keys() == desired.keys()
        listed = {each["name"]: each["description"] for each in self.rig.context.get_tools()}
        for name, definition in desired.items():
            if slots[name].state == "failed":
                assert name not in listed
            else:
                assert listed[name] == definition.description
        assert self.rig.clock.pending == 0
        assert all(call.is_answered for call in self.all_calls)
        for hold in self.owned:
            hold.release()
        self.rig.clock.advance(QUIET)
        assert list(self.rig.registry) == []
        assert self.rig.context.get_tools() == []


TestMachine = Machine.TestCase
