from __future__ import annotations

import pytest

from tests.unit.lifecycle.rig import Rig, renewed, tool_called
from webtools import ToolDefinitionError, registry, tool
from webtools._exceptions import WebtoolsError
from webtools.lifecycle.registry import ToolRegistry, attach
from webtools.testing import FakeClock
from webtools.tools.definition import Definition

A = tool_called("a")
B = tool_called("b")


def test_a_held_tool_is_registered_at_once_and_told_of_when_the_browser_has_it() -> None:
    rig = Rig()
    hold = rig.registry.hold(A)
    assert rig.asked == ["register a"]
    assert hold.status == "registering"
    rig.turn()
    assert hold.status == "registered"
    assert rig.states == [("a", "registering"), ("a", "registered")]


def test_a_decorated_function_can_be_held_and_any_other_cannot() -> None:
    @tool
    def decorated() -> None:
        """Do nothing."""

    rig = Rig()
    assert rig.registry.hold(decorated).status == "registering"
    with pytest.raises(ToolDefinitionError, match="decorate it with @tool"):
        rig.registry.hold(len)


def test_a_name_that_another_script_took_fails_alone() -> None:
    rig = Rig()
    rig.context.register_tool({"name": "a", "description": "theirs"}, lambda *_: {})
    theirs, ours = rig.registry.hold(A), rig.registry.hold(B)
    rig.clock.advance(60)
    assert (theirs.status, ours.status) == ("failed", "registered")
    theirs.release()
    rig.clock.advance(60)
    assert [each["name"] for each in rig.context.get_tools()] == ["a", "b"]


def test_tools_are_listed_in_the_order_of_their_first_holds() -> None:
    rig = Rig()
    for each in (B, A, renewed(B)):
        rig.registry.hold(each)
    assert [slot.name for slot in rig.registry] == ["b", "a"]


def test_each_attempt_has_a_number_that_leads_to_its_slot_as_long_as_the_browser_has_it() -> None:
    rig = Rig()
    holds = [rig.registry.hold(A), rig.registry.hold(B)]
    numbers = [slot.registration for slot in rig.registry]
    slots = [rig.registry.of_registration(number) for number in numbers]
    assert [slot and slot.name for slot in slots] == ["a", "b"]
    holds[0].release()
    rig.turn()
    assert rig.registry.of_registration(numbers[0]) is None


def test_an_outcome_that_comes_at_once_counts_too() -> None:
    class Quick(Rig):
        def register(self, registration: int, definition: Definition) -> None:
            self.registry.accepted(registration)

    assert Quick().registry.hold(A).status == "registered"


def test_a_context_that_throws_has_refused() -> None:
    class Throwing(Rig):
        def register(self, registration: int, definition: Definition) -> None:
            raise RuntimeError("no")

    rig = Throwing()
    assert rig.registry.hold(A).status == "failed"
    slot = rig.registry.named("a")
    assert slot is not None
    assert slot.reason == "RuntimeError: no"


def test_closing_takes_every_registration_back_at_once_and_is_harmless_twice() -> None:
    rig = Rig()
    rig.context.register_tool({"name": "theirs", "description": "another script's"}, lambda *_: {})
    for each in (A, tool_called("theirs"), B):
        rig.registry.hold(each)
    rig.turn()
    rig.registry.close()
    rig.registry.close()
    rig.clock.advance(60)
    assert [each["name"] for each in rig.context.get_tools()] == ["theirs"]
    assert list(rig.registry) == []
    assert rig.clock.pending == 0


def test_an_outcome_after_closing_changes_nothing() -> None:
    rig = Rig()
    rig.registry.hold(A)
    rig.registry.close()
    rig.clock.advance(60)
    assert rig.asked == ["register a", "unregister a"]
    assert list(rig.registry) == []


def test_what_is_held_after_closing_is_told_as_new() -> None:
    rig = Rig()
    rig.registry.hold(A)
    rig.registry.close()
    rig.registry.hold(A)
    assert rig.states == [("a", "registering")] * 2


def test_a_release_or_a_late_answer_after_closing_is_harmless_and_told_to_nobody() -> None:
    rig = Rig()
    hold = rig.registry.hold(A)
    rig.turn()
    ticket = rig.call("a").ticket
    rig.registry.close()
    told = list(rig.states)
    hold.release()
    ticket.slot.settle(ticket)
    rig.clock.advance(60)
    assert (hold.status, rig.states) == ("released", told)
    assert rig.asked == ["register a", "unregister a"]
    assert list(rig.registry) == []


def test_registry_holds_and_slots_say_what_state_they_are_in() -> None:
    rig = Rig()
    hold = rig.registry.hold(A, resource_id="doc-1")
    rig.turn()
    rig.call("a")
    assert repr(hold) == "<Hold of 'a' for 'doc-1', registered>"
    assert repr(rig.registry.named("a")) == "<Slot 'a' is registered, 1 hold, 1 of 1 calls in flight>"
    assert repr(rig.registry) == "<ToolRegistry of 1 tools, 1 with the browser>"
    hold.release()
    assert repr(hold) == "<Hold of 'a' for 'doc-1', released>"


def test_the_pages_registry_is_there_once_it_is_attached() -> None:
    with pytest.raises(WebtoolsError, match="There is no page here"):
        registry()
    made = ToolRegistry(FakeClock(), lambda _: None)
    assert attach(made) is None
    assert registry() is made
    assert attach(None) is made
