"""The port to the time of the page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol


class Timer(Protocol):
    """One pending callback."""

    def cancel(self) -> None:
        """Forget the callback; harmless when it has run or was cancelled before."""


class Clock(Protocol):
    """Time and timers."""

    def now(self) -> float:
        """Seconds on a clock that never goes back; its zero has no meaning."""

    def call_later(self, delay: float, callback: Callable[[], None]) -> Timer:
        """Run the callback once, at least `delay` seconds from now; a hidden page may make it later."""
