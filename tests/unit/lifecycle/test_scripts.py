"""The table of scripts of ../shared/spec/lifecycle.md, on a fake host that cancels.

Where each script is a test by its name (`test_table.py` keeps this true):

W1   tests/unit/lifecycle/test_scripts.py, tests/js/early.test.mjs
W2   tests/unit/lifecycle/test_scripts.py, tests/js/early.test.mjs
W3   tests/unit/lifecycle/test_scripts.py, tests/js/early.test.mjs
W4   tests/unit/lifecycle/test_scripts.py, tests/js/early.test.mjs
W5   tests/unit/lifecycle/test_scripts.py, tests/js/early.test.mjs
W6   tests/unit/lifecycle/test_scripts.py, tests/js/early.test.mjs
W7   tests/unit/lifecycle/test_scripts.py, tests/js/early.test.mjs
W8   tests/unit/lifecycle/test_scripts.py, tests/js/early.test.mjs
W9   tests/unit/lifecycle/test_scripts.py, tests/js/pointing.test.mjs
W10  tests/js/host.test.mjs
W11  tests/unit/lifecycle/test_routes.py, e2e/test_match.py, tests/js/navigation.test.mjs
W12  e2e/test_settled.py, tests/js/settled.test.mjs
W13  tests/unit/lifecycle/test_scripts.py, tests/js/early.test.mjs
W14  tests/unit/calls/test_interrupt.py, tests/js/early.test.mjs
W15  tests/unit/lifecycle/test_scripts.py, tests/js/early.test.mjs
W16  tests/unit/lifecycle/test_scripts.py, tests/js/early.test.mjs
W17  tests/unit/lifecycle/test_scripts.py, tests/js/early.test.mjs
W18  tests/unit/lifecycle/test_scripts.py, tests/js/early.test.mjs
W19  tests/unit/lifecycle/test_scripts.py, tests/js/early.test.mjs
W20  tests/unit/lifecycle/test_scripts.py, tests/js/early.test.mjs
"""

from __future__ import annotations

import logging

import pytest

from tests.unit.lifecycle.rig import POSTBACK, Rig, renewed, tool_called
from webtools.lifecycle.slot import MAX_LEAVING, RESPONSE_GRACE

A = tool_called("a")
CHANGED = tool_called("a", "another description")


def test_w1_hold_release_and_hold_in_one_tick_is_one_register() -> None:
    rig = Rig()
    rig.registry.hold(A).release()
    rig.registry.hold(A)
    rig.clock.advance(60)
    assert rig.asked == ["register a"]


def test_w2_a_release_while_a_call_runs_unregisters_after_its_end_and_the_grace() -> None:
    rig = Rig()
    hold = rig.registry.hold(A)
    rig.turn()
    call = rig.call("a")
    hold.release()
    rig.clock.advance(0.3)
    call.finish()
    rig.clock.advance(60)
    assert call.is_answered
    assert rig.traffic[1:] == [(0.8, "unregister", "a")]


def test_w3_a_tool_that_releases_itself_is_answered() -> None:
    rig = Rig()
    hold = rig.registry.hold(A)
    rig.turn()
    call = rig.call("a")
    hold.release()
    call.finish()
    rig.clock.advance(60)
    assert call.is_answered
    assert rig.traffic[1:] == [(RESPONSE_GRACE, "unregister", "a")]


def test_w4_a_call_that_settles_in_the_grace_begins_it_anew() -> None:
    rig = Rig()
    hold = rig.registry.hold(A)
    rig.turn()
    first, second = rig.call("a"), rig.call("a")
    hold.release()
    first.finish()
    rig.clock.advance(0.3)
    second.finish()
    rig.clock.advance(60)
    assert first.is_answered
    assert second.is_answered
    assert rig.traffic[1:] == [(0.8, "unregister", "a")]


def test_w5_an_equal_hold_in_the_grace_causes_no_traffic() -> None:
    rig = Rig()
    hold = rig.registry.hold(A)
    rig.turn()
    call = rig.call("a")
    hold.release()
    call.finish()
    rig.clock.advance(0.2)
    again = rig.registry.hold(renewed(A))
    assert rig.clock.pending == 0
    rig.clock.advance(60)
    assert rig.asked == ["register a"]
    assert again.status == "registered"
    assert rig.clock.pending == 0


def test_w6_another_description_waits_for_the_call_and_the_grace() -> None:
    rig = Rig()
    rig.registry.hold(A)
    rig.turn()
    call = rig.call("a")
    rig.registry.hold(CHANGED)
    rig.clock.advance(0.3)
    call.finish()
    rig.clock.advance(60)
    assert call.is_answered
    assert rig.traffic[1:] == [(0.8, "unregister", "a"), (0.8, "register", "a")]


def test_w7_another_handler_causes_no_traffic_and_serves_the_next_call() -> None:
    rig = Rig()
    rig.registry.hold(A)
    rig.turn()
    other = renewed(A)
    rig.registry.hold(other)
    rig.clock.advance(60)
    assert rig.asked == ["register a"]
    assert rig.call("a").ticket.tool is other


def test_w8_a_hold_that_is_released_before_there_is_a_context_is_never_registered() -> None:
    rig = Rig(has_context=False)
    hold = rig.registry.hold(A)
    assert hold.status == "waiting"
    hold.release()
    rig.registry.attach(rig)
    rig.clock.advance(60)
    assert rig.asked == []


def test_w9_three_holds_that_wait_for_the_context_are_registered_in_their_order_when_it_comes() -> None:
    rig = Rig(has_context=False)
    holds = [rig.registry.hold(tool_called(name)) for name in "cab"]
    rig.clock.advance(60)
    assert [hold.status for hold in holds] == ["waiting"] * 3
    rig.registry.attach(rig)
    assert rig.asked == ["register c", "register a", "register b"]


def test_w13_of_a_catalogue_only_what_changed_is_registered_anew() -> None:
    rig = Rig()
    holds = [rig.registry.hold(tool_called(name)) for name in "abcde"]
    rig.turn()
    new = [rig.registry.hold(tool_called(name, "new" if name == "c" else "d")) for name in "abcde"]
    for hold in holds:
        hold.release()
    rig.clock.advance(60)
    assert rig.asked[5:] == ["unregister c", "register c"]
    assert [hold.status for hold in new] == ["registered"] * 5


def test_w15_a_late_rejection_of_an_old_attempt_leaves_the_new_one() -> None:
    rig = Rig()
    rig.refusals[1] = "UnknownError"
    rig.delays[1] = 0.05
    rig.registry.hold(A).release()
    rig.clock.advance(0.01)
    second = rig.registry.hold(A)
    rig.clock.advance(1)
    assert second.status == "registered"
    second.release()
    rig.clock.advance(1)
    assert rig.context.get_tools() == []


def test_w16_the_signal_of_a_refused_attempt_is_never_aborted() -> None:
    rig = Rig()
    rig.refusals[1] = "SecurityError"
    refused = rig.registry.hold(A)
    rig.turn()
    proper = rig.registry.hold(A)
    rig.turn()
    refused.release()
    rig.clock.advance(60)
    assert rig.asked == ["register a", "register a"]
    assert proper.status == "registered"


def test_w17_twenty_tools_in_one_tick_are_twenty_registers_and_no_warning(
    caplog: pytest.LogCaptureFixture,
) -> None:
    rig = Rig()
    for index in range(20):
        rig.registry.hold(tool_called(f"t{index}")).release()
        rig.registry.hold(tool_called(f"t{index}"))
    rig.clock.advance(60)
    assert len(rig.traffic) == 20
    assert caplog.records == []


def test_w18_a_release_before_the_outcome_leaves_nothing_registered() -> None:
    rig = Rig()
    rig.delays[1] = 1.0
    rig.registry.hold(A).release()
    rig.clock.advance(60)
    assert rig.asked == ["register a", "unregister a"]
    assert rig.context.get_tools() == []
    assert list(rig.registry) == []


def test_w19_an_abort_handler_that_throws_is_logged_and_the_slot_is_usable(
    caplog: pytest.LogCaptureFixture,
) -> None:
    rig = Rig()
    rig.breaks.add(1)
    with caplog.at_level(logging.ERROR):
        rig.registry.hold(A).release()
        rig.clock.advance(1)
    assert "'a'" in caplog.text
    assert rig.registry.hold(A).status == "registering"
    rig.turn()
    assert [each["name"] for each in rig.context.get_tools()] == ["a"]


def test_w20_a_tool_that_was_never_called_leaves_in_the_next_macrotask() -> None:
    rig = Rig()
    hold = rig.registry.hold(A)
    rig.turn()
    hold.release()
    assert rig.asked == ["register a"]
    rig.turn()
    assert rig.traffic[1:] == [(0.0, "unregister", "a")]


def test_a_call_of_a_leaving_tool_that_nobody_holds_is_stale() -> None:
    rig = Rig()
    hold = rig.registry.hold(A)
    rig.turn()
    rig.call("a").finish()
    hold.release()
    rig.turn()
    call = rig.call("a")
    assert call.refused == "STALE_TOOL_CALL"
    rig.clock.advance(POSTBACK)
    assert call.is_answered


def test_a_call_of_a_tool_that_is_being_replaced_is_told_when_to_come_again() -> None:
    rig = Rig()
    rig.registry.hold(A)
    rig.turn()
    rig.call("a").finish()
    rig.registry.hold(CHANGED)
    rig.clock.advance(0.2)
    refusal = rig.call("a").ticket.refusal
    assert refusal is not None
    assert refusal.code == "TOOL_CHANGED"
    assert refusal.retryable
    assert refusal.details == {"retry_after_ms": 500}
    rig.clock.advance(0.5)
    assert rig.call("a").refused is None


def test_a_call_that_is_told_when_to_come_again_is_told_of_the_limit() -> None:
    rig = Rig()
    rig.registry.hold(A)
    rig.turn()
    rig.registry.hold(CHANGED)
    for _ in range(19):
        assert rig.call("a").refused
        rig.clock.advance(0.25)
    refusal = rig.call("a").ticket.refusal
    assert refusal is not None
    assert refusal.details == {"retry_after_ms": 250}
    rig.clock.advance(0.25)
    assert rig.call("a").refused is None


def test_a_call_is_told_to_come_again_after_the_grace_while_another_one_runs() -> None:
    rig = Rig()
    rig.registry.hold(A)
    rig.turn()
    rig.call("a")
    rig.registry.hold(CHANGED)
    rig.clock.advance(2 * MAX_LEAVING)
    refusal = rig.call("a").ticket.refusal
    assert refusal is not None
    assert refusal.details == {"retry_after_ms": 500}


def test_refused_calls_keep_a_leaving_tool_for_a_limited_time_only() -> None:
    rig = Rig()
    hold = rig.registry.hold(A)
    rig.turn()
    rig.call("a").finish()
    hold.release()
    for _ in range(int(MAX_LEAVING / 0.1)):
        rig.clock.advance(0.1)
        if not rig.context.get_tools():
            break
        assert rig.call("a").refused
    rig.clock.advance(RESPONSE_GRACE)
    ((left_at, _, _),) = rig.traffic[1:]
    assert RESPONSE_GRACE < left_at <= MAX_LEAVING


def test_a_rejected_tool_is_failed_with_the_reason_until_a_new_hold() -> None:
    rig = Rig()
    rig.refusals[1] = "SecurityError"
    first = rig.registry.hold(A)
    rig.clock.advance(60)
    slot = rig.registry.named("a")
    assert slot is not None
    assert (first.status, slot.reason) == ("failed", "SecurityError")
    second = rig.registry.hold(A)
    rig.turn()
    assert (first.status, second.status, slot.reason) == ("registered", "registered", None)


def test_the_newest_hold_decides_and_the_one_before_it_when_it_is_released() -> None:
    rig = Rig()
    rig.registry.hold(A)
    rig.turn()
    with rig.registry.hold(CHANGED) as newest:
        rig.clock.advance(1)
        assert newest.status == "registered"
    rig.clock.advance(1)
    assert rig.asked == ["register a", *["unregister a", "register a"] * 2]


def test_when_all_is_quiet_nothing_is_left_of_a_released_tool() -> None:
    rig = Rig()
    hold = rig.registry.hold(A)
    rig.turn()
    rig.call("a").finish()
    hold.release()
    hold.release()
    rig.clock.advance(60)
    assert list(rig.registry) == []
    assert rig.clock.pending == 0
    assert rig.states == [("a", "registering"), ("a", "registered"), ("a", "leaving"), ("a", "unknown")]
