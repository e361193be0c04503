"""The calls of one page that are in flight."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from webtools.agent.conversation import Answer
from webtools.cli.bridge.events import Answered, Progress
from webtools.cli.bridge.ports import Document, DocumentLeft

__all__ = ["Call", "Calls", "abort", "start"]


@dataclass(eq=False)
class Call:
    """One call, and what is told of it in its order: reports, then the page's answer or the bridge's."""

    number: int
    name: str
    told: asyncio.Queue[Progress | Answered | Answer] = field(default_factory=asyncio.Queue)


class Calls:
    """Those of one page, by the numbers that its document has for them.

    Attributes:
        are_there: Set while there is one.
    """

    def __init__(self) -> None:
        self.are_there = asyncio.Event()
        self._last = 0
        self._calls: dict[int, Call] = {}

    @contextmanager
    def one(self, name: str) -> Iterator[Call]:
        """Have one more while the block runs."""
        self._last += 1
        call = self._calls[self._last] = Call(self._last, name)
        self.are_there.set()
        try:
            yield call
        finally:
            del self._calls[call.number]
            if not self._calls:
                self.are_there.clear()

    def take(self, event: Progress | Answered) -> None:
        """Give what the page tells to its call; nobody wants it once the call is over."""
        if call := self._calls.get(event.call):
            call.told.put_nowait(event)

    def answer(self, answer: Callable[[str], Answer]) -> None:
        """Answer all that are there, each by its tool's name."""
        for call in self._calls.values():
            call.told.put_nowait(answer(call.name))


async def start(document: Document, call: Call, text: str) -> None:
    """Have the document begin, where it is still there."""
    with suppress(DocumentLeft):  # the one who keeps the page open finds so too, and tells the call
        await document.start(call.number, call.name, text)


async def abort(document: Document, call: Call) -> None:
    """Give a call up, where its document is still there."""
    with suppress(DocumentLeft):
        await document.abort(call.number)
