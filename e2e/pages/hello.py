"""One tool."""

from webtools import tool


@tool(title="Greet", read_only=True)
def greet(name: str = "world") -> str:
    """Greet somebody.

    Args:
        name: Whom to greet.
    """
    return f"Hello, {name}!"
