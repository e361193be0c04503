"""Attempts that the browser refuses, and registrations that something else on the page takes away."""

from __future__ import annotations

import pytest

from tests.unit.lifecycle.rig import NOTICE, POSTBACK, QUIET, Rig, renewed, tool_called
from webtools.lifecycle.hold import Hold
from webtools.lifecycle.slot import LOSS_WINDOW, LOST, MAX_LOSSES, RESPONSE_GRACE, Slot

A = tool_called("a")
CHANGED = tool_called("a", "another description")


def slot_of(rig: Rig) -> Slot:
    slot = rig.registry.named("a")
    assert slot is not None
    return slot


def registered() -> tuple[Rig, Hold]:
    """A tool that the browser has."""
    rig = Rig()
    hold = rig.registry.hold(A)
    rig.turn()
    return rig, hold


# Refused


def test_a_hold_that_came_after_a_refused_attempt_is_an_attempt_of_its_own() -> None:
    rig = Rig()
    rig.delays[1] = 0.05
    rig.refusals = {1: "SecurityError", 2: "SecurityError"}
    rig.registry.hold(A).release()
    again = rig.registry.hold(A)
    rig.clock.advance(60)
    assert rig.asked == ["register a", "register a"]
    assert again.status == "failed"


def test_of_holds_that_came_during_a_refused_attempt_the_newest_is_tried_and_no_other() -> None:
    rig = Rig()
    rig.delays[1] = 0.05
    rig.refusals[1] = "SecurityError"
    rig.refusals[2] = "NotAllowedError"
    holds = [rig.registry.hold(each) for each in (A, renewed(A), renewed(A))]
    rig.clock.advance(60)
    assert rig.asked == ["register a", "register a"]
    assert [hold.status for hold in holds] == ["failed"] * 3
    assert slot_of(rig).reason == "NotAllowedError"


def test_the_release_of_a_failed_newest_hold_tries_the_one_before() -> None:
    rig, _ = registered()
    rig.refusals[2] = "SecurityError"
    newest = rig.registry.hold(CHANGED)
    rig.clock.advance(1)
    assert (newest.status, slot_of(rig).reason) == ("failed", "SecurityError")
    newest.release()
    rig.clock.advance(60)
    assert rig.asked == ["register a", "unregister a", "register a", "register a"]
    assert (rig.live, slot_of(rig).reason) == ({"a": A.definition}, None)


def test_the_release_of_an_older_hold_tries_nothing() -> None:
    rig = Rig()
    rig.refusals[1] = "SecurityError"
    older = rig.registry.hold(A)
    newest = rig.registry.hold(renewed(A))
    rig.refusals[2] = "SecurityError"
    rig.clock.advance(1)
    older.release()
    rig.clock.advance(60)
    assert rig.asked == ["register a", "register a"]
    assert newest.status == "failed"


def test_a_refusal_after_the_newest_hold_was_released_tries_the_one_before_once() -> None:
    rig = Rig()
    rig.delays[1] = 0.05
    rig.refusals = {1: "SecurityError", 2: "SecurityError", 3: "SecurityError"}
    older = rig.registry.hold(A)
    rig.clock.advance(1)
    rig.delays[2] = 0.05
    rig.registry.hold(A).release()
    rig.clock.advance(60)
    assert rig.asked == ["register a"] * 3
    assert older.status == "failed"


def test_a_refused_attempt_of_what_nobody_holds_leaves_nothing() -> None:
    rig = Rig()
    rig.delays[1] = 0.05
    rig.refusals[1] = "SecurityError"
    hold = rig.registry.hold(A)
    call = slot_of(rig).begin()  # by name, since the browser does not have it
    hold.release()
    rig.clock.advance(0.05)
    call.slot.settle(call)
    assert list(rig.registry) == []
    assert rig.clock.pending == 0


def test_the_timer_of_a_refused_attempt_says_nothing_of_the_slot_that_comes_after_it() -> None:
    rig = Rig()
    rig.delays[1] = RESPONSE_GRACE / 2
    rig.refusals[1] = "SecurityError"
    hold = rig.registry.hold(A)
    call = slot_of(rig).begin()
    hold.release()
    rig.turn()
    call.slot.settle(call)  # it would leave after the grace, but is refused before
    rig.clock.advance(RESPONSE_GRACE / 2)
    assert rig.clock.pending == 0
    rig.registry.hold(A)
    rig.clock.advance(60)
    assert rig.states[-2:] == [("a", "registering"), ("a", "registered")]


# Lost


def test_a_lost_registration_is_made_again_while_it_is_held() -> None:
    rig, hold = registered()
    rig.drop("a")
    rig.clock.advance(60)
    assert rig.traffic[1:] == [(NOTICE, "register", "a")]
    assert (hold.status, rig.live) == ("registered", {"a": A.definition})
    assert rig.call("a").refused is None


def test_a_lost_registration_that_nobody_holds_is_not_made_again() -> None:
    rig, hold = registered()
    call = rig.call("a")
    rig.drop("a")
    hold.release()
    rig.clock.advance(60)
    assert slot_of(rig).state == "unknown"
    call.finish()
    rig.clock.advance(POSTBACK)
    assert rig.asked == ["register a"]
    assert list(rig.registry) == []
    assert rig.clock.pending == 0


def test_a_registration_that_is_lost_in_its_grace_stops_the_timer() -> None:
    rig, hold = registered()
    rig.call("a").finish()
    rig.drop("a")
    hold.release()
    rig.clock.advance(NOTICE)
    assert list(rig.registry) == []
    rig.turn()
    assert rig.clock.pending == 0
    assert rig.asked == ["register a"]


def test_a_changed_definition_need_not_wait_for_the_grace_of_one_that_is_lost() -> None:
    rig, _ = registered()
    call = rig.call("a")
    rig.registry.hold(CHANGED)
    rig.drop("a")
    rig.clock.advance(60)
    assert rig.traffic[1:] == [(NOTICE, "register", "a")]
    assert rig.live == {"a": CHANGED.definition}
    call.finish()
    rig.clock.advance(60)
    assert rig.live == {"a": CHANGED.definition}


def test_a_call_that_was_lost_with_its_registration_is_current_and_counted_until_it_has_settled() -> None:
    rig, hold = registered()
    call = rig.call("a")
    rig.drop("a")
    rig.clock.advance(1)
    assert rig.is_current(call)
    hold.release()
    rig.clock.advance(60)
    assert rig.live == {"a": A.definition}
    call.finish()
    rig.clock.advance(QUIET)
    assert rig.traffic[2:] == [(61 + RESPONSE_GRACE, "unregister", "a")]


def test_word_of_a_loss_that_comes_after_the_unregistering_changes_nothing() -> None:
    rig, hold = registered()
    number = slot_of(rig).registration
    hold.release()
    rig.turn()
    again = rig.registry.hold(A)
    rig.turn()
    for _ in range(MAX_LOSSES):
        rig.registry.lost(number)
    assert rig.asked == ["register a", "unregister a", "register a"]
    assert again.status == "registered"


def test_a_name_that_is_taken_when_ours_is_lost_has_failed() -> None:
    rig, hold = registered()
    rig.drop("a")
    rig.context.register_tool({"name": "a", "description": "theirs"}, lambda *_: {})
    rig.clock.advance(60)
    assert rig.asked == ["register a", "register a"]
    assert (hold.status, slot_of(rig).reason) == ("failed", "InvalidStateError")


def test_a_registration_that_is_lost_three_times_in_a_minute_is_given_up_until_a_new_hold() -> None:
    rig, hold = registered()
    for _ in range(MAX_LOSSES):
        assert hold.status == "registered"
        rig.drop("a")
        rig.clock.advance(1)
    assert (hold.status, slot_of(rig).reason) == ("failed", LOST)
    assert rig.asked == ["register a"] * MAX_LOSSES
    again = rig.registry.hold(A)
    rig.turn()
    assert (hold.status, again.status) == ("registered", "registered")
    rig.drop("a")
    rig.clock.advance(1)
    assert again.status == "failed"


@pytest.mark.parametrize(
    ("apart", "state"), [(LOSS_WINDOW / 2, "registered"), (LOSS_WINDOW / 2 - 1, "failed")]
)
def test_losses_are_counted_for_a_minute(apart: float, state: str) -> None:
    rig, hold = registered()
    for _ in range(MAX_LOSSES):
        rig.drop("a")
        rig.clock.advance(apart)
    assert hold.status == state
