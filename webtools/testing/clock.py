"""A clock that stands still until a test moves it."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from itertools import count

EPOCH_MS = 1_800_000_000_000
"""When the fake clock's time begins, in milliseconds since the Unix epoch: early in 2027."""


class _FakeTimer:
    def __init__(self, callback: Callable[[], None]) -> None:
        self.callback: Callable[[], None] | None = callback

    def cancel(self) -> None:
        self.callback = None


class FakeClock:
    """`webtools.lifecycle.clock.Clock` for tests; it starts at 0 seconds."""

    def __init__(self) -> None:
        self._now = 0.0
        self._order = count()
        self._timers: list[tuple[float, int, _FakeTimer]] = []

    def now(self) -> float:
        """The seconds that the test has let pass."""
        return self._now

    def epoch_ms(self) -> int:
        """The time that the test has let pass, as if it had begun at `EPOCH_MS`."""
        return EPOCH_MS + round(self._now * 1000)

    def call_later(self, delay: float, callback: Callable[[], None]) -> _FakeTimer:
        """Keep the callback for `advance`."""
        timer = _FakeTimer(callback)
        heapq.heappush(self._timers, (self._now + delay, next(self._order), timer))
        return timer

    def call_soon(self, callback: Callable[[], None]) -> None:
        """Keep the callback for the next `advance`, also one by 0 seconds."""
        self.call_later(0.0, callback)

    @property
    def pending(self) -> int:
        """How many timers are running."""
        return sum(timer.callback is not None for _, _, timer in self._timers)

    def advance(self, seconds: float) -> None:
        """Let time pass, and run what falls due in its order, each callback at its own time."""
        until = self._now + seconds
        while self._timers and self._timers[0][0] <= until:
            at, _, timer = heapq.heappop(self._timers)
            self._now = max(self._now, at)
            callback, timer.callback = timer.callback, None
            if callback:
                callback()
        self._now = max(self._now, until)
