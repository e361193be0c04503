"""The port to the time of the page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol


class Timer(Protocol):
    """One pending callback."""

    def cancel(self) -> None:
        """Forget the callback; harmless when it has run or was cancelled before."""


class Clock(Protocol):
    """Time, timers, and the turn of the event loop."""

    def now(self) -> float:
        """Seconds on a clock that never goes back; its zero has no meaning."""

    def epoch_ms(self) -> int:
        """Milliseconds since the Unix epoch."""

    def call_later(self, delay: float, callback: Callable[[], None]) -> Timer:
        """Run the callback once, at least `delay` seconds from now; a hidden page may make it later."""

    def call_soon(self, callback: Callable[[], None]) -> None:
        """Run the callback in a later macrotask, also of a hidden page without delay."""
