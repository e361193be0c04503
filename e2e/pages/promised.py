"""Tools that are there before Python is."""

from webtools import tool

words: list[str] = []


@tool(timeout=100)
def note(word: str) -> list[str]:
    """Note a word."""
    words.append(word)
    return words


@tool(read_only=True)
def count() -> int:
    """Count the words."""
    return len(words)


@tool(match="/cart/*")
async def cart() -> str:
    """Read the cart."""
    return "empty"


@tool(held=True)
def edit() -> str:
    """Edit the document."""
    return "edited"
