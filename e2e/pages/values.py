"""Tools that take and return what is hard to get right. This app uses `js`, to return a DOM node."""

import asyncio
import gc
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from functools import partial
from typing import Any, Literal

import js
import pyodide_js
from pydantic import BaseModel

from webtools import ToolError, page, tool

happened: list[str] = []


@dataclass
class Pair:
    left: int
    right: str


def loop() -> list[Any]:
    """A list that contains itself."""
    values: list[Any] = [1]
    values.append(values)
    return values


RESULTS: dict[str, Callable[[], Any]] = {
    "none": lambda: None,
    "set": set,
    "decimal": lambda: Decimal("1.10"),
    "datetime": lambda: datetime(2026, 1, 2, 3, 4, tzinfo=UTC),
    "bytes": lambda: b"\xff\xfe",
    "nan": lambda: float("nan"),
    "big": lambda: 2**70,
    "loop": loop,
    "dataclass": lambda: Pair(1, "x"),
    "generator": lambda: (n for n in range(3)),
    "node": lambda: js.document.body,
    "js null": lambda: {"inside": js.document.querySelector("nothing")},
    "unicode": lambda: "Élan 靴 👟",
    "surrogate": lambda: "a\ud800b",
}


@tool
def result(kind: str) -> Any:
    """Return a value of this kind, after an effect."""
    happened.append(kind)
    return RESULTS[kind]()


@tool(read_only=True)
def effects() -> list[str]:
    """List what happened, and forget it."""
    seen = happened[:]
    happened.clear()
    return seen


@tool
def text(value: str) -> str:
    """Return the text as it came."""
    return value


@tool
def numbers(values: list[int]) -> list[int]:
    """Return the numbers."""
    return values


class Coupon(BaseModel):
    """A coupon."""

    code: str | None
    title: str


@tool
def order(coupon: Coupon | None, title: str = "untitled", note: str | None = None) -> str:
    """Say what came."""
    return repr((coupon and coupon.model_dump(), title, note))


@tool
def nested(data: dict[str, Any]) -> str:
    """Say what came."""
    return repr(data)


@tool
async def find(sku: int) -> str:
    """Find nothing."""
    raise ToolError(f"no such product {sku}", code="UNKNOWN_SKU", details={"sku": sku}, effect="none")


@tool
def returned(code: Literal["OUT", "IN"]) -> dict[str, Any]:
    """Return an error instead of raising it."""
    return {"error": {"code": code, "message": f"returned {code}", "retryable": True}}


@tool
def divide(by: int) -> float:
    """Divide one."""
    return 1 / by


@tool
def promise() -> int:
    """Return what is not declared."""
    return "secret words"  # type: ignore[return-value]  # that is the point


@tool(max_chars=100, read_only=True)
def long(size: int) -> str:
    """Return a long text."""
    return "x" * size


@tool(timeout=0.05)
async def never() -> None:
    """Wait longer than allowed."""
    await asyncio.Event().wait()


@tool
async def wait(name: str) -> None:
    """Wait until it is cancelled."""
    happened.append(f"{name} began")
    try:
        await asyncio.Event().wait()
    finally:
        happened.append(f"{name} was cleaned up")


@tool
async def use(function: str, arguments: list[Any], place: str = "page") -> Any:
    """Call a function of the page."""
    return await getattr(page(place), function)(*arguments)


@tool
def use_now(function: str, arguments: list[Any]) -> Any:
    """Call a function of the page without waiting."""
    return getattr(page("page"), function).now(*arguments)


@tool
async def missing() -> None:
    """Use what the page does not expose."""
    await page("nowhere").go()


class Counter:
    """Counts."""

    def __init__(self) -> None:
        self.count = 0

    def increase(self, by: int = 1) -> int:
        """Count on."""
        self.count += by
        return self.count

    async def __call__(self, by: int) -> int:
        """Count down."""
        self.count -= by
        return self.count


counter = Counter()
increase = tool(counter.increase)
decrease = tool(name="decrease")(counter)
increase_by_ten = tool(partial(counter.increase, 10), name="increase_by_ten")


@tool
async def die(how: Literal["exit", "overflow"], after_a_wait: bool) -> None:
    """End Python."""
    if after_a_wait:
        await asyncio.sleep(0.01)
    if how == "exit":
        os._exit(3)
    sys.setrecursionlimit(10**9)
    overflow()


def overflow() -> None:
    """Overflow the stack, through the C code of map, which the recursion limit does not stop."""
    list(map(lambda _: overflow(), [1]))  # noqa: C417  # a comprehension is Python, not C


@tool
def deep(depth: int) -> Any:
    """Return nested lists."""
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


@tool(read_only=True)
def measure() -> dict[str, int]:
    """Count Python's objects and tasks, and the JavaScript objects that Python holds."""
    happened.clear()
    gc.collect()
    return {
        "objects": len(gc.get_objects()),
        "proxies": pyodide_js._module._hiwire_num_refs(),
        "tasks": len(asyncio.all_tasks()),
    }
