"""How long to wait before something is tried again."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

__all__ = ["Backoff", "Time"]

DELAYS_S = (1.0, 2.0, 4.0, 8.0, 16.0)

LONG_S = 60.0
"""What has lived so long was no failure from the start."""


@dataclass(frozen=True)
class Time:
    """Seconds that pass; a test has its own."""

    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep


class Backoff:
    """Counts the failures in a row."""

    def __init__(self, time: Time) -> None:
        self._time = time
        self._count = 0

    def next(self, since: float) -> float | None:
        """The seconds before the next attempt; None after too many that lived only shortly.

        Args:
            since: When the one began that has failed.
        """
        if self._time.now() - since >= LONG_S:
            self._count = 0
        return self.again() if self._count < len(DELAYS_S) else None

    def again(self) -> float:
        """The seconds before the next attempt, of which there is always one."""
        delay = DELAYS_S[min(self._count, len(DELAYS_S) - 1)]
        self._count += 1
        return delay
