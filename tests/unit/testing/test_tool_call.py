from __future__ import annotations

import asyncio
from typing import Any, Literal

import pytest

from webtools import Need, ToolContext, ToolDefinitionError, ToolError, page, tool
from webtools.testing import MemoryArtifacts, fake_page, tool_call


@tool
def double(number: int) -> int:
    """Double."""
    return number * 2


@tool
async def double_later(number: int) -> int:
    """Double after a turn of the loop."""
    await asyncio.sleep(0)
    return number * 2


@tool
async def first_title() -> str:
    """Ask the page."""
    title: str = await page("shop").title()
    return title


class FakeShop:
    """What the page exposes."""

    def title(self) -> str:
        return "Shoes"


@pytest.mark.parametrize("function", [double, double_later])
def test_a_call_gives_the_answer_that_an_agent_gets(function: object) -> None:
    assert callable(function)
    answer = asyncio.run(tool_call(function, {"number": 21}))
    assert answer == {
        "content": [{"type": "text", "text": '{"result":42}'}],
        "structuredContent": {"result": 42},
    }


@pytest.mark.parametrize("arguments", [None, {"number": "x"}])
def test_arguments_are_validated_and_errors_are_answers(arguments: dict[str, str] | None) -> None:
    answer = asyncio.run(tool_call(double, arguments))
    assert answer["structuredContent"]["error"]["code"] == "INVALID_TOOL_ARGS"


def test_what_a_handler_raises_is_an_answer_too() -> None:
    @tool
    async def refuse() -> None:
        """Refuse."""
        raise ToolError("no", code="REFUSED")

    answer = asyncio.run(tool_call(refuse))
    assert answer["isError"] is True
    assert answer["structuredContent"]["error"]["code"] == "REFUSED"


def test_a_tool_may_use_a_fake_page() -> None:
    async def scene() -> object:
        with fake_page(shop=FakeShop()):
            return await tool_call(first_title)

    assert asyncio.run(scene()) == {"content": [{"type": "text", "text": "Shoes"}]}


def test_a_function_without_the_decorator_is_refused() -> None:
    with pytest.raises(ToolDefinitionError, match="decorate it with @tool"):
        asyncio.run(tool_call(print))


def test_a_test_that_gives_up_cancels_the_tool() -> None:
    events: list[str] = []

    @tool
    async def wait() -> None:
        """Wait for ever."""
        try:
            events.append("began")
            await asyncio.Event().wait()
        finally:
            events.append("cleaned up")

    async def scene() -> None:
        call = asyncio.ensure_future(tool_call(wait))
        for _ in range(5):
            await asyncio.sleep(0)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await asyncio.sleep(0)
        assert events == ["began", "cleaned up"]

    asyncio.run(scene())


@pytest.mark.parametrize(("listed", "there"), [({"pay"}, False), ({"pay", "ship"}, True)])
def test_a_test_can_say_which_tools_are_registered(listed: set[str], there: bool) -> None:
    @tool
    async def see(ctx: ToolContext) -> bool:
        """See."""
        return await ctx.until_listed("pay", "ship")

    answer = asyncio.run(tool_call(see, listed=listed))
    assert answer["structuredContent"] == {"result": there}


@pytest.mark.parametrize("fails", [True, False])
def test_what_is_done_after_the_answer_is_done_in_a_test(fails: bool) -> None:
    done: list[str] = []

    async def leave() -> None:
        await asyncio.sleep(0)
        done.append("left")

    @tool
    async def go(ctx: ToolContext) -> str:
        """Go."""
        ctx.after_answer(leave)
        await asyncio.sleep(0)
        if fails:
            raise ToolError("no")
        return f"{done}"

    answer = asyncio.run(tool_call(go))
    assert (answer["content"][0]["text"], done) == (("no", []) if fails else ("[]", ["left"]))


# Other tools, credentials and cleanups


@tool
async def quadruple(ctx: ToolContext, number: int) -> int:
    """Double twice."""
    assert ctx.tools
    twice: int = await ctx.tools.call("double", {"number": number})
    return twice * 2


def test_the_pages_other_tools_can_be_given() -> None:
    answer = asyncio.run(tool_call(quadruple, {"number": 2}, tools=[double]))
    assert answer["structuredContent"] == {"result": 8}
    alone = asyncio.run(tool_call(quadruple, {"number": 2}))
    assert alone["structuredContent"]["error"]["code"] == "TOOL_NOT_FOUND"


@tool(needs=Need("mail"))
def senders(ctx: ToolContext) -> list[str]:
    """Say who sends."""
    assert ctx.credential
    return sorted(ctx.credential.to_headers())


@pytest.mark.parametrize(
    ("credentials", "reason"), [(None, "no provider"), ({}, "refused"), ({"mail": {}}, "refused")]
)
def test_without_a_credential_the_tool_does_not_run(
    credentials: dict[str, dict[str, str]] | None, reason: str
) -> None:
    error = asyncio.run(tool_call(senders, credentials=credentials))["structuredContent"]["error"]
    assert (error["code"], error["details"]["reason"]) == ("CREDENTIAL_UNAVAILABLE", reason)


def test_credentials_can_be_given() -> None:
    answer = asyncio.run(tool_call(senders, credentials={"mail": {"Authorization": "Bearer token-1"}}))
    assert answer["structuredContent"] == {"result": ["Authorization"]}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"arguments": "{}"}, "arguments must be a dict, not a str"),
        ({"tools": None}, "tools must be a list of tools, not a NoneType"),
        ({"tools": double}, "tools must be a list of tools, not a function"),
        ({"artifacts": "x"}, r"artifacts must be such as MemoryArtifacts\(\), not a str"),
        ({"artifacts": MemoryArtifacts}, r"artifacts must be such as MemoryArtifacts\(\), not a type"),
        ({"identity": {"tenant": "acme"}}, "identity must be an Identity, not a dict"),
        ({"credentials": "x"}, "credentials must be a dict, not a str"),
    ],
)
def test_what_is_of_another_kind_is_a_type_error(options: dict[str, Any], said: str) -> None:
    with pytest.raises(TypeError, match=f"^tool_call: {said}"):
        asyncio.run(tool_call(double, **options))


@pytest.mark.parametrize("scope", ["call", "page"])
@pytest.mark.parametrize("waits", [True, False])
def test_what_a_cleanup_keeps_is_closed_too(scope: Literal["call", "page"], waits: bool) -> None:
    closed: list[str] = []

    @tool
    def keep(ctx: ToolContext) -> None:
        """Keep something that keeps something."""

        async def close_last() -> None:
            for _ in range(20):
                await asyncio.sleep(0)
            closed.append("last")

        def close() -> None:
            closed.append("first")
            ctx.on_teardown(close_last, scope=scope)

        async def close_later() -> None:
            await asyncio.sleep(0)
            close()

        ctx.on_teardown(close_later if waits else close, scope=scope)

    asyncio.run(tool_call(keep))
    assert closed == ["first", "last"]


def test_a_cleanup_that_hangs_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webtools.testing.calls.LIMIT", 0.01)

    @tool
    def keep(ctx: ToolContext) -> str:
        """Keep what cannot be closed."""
        ctx.on_teardown(asyncio.Event().wait, scope="page")
        return "kept"

    answer = asyncio.run(tool_call(keep))
    assert answer["content"][0]["text"] == "kept"


def test_everything_is_closed_when_the_call_is_over() -> None:
    closed: list[str] = []

    @tool
    def keep(ctx: ToolContext) -> list[str]:
        """Keep something for everything."""

        async def close_later() -> None:
            await asyncio.sleep(0)
            closed.append("later")

        ctx.on_teardown(close_later, scope="page", key="later")
        for scope in ctx.teardown_scopes:
            ctx.on_teardown(lambda: closed.append("at once"), scope=scope)
        return list(ctx.teardown_scopes)

    answer = asyncio.run(tool_call(keep, session_id="s1", run_id="r1"))
    assert answer["structuredContent"] == {"result": ["call", "run", "session", "page"]}
    assert closed == ["at once"] * 4 + ["later"]
