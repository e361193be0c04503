"""Which calls are current, and which are stale: of a remount, of another's hold, of a page that is left."""

from __future__ import annotations

import pytest

from tests.unit.lifecycle.rig import QUIET, Call, Rig, renewed, tool_called
from webtools.lifecycle.hold import Hold
from webtools.lifecycle.slot import RESPONSE_GRACE

A = tool_called("a")
CHANGED = tool_called("a", "another description")


def in_a_call() -> tuple[Rig, Hold, Call]:
    """A tool that is held, and a call of it in flight."""
    rig = Rig()
    hold = rig.registry.hold(A)
    rig.turn()
    return rig, hold, rig.call("a")


def test_a_call_is_current_through_a_remount_and_stale_after_a_release() -> None:
    rig, hold, call = in_a_call()
    hold.release()
    hold = rig.registry.hold(renewed(A))
    rig.turn()
    assert rig.is_current(call)
    hold.release()
    assert not rig.is_current(call)
    rig.turn()
    rig.registry.hold(A)
    assert not rig.is_current(call)


@pytest.mark.parametrize("other", [{"resource_id": "doc-2"}, {"owner": object()}])
def test_a_hold_for_another_resource_or_owner_makes_calls_stale_in_the_next_macrotask(
    other: dict[str, object],
) -> None:
    rig = Rig()
    rig.registry.hold(A, resource_id="doc-1")
    rig.turn()
    call = rig.call("a")
    rig.registry.hold(A, **{"resource_id": "doc-1", **other})  # type: ignore[arg-type]  # one of the two
    assert rig.is_current(call)
    later = rig.call("a")
    rig.turn()
    assert not rig.is_current(call)
    assert rig.is_current(later)
    assert rig.asked == ["register a"]


def test_a_call_under_a_hold_that_came_and_went_in_a_tick_is_stale_for_ever() -> None:
    rig, _, before = in_a_call()
    with rig.registry.hold(A, owner="guest"):
        call = rig.call("a")
        assert rig.is_current(call)
    assert not rig.is_current(call)
    rig.turn()
    rig.registry.hold(A, owner="guest")
    assert not rig.is_current(call)
    assert rig.is_current(before)
    rig.turn()
    assert not rig.is_current(call)


def test_a_call_under_a_hold_that_comes_again_in_its_tick_is_current() -> None:
    rig, _, _ = in_a_call()
    with rig.registry.hold(A, owner="guest"):
        call = rig.call("a")
    rig.registry.hold(A, owner="guest")
    for _ in range(2):
        assert rig.is_current(call)
        rig.turn()


# The page is left


def test_what_has_begun_is_stale_at_once_when_the_page_is_left() -> None:
    rig, hold, call = in_a_call()
    rig.registry.interrupt()
    assert not rig.is_current(call)
    rig.turn()
    assert not rig.is_current(call)
    assert hold.status == "registered"
    assert rig.asked == ["register a"]


def test_a_call_that_begins_after_the_page_has_come_back_is_current() -> None:
    rig, _, call = in_a_call()
    rig.registry.interrupt()
    later = rig.call("a")
    for _ in range(2):
        assert (rig.is_current(call), rig.is_current(later)) == (False, True)
        rig.turn()
    rig.registry.interrupt()
    assert not rig.is_current(later)


@pytest.mark.parametrize("left", ["before", "between", "after"])
def test_a_remount_in_the_tick_in_which_the_page_is_left_keeps_no_call(left: str) -> None:
    rig, hold, call = in_a_call()
    if left == "before":
        rig.registry.interrupt()
    hold.release()
    if left == "between":
        rig.registry.interrupt()
    rig.registry.hold(renewed(A))
    if left == "after":
        rig.registry.interrupt()
    later = rig.call("a")
    for _ in range(2):
        assert (rig.is_current(call), rig.is_current(later)) == (False, True)
        rig.turn()
    assert rig.asked == ["register a"]


@pytest.mark.parametrize("left", ["before the call", "after the call", "after the release"])
def test_another_owners_hold_in_the_tick_in_which_the_page_is_left_keeps_only_what_began_after(
    left: str,
) -> None:
    rig, _, before = in_a_call()
    guest = rig.registry.hold(A, owner="guest")
    if left == "before the call":
        rig.registry.interrupt()
    call = rig.call("a")
    if left == "after the call":
        rig.registry.interrupt()
    guest.release()
    if left == "after the release":
        rig.registry.interrupt()
    rig.registry.hold(A, owner="guest")
    for _ in range(2):
        assert rig.is_current(call) is (left == "before the call")
        assert not rig.is_current(before)
        rig.turn()


def test_a_released_tool_whose_page_is_left_goes_by_the_rule_and_keeps_no_call() -> None:
    rig, hold, call = in_a_call()
    hold.release()
    rig.registry.interrupt()
    rig.turn()
    assert rig.call("a").refused == "STALE_TOOL_CALL"
    again = rig.registry.hold(A)
    assert not rig.is_current(call)
    again.release()
    call.finish()
    rig.clock.advance(QUIET)
    assert call.is_answered
    assert rig.traffic[1:] == [(RESPONSE_GRACE, "unregister", "a")]
    assert list(rig.registry) == []


def test_a_replaced_tool_whose_page_is_left_is_replaced_by_the_rule() -> None:
    rig, _, call = in_a_call()
    rig.registry.hold(CHANGED)
    rig.registry.interrupt()
    call.finish()
    rig.clock.advance(QUIET)
    assert call.is_answered
    assert rig.asked == ["register a", "unregister a", "register a"]
    assert rig.live == {"a": CHANGED.definition}


def test_leaving_a_page_without_calls_changes_nothing() -> None:
    rig = Rig()
    rig.registry.interrupt()
    rig.registry.hold(A)
    rig.registry.interrupt()
    call = rig.call("a")
    rig.turn()
    assert rig.is_current(call)
    assert rig.asked == ["register a"]
