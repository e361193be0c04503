"""Calls of one tool that run one after another."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from tests.unit.calls.caller import until, verdict
from tests.unit.calls.page_rig import PageRig, play
from webtools import ToolContext, tool


class Doors:
    """Handlers that each wait for their own door.

    Attributes:
        events: ``"c1 in"`` and ``"c1 out"``, in their order.
    """

    def __init__(self) -> None:
        self.events: list[str] = []
        self._doors: dict[str, asyncio.Event] = {}

    async def walk(self, call_id: str) -> None:
        """Note the call, wait until its door is opened, note it again."""
        self.events.append(f"{call_id} in")
        try:
            await self._doors.setdefault(call_id, asyncio.Event()).wait()
        finally:
            self.events.append(f"{call_id} out")

    def open(self, call_id: str) -> None:
        self._doors.setdefault(call_id, asyncio.Event()).set()


def walking(doors: Doors, name: str = "walk", **options: Any) -> Callable[..., Any]:
    @tool(name=name, serial=True, **options)
    async def walk(ctx: ToolContext) -> str:
        """Walk through."""
        await doors.walk(ctx.call_id)
        return ctx.call_id

    return walk


def test_calls_run_one_after_another_in_the_order_in_which_they_came() -> None:
    doors = Doors()

    async def scene(rig: PageRig) -> None:
        rig.registry.hold(walking(doors))
        calls = [rig.call("walk") for _ in range(4)]
        for each in reversed(calls):
            doors.open(each)
        for each in calls:
            await rig.answered(each)

    rig = play(scene)
    assert doors.events == [f"c{n} {what}" for n in (1, 2, 3, 4) for what in ("in", "out")]
    assert list(rig.answers) == ["c1", "c2", "c3", "c4"]


def test_without_serial_they_overlap() -> None:
    doors = Doors()

    @tool
    async def walk(ctx: ToolContext) -> None:
        """Walk through."""
        await doors.walk(ctx.call_id)

    async def scene(rig: PageRig) -> None:
        rig.registry.hold(walk)
        for _ in range(2):
            rig.call("walk")
        await until(lambda: doors.events == ["c1 in", "c2 in"])

    play(scene)


def test_tools_do_not_wait_for_one_another() -> None:
    doors = Doors()

    async def scene(rig: PageRig) -> None:
        for name in ("first", "second"):
            rig.registry.hold(walking(doors, name))
            rig.call(name)
        await until(lambda: doors.events == ["c1 in", "c2 in"])

    play(scene)


@pytest.mark.parametrize("is_given_the_turn", [False, True])
def test_a_call_that_is_aborted_in_the_queue_has_done_nothing_and_the_next_one_runs(
    is_given_the_turn: bool,
) -> None:
    doors = Doors()

    async def scene(rig: PageRig) -> None:
        rig.registry.hold(walking(doors))
        first, second, third = (rig.call("walk") for _ in range(3))
        await until(lambda: doors.events == ["c1 in"])
        doors.open(first)
        if is_given_the_turn:
            await rig.answered(first)  # the second's turn has come, and it has not begun yet
        rig.dispatcher.abort(second)
        assert verdict(rig.answers[second]) == ("CANCELLED", "none", False)
        doors.open(third)
        await rig.answered(third)

    play(scene)
    assert doors.events == ["c1 in", "c1 out", "c3 in", "c3 out"]


def test_a_call_whose_time_ends_in_the_queue_says_that_it_has_done_nothing() -> None:
    doors = Doors()

    async def scene(rig: PageRig) -> None:
        rig.registry.hold(walking(doors, timeout=5))
        rig.call("walk")
        rig.clock.advance(1)
        second = rig.call("walk")
        await until(lambda: doors.events == ["c1 in"])
        rig.clock.advance(4)
        assert verdict(rig.answers["c1"]) == ("TOOL_TIMEOUT", "unknown", False)
        assert second not in rig.answers
        rig.clock.advance(1)
        answer = rig.answers[second]
        assert verdict(answer) == ("TOOL_TIMEOUT", "none", False)
        said = "walk could not begin within 5 s; it has done nothing."
        assert answer["content"][0]["text"] == said

    play(scene)
    assert doors.events == ["c1 in", "c1 out"]


def test_a_page_that_is_left_says_that_a_queued_call_has_done_nothing() -> None:
    async def scene(rig: PageRig) -> None:
        rig.registry.hold(walking(doors := Doors()))
        rig.call("walk")
        second = rig.call("walk")
        await until(lambda: doors.events == ["c1 in"])
        rig.dispatcher.interrupt()
        assert verdict(rig.answers[second]) == ("CANCELLED", "none", False)
        said = "The page was left before walk began; it has done nothing."
        assert rig.answers[second]["content"][0]["text"] == said

    play(scene)


@pytest.mark.parametrize("is_async", [False, True])
def test_a_handler_that_raises_gives_its_turn_up(is_async: bool) -> None:
    entered: list[str] = []

    @tool(name="fail", serial=True)
    def fail_now(ctx: ToolContext) -> None:
        """Fail."""
        entered.append(ctx.call_id)
        raise LookupError(ctx.call_id)

    @tool(name="fail", serial=True)
    async def fail_later(ctx: ToolContext) -> None:
        """Fail after a wait."""
        await asyncio.sleep(0)
        entered.append(ctx.call_id)
        raise LookupError(ctx.call_id)

    async def scene(rig: PageRig) -> None:
        rig.registry.hold(fail_later if is_async else fail_now)
        for each in [rig.call("fail") for _ in range(3)]:
            assert verdict(await rig.answered(each))[0] == "TOOL_HANDLER_ERROR"

    play(scene)
    assert entered == ["c1", "c2", "c3"]


def test_a_call_whose_input_does_not_fit_takes_no_turn() -> None:
    doors = Doors()

    async def scene(rig: PageRig) -> None:
        rig.registry.hold(walking(doors))
        rig.call("walk")
        assert verdict(rig.answers[rig.call("walk", {"wrong": 1})])[0] == "INVALID_TOOL_ARGS"
        third = rig.call("walk")
        doors.open("c1")
        doors.open(third)
        await rig.answered(third)

    play(scene)


def test_a_call_that_is_answered_keeps_its_turn_until_its_handler_is_over() -> None:
    events: list[str] = []

    async def scene(rig: PageRig) -> None:
        cleaned_up = asyncio.Event()

        @tool(serial=True)
        async def stubborn(ctx: ToolContext) -> str:
            """Clean up for a while."""
            events.append(f"{ctx.call_id} in")
            try:
                if ctx.call_id == "c1":
                    await asyncio.Event().wait()
            finally:
                await cleaned_up.wait()
                events.append(f"{ctx.call_id} out")
            return "done"

        rig.registry.hold(stubborn)
        first, second = rig.call("stubborn"), rig.call("stubborn")
        await until(lambda: events == ["c1 in"])
        rig.dispatcher.abort(first)
        assert verdict(rig.answers[first])[0] == "CANCELLED"
        for _ in range(5):
            await asyncio.sleep(0)
        assert events == ["c1 in"]
        cleaned_up.set()
        await rig.answered(second)

    play(scene)
    assert events == ["c1 in", "c1 out", "c2 in", "c2 out"]


def test_the_turn_is_given_up_also_by_a_call_that_entered_a_newer_handler_without_serial() -> None:
    doors = Doors()

    @tool(name="walk", held=True)
    async def newer(ctx: ToolContext) -> str:
        """Walk through."""
        await doors.walk(ctx.call_id)
        return "newer"

    async def scene(rig: PageRig) -> None:
        rig.registry.hold(walking(doors, held=True))
        rig.call("walk")
        second = rig.call("walk")
        await until(lambda: doors.events == ["c1 in"])
        newest = rig.registry.hold(newer)
        doors.open("c1")
        doors.open(second)
        assert (await rig.answered(second))["content"][0]["text"] == "newer"
        newest.release()
        third = rig.call("walk")
        doors.open(third)
        await rig.answered(third)

    play(scene)


def test_many_calls_that_come_and_are_given_up_leave_nothing_behind() -> None:
    entered: list[str] = []

    @tool(serial=True)
    async def step(ctx: ToolContext) -> None:
        """Take a step."""
        assert len(entered) == len(set(entered))
        entered.append(ctx.call_id)
        await asyncio.sleep(0)
        entered.remove(ctx.call_id)

    async def scene(rig: PageRig) -> None:
        rig.registry.hold(step)
        calls = [rig.call("step") for _ in range(60)]
        for each in calls[::3]:
            rig.dispatcher.abort(each)
        for _ in range(200):
            await asyncio.sleep(0)
            assert len(entered) <= 1
        assert len(rig.answers) == 60
        assert sum("isError" not in each for each in rig.answers.values()) == 40

    play(scene)
