"""A call waits until tools are registered."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from tests.unit.calls.caller import Caller, until
from tests.unit.lifecycle.rig import Rig, tool_called
from webtools import ToolContext, tool
from webtools.calls.dispatcher import Dispatcher
from webtools.calls.listings import Listings
from webtools.lifecycle.registry import ToolRegistry


class Page(Caller):
    """A dispatcher at the registry of a browser, as the page's host ties them."""

    def __init__(self) -> None:
        super().__init__()
        self.rig = Rig()
        self.clock = self.rig.clock
        listings = Listings(self.clock.call_later, lambda name: self.registry.is_registered(name))
        self.registry = ToolRegistry(self.clock, lambda _: listings.look(), self.rig)
        self.rig.registry = self.registry
        self.dispatcher = Dispatcher(self.clock, self._settle, listings=listings)
        self.found: list[Any] = []

    def begin(self, *names: Any, **options: Any) -> str:
        """Begin a call that waits for these."""

        @tool(timeout=3)
        async def see(ctx: ToolContext) -> None:
            """See whether they come."""
            try:
                self.found.append(await ctx.until_listed(*names, **options))
            except (TypeError, ValueError) as error:
                self.found.append(error)

        self.registry.hold(see)
        slot = self.registry.named("see")
        assert slot
        return self.call(slot)


def scene(at: Callable[[Page], Any]) -> None:
    async def whole() -> None:
        page = Page()
        await at(page)
        page.dispatcher.close()
        await until(lambda: len(asyncio.all_tasks()) == 1)
        page.registry.close()
        page.rig.turn()
        assert page.clock.pending == 0

    asyncio.run(whole())


def test_it_is_true_at_once_where_they_are_there() -> None:
    async def at(page: Page) -> None:
        page.registry.hold(tool_called("pay"))
        page.rig.turn()
        call = page.begin("pay", "pay", timeout=0)
        await page.answered(call)
        assert page.found == [True]

    scene(at)


def test_it_is_true_as_soon_as_the_browser_has_accepted_the_last_one() -> None:
    async def at(page: Page) -> None:
        page.rig.delays = {1: 0.1, 2: 0.2, 3: 0.3}
        call = page.begin("pay", "ship")
        await asyncio.sleep(0)
        for name in ("pay", "ship"):
            page.registry.hold(tool_called(name))
        page.clock.advance(0.29)
        await asyncio.sleep(0)
        assert page.found == []
        page.clock.advance(0.01)
        await page.answered(call)
        assert page.found == [True]

    scene(at)


@pytest.mark.parametrize("names", [["unknown"], ["pay", "unknown"], ["refused"], ["leaving"]])
def test_it_is_false_where_one_does_not_come_in_time(names: list[str]) -> None:
    async def at(page: Page) -> None:
        page.rig.refusals = {2: "InvalidStateError"}
        page.registry.hold(tool_called("pay"))
        page.registry.hold(tool_called("refused"))
        leaving = page.registry.hold(tool_called("leaving"))
        page.rig.turn()
        page.rig.call("leaving")
        leaving.release()
        call = page.begin(*names, timeout=1)
        await asyncio.sleep(0)
        page.clock.advance(0.99)
        await asyncio.sleep(0)
        assert page.found == []
        page.clock.advance(0.01)
        await page.answered(call)
        assert page.found == [False]

    scene(at)


def test_it_waits_for_five_seconds_unless_told() -> None:
    async def at(page: Page) -> None:
        @tool
        async def see(ctx: ToolContext) -> bool:
            """See."""
            return await ctx.until_listed("pay")

        page.registry.hold(see)
        slot = page.registry.named("see")
        assert slot
        call = page.call(slot)
        await asyncio.sleep(0)
        page.clock.advance(4.99)
        await asyncio.sleep(0)
        assert page.answers[call] == []
        page.clock.advance(0.01)
        assert (await page.answered(call))["structuredContent"] == {"result": False}

    scene(at)


def test_it_is_false_for_a_task_of_the_calls_whose_call_is_cancelled() -> None:
    async def at(page: Page) -> None:
        seen: list[bool] = []

        @tool
        async def see(ctx: ToolContext) -> None:
            """Let another task see."""

            async def other() -> None:
                seen.append(await ctx.until_listed("pay"))

            task = asyncio.ensure_future(other())
            try:
                await asyncio.Event().wait()
            finally:
                await task
                seen.append(await ctx.until_listed("see", "pay"))

        page.registry.hold(see)
        slot = page.registry.named("see")
        assert slot
        call = page.call(slot)
        for _ in range(3):  # the other task waits by then
            await asyncio.sleep(0)
        page.dispatcher.abort(call)
        await until(lambda: seen == [False, False])

    scene(at)


@pytest.mark.parametrize(
    ("names", "options", "kind", "said"),
    [
        ([], {}, ValueError, "name the tools"),
        ([5], {}, TypeError, "are texts"),
        (["pay"], {"timeout": "5"}, TypeError, "a number of seconds"),
        (["pay"], {"timeout": True}, TypeError, "a number of seconds"),
        (["pay"], {"timeout": -1}, ValueError, "0 or more"),
        (["pay"], {"timeout": float("nan")}, ValueError, "0 or more"),
        (["pay"], {"timeout": float("inf")}, ValueError, "0 or more"),
    ],
)
def test_nonsense_is_refused(names: list[Any], options: dict[str, Any], kind: type, said: str) -> None:
    async def at(page: Page) -> None:
        await page.answered(page.begin(*names, **options))
        (error,) = page.found
        assert type(error) is kind
        assert said in str(error)

    scene(at)
