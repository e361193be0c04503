"""Another tool, in an app of its own."""

from webtools import tool


@tool
def part() -> str:
    """Take leave."""
    return "Goodbye!"
