"""A page's tools and their caller on one clock, with holds that a test makes and releases."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from typing import Any

from tests.unit.calls.caller import Answer, until
from webtools.calls.dispatcher import Dispatcher
from webtools.calls.facts import BROWSER, Facts
from webtools.lifecycle.registry import ToolRegistry
from webtools.testing import FakeClock


class PageRig:
    """Calls tools by their names, and keeps the one answer that each call gets.

    Args:
        is_heard: Whether anybody listens to progress.
        says: What the person says to each question; None: there is nobody to ask.

    Attributes:
        reports: Tool, call id and detail of each report of progress.
        hear: Called with each of them.
        asked: What the person was asked.
        think: Called before they answer.
    """

    def __init__(self, *, is_heard: bool = True, says: bool | None = None) -> None:
        self.clock = FakeClock()
        self.registry = ToolRegistry(self.clock, lambda _: None)
        self.answers: dict[str, Answer] = {}
        self.reports: list[tuple[str, str, dict[str, Any]]] = []
        self.hear: Callable[[], object] = lambda: None
        self.asked: list[str] = []
        self.think: Callable[[], object] = lambda: None
        self._says = says
        self.dispatcher = Dispatcher(
            self.clock,
            self._settle,
            tell_progress=self._note_progress if is_heard else None,
            person=None if says is None else self,
        )
        self._calls = 0

    def call(self, name: str, arguments: dict[str, Any] | None = None, facts: Facts = BROWSER) -> str:
        """Begin a call; gives its id."""
        slot = self.registry.named(name)
        assert slot is not None
        self._calls += 1
        call_id = f"c{self._calls}"
        answer = self.dispatcher.call(slot, call_id, json.dumps(arguments or {}), facts)
        if isinstance(answer, str):
            self._settle(call_id, answer)
        return call_id

    async def answered(self, call_id: str) -> Answer:
        """Wait for the answer of a call."""
        await until(lambda: call_id in self.answers)
        return self.answers[call_id]

    def ask(self, question: int, text: str) -> None:
        """Be the person, who is asked."""
        self.asked.append(json.loads(text)["message"])
        self.think()
        self.dispatcher.confirmed(question, "allowed" if self._says else "denied")

    def withdraw(self, question: int) -> None:
        """Be the person, who has answered."""

    def turn(self) -> None:
        """The macrotask in which the registry looks at what was released."""
        self.clock.advance(0)

    def _note_progress(self, tool: str, call_id: str, text: str) -> None:
        self.hear()
        self.reports.append((tool, call_id, json.loads(text)))

    def _settle(self, call_id: str, text: str) -> None:
        assert call_id not in self.answers
        self.answers[call_id] = json.loads(text)


def play(scene: Callable[[PageRig], Coroutine[Any, Any, None]]) -> PageRig:
    """Play a scene at a new page; no task may be left when it ends, and no callback may have raised."""
    raised: list[dict[str, Any]] = []

    async def whole(rig: PageRig) -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: raised.append(context))
        await scene(rig)
        rig.dispatcher.close()
        await until(lambda: len(asyncio.all_tasks()) == 1)

    rig = PageRig()
    asyncio.run(whole(rig))
    assert raised == []
    return rig
