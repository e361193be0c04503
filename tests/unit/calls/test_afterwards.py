"""What is done once the agent has the answer, and when it is not."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any

import pytest

from tests.unit.calls.caller import until
from tests.unit.calls.page_rig import PageRig, play
from webtools import ToolContext, ToolError, tool
from webtools.lifecycle.slot import RESPONSE_GRACE
from webtools.tools.definition import Definition
from webtools.tools.page_tool import PageTool

TIMEOUT = 5.0


class Page(PageRig):
    """A page with a tool that wants something done after its answer, and one that waits for the test."""

    def __init__(self) -> None:
        super().__init__()
        self.done: list[str] = []
        self.event = asyncio.Event()

        @tool
        def leave(ctx: ToolContext) -> str:
            """Leave the page."""
            ctx.after_answer(lambda: self.done.append("left"))
            return "leaving"

        @tool(timeout=TIMEOUT)
        async def wait() -> None:
            """Wait for the test."""
            await self.event.wait()

        self.registry.hold(leave)
        self.registry.hold(wait)

    async def after(self, seconds: float) -> list[str]:
        """Let time pass; gives what was done by then."""
        self.clock.advance(seconds)
        for _ in range(3):
            await asyncio.sleep(0)
        return self.done


def scene(at: Callable[[Page], Any]) -> None:
    async def whole() -> None:
        page = Page()
        await at(page)
        page.dispatcher.close()
        await until(lambda: len(asyncio.all_tasks()) == 1)
        page.clock.advance(0)
        assert page.clock.pending == 0

    asyncio.run(whole())


def test_it_is_done_half_a_second_after_the_call_has_settled() -> None:
    async def at(page: Page) -> None:
        page.call("leave")
        assert await page.after(RESPONSE_GRACE - 0.01) == []
        assert await page.after(0.01) == ["left"]
        assert await page.after(100) == ["left"]
        assert page.clock.pending == 0

    scene(at)


def test_another_call_delays_it_until_that_ones_answer_is_out_too() -> None:
    async def at(page: Page) -> None:
        page.call("leave")
        page.clock.advance(0.3)
        other = page.call("wait")
        assert await page.after(2) == []
        page.event.set()
        await page.answered(other)
        assert await page.after(RESPONSE_GRACE - 0.01) == []
        assert await page.after(0.01) == ["left"]

    scene(at)


def test_a_call_that_begins_and_ends_meanwhile_starts_the_half_second_anew() -> None:
    async def at(page: Page) -> None:
        page.call("leave")
        page.clock.advance(0.3)
        page.call("leave")
        assert await page.after(0.3) == []
        assert await page.after(0.2) == ["left", "left"]

    scene(at)


def test_a_call_whose_handler_is_javascript_delays_it_too() -> None:
    async def at(page: Page) -> None:
        made = PageTool(Definition.of_text('{"name":"theirs","description":"d"}'), 7)
        page.registry.hold(made)
        slot = page.registry.named("theirs")
        assert slot
        page.call("leave")
        assert page.dispatcher.call(slot, "js", "{}") == 7
        assert await page.after(2) == []
        page.dispatcher.count_out("js")
        assert await page.after(0.4) == []
        assert await page.after(0.1) == ["left"]

    scene(at)


def test_other_calls_delay_it_no_longer_than_the_calls_own_deadline() -> None:
    async def at(page: Page) -> None:
        @tool(timeout=2)
        def hurry(ctx: ToolContext) -> None:
            """Leave soon."""
            ctx.after_answer(lambda: page.done.append("hurried"))

        page.registry.hold(hurry)
        page.call("wait")
        page.call("hurry")
        page.call("leave")
        assert await page.after(1.9) == []
        assert await page.after(0.1) == ["hurried"]
        page.event.set()
        await until(lambda: "c1" in page.answers)
        assert await page.after(RESPONSE_GRACE) == ["hurried", "left"]

    scene(at)


def test_an_answer_at_the_deadline_has_its_half_second_all_the_same() -> None:
    async def at(page: Page) -> None:
        @tool(timeout=1)
        async def late(ctx: ToolContext) -> None:
            """Answer late."""
            ctx.after_answer(lambda: page.done.append("late"))
            await page.event.wait()

        page.registry.hold(late)
        call = page.call("late")
        page.clock.advance(0.99)
        page.event.set()
        await page.answered(call)
        assert await page.after(0.49) == []
        assert await page.after(0.01) == ["late"]

    scene(at)


def raising(error: BaseException) -> Callable[[ToolContext], Any]:
    def end(_: ToolContext) -> None:
        raise error

    return end


ERRORS = {
    "one that is raised": raising(ToolError("no")),
    "a stranger's": raising(LookupError()),
    "one that is returned": lambda _: {"error": {"code": "NO", "message": "no"}},
    "a value that cannot be written": lambda _: "x" * 200_000,
}


@pytest.mark.parametrize("end", ERRORS.values(), ids=ERRORS)
def test_it_is_dropped_where_the_answer_is_an_error(end: Callable[[ToolContext], Any]) -> None:
    async def at(page: Page) -> None:
        @tool
        def fail(ctx: ToolContext) -> Any:
            """Fail."""
            ctx.after_answer(lambda: page.done.append("left"))
            return end(ctx)

        page.registry.hold(fail)
        page.call("fail")
        assert await page.after(100) == []

    scene(at)


@pytest.mark.parametrize("end", ["abort", "timeout", "leave", "close"])
def test_it_is_dropped_where_the_call_is_cancelled_or_too_late(end: str) -> None:
    async def at(page: Page) -> None:
        @tool(timeout=TIMEOUT)
        async def stay(ctx: ToolContext) -> None:
            """Want it before, and while it is cleaned up."""
            ctx.after_answer(lambda: page.done.append("before"))
            try:
                await page.event.wait()
            finally:
                ctx.after_answer(lambda: page.done.append("after"))

        page.registry.hold(stay)
        call = page.call("stay")
        await asyncio.sleep(0)
        if end == "abort":
            page.dispatcher.abort(call)
        elif end == "timeout":
            page.clock.advance(TIMEOUT)
        elif end == "leave":
            page.dispatcher.interrupt()
        else:
            page.dispatcher.close()
        assert page.answers[call]["isError"]
        await asyncio.sleep(0)
        assert await page.after(100) == []

    scene(at)


@pytest.mark.parametrize("end", ["leave", "close"])
def test_it_is_dropped_when_the_page_is_left_before(end: str) -> None:
    async def at(page: Page) -> None:
        page.call("leave")
        if end == "leave":
            page.dispatcher.interrupt()
        else:
            page.dispatcher.close()
        assert page.clock.pending == 0
        assert await page.after(100) == []

    scene(at)


def test_several_are_done_in_their_order_each_after_the_one_before(caplog: pytest.LogCaptureFixture) -> None:
    async def at(page: Page) -> None:
        async def later() -> None:
            page.done.append("second begins")
            await page.event.wait()
            page.done.append("second ends")

        def fail() -> None:
            raise SystemExit("first")

        @tool
        def many(ctx: ToolContext) -> None:
            """Want much."""
            for each in (fail, later, lambda: page.done.append("third")):
                ctx.after_answer(each)

        page.registry.hold(many)
        page.call("many")
        page.clock.advance(RESPONSE_GRACE)
        await until(lambda: page.done == ["second begins"])
        page.event.set()
        await until(lambda: page.done == ["second begins", "second ends", "third"])

    with caplog.at_level(logging.ERROR):
        scene(at)
    assert [each.getMessage() for each in caplog.records] == [
        "Tool 'many': what it does after its answer failed"
    ]


def test_what_is_being_done_ends_with_the_page() -> None:
    async def at(page: Page) -> None:
        async def stay() -> None:
            try:
                await page.event.wait()
            finally:
                page.done.append("ended")

        @tool
        def begin(ctx: ToolContext) -> None:
            """Begin what does not end."""
            ctx.after_answer(stay)

        page.registry.hold(begin)
        page.call("begin")
        await page.after(RESPONSE_GRACE)
        page.dispatcher.interrupt()
        await until(lambda: page.done == ["ended"])

    scene(at)


def test_what_is_wanted_after_the_answer_is_not_done_and_the_console_says_so_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def at(page: Page) -> None:
        @tool
        def late(ctx: ToolContext) -> None:
            """Want more when the answer is out."""

            def more() -> None:
                for _ in range(2):
                    ctx.after_answer(lambda: page.done.append("late"))

            ctx.after_answer(more)

        page.registry.hold(late)
        page.call("late")
        assert await page.after(RESPONSE_GRACE) == []
        assert await page.after(RESPONSE_GRACE) == []

    scene(at)
    (record,) = caplog.records
    assert "Tool 'late': ctx.after_answer was called when the call had its answer" in record.getMessage()


def test_only_a_function_can_be_wanted() -> None:
    wrong_ones: list[Any] = ["/orders", None, lambda one, other: None]

    async def at(rig: PageRig) -> None:
        @tool
        def wrong(ctx: ToolContext) -> None:
            """Want nonsense."""
            for each in wrong_ones:
                with pytest.raises(TypeError, match="give a function without parameters"):
                    ctx.after_answer(each)

        rig.registry.hold(wrong)
        assert not rig.answers.get(rig.call("wrong"), {}).get("isError")

    play(at)
