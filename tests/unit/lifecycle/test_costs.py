"""Invariant 9: what registering, releasing and calling cost does not grow, with the tools or with time.

Steps are counted, not seconds; the calls that Python makes stand for its work.
"""

from __future__ import annotations

import gc
import json
import sys
from collections import Counter
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from tests.unit.lifecycle.rig import Rig
from webtools.lifecycle.registry import ToolRegistry
from webtools.lifecycle.slot import RESPONSE_GRACE
from webtools.testing import FakeClock
from webtools.tools.definition import Definition
from webtools.tools.page_tool import PageTool

CYCLES = 10_000


def a_tool(name: str, description: str = "d") -> PageTool:
    """A tool that is made in no time."""
    return PageTool(Definition.of_text(json.dumps({"name": name, "description": description})), 0)


class CountingClock(FakeClock):
    """A fake clock that counts what is asked of it."""

    def __init__(self, asked: Counter[str]) -> None:
        super().__init__()
        self._asked = asked

    def now(self) -> float:
        self._asked["now"] += 1
        return super().now()

    def call_later(self, delay: float, callback: Callable[[], None]) -> Any:
        self._asked["timer" if delay else "macrotask"] += 1
        return super().call_later(delay, callback)


class CountingContext:
    """A browser that accepts at once."""

    def __init__(self, asked: Counter[str]) -> None:
        self._asked = asked
        self.registry: ToolRegistry | None = None

    def register(self, registration: int, definition: Definition) -> None:
        self._asked["register"] += 1
        assert self.registry
        self.registry.accepted(registration)

    def unregister(self, registration: int) -> None:
        self._asked["unregister"] += 1


class Page:
    """A registry with some tools held, and a count of all that one more costs.

    Attributes:
        asked: How often clock and browser were asked, the page was told, and a function of ours was entered.
    """

    def __init__(self, tools: int) -> None:
        self.asked: Counter[str] = Counter()
        self.clock = CountingClock(self.asked)
        context = CountingContext(self.asked)
        self.registry = context.registry = ToolRegistry(self.clock, self._told, context)
        for number in range(tools):
            self.registry.hold(a_tool(f"t{number}"))
        self.clock.advance(0)

    def cost(self, act: Callable[[], object]) -> Counter[str]:
        """What it takes to do something, with everything that follows."""
        self.asked.clear()
        before = sys.getprofile()
        sys.setprofile(self._entered)
        try:
            act()
            self.clock.advance(2 * RESPONSE_GRACE)
        finally:
            sys.setprofile(before)
        return self.asked.copy()

    def _told(self, slot: object) -> None:
        self.asked["told"] += 1

    def _entered(self, frame: FrameType, event: str, argument: object) -> None:
        if event == "call" and frame.f_globals["__name__"].startswith("webtools.lifecycle"):
            self.asked["entered"] += 1


NEW = a_tool("new")
CHANGED = a_tool("new", "changed")


def come_and_go(page: Page) -> None:
    page.registry.hold(NEW).release()


def remount(page: Page) -> None:
    page.registry.hold(NEW).release()
    page.registry.hold(NEW)


def change(page: Page) -> None:
    page.registry.hold(NEW)
    page.registry.hold(CHANGED)


def call(page: Page) -> None:
    with page.registry.hold(NEW):
        slot = page.registry.named("new")
        assert slot
        slot.settle(slot.begin())


def lose(page: Page) -> None:
    page.registry.hold(NEW)
    slot = page.registry.named("new")
    assert slot
    page.registry.lost(slot.registration)


@pytest.mark.parametrize("act", [come_and_go, remount, change, call, lose])
def test_one_more_tool_costs_the_same_beside_ten_as_beside_a_thousand(act: Callable[[Page], None]) -> None:
    few, many = Page(10), Page(1_000)
    cost = few.cost(lambda: act(few))
    assert cost["register"] > 0
    assert cost["entered"] > 0
    assert many.cost(lambda: act(many)) == cost


def test_a_come_and_go_is_one_register_one_macrotask_one_unregister_and_no_timer() -> None:
    page = Page(10)
    cost = page.cost(lambda: come_and_go(page))
    asked = {what: cost[what] for what in ("register", "macrotask", "unregister", "timer")}
    assert asked == {"register": 1, "macrotask": 1, "unregister": 1, "timer": 0}


def test_a_thousand_tools_that_go_in_one_tick_take_one_macrotask() -> None:
    page = Page(0)
    holds = [page.registry.hold(a_tool(f"t{number}")) for number in range(1_000)]

    def release_all() -> None:
        for hold in holds:
            hold.release()

    cost = page.cost(release_all)
    assert (cost["macrotask"], cost["unregister"]) == (1, 1_000)


def sizes(rig: Rig) -> dict[str, int]:
    """How much the registry, its slots and the clock keep, whatever they call it."""
    owners = {"registry": rig.registry, "clock": rig.clock, **{slot.name: slot for slot in rig.registry}}
    return {
        f"{owner}.{name}": len(value)
        for owner, each in owners.items()
        for name, value in vars(each).items()
        if hasattr(value, "__len__")
    }


@pytest.mark.parametrize("is_one_name", [True, False], ids=["one name", "another name each time"])
@pytest.mark.parametrize("is_held", [True, False], ids=["held by another", "held by nobody else"])
def test_ten_thousand_holds_calls_and_releases_leave_nothing_behind(is_one_name: bool, is_held: bool) -> None:
    rig = Rig()
    if is_held:
        rig.registry.hold(a_tool("a"))
    rig.turn()

    def cycle(number: int) -> None:
        name = "a" if is_one_name else f"a{number}"
        with rig.registry.hold(a_tool(name), owner=number):
            rig.call(name).finish()
        rig.clock.advance(2 * RESPONSE_GRACE)

    def things() -> int:
        for record in (rig.states, rig.traffic, rig.context.events):
            record.clear()
        gc.collect()
        return len(gc.get_objects())

    for number in range(100):
        cycle(number)
    kept, before = sizes(rig), things()
    for number in range(CYCLES):
        cycle(number)
    assert sizes(rig) == kept
    assert things() - before < CYCLES / 100
    assert rig.clock.pending == 0
