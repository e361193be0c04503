"""Calls that wait until tools are registered, so that their answers can say truthfully what to call next."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from webtools.calls.call import Call
from webtools.lifecycle.clock import Timer

CallLater = Callable[[float, Callable[[], None]], Timer]


@dataclass(eq=False, slots=True)
class _Wait:
    call: Call
    names: tuple[str, ...]
    outcome: asyncio.Future[bool]


class Listings:
    """The waits that are open. They look when a tool's state has changed; nothing polls.

    Args:
        call_later: The clock's, for how long a call waits.
        is_registered: Whether the browser has a tool of that name.
    """

    def __init__(self, call_later: CallLater, is_registered: Callable[[str], bool]) -> None:
        self._call_later = call_later
        self._is_registered = is_registered
        self._open: list[_Wait] = []

    async def until(self, call: Call, names: tuple[str, ...], seconds: float) -> bool:
        """Whether all of them are registered within so many seconds, and before the call has its answer."""
        if call.is_settled:
            return False
        if self._are_there(names):
            return True
        wait = _Wait(call, names, asyncio.get_running_loop().create_future())
        self._open.append(wait)
        timer = self._call_later(seconds, lambda: _end(wait, False))
        try:
            return await wait.outcome
        finally:
            timer.cancel()
            self._open.remove(wait)

    def look(self) -> None:
        """The state of a tool has changed."""
        for wait in self._open:
            if self._are_there(wait.names):
                _end(wait, True)

    def end(self, call: Call) -> None:
        """The call has its answer: it waits no more."""
        for wait in self._open:
            if wait.call is call:
                _end(wait, False)

    def _are_there(self, names: tuple[str, ...]) -> bool:
        return all(map(self._is_registered, names))


def _end(wait: _Wait, is_there: bool) -> None:
    if not wait.outcome.done():
        wait.outcome.set_result(is_there)
