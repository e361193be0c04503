"""What an observer of the registry is told, and what a slot says that it waits for."""

from __future__ import annotations

from tests.unit.lifecycle.rig import Rig, tool_called
from webtools.lifecycle.registry import ToolRegistry
from webtools.lifecycle.slot import RESPONSE_GRACE, Slot, Wait
from webtools.testing import FakeClock

A = tool_called("a")
B = tool_called("b")
OTHER_A = tool_called("a", "another description")


class Observer:
    """Notes what it is told, without what it has been told last."""

    def __init__(self, registry: ToolRegistry) -> None:
        self.told: list[str] = []
        registry.observe(self.note)

    def note(self, slot: Slot) -> None:
        wait = f" waits for {slot.wait.what}" if slot.wait else ""
        said = f"{slot.name} {slot.state}, {len(slot.holds)} holds{wait}"
        if said not in self.told[-1:]:
            self.told.append(said)


def wait_of(rig: Rig, name: str = "a") -> Wait | None:
    slot = rig.registry.named(name)
    assert slot is not None
    return slot.wait


def test_an_observer_is_told_of_each_step_from_the_first_hold_until_nothing_is_left() -> None:
    rig = Rig()
    observer = Observer(rig.registry)
    hold = rig.registry.hold(A)
    rig.turn()
    call = rig.call("a")
    hold.release()
    rig.turn()
    call.finish()
    rig.clock.advance(RESPONSE_GRACE)
    assert observer.told == [
        "a registering, 1 holds waits for browser",
        "a registered, 1 holds",
        "a leaving, 0 holds waits for macrotask",
        "a leaving, 0 holds waits for calls",
        "a leaving, 0 holds waits for grace",
        "a unknown, 0 holds",
    ]


def test_a_release_and_a_hold_in_one_tick_are_told_though_the_browser_is_asked_for_nothing() -> None:
    rig = Rig()
    hold = rig.registry.hold(A)
    rig.turn()
    observer = Observer(rig.registry)
    hold.release()
    rig.registry.hold(A)
    assert observer.told == [
        "a registered, 1 holds",
        "a leaving, 0 holds waits for macrotask",
        "a registered, 1 holds",
    ]


def test_who_comes_later_is_told_of_every_slot_that_there_is() -> None:
    rig = Rig()
    rig.registry.hold(A)
    rig.registry.hold(B)
    assert len(Observer(rig.registry).told) == 2


def test_who_has_gone_is_told_of_nothing() -> None:
    rig = Rig()
    observer = Observer(rig.registry)
    rig.registry.observe(None)
    rig.registry.hold(A)
    assert observer.told == []


def test_a_slot_without_a_model_context_waits_for_one() -> None:
    rig = Rig(has_context=False)
    rig.registry.hold(A)
    assert wait_of(rig) == Wait("context")


def test_a_slot_whose_tool_the_page_does_not_offer_waits_for_the_ownership() -> None:
    registry = ToolRegistry(FakeClock(), lambda _: None, Rig(), is_offered=lambda _: False)
    registry.hold(A)
    slot = registry.named("a")
    assert slot
    assert slot.wait == Wait("ownership")


def test_the_grace_is_told_with_the_seconds_that_are_left_of_it() -> None:
    rig = Rig()
    hold = rig.registry.hold(A)
    rig.turn()
    call = rig.call("a")
    hold.release()
    rig.turn()
    call.finish()
    rig.clock.advance(0.2)
    wait = wait_of(rig)
    assert wait
    assert (wait.what, round(wait.seconds or 0, 3)) == ("grace", 0.3)


def test_an_open_change_of_route_is_what_a_released_tool_waits_for() -> None:
    rig = Rig()
    hold = rig.registry.hold(A)
    rig.turn()
    rig.registry.changes.begin()
    rig.registry.changes.retire(hold)
    rig.turn()
    wait = wait_of(rig)
    assert wait
    assert wait.what == "route"


def test_what_failed_or_is_as_desired_waits_for_nothing() -> None:
    rig = Rig()
    rig.refusals[1] = "InvalidStateError"
    rig.registry.hold(A)
    rig.registry.hold(B)
    rig.turn()
    assert (wait_of(rig, "a"), wait_of(rig, "b")) == (None, None)


def test_the_definition_of_a_slot_is_the_one_that_the_browser_has_until_that_is_gone() -> None:
    rig = Rig()
    rig.registry.hold(A)
    rig.turn()
    slot = rig.registry.named("a")
    rig.registry.hold(OTHER_A)
    assert slot
    assert slot.definition == A.definition
    rig.turn()
    assert slot.definition == OTHER_A.definition


def test_a_hold_is_pythons_where_nothing_else_is_said() -> None:
    rig = Rig()
    holds = [rig.registry.hold(A), rig.registry.hold(A, holder="the cart")]
    assert [hold.holder for hold in holds] == ["Python", "the cart"]
