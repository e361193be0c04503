"""Tells a handler that its caller has given up."""

from __future__ import annotations

import asyncio


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
        """Tell whoever waits; the dispatcher's to call."""
        if self.reason is not None:
            return
        self.reason = reason
        waiting, self._waiting = self._waiting, []
        for future in waiting:
            if not future.done():
                future.set_result(None)

    def __repr__(self) -> str:
        return f"<CancelSignal, fired: {self.reason}>" if self.reason else "<CancelSignal>"
