"""Tools that say where they are in the page."""

import asyncio

from webtools import ToolContext, tool

going = asyncio.Event()


@tool(title="Press Go", target="#go")
async def press(ctx: ToolContext) -> str:
    """Wait until it is let go."""
    going.clear()
    ctx.progress({"message": "Half way", "done": 1, "total": 2})
    await going.wait()
    return "pressed"


@tool
def let_go() -> str:
    """Let it go."""
    going.set()
    return "gone"


@tool(title="Look at Go", target="#go")
def glance(count: int = 1) -> str:
    """Return at once."""
    return f"seen {count}"


@tool(title="Look far", target="#far")
def far() -> str:
    """Return at once."""
    return "seen"


@tool(target=lambda given: f"#{given['where']}")
async def at(where: str) -> str:
    """Wait where it is told."""
    going.clear()
    await going.wait()
    return where


@tool(
    title="Search",
    target="#go",
    fields={
        "query": "#query",
        "department": "#department",
        "in_stock": "#stock",
        "order": "input[name=order]",
        "notes": "#notes",
        "secret": "#password",
        "token": "#token",
        "name": "#name",
    },
    fill=lambda given: {"#price": None if given["cents"] is None else f"{given['cents'] / 100:.2f}"},
)
def search(
    query: str,
    cents: int | None = None,
    department: str | None = None,
    in_stock: bool | None = None,
    order: str | None = None,
    notes: str | None = None,
    secret: str | None = None,
    token: str | None = None,
    name: str | None = None,
) -> str:
    """Search."""
    return f"found {query}"


@tool(title="A panel", held=True)
def panel() -> str:
    """Return at once."""
    return "shown"
