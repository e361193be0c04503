"""The tools that are measured."""

import asyncio

from webtools import tool


@tool
def echo(text: str) -> str:
    """Return the text."""
    return text


@tool
async def echo_async(text: str) -> str:
    """Return the text from a coroutine that waits for nothing."""
    return text


@tool
async def echo_later(text: str) -> str:
    """Return the text one turn of the event loop later."""
    await asyncio.sleep(0)
    return text
