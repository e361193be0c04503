"""What handlers want done once their answer has reached the agent, such as leaving the page.

Source: ../shared/spec/tool-context.md, §1, `after_answer`.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from webtools.calls import tasks
from webtools.calls.call import Call
from webtools.lifecycle.clock import Clock, Timer
from webtools.lifecycle.slot import EARLY, RESPONSE_GRACE

logger = logging.getLogger("webtools")

Callback = Callable[[], object]
"""A plain function, or one whose result is awaited."""


@dataclass(eq=False, slots=True)
class _Due:
    """What one call wants done.

    Attributes:
        limit: In the clock's seconds: then it is done, whatever calls are in flight.
    """

    tool: str
    callbacks: list[Callback]
    limit: float


class Afterwards:
    """Runs each call's callbacks, once no answer is on its way; while none waits, no timer runs.

    That is `RESPONSE_GRACE` after the last call settled: a page that is left loses other calls' answers, too.

    Args:
        clock: Gives the time and the one timer.
        is_quiet: Whether no call is in flight.
    """

    def __init__(self, clock: Clock, is_quiet: Callable[[], bool]) -> None:
        self._clock = clock
        self._is_quiet = is_quiet
        self._wanted: dict[Call, list[Callback]] = {}
        self._due: list[_Due] = []
        self._quiet_at = 0.0
        self._timer: Timer | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def add(self, call: Call, callback: Callback) -> None:
        """Want a callback; a call that has its answer gets none any more, and the console says so once."""
        if not call.is_settled:
            self._wanted.setdefault(call, []).append(callback)
        elif not call.is_told_too_late:
            call.is_told_too_late = True
            logger.warning(
                "Tool %r: ctx.after_answer was called when the call had its answer, so nothing is done. "
                "Call it before the handler returns.",
                call.tool.name,
            )

    def answered(self, call: Call, text: str, deadline: Callable[[Call], float]) -> None:
        """A call has its answer, which drops what it wants where it is an error.

        Args:
            call: Not in flight any more.
            text: The answer, JSON text.
            deadline: Gives the call's, in the clock's seconds: no other call delays what it wants for longer.
        """
        callbacks = self._wanted.pop(call, None)
        if callbacks and not json.loads(text).get("isError"):
            limit = max(deadline(call), self._clock.now() + RESPONSE_GRACE)
            self._due.append(_Due(call.tool.name, callbacks, limit))
        self.look()

    def look(self) -> None:
        """A call has its answer, whatever ran it."""
        if self._due:
            self._quiet_at = self._clock.now() + RESPONSE_GRACE
            self._set()

    async def done(self) -> None:
        """Wait for what has begun."""
        await asyncio.gather(*self._tasks)

    def drop(self) -> None:
        """The page is being left: nothing is done any more."""
        self._due.clear()
        self._stop()
        for task in list(self._tasks):
            task.cancel()

    def _at(self, due: _Due) -> float:
        return min(self._quiet_at, due.limit) if self._is_quiet() else due.limit

    def _set(self) -> None:
        self._stop()
        if self._due:
            wait = min(map(self._at, self._due)) - self._clock.now()
            self._timer = self._clock.call_later(max(0.0, wait), self._fire)

    def _stop(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def _fire(self) -> None:
        self._timer = None
        now = self._clock.now() + EARLY
        ready = [due for due in self._due if self._at(due) <= now]
        self._due = [due for due in self._due if due not in ready]
        self._set()
        for due in ready:
            task = tasks.start(_run(due))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)


async def _run(due: _Due) -> None:
    for callback in due.callbacks:
        try:
            result = callback()
            if isinstance(result, Awaitable):
                await result
        except asyncio.CancelledError:
            raise
        except BaseException:  # also SystemExit: the interpreter goes on
            logger.exception("Tool %r: what it does after its answer failed", due.tool)
