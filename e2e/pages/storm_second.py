"""The app that comes into the middle of a storm."""

from webtools import tool


@tool(description="part")
async def part(call: str, action: str = "read") -> str:
    return f"{call}: done"


@tool(held=True, description="spare")
def spare(call: str, action: str = "read") -> str:
    return f"{call}: done"


@tool(match="/checkout", description="pay")
def pay(call: str, action: str = "read") -> str:
    return f"{call}: done"
