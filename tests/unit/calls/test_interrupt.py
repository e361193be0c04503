"""The page is left while calls run, and how a call ends at the registry of a browser."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from tests.unit.calls.caller import Caller, text_of, until, verdict
from tests.unit.lifecycle.rig import Rig, tool_called
from webtools import tool
from webtools.lifecycle.hold import Hold
from webtools.lifecycle.slot import RESPONSE_GRACE, Slot
from webtools.tools.definition import Definition
from webtools.tools.page_tool import PageTool


class Page(Caller):
    """A dispatcher at the registry of a browser.

    Attributes:
        hold: The last one.
    """

    hold: Hold

    def __init__(self) -> None:
        super().__init__()
        self.rig = Rig()

    def slot_of(self, function: Callable[..., Any]) -> Slot:
        self.hold = self.rig.registry.hold(function)
        self.rig.turn()
        slot = self.rig.registry.named(self.hold.tool.name)
        assert slot is not None
        return slot

    def leave(self) -> None:
        """In the host's order: what is counted out can no longer be made stale."""
        self.rig.registry.interrupt()
        self.dispatcher.interrupt()


def waiting(ends: list[str], name: str = "wait") -> Callable[..., Any]:
    """A tool that waits, and notes how it ended."""

    @tool(name=name, timeout=5)
    async def wait() -> None:
        """Wait."""
        try:
            ends.append("began")
            await asyncio.Event().wait()
        finally:
            ends.append("cleaned up")

    return wait


def scene_of(play: Callable[[Page], Any]) -> None:
    asyncio.run(play(Page()))


def test_every_call_is_answered_with_its_tools_name_and_its_task_is_cancelled() -> None:
    async def scene(page: Page) -> None:
        ends: list[str] = []
        slots = [page.slot_of(waiting(ends, name)) for name in ("one", "two")]
        calls = [page.call(slot) for slot in slots]
        await until(lambda: ends == ["began"] * 2)
        page.leave()
        for call_id, slot in zip(calls, slots, strict=True):
            assert verdict(page.answer(call_id)) == ("CANCELLED", "unknown", False)
            assert f"The page was left while {slot.name} ran" in text_of(page.answer(call_id))
            assert slot.in_flight == 0
        await until(lambda: ends[2:] == ["cleaned up"] * 2)
        assert page.clock.pending == 0

    scene_of(scene)


def test_a_page_that_comes_back_is_called_as_before() -> None:
    async def scene(page: Page) -> None:
        ends: list[str] = []
        slot = page.slot_of(waiting(ends))
        page.call(slot)
        page.leave()
        page.leave()
        later = page.call(slot)
        await until(lambda: ends[-1:] == ["began"])
        assert page.answers[later] == []
        assert (slot.in_flight, slot.state) == (1, "registered")
        page.dispatcher.abort(later)
        await until(lambda: len(asyncio.all_tasks()) == 1)
        assert slot.in_flight == 0
        assert page.rig.asked == ["register wait"]

    scene_of(scene)


def test_the_grace_of_a_released_tool_begins_when_the_page_is_left() -> None:
    async def scene(page: Page) -> None:
        slot = page.slot_of(waiting([]))
        page.call(slot)
        page.hold.release()
        page.rig.clock.advance(3)
        page.leave()
        page.rig.clock.advance(60)
        assert page.rig.traffic[1:] == [(3 + RESPONSE_GRACE, "unregister", "wait")]
        await until(lambda: len(asyncio.all_tasks()) == 1)

    scene_of(scene)


def test_a_handler_that_swallows_it_changes_nothing_more() -> None:
    async def scene(page: Page) -> None:
        ends: list[str] = []

        @tool
        async def stubborn() -> str:
            """Go on."""
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                await asyncio.sleep(0)
                ends.append("went on")
            return "late"

        call_id = page.call(page.slot_of(stubborn))
        await asyncio.sleep(0)
        page.leave()
        await until(lambda: ends == ["went on"])
        await until(lambda: len(asyncio.all_tasks()) == 1)
        assert verdict(page.answer(call_id))[0] == "CANCELLED"

    scene_of(scene)


def test_a_call_that_leaves_the_page_in_its_first_step_is_answered_once() -> None:
    async def scene(page: Page) -> None:
        @tool
        async def go_away() -> None:
            """Leave the page."""
            page.leave()
            await asyncio.Event().wait()

        slot = page.slot_of(go_away)
        call_id = page.call(slot)
        assert verdict(await page.answered(call_id))[0] == "CANCELLED"
        await until(lambda: len(asyncio.all_tasks()) == 1)
        assert slot.in_flight == 0
        assert page.clock.pending == 0

    scene_of(scene)


def test_an_answer_that_begins_another_call_does_not_keep_the_others_from_theirs() -> None:
    async def scene(page: Page) -> None:
        slot = page.slot_of(waiting([]))
        began: list[str] = []

        class Busy(Page):
            def _settle(self, call_id: str, text: str) -> None:
                super()._settle(call_id, text)
                if not began:
                    began.append(self.call(slot))

        busy = Busy()
        calls = [busy.call(slot) for _ in range(2)]
        await asyncio.sleep(0)
        busy.dispatcher.interrupt()
        assert [verdict(busy.answer(each))[0] for each in calls] == ["CANCELLED"] * 2
        busy.dispatcher.close()
        assert verdict(await busy.answered(began[0]))[0] == "CANCELLED"
        await until(lambda: len(asyncio.all_tasks()) == 1)

    scene_of(scene)


def test_calls_of_the_pages_own_handlers_are_left_to_the_page_but_stale() -> None:
    page = Page()
    page.rig.registry.hold(PageTool(Definition.of_text('{"name":"a","description":"d"}'), 7))
    slot = page.rig.registry.named("a")
    assert slot is not None
    assert page.dispatcher.call(slot, "c1", "{}") == 7
    page.leave()
    assert (slot.in_flight, page.answers) == (1, {})
    assert not page.dispatcher.is_current("c1")
    page.dispatcher.count_out("c1")
    assert slot.in_flight == 0


def test_leaving_a_page_without_calls_does_nothing() -> None:
    page = Page()
    page.rig.registry.hold(tool_called("a"))
    page.leave()
    assert page.answers == {}


def fail_at_once() -> None:
    """Fail."""
    raise LookupError("no")


async def fail_later() -> None:
    """Fail after a turn."""
    await asyncio.sleep(0)
    raise LookupError("no")


@pytest.mark.parametrize("fail", [fail_at_once, fail_later])
def test_w14_a_handler_that_raises_has_settled_and_its_tool_leaves_after_the_grace(
    fail: Callable[[], Any],
) -> None:
    async def scene(page: Page) -> None:
        slot = page.slot_of(tool(fail))
        call_id = page.call(slot)
        page.hold.release()
        assert verdict(await page.answered(call_id))[0] == "TOOL_HANDLER_ERROR"
        assert slot.in_flight == 0
        page.rig.clock.advance(60)
        assert page.rig.traffic[1:] == [(RESPONSE_GRACE, "unregister", slot.name)]

    scene_of(scene)
