"""A page with routes: tools that belong to one, to a path, and to the page."""

import asyncio
from collections.abc import Callable
from typing import Any

from webtools import ToolContext, page, registry, tool

shop = page("shop")
waiting: list[asyncio.Event] = []


async def act(ctx: ToolContext, action: str) -> str:
    if action == "ask":
        await ctx.confirm("Pay now?")
    if action == "wait":
        event = asyncio.Event()
        waiting.append(event)
        await event.wait()
    if action == "leave":
        await come(["orders"])
    return "current" if ctx.is_current() else "stale"


@tool(held=True)
async def checkout(ctx: ToolContext, action: str = "") -> str:
    """Of the checkout."""
    return await act(ctx, action)


@tool(held=True)
async def orders(ctx: ToolContext, action: str = "") -> str:
    """Of the orders."""
    return await act(ctx, action)


@tool
async def kept(ctx: ToolContext, action: str = "") -> str:
    """Of the page."""
    return await act(ctx, action)


@tool(match="*/by-path")
async def by_path(ctx: ToolContext, action: str = "") -> str:
    """Of a path."""
    return await act(ctx, action)


OF_ROUTES: dict[str, Callable[..., Any]] = {"checkout": checkout, "orders": orders}


@tool
async def come(names: list[str], fails: bool = False) -> str:
    """Come to a route by Python's verb."""
    async with registry().route_change() as route:
        for name in names:
            route.hold(OF_ROUTES[name])
        if fails:
            raise LookupError("no such route")
    return "here"


@tool
async def come_and_see(ctx: ToolContext, name: str) -> bool:
    """Come to a route, and wait until its tool is there."""
    async with registry().route_change() as route:
        route.hold(OF_ROUTES[name])
    return await ctx.until_listed(name)


@tool
async def see(ctx: ToolContext, names: list[str], seconds: float) -> bool:
    """Wait until tools are there."""
    return await ctx.until_listed(*names, timeout=seconds)


@tool
def go_on() -> int:
    """Let every waiting call go on."""
    count = len(waiting)
    for event in waiting:
        event.set()
    waiting.clear()
    return count
