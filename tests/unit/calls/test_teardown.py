"""What handlers have closed later: `ctx.on_teardown`."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from tests.unit.calls.caller import Answer, text_of, until, verdict
from webtools import ToolContext, tool
from webtools.calls.dispatcher import Dispatcher
from webtools.calls.facts import BROWSER, Facts
from webtools.lifecycle.registry import ToolRegistry
from webtools.stores.teardown import IDLE, Teardown
from webtools.testing import FakeClock


class Page:
    """A page with tools that keep things open.

    Attributes:
        log: What happened, in its order.
    """

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.log: list[str] = []
        self.teardown = Teardown(self.clock)
        self.registry = ToolRegistry(self.clock, lambda _: None)
        self.dispatcher = Dispatcher(
            self.clock, self._settle, teardown=self.teardown, find=self.registry.named
        )
        self.answers: dict[str, Answer] = {}

    def opening(self, scope: Any, waits: bool = False, **options: Any) -> None:
        """Hold a tool that opens something for a scope."""

        @tool(name="open", **options)
        async def opening(ctx: ToolContext) -> str:
            """Open."""
            try:
                ctx.on_teardown(lambda: self.log.append(f"closed {scope} of {ctx.call_id}"), scope=scope)
                if waits:
                    await asyncio.Event().wait()
                return "opened"
            finally:
                self.log.append(f"ended {ctx.call_id}")

        self.registry.hold(opening)

    def call(self, call_id: str, facts: Facts = BROWSER, name: str = "open") -> None:
        slot = self.registry.named(name)
        assert slot is not None
        text = self.dispatcher.call(slot, call_id, "{}", facts)
        if isinstance(text, str):
            self._settle(call_id, text)

    async def answered(self, call_id: str) -> Answer:
        await until(lambda: call_id in self.answers)
        return self.answers[call_id]

    async def turn(self) -> None:
        """Let the loop turn until what was begun is done, and then the macrotask in which cleanups start."""
        for _ in range(5):
            await asyncio.sleep(0)
        self.clock.advance(0)

    def _settle(self, call_id: str, text: str) -> None:
        self.log.append(f"answered {call_id}")
        self.answers[call_id] = json.loads(text)


def play(scene: Callable[[Page], Coroutine[Any, Any, None]]) -> list[str]:
    """Play a scene; gives what happened."""
    page = Page()

    async def whole() -> None:
        await scene(page)
        page.dispatcher.close()
        await until(lambda: len(asyncio.all_tasks()) == 1)
        page.clock.advance(0)
        assert page.clock.pending == 0

    asyncio.run(whole())
    return page.log


def test_a_calls_cleanup_comes_after_its_end_and_delays_no_answer() -> None:
    async def scene(page: Page) -> None:
        page.opening("call")
        page.call("c1")
        await page.answered("c1")
        await page.turn()

    assert play(scene) == ["ended c1", "answered c1", "closed call of c1"]


@pytest.mark.parametrize("is_async", [False, True])
def test_a_calls_cleanup_comes_also_where_the_handler_raised(is_async: bool) -> None:
    async def scene(page: Page) -> None:
        def keep(ctx: ToolContext) -> None:
            ctx.on_teardown(lambda: page.log.append("closed"), scope="call")
            raise LookupError

        @tool(name="open")
        def fail(ctx: ToolContext) -> None:
            """Fail."""
            keep(ctx)

        @tool(name="open")
        async def fail_later(ctx: ToolContext) -> None:
            """Fail."""
            await asyncio.sleep(0)
            keep(ctx)

        page.registry.hold(fail_later if is_async else fail)
        page.call("c1")
        assert verdict(await page.answered("c1"))[0] == "TOOL_HANDLER_ERROR"
        await page.turn()

    assert play(scene) == ["answered c1", "closed"]


def test_a_call_that_was_given_up_is_torn_down_once_its_handler_has_ended() -> None:
    async def scene(page: Page) -> None:
        page.opening("call", waits=True)
        page.call("c1")
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        page.dispatcher.abort("c1")
        page.clock.advance(0)
        assert page.log == ["answered c1"]
        await page.turn()

    assert play(scene) == ["answered c1", "ended c1", "closed call of c1"]


def test_what_is_kept_for_a_call_that_has_ended_is_closed_at_once() -> None:
    background: list[asyncio.Future[None]] = []

    async def scene(page: Page) -> None:
        @tool(name="open")
        async def opening(ctx: ToolContext) -> None:
            """Leave something behind that opens late."""

            async def late() -> None:
                await page.answered("c1")
                await page.turn()
                ctx.on_teardown(lambda: page.log.append("closed"), scope="call")
                page.clock.advance(0)

            background.append(asyncio.ensure_future(late()))

        page.registry.hold(opening)
        page.call("c1")
        await until(lambda: "closed" in page.log)

    play(scene)


DOORS: dict[str, tuple[Facts, tuple[str, ...]]] = {
    "a browser": (BROWSER, ("call", "page")),
    "the page": (Facts(door="page"), ("call", "page")),
    "a run": (Facts(door="page", run_id="r1"), ("call", "run", "page")),
    "a session": (Facts(door="page", session_id="s1"), ("call", "session", "page")),
    "a run of a session": (
        Facts(door="page", run_id="r", session_id="s"),
        ("call", "run", "session", "page"),
    ),
}


@pytest.mark.parametrize("door", DOORS)
def test_a_scope_is_there_where_something_will_end_it(door: str) -> None:
    facts, scopes = DOORS[door]

    async def scene(page: Page) -> None:
        @tool(name="open")
        def opening(ctx: ToolContext) -> str:
            """Look."""
            assert ctx.teardown_scopes == scopes
            for missing in {"run", "session", "tab"} - set(scopes):
                with pytest.raises(ValueError, match="nothing ends") as raised:
                    ctx.on_teardown(lambda: None, scope=missing)  # type: ignore[arg-type]  # refused
                said = str(raised.value)
                assert f"the scope {missing!r}" in said
                assert f"the door {facts.door!r}" in said
                assert f"It has the scopes {', '.join(scopes)}." in said
            assert [ctx.on_teardown(lambda: None, scope=each) for each in ctx.teardown_scopes] == (
                ["started"] * len(scopes)
            )
            return "looked"

        page.registry.hold(opening)
        page.call("c1", facts)
        assert text_of(await page.answered("c1")) == "looked"

    play(scene)


@pytest.mark.parametrize("cleanup", [None, "close", lambda connection: connection])
def test_what_cannot_be_called_without_arguments_is_no_cleanup(cleanup: Any) -> None:
    async def scene(page: Page) -> None:
        @tool(name="open")
        def opening(ctx: ToolContext) -> str:
            """Give something else."""
            with pytest.raises(TypeError, match=r"^ctx.on_teardown: give a function without parameters, not"):
                ctx.on_teardown(cleanup, scope="call")
            return "refused"

        page.registry.hold(opening)
        page.call("c1")
        assert text_of(await page.answered("c1")) == "refused"

    play(scene)


def test_a_key_of_a_cleanup_is_a_text() -> None:
    async def scene(page: Page) -> None:
        @tool(name="open")
        def opening(ctx: ToolContext) -> str:
            """Give a number."""
            with pytest.raises(TypeError, match=r"^ctx.on_teardown: key must be a text, not 5\.$"):
                ctx.on_teardown(lambda: None, scope="call", key=5)  # type: ignore[arg-type]  # refused
            return "refused"

        page.registry.hold(opening)
        page.call("c1")
        assert text_of(await page.answered("c1")) == "refused"

    play(scene)


def test_two_calls_of_a_session_share_what_is_open_and_its_end_closes_it() -> None:
    async def scene(page: Page) -> None:
        page.opening("session")
        for call_id, session_id in (("c1", "s1"), ("c2", "s1"), ("c3", "s2")):
            page.call(call_id, Facts(door="page", session_id=session_id))
            await page.answered(call_id)
        await page.teardown.end_session("s1", None)

    log = play(scene)
    assert [each for each in log if "closed" in each] == ["closed session of c1"]


def test_the_next_call_is_the_interaction_that_closes_what_is_idle() -> None:
    async def scene(page: Page) -> None:
        page.opening("page")
        page.call("c1")
        await page.answered("c1")
        page.clock.advance(IDLE)
        assert page.log == ["ended c1", "answered c1"]
        page.call("c2")
        await page.answered("c2")
        page.clock.advance(0)

    assert "closed page of c1" in play(scene)


def test_what_an_inner_call_keeps_belongs_to_it() -> None:
    async def scene(page: Page) -> None:
        page.opening("call")

        @tool
        async def outer(ctx: ToolContext) -> None:
            """Call another."""
            assert ctx.tools
            await ctx.tools.call("open")
            await page.turn()
            page.log.append("goes on")

        page.registry.hold(outer)
        page.call("c1", name="outer")
        await page.answered("c1")

    assert play(scene) == ["ended c1#inner-1", "closed call of c1#inner-1", "goes on", "answered c1"]
