"""A panel that opens and closes: its tools are held while it is open."""

import asyncio
from collections.abc import Callable
from typing import Any

from webtools import Hold, registry, tool

holds: dict[str, Hold] = {}
waiting: list[asyncio.Event] = []


@tool(held=True)
async def panel(action: str = "read") -> str:
    """Read the panel, close it, or wait in it until `release_all`."""
    if action == "close":
        holds.pop("panel").release()
    if action == "wait":
        event = asyncio.Event()
        waiting.append(event)
        await event.wait()
    return f"{action}: done"


@tool(held=True, name="other", description="The first.")
def first() -> str:
    return "first"


@tool(held=True, name="other", description="The second.")
async def second() -> str:
    await asyncio.sleep(0.02)
    return "second"


HELD: dict[str, Callable[..., Any]] = {"panel": panel, "first": first, "second": second}


@tool
def show(what: str) -> None:
    """Hold one of the tools."""
    holds[what] = registry().hold(HELD[what])


@tool
def hide(what: str) -> None:
    """Release it."""
    holds.pop(what).release()


@tool
def remount(what: str) -> None:
    """Release it and hold it again in one tick."""
    holds.pop(what).release()
    holds[what] = registry().hold(HELD[what])


@tool
def release_all() -> int:
    """Let every waiting call go on."""
    count = len(waiting)
    for event in waiting:
        event.set()
    waiting.clear()
    return count


@tool(read_only=True)
def state() -> str:
    """Say what the registry is."""
    return repr(registry())
