"""Tools that ask the person first."""

from typing import Any

from webtools import ToolContext, tool

ran: list[str] = []


@tool(title="Pay the bill", confirm="Pay the bill now?\nThis cannot be undone.")
def pay(amount: int = 1, note: str = "") -> str:
    """Pay."""
    ran.append("pay")
    return f"paid {amount}"


@tool
async def ask(ctx: ToolContext, message: str) -> str:
    """Ask."""
    await ctx.confirm(message)
    ran.append("ask")
    return "asked"


def asked(ctx: ToolContext, arguments: dict[str, Any]) -> str:
    return f"Open panel {arguments['number']}?"


@tool(held=True, confirm=asked)
def panel(number: int = 7) -> str:
    """Open the panel."""
    ran.append("panel")
    return "opened"


@tool
def look() -> list[str]:
    """What has run."""
    found = list(ran)
    ran.clear()
    return found
