from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

import pytest

from webtools import Hold, ToolContext, registry, tool
from webtools._exceptions import WebtoolsError
from webtools.agent import CancelSignal, Identity, ToolClient
from webtools.agent.conversation import Answer, error_of
from webtools.testing import DrivenPage, driven_page


@tool(read_only=True)
def find(words: str) -> list[str]:
    """Find products."""
    return [f"{words}-1"]


@tool
async def wait() -> None:
    """Wait for ever."""
    await asyncio.Event().wait()


def made(description: str, **options: Any) -> Any:
    @tool(name="price", description=description, **options)
    def price(sku: str) -> str:
        return f"{description} {sku}"

    return price


def code_of(answer: Answer) -> str:
    error = error_of(answer)
    assert error is not None
    return str(error["code"])


async def names(client: ToolClient) -> list[str]:
    return [each.name for each in await client.tools()]


def test_a_call_has_its_answer_by_the_pages_own_door_with_what_the_client_states() -> None:
    seen: list[ToolContext] = []

    @tool
    def look(ctx: ToolContext) -> None:
        """Look."""
        seen.append(ctx)

    with driven_page(look):
        client = ToolClient(session_id="s1", identity=Identity("c", principal="ada"))
        asyncio.run(client.call("look"))
    (ctx,) = seen
    assert (ctx.door, ctx.session_id, ctx.identity) == ("page", "s1", Identity("c", principal="ada"))
    assert (ctx.iteration, ctx.run_id, ctx.turn_id) == (0, None, None)


def test_arguments_are_data_or_text_and_wrong_ones_are_an_answer() -> None:
    async def script() -> None:
        client = ToolClient()
        for arguments in ({"words": "boots"}, '{"words": "boots"}'):
            assert (await client.call("find", arguments))["structuredContent"] == {"result": ["boots-1"]}
        for wrong in ('{"words"', "[]", {"words": 1}, None):
            assert code_of(await client.call("find", wrong)) == "INVALID_TOOL_ARGS"

    with driven_page(find):
        asyncio.run(script())


def test_a_tool_that_is_leaving_is_not_listed_and_refuses() -> None:
    async def script(hold: Hold, page: DrivenPage) -> None:
        client = ToolClient()
        await client.call("price", {"sku": "A"})
        hold.release()
        page.clock.advance(0)
        assert registry().named("price")
        assert await ToolClient().tools() == []
        assert code_of(await client.call("price", {"sku": "A"})) == "STALE_TOOL_CALL"

    with driven_page() as page:
        asyncio.run(script(page.registry.hold(made("old")), page))


def test_what_a_call_changes_is_listed_after_it() -> None:
    @tool
    def open_cart() -> None:
        """Open the cart."""
        for step, each in comes.items():
            page.clock.call_later(step, partial(hold, each))

    def hold(function: Any) -> None:
        registry().hold(function)

    comes = {0.04: find, 0.09: wait, 0.2: made("late")}

    async def script() -> None:
        client = ToolClient()
        assert await names(client) == ["open_cart"]
        await client.call("open_cart")
        assert await names(client) == ["open_cart", "find", "wait", "price"]
        assert page.clock.now() == pytest.approx(0.35)  # W12
        await client.tools()
        assert page.clock.now() == pytest.approx(0.35)

    with driven_page(open_cart) as page:
        asyncio.run(script())


def test_a_page_that_never_rests_is_waited_for_two_seconds() -> None:
    def swap() -> None:
        page.registry.hold(made(str(page.clock.now())))
        page.clock.call_later(0.1, swap)

    with driven_page() as page:
        swap()
        asyncio.run(ToolClient().settled())
        assert page.clock.now() == pytest.approx(2.0)


def test_a_tool_that_is_being_replaced_is_waited_for_and_then_called() -> None:
    async def script(page: DrivenPage) -> Answer:
        old = page.registry.hold(made("old"))
        client = ToolClient()
        await client.call("price", {"sku": "A"})
        page.registry.hold(made("new"))
        old.release()
        page.clock.advance(0)
        assert await ToolClient().tools() == []
        return await client.call("price", {"sku": "A"})

    with driven_page() as page:
        answer = asyncio.run(script(page))
        assert answer["content"][0]["text"] == "new A"
        assert 0.5 <= page.clock.now() < 1


def test_a_tool_that_is_not_replaced_in_time_or_after_a_stop_says_so() -> None:
    @tool(name="price", timeout=60)
    async def slow() -> None:
        """Take long."""
        await asyncio.Event().wait()

    async def script(page: DrivenPage, is_stopped: bool) -> Answer:
        page.registry.hold(slow)
        going = asyncio.ensure_future(ToolClient().call("price"))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        page.registry.hold(made("new"))
        page.clock.advance(0)
        signal = CancelSignal()
        if is_stopped:
            page.clock.call_later(1, lambda: signal.fire("stop"))
        answer = await ToolClient().call("price", {"sku": "A"}, signal=signal)
        going.cancel()
        return answer

    for is_stopped, seconds in ((False, 10), (True, 1)):
        with driven_page() as page:
            assert code_of(asyncio.run(script(page, is_stopped))) == "TOOL_CHANGED"
            assert page.clock.now() == pytest.approx(seconds, abs=0.2)


def test_a_signal_gives_the_call_up_and_its_answer_says_so() -> None:
    async def script() -> Answer:
        signal = CancelSignal()
        asyncio.get_running_loop().call_soon(signal.fire, "stop")
        return await ToolClient().call("wait", signal=signal)

    with driven_page(wait):
        error = error_of(asyncio.run(script()))
    assert error
    assert (error["code"], error["effect"]) == ("CANCELLED", "unknown")


def test_giving_up_the_wait_gives_up_the_call() -> None:
    async def script(page: DrivenPage) -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(ToolClient().call("wait"), 0.01)
        slot = page.registry.named("wait")
        assert slot
        assert (slot.calls, slot.in_flight) == (1, 0)

    with driven_page(wait) as page:
        asyncio.run(script(page))


def test_what_a_client_does_not_offer_it_neither_lists_nor_calls_nor_names() -> None:
    async def script() -> None:
        client = ToolClient(offers=lambda each: each.annotations.get("readOnlyHint", False))
        assert await names(client) == ["find"]
        for name in ("wait", "nothing"):
            answer = await client.call(name)
            assert code_of(answer) == "TOOL_NOT_FOUND"
            assert (
                answer["content"][0]["text"] == f"The tool {name!r} does not exist here. The page has: find."
            )

    with driven_page(find, wait) as page:
        asyncio.run(script())
        slot = page.registry.named("wait")
        assert slot
        assert slot.calls == 0


@pytest.mark.parametrize("says", [True, False])
def test_the_person_is_asked(says: bool) -> None:
    with driven_page(made("sure", confirm="Sure?"), confirm=says):
        answer = asyncio.run(ToolClient().call("price", {"sku": "A"}))
    assert bool(error_of(answer)) is not says


def test_wrong_use_is_told_at_once() -> None:
    async def script() -> None:
        client = ToolClient()
        for arguments, said in (
            ((1,), "the name of a tool is a text"),
            (("find", 1), "the arguments must be a dict"),
            (("find", {"words": object()}), "find takes JSON data only"),
        ):
            with pytest.raises(TypeError, match=said):
                await client.call(*arguments)

    with driven_page(find):
        asyncio.run(script())
    with pytest.raises(TypeError, match="session_id must be a text"):
        ToolClient(session_id=1)  # type: ignore[arg-type]  # the same
    with pytest.raises(TypeError, match="identity must be an Identity"):
        ToolClient(identity="ada")  # type: ignore[arg-type]  # the same
    with pytest.raises(WebtoolsError, match="driven_page"):
        asyncio.run(ToolClient().settled())
