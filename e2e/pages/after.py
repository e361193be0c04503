"""Tools that leave the page once the agent has their answer."""

import asyncio

from webtools import ToolContext, ToolError, page, tool

shop = page("shop")
event = asyncio.Event()


@tool
async def leave(ctx: ToolContext, fails: bool = False) -> str:
    """Go to the page of the panel by a full page load."""
    ctx.after_answer(lambda: shop.leave("/holds.html"))
    if fails:
        raise ToolError("The page stays.", code="STAYS")
    return "The panel's page comes next; its tools begin with show."


@tool
async def wait() -> str:
    """Wait until `go_on`."""
    await event.wait()
    return "waited"


@tool
def go_on() -> None:
    """Let it go on."""
    event.set()
