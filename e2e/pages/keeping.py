"""Tools that keep something open, need credentials and call each other."""

import asyncio
import json
import logging
from typing import Any

from webtools import Need, ToolContext, ToolError, end_session, page, tool

notes = page("notes")


@tool
def keep(ctx: ToolContext, scope: Any, key: str = "it") -> list[str]:
    """Keep something for a scope."""

    async def close() -> None:
        await notes.write(f"{scope} {key}")

    return [ctx.on_teardown(close, scope=scope, key=key), *ctx.teardown_scopes]


@tool
def keep_badly(ctx: ToolContext) -> None:
    """Keep something whose cleanup fails."""
    ctx.on_teardown(lambda: 1 / 0, scope="session")


@tool
async def end(session: str) -> None:
    """End a session."""
    await end_session(session)


def token(ctx: ToolContext) -> str:
    """The secret."""
    assert ctx.credential
    return ctx.credential.to_headers()["Authorization"].removeprefix("Bearer ")


@tool(needs=Need("payments", scopes=["charge"]), timeout=5)
def pay(ctx: ToolContext) -> str:
    """Pay."""
    return f"paid with {len(token(ctx))} characters"


async def fail(it: str) -> None:
    raise LookupError(it)


@tool(needs=Need("payments"), idempotency="key")
def leak(ctx: ToolContext, how: str, key: str) -> Any:
    """Give the secret away."""
    it = token(ctx)
    ctx.progress({"message": "x" * 110 + it, "it": it})
    logging.getLogger("webtools").warning("it is %s", it)
    if how == "crash":
        raise LookupError(it)
    if how == "leave a task":
        asyncio.ensure_future(fail(it))  # noqa: RUF006  # that is the fault
    if how == "error":
        raise ToolError(it, details={"it": it})
    return {"it": it, "json": json.dumps({"it": it}), "credential": ctx.credential}


@tool
async def pull(ctx: ToolContext) -> str:
    """Pull a credential, where the page has any."""
    if not ctx.has_credentials:
        return "degraded"
    return json.dumps((await ctx.credentials.get("mail")).to_headers())


@tool
async def wait(ctx: ToolContext) -> None:
    """Wait."""
    ctx.progress("waiting")
    try:
        await asyncio.Event().wait()
    finally:
        await notes.write(f"wait ended: {ctx.signal.reason}")


@tool
async def stay(ctx: ToolContext) -> None:
    """Wait, and keep something open meanwhile."""
    ctx.on_teardown(lambda: notes.write.now("cleaned up"), scope="call")
    try:
        await asyncio.Event().wait()
    finally:
        await notes.write("finally")


@tool
async def outer(ctx: ToolContext, name: str, args: dict[str, Any] | None = None) -> Any:
    """Call another tool."""
    assert ctx.tools
    return [ctx.tools.has(name), await ctx.tools.call(name, args)]


@tool
def who(ctx: ToolContext) -> list[Any]:
    """Say who calls."""
    return [ctx.call_id, ctx.door, ctx.session_id, ctx.tools is None]
