"""One timer for the deadlines of all calls in flight.

A timer per call would keep every call's objects until its time has passed, because a browser's event loop
forgets a timer only when it fires (../shared/spec/platform.md, "Memory").
"""

from __future__ import annotations

from collections.abc import Callable

from webtools.lifecycle.clock import Clock, Timer


class Deadlines:
    """Tells which calls are overdue; while nothing is watched, no timer runs.

    Args:
        clock: Gives the time and the one timer.
        on_overdue: Told the id of each call whose time has passed; it is not watched any more then.
    """

    def __init__(self, clock: Clock, on_overdue: Callable[[str], None]) -> None:
        self._clock = clock
        self._on_overdue = on_overdue
        self._at: dict[str, float] = {}
        self._timer: Timer | None = None
        self._next = 0.0

    def watch(self, call_id: str, at: float) -> None:
        """Expect the call to settle before `at`, in the clock's seconds."""
        self._at[call_id] = at
        if self._timer is None or at < self._next:
            self._set(at)

    def forget(self, call_id: str) -> None:
        """The call has settled; harmless for one that is not watched."""
        self._at.pop(call_id, None)
        if not self._at:
            self._stop()

    def _set(self, at: float) -> None:
        self._stop()
        self._next = at
        self._timer = self._clock.call_later(max(0.0, at - self._clock.now()), self._fire)

    def _stop(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def _fire(self) -> None:
        self._timer = None
        now = self._clock.now()
        for call_id in [each for each, at in self._at.items() if at <= now]:
            if self._at.pop(call_id, None) is not None:  # an earlier one's end may have ended it
                self._on_overdue(call_id)
        if self._at:  # also where a call that began meanwhile has set a later timer
            self._set(min(self._at.values()))
