"""The tools whose calls are measured, and what is left after many of them."""

import asyncio
import gc

import pyodide_js
from pydantic import BaseModel

from webtools import ToolError, tool


class Item(BaseModel):
    sku: str
    name: str
    count: int
    price: float


@tool
def text(text: str) -> str:
    """Return the text."""
    return text


@tool
async def text_async(text: str) -> str:
    """Return the text from a coroutine that waits for nothing."""
    return text


@tool
async def text_later(text: str) -> str:
    """Return the text one turn of the event loop later."""
    await asyncio.sleep(0)
    return text


@tool
def items(items: list[Item]) -> str:
    """Return how many items there are, and what they cost."""
    return f"{len(items)}: {sum(item.count * item.price for item in items):.2f}"


@tool
def fail(text: str) -> str:
    """Refuse, whatever the text is."""
    raise ToolError("There is no such text.")


@tool
def census() -> dict[str, int]:
    """Count Python's objects, what it holds of JavaScript, and the bytes of its memory."""
    gc.collect()
    module = pyodide_js._module
    return {
        "objects": len(gc.get_objects()),
        "proxies": module._hiwire_num_refs(),
        "bytes": module.HEAPU8.length,
    }
