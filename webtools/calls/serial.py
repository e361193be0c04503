"""Lets the calls of one tool run one after another."""

from __future__ import annotations

import asyncio
from collections import deque

from webtools.calls.call import Call


class Queues:
    """One queue for each name; a call holds its place until its handler's task is over."""

    def __init__(self) -> None:
        self._running: dict[str, Call] = {}
        self._waiting: dict[str, deque[tuple[Call, asyncio.Future[None]]]] = {}

    def enter(self, call: Call) -> asyncio.Future[None] | None:
        """Take the turn at once, or return what is done when it has come."""
        name = call.tool.name
        if name not in self._running:
            self._running[name] = call
            return None
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(name, deque()).append((call, future))
        return future

    def ahead_of(self, call: Call) -> Call | None:
        """The call that has the turn for which this one waits."""
        name = call.tool.name
        is_waiting = any(each is call for each, _ in self._waiting.get(name, ()))
        return self._running.get(name) if is_waiting else None

    def leave(self, call: Call) -> None:
        """Give up turn or place; harmless for a call that has neither."""
        if not self._running:
            return  # and so nobody waits either
        name = call.tool.name
        if self._running.get(name) is not call:
            self._forget(name, call)
            return
        del self._running[name]
        waiting = self._waiting.get(name, deque())
        while waiting and name not in self._running:
            following, future = waiting.popleft()
            if not future.done():
                self._running[name] = following
                future.set_result(None)
        if not waiting:
            self._waiting.pop(name, None)

    def _forget(self, name: str, call: Call) -> None:
        waiting = self._waiting.get(name)
        if waiting is None:
            return
        left = deque(each for each in waiting if each[0] is not call)
        if left:
            self._waiting[name] = left
        else:
            del self._waiting[name]
