"""Tools for the inspector: one of all kinds of fields, and one that reports until it is let go on."""

import asyncio
from typing import Literal

from webtools import ToolContext, tool


class Gate:
    """Keeps a call until the other tool opens it."""

    event: asyncio.Event | None = None


@tool(read_only=True)
def greet(
    name: str,
    times: int = 1,
    language: Literal["en", "fr"] = "en",
    loud: bool = False,
    tags: list[str] | None = None,
) -> dict[str, object]:
    """Greet somebody."""
    word = {"en": "Hello", "fr": "Bonjour"}[language]
    said = " ".join([f"{word} {name}"] * times)
    return {"said": said.upper() if loud else said, "tags": tags or []}


@tool
async def wait(ctx: ToolContext) -> str:
    """Report, and wait."""
    Gate.event = asyncio.Event()
    ctx.progress({"message": "waiting at the gate", "done": 1, "total": 2})
    await Gate.event.wait()
    return "through"


@tool
def open_gate() -> None:
    """Let the call go on."""
    if Gate.event:
        Gate.event.set()


@tool(match="/elsewhere/*")
def far() -> None:
    """Be there elsewhere."""
