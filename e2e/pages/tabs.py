"""Tools that only the tab may run which owns what they write to."""

import asyncio
from typing import Any

from webtools import Ownership, ToolContext, page, tool

notebook = Ownership("notebook")
desk = Ownership("desk", others="read-only")
store = page("store")
door = {"go": asyncio.Event()}
changes: list[bool] = []
entered: list[str] = []


async def note(is_owner: bool) -> None:
    changes.append(is_owner)


notebook.on_change(note)


@tool(owner=notebook)
async def write(ctx: ToolContext, text: str, waits: bool = False) -> int:
    """Write into the notebook, perhaps after a wait; gives the number to send along."""
    entered.append(text)
    if waits:
        await door["go"].wait()
    ctx.ensure_current()
    await store.append(text)
    assert ctx.epoch is not None
    return ctx.epoch


@tool(owner=desk)
def tidy() -> None:
    """Tidy the desk up."""


@tool
async def take_over(what: str = "notebook") -> None:
    """Go on in this tab."""
    await {"notebook": notebook, "desk": desk}[what].take_over()


@tool
def let_go() -> None:
    """Let another tab have the notebook."""
    notebook.release()


@tool
def go_on() -> None:
    """Let what waits go on."""
    door.pop("go").set()
    door["go"] = asyncio.Event()


@tool
def forget() -> None:
    """Forget what was noted."""
    changes.clear()
    entered.clear()


@tool(read_only=True)
def look(ctx: ToolContext) -> dict[str, Any]:
    """Say how this tab stands."""
    return {
        "owns": ctx.owns("notebook"),
        "is_owner": notebook.is_owner,
        "epoch": notebook.epoch,
        "changes": changes,
        "entered": entered,
    }
