"""Tools that are held and released thousands of times."""

import asyncio
import gc
import sys

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
    """Count Python's containers, their bytes, and the JavaScript objects that Python holds."""
    gc.collect()
    found = gc.get_objects()
    size = sum(
        map(sys.getsizeof, found)
    )  # texts are in no list of the collector's, but swell what keeps them
    return {"objects": len(found), "size": size, "proxies": pyodide_js._module._hiwire_num_refs()}
