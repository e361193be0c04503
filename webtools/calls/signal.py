"""Tells a handler that its caller has given up."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

T = TypeVar("T")


class CancelSignal:
    """One call's; it fires at most once, and never where the caller cannot give up.

    Attributes:
        reason: Why it fired, such as "CANCELLED" or "TOOL_TIMEOUT"; None before.
    """

    def __init__(self) -> None:
        self.reason: str | None = None
        self._waiting: list[asyncio.Future[None]] = []

    @property
    def cancelled(self) -> bool:
        """Whether it has fired."""
        return self.reason is not None

    async def wait(self) -> None:
        """Return when it fires, at once where it has."""
        if self.reason is None:
            future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(future)
            await future

    def fire(self, reason: str) -> None:
        """Tell whoever waits; of a call's own signal it is the dispatcher's to call."""
        if self.reason is not None:
            return
        self.reason = reason
        waiting, self._waiting = self._waiting, []
        for future in waiting:
            if not future.done():
                future.set_result(None)

    def __repr__(self) -> str:
        return f"<CancelSignal, fired: {self.reason}>" if self.reason else "<CancelSignal>"


async def obeying(signal: CancelSignal | None, give_up: Callable[[], None], answer: Awaitable[T]) -> T:
    """Wait for an answer, and call `give_up` where the signal fires before it is there."""
    if signal is None:
        return await answer
    fired = asyncio.ensure_future(signal.wait())
    fired.add_done_callback(lambda done: None if done.cancelled() else give_up())
    try:
        return await answer
    finally:
        fired.cancel()
