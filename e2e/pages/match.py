"""A site whose tools belong to its paths."""

import asyncio

from webtools import page, tool

site = page("site")
waiting: list[asyncio.Event] = []
journeys: list[asyncio.Task[None]] = []


@tool(match="/cart/*")
async def cart(action: str = "read") -> str:
    """Read the cart, leave it for the start page, or wait in it until `release_all`."""
    if action == "leave":
        await site.go("/")
        await asyncio.sleep(0.02)
    if action == "wait":
        event = asyncio.Event()
        waiting.append(event)
        await event.wait()
    return f"{action}: done"


@tool(match=["/cart/*", "/checkout"])
def total() -> int:
    """Give the total."""
    return 42


@tool(match="#/details/*")
def details() -> str:
    """Read the details."""
    return "details"


@tool
async def open_cart() -> str:
    """Go to the cart, a moment after the answer."""
    journeys.append(asyncio.create_task(go_later()))
    return "on the way"


async def go_later() -> None:
    await asyncio.sleep(0.05)
    await site.go("/cart/1")


@tool
def release_all() -> None:
    """Let every waiting call go on."""
    for event in waiting:
        event.set()
    waiting.clear()
