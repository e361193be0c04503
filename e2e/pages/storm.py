"""Tools that a storm holds, calls and releases; what happens here is told to the page as it happens."""

import asyncio
from collections.abc import Callable
from typing import Any

from webtools import Hold, ToolError, page, registry, tool

storm = page("storm")
holds: dict[str, Hold] = {}
waiting: list[asyncio.Event] = []


async def act(name: str, call: str, action: str) -> str:
    """Do what an agent asks of every tool here."""
    if action == "wait":
        event = asyncio.Event()
        waiting.append(event)
        await event.wait()
    if action == "slow":
        await asyncio.sleep(0.005)
    if action == "release":
        await release(next((key for key, hold in holds.items() if hold.tool.name == name), ""))
    if action == "go":
        await storm.go()
    if action == "raise":
        raise ToolError("not today", code="REFUSED")
    if action == "fail":
        raise RuntimeError("an error of the handler's own")
    return f"{call}: done"


@tool(held=True, description="panel")
async def panel(call: str, action: str = "read") -> str:
    return await act("panel", call, action)


@tool(held=True, name="both", description="Python's first")
async def first(call: str, action: str = "read") -> str:
    await storm.entered("both", "Python's first")
    return await act("both", call, action)


@tool(held=True, name="both", description="Python's second")
def second(call: str, action: str = "read") -> str:
    return f"{call}: done"


@tool(match="/cart/*", description="cart")
async def cart(call: str, action: str = "read") -> str:
    return await act("cart", call, action)


@tool(match=["/cart/*", "/checkout"], description="total")
def total(call: str, action: str = "read") -> str:
    return f"{call}: done"


@tool(match="#/details/*", description="details")
async def details(call: str, action: str = "read") -> str:
    return await act("details", call, action)


HELD: dict[str, Callable[..., Any]] = {"panel": panel, "first": first, "second": second}


@tool(description="show")
async def show(call: str, key: str, what: str, resource_id: str | None = None) -> str:
    hold = registry().hold(HELD[what], resource_id=resource_id)
    holds[key] = hold
    await storm.held(key, hold.tool.name, hold.tool.definition.description)
    return f"{call}: done"


@tool(description="hide")
async def hide(call: str, key: str) -> str:
    await release(key)
    return f"{call}: done"


@tool(description="remount")
async def remount(call: str, key: str) -> str:
    """Release and hold again in one tick, which makes it the newest."""
    if key in holds:
        before = holds[key]
        await release(key)
        hold = registry().hold(before.tool, resource_id=before.resource_id)
        holds[key] = hold
        await storm.held(key, hold.tool.name, hold.tool.definition.description)
    return f"{call}: done"


@tool(description="go_on")
def go_on(call: str) -> str:
    for event in waiting:
        event.set()
    waiting.clear()
    return f"{call}: done"


async def release(key: str) -> None:
    """Release a hold that may be gone."""
    if hold := holds.pop(key, None):
        hold.release()
        await storm.released(key)
