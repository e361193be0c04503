"""The shopping list, and what an agent can do with it; main.py shows it, so this runs without a page."""

from collections.abc import Callable
from typing import Annotated

from pydantic import Field

from webtools import tool

items: list[str] = []

listeners: list[Callable[[str], None]] = []
"""Who wants to hear of each item that is added."""


def add(item: str) -> None:
    """Put an item on the list."""
    items.append(item)
    for tell in listeners:
        tell(item)


@tool(read_only=True)
def list_items() -> list[str]:
    """List what is to be bought, the oldest first."""
    return items


@tool
def add_item(
    item: Annotated[str, Field(description="What is to be bought", min_length=1, max_length=200)],
) -> list[str]:
    """Put an item on the list, and list them all, the oldest first."""
    add(item)
    return items
