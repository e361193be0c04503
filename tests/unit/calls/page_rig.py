"""A page's tools and their caller on one clock, with holds that a test makes and releases."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from typing import Any

from tests.unit.calls.caller import Answer, until
from webtools.calls.confirmation import Person
from webtools.calls.dispatcher import Dispatcher
from webtools.calls.facts import BROWSER, Facts
from webtools.calls.ownership import Owners
from webtools.calls.showing import Show
from webtools.lifecycle.registry import ToolRegistry
from webtools.stores.artifacts import Artifacts
from webtools.stores.credentials import CredentialProvider, Credentials
from webtools.testing import FakeClock


class PageRig:
    """Calls tools by their names, and keeps the one answer that each call gets.

    Args:
        is_heard: Whether anybody listens to progress.
        person: Whom calls may ask.
        owners: What this tab owns.
        artifacts: What calls find and keep.
        provider: Gives credentials.
        finds: Whether tools may call each other.
        shower: Shows calls in the page.

    Attributes:
        reports: Tool, call id and detail of each report of progress.
        hear: Called with each of them.
        told: Tool, id and answer of inner calls: None as each begins, and as it ends its answer.
    """

    def __init__(
        self,
        *,
        is_heard: bool = True,
        person: Person | None = None,
        owners: Owners | None = None,
        artifacts: Artifacts | None = None,
        provider: CredentialProvider | None = None,
        finds: bool = False,
        shower: Show | None = None,
    ) -> None:
        self.clock = FakeClock()
        self.registry = ToolRegistry(self.clock, lambda _: None, on_look=lambda: self.dispatcher.look())
        self.credentials = Credentials(self.clock, provider)
        self.answers: dict[str, Answer] = {}
        self.reports: list[tuple[str, str, dict[str, Any]]] = []
        self.told: list[tuple[str, str, str | None]] = []
        self.hear: Callable[[], object] = lambda: None
        self.dispatcher = Dispatcher(
            self.clock,
            self._settle,
            tell_progress=self._note_progress if is_heard else None,
            person=person,
            owners=owners,
            artifacts=artifacts,
            credentials=self.credentials,
            find=self.registry.named if finds else None,
            tell_inner=lambda *told: self.told.append(told),
            shower=shower,
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
