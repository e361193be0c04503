"""The scripts can fail: with one part of the release path switched off, those that it is for do.

A part is switched off from outside; the code has no switch.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.unit.lifecycle import test_scripts
from webtools.lifecycle.registry import ToolRegistry
from webtools.lifecycle.slot import Slot

Script = Callable[[], None]
Switch = Callable[[pytest.MonkeyPatch], None]


def no_macrotask(patch: pytest.MonkeyPatch) -> None:
    """A slot is looked at within the release."""
    patch.setattr(ToolRegistry, "look_soon", lambda _, slot: slot.look())


def no_drain(patch: pytest.MonkeyPatch) -> None:
    """No slot knows of a call in flight."""
    patch.setattr(Slot, "in_flight", property(lambda _: 0, lambda _, count: None), raising=False)


def no_grace(patch: pytest.MonkeyPatch) -> None:
    """An answer has no time to get out."""
    patch.setattr("webtools.lifecycle.slot.RESPONSE_GRACE", 0.0)


LOST = "the call was lost"
TRAFFIC = "assert "

BITES: list[tuple[Switch, Script, str]] = [
    (no_macrotask, test_scripts.test_w1_hold_release_and_hold_in_one_tick_is_one_register, TRAFFIC),
    (no_macrotask, test_scripts.test_w20_a_tool_that_was_never_called_leaves_in_the_next_macrotask, TRAFFIC),
    (
        no_drain,
        test_scripts.test_w2_a_release_while_a_call_runs_unregisters_after_its_end_and_the_grace,
        LOST,
    ),
    (no_drain, test_scripts.test_w6_another_description_waits_for_the_call_and_the_grace, LOST),
    (no_grace, test_scripts.test_w3_a_tool_that_releases_itself_is_answered, LOST),
    (no_grace, test_scripts.test_w4_a_call_that_settles_in_the_grace_begins_it_anew, LOST),
]


@pytest.mark.parametrize(
    ("switch_off", "script", "said"), BITES, ids=lambda each: getattr(each, "__name__", "")[:12]
)
def test_a_script_passes_with_all_parts_and_fails_without_the_one_that_it_is_for(
    switch_off: Switch, script: Script, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    script()
    switch_off(monkeypatch)
    with pytest.raises(AssertionError, match=said):
        script()


@pytest.mark.parametrize("switch_off", [no_macrotask, no_drain, no_grace])
def test_a_part_that_is_switched_off_breaks_no_script_that_is_not_for_it(
    switch_off: Switch, monkeypatch: pytest.MonkeyPatch
) -> None:
    switch_off(monkeypatch)
    test_scripts.test_w7_another_handler_causes_no_traffic_and_serves_the_next_call()
    test_scripts.test_w8_a_hold_that_is_released_before_there_is_a_context_is_never_registered()
