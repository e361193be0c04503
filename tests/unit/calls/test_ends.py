"""How calls end that do not simply return: aborted, overdue, closed."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from tests.unit.calls.caller import Caller, run, slot_of, text_of, until, verdict
from webtools import tool


@tool
async def add_later(a: int) -> int:
    """Add after a turn of the loop."""
    await asyncio.sleep(0)
    return a + 1


def waiting(events: list[str]) -> Callable[..., Any]:
    """A tool that waits, and notes how it ended."""

    @tool(timeout=5)
    async def wait() -> str:
        """Wait."""
        try:
            events.append("began")
            await asyncio.Event().wait()
        finally:
            events.append("cleaned up")
        return "late"

    return wait


def test_an_abort_answers_at_once_cancels_the_task_and_runs_finally() -> None:
    async def scene(caller: Caller) -> None:
        events: list[str] = []
        slot = slot_of(waiting(events))
        call_id = caller.call(slot)
        await until(lambda: events == ["began"])
        caller.dispatcher.abort(call_id)
        assert verdict(caller.answer(call_id)) == ("CANCELLED", "unknown", False)
        assert slot.in_flight == 0
        await until(lambda: events == ["began", "cleaned up"])
        assert caller.clock.pending == 0

    run(scene)


def test_an_abort_before_the_first_step_leaves_nothing_behind() -> None:
    async def scene(caller: Caller) -> None:
        slot = slot_of(waiting([]))
        call_id = caller.call(slot)
        caller.dispatcher.abort(call_id)
        assert verdict(caller.answer(call_id))[0] == "CANCELLED"
        await until(lambda: len(asyncio.all_tasks()) == 1)
        assert slot.in_flight == 0

    run(scene)


def test_an_abort_after_the_answer_or_of_an_unknown_call_does_nothing() -> None:
    async def scene(caller: Caller) -> None:
        slot = slot_of(add_later)
        call_id = caller.call(slot, '{"a": 1}')
        await caller.answered(call_id)
        caller.dispatcher.abort(call_id)
        caller.dispatcher.abort("never heard of")
        assert text_of(caller.answer(call_id)) == '{"result":2}'
        assert slot.in_flight == 0

    run(scene)


def test_a_handler_that_goes_on_after_its_abort_changes_nothing_more() -> None:
    async def scene(caller: Caller) -> None:
        events: list[str] = []

        @tool
        async def stubborn() -> str:
            """Swallow the cancellation."""
            try:
                events.append("began")
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                await asyncio.sleep(0)
                events.append("went on")
            return "late"

        slot = slot_of(stubborn)
        call_id = caller.call(slot)
        await until(lambda: events == ["began"])
        caller.dispatcher.abort(call_id)
        await until(lambda: events == ["began", "went on"])
        await until(lambda: len(asyncio.all_tasks()) == 1)
        assert verdict(caller.answer(call_id))[0] == "CANCELLED"
        assert slot.in_flight == 0

    run(scene)


def test_what_goes_wrong_in_the_finally_of_a_cancelled_call_is_told_to_the_developer(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def scene(caller: Caller) -> None:
        events: list[str] = []

        @tool
        async def untidy() -> None:
            """Fail while cleaning up."""
            try:
                events.append("began")
                await asyncio.Event().wait()
            finally:
                raise LookupError("lost the key")

        call_id = caller.call(slot_of(untidy))
        await until(lambda: events == ["began"])
        caller.dispatcher.abort(call_id)
        await until(lambda: len(asyncio.all_tasks()) == 1)
        assert verdict(caller.answer(call_id))[0] == "CANCELLED"

    run(scene)
    assert "lost the key" in caplog.text


def test_a_cancelled_call_is_no_error_of_the_developer(caplog: pytest.LogCaptureFixture) -> None:
    async def scene(caller: Caller) -> None:
        events: list[str] = []
        call_id = caller.call(slot_of(waiting(events)))
        await until(lambda: events == ["began"])
        caller.dispatcher.abort(call_id)
        await until(lambda: events == ["began", "cleaned up"])

    run(scene)
    assert caplog.records == []


def test_a_task_that_a_stranger_cancels_before_its_first_step_is_answered() -> None:
    async def scene(caller: Caller) -> None:
        slot = slot_of(waiting([]))
        call_id = caller.call(slot)
        (task,) = asyncio.all_tasks() - {asyncio.current_task()}
        task.cancel()
        answer = await caller.answered(call_id)
        assert verdict(answer) == ("TOOL_HANDLER_ERROR", "unknown", False)
        assert (slot.in_flight, caller.clock.pending) == (0, 0)

    run(scene)


def test_a_call_that_does_not_end_in_time_is_answered_and_cancelled() -> None:
    async def scene(caller: Caller) -> None:
        events: list[str] = []
        slot = slot_of(waiting(events))
        call_id = caller.call(slot)
        await until(lambda: events == ["began"])
        caller.clock.advance(4.9)
        assert caller.answers[call_id] == []
        caller.clock.advance(0.1)
        assert verdict(caller.answer(call_id)) == ("TOOL_TIMEOUT", "unknown", False)
        assert "5 s" in text_of(caller.answer(call_id))
        await until(lambda: events == ["began", "cleaned up"])
        assert (slot.in_flight, caller.clock.pending) == (0, 0)

    run(scene)


def test_an_answer_that_comes_after_the_deadline_is_dropped() -> None:
    async def scene(caller: Caller) -> None:
        done = asyncio.Event()

        @tool(timeout=1)
        async def slow() -> str:
            """Cannot be cancelled, only waited for."""
            await asyncio.shield(asyncio.ensure_future(done.wait()))
            return "late"

        call_id = caller.call(slot_of(slow))
        await asyncio.sleep(0)
        caller.clock.advance(1)
        done.set()
        await until(lambda: len(asyncio.all_tasks()) == 1)
        assert verdict(caller.answer(call_id))[0] == "TOOL_TIMEOUT"

    run(scene)


def test_no_timer_runs_while_no_call_waits() -> None:
    async def scene(caller: Caller) -> None:
        assert caller.clock.pending == 0
        call_id = caller.call(slot_of(add_later), '{"a": 1}')
        assert caller.clock.pending == 1
        await caller.answered(call_id)
        assert caller.clock.pending == 0

    run(scene)


def test_many_overlapping_calls_get_each_its_own_answer() -> None:
    async def scene(caller: Caller) -> None:
        doors = {number: asyncio.Event() for number in range(200)}

        @tool
        async def through(number: int) -> int:
            """Wait for one's own door."""
            await doors[number].wait()
            return number

        slot = slot_of(through)
        calls = {number: caller.call(slot, f'{{"number": {number}}}') for number in doors}
        assert (slot.in_flight, caller.clock.pending) == (200, 1)
        for number in reversed(doors):
            doors[number].set()
        for number, call_id in calls.items():
            answer = await caller.answered(call_id)
            assert answer["structuredContent"] == {"result": number}
        assert (slot.in_flight, slot.calls, caller.clock.pending) == (0, 200, 0)

    run(scene)


def test_closing_cancels_every_call_and_is_harmless_twice() -> None:
    async def scene(caller: Caller) -> None:
        events: list[str] = []
        slot = slot_of(waiting(events))
        calls = [caller.call(slot) for _ in range(3)]
        await until(lambda: len(events) == 3)
        caller.dispatcher.close()
        caller.dispatcher.close()
        assert [verdict(caller.answer(each))[0] for each in calls] == ["CANCELLED"] * 3
        await until(lambda: events.count("cleaned up") == 3)
        assert (slot.in_flight, caller.clock.pending) == (0, 0)

    run(scene)


def test_a_handler_may_abort_its_own_call() -> None:
    async def scene(caller: Caller) -> None:
        events: list[str] = []

        @tool
        async def give_up() -> str:
            """Abort the call that runs this."""
            try:
                caller.dispatcher.abort("c1")
                await asyncio.Event().wait()
            finally:
                events.append("cleaned up")
            return "late"

        slot = slot_of(give_up)
        answer = await caller.answered(caller.call(slot))
        assert verdict(answer)[0] == "CANCELLED"
        await until(lambda: events == ["cleaned up"])
        assert (slot.in_flight, caller.clock.pending) == (0, 0)

    run(scene)


def test_an_answer_may_begin_the_next_call() -> None:
    async def scene(caller: Caller) -> None:
        slot = slot_of(add_later)
        settled: list[str] = []

        def settle(call_id: str, text: str) -> None:
            settled.append(call_id)
            if len(settled) < 3:
                dispatcher.call(slot, f"next-{len(settled)}", '{"a": 1}')

        dispatcher = type(caller.dispatcher)(caller.clock, settle)
        dispatcher.call(slot, "first", '{"a": 1}')
        await until(lambda: settled == ["first", "next-1", "next-2"])
        assert (slot.in_flight, caller.clock.pending) == (0, 0)

    run(scene)
