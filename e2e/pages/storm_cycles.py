"""Tools that are held and released thousands of times."""

import asyncio
import gc

import pyodide_js

from webtools import Hold, registry, tool

holds: list[Hold] = []


@tool(held=True)
async def first() -> str:
    """Answer after a turn."""
    await asyncio.sleep(0)
    return "first"


@tool(held=True)
async def second() -> str:
    """Answer after a turn."""
    await asyncio.sleep(0)
    return "second"


@tool
def take() -> None:
    """Hold both."""
    holds.extend(registry().hold(each, resource_id="one", owner=object()) for each in (first, second))


@tool
def let_go() -> None:
    """Release both."""
    for hold in holds:
        hold.release()
    holds.clear()


@tool
def flicker(count: int) -> None:
    """Hold and release both so often in one tick."""
    for _ in range(count):
        take()
        let_go()


@tool(read_only=True)
def measure() -> dict[str, int]:
    """Count Python's objects and the JavaScript objects that Python holds."""
    gc.collect()
    return {"objects": len(gc.get_objects()), "proxies": pyodide_js._module._hiwire_num_refs()}
