"""A page to drive, for tests of agents on CPython."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, contextmanager
from functools import partial
from typing import Any

from webtools.calls import driving
from webtools.calls.dispatcher import Dispatcher
from webtools.calls.facts import Facts, stated
from webtools.calls.fetching import Fetch, Response
from webtools.calls.listed import listed, not_found
from webtools.calls.listings import Listings
from webtools.calls.signal import CancelSignal, obeying
from webtools.lifecycle import registry
from webtools.lifecycle.registry import ToolRegistry
from webtools.lifecycle.slot import Slot
from webtools.stores import teardown
from webtools.stores.credentials import Credentials
from webtools.stores.teardown import Teardown
from webtools.testing.clock import FakeClock
from webtools.testing.person import FakePerson
from webtools.tools.answers import failure
from webtools.tools.definition import Definition

QUIET, CAP = 0.15, 2.0
"""Seconds; see `webtools.calls.driving.Driver.settled`."""

STEP = 0.01
"""Seconds that pass at a time."""

TURNS = 5
"""Of the loop in each step, for what falls due in it."""


class DrivenPage:
    """`webtools.calls.driving.Driver` without a page.

    Time passes only while an agent waits for it, and then at once.

    Attributes:
        clock: The page's time; a test may let more pass.
        registry: Where tools are held; `webtools.registry()` gives the same.
        fetch: Sends the requests of models.
        concealed: The secrets that the page takes out of its logs and answers.
    """

    def __init__(self, fetch: Fetch, confirm: bool | None = None) -> None:
        self.clock = FakeClock()
        self.fetch = fetch
        self.credentials = Credentials(self.clock)
        self.teardown = Teardown(self.clock)
        self.registry = ToolRegistry(self.clock, lambda _: listings.look(), on_look=lambda: dispatcher.look())
        self._waiting: dict[str, Callable[[str], None]] = {}
        self._calls = 0
        self._heard: list[Callable[[], None]] = []
        self.registry.attach(_Context(self.registry, self._changed))
        listings = Listings(
            lambda *later: asyncio.get_running_loop().call_later(*later), self.registry.is_registered
        )
        person = None if confirm is None else FakePerson(confirm, lambda *said: dispatcher.confirmed(*said))
        self.dispatcher = dispatcher = Dispatcher(
            self.clock,
            self._settle,
            person=person,
            listings=listings,
            teardown=self.teardown,
            credentials=self.credentials,
            find=self.registry.named,
        )

    async def call(self, name: str, text: str, facts: str, signal: CancelSignal) -> str:
        """See `Driver`."""
        slot = self.registry.named(name)
        if slot is None:
            names = [each.name for each in listed(self.registry)]
            return failure(not_found(f"The tool {name!r}", names))
        answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        call_id = self.begin(slot, text, stated(facts), answer.set_result)
        give_up = partial(self.dispatcher.abort, call_id)
        try:
            return answer.result() if answer.done() else await obeying(signal, give_up, answer)
        finally:
            self._waiting.pop(call_id, None)
            give_up()

    def begin(self, slot: Slot, text: str, facts: Facts, answered: Callable[[str], None]) -> str:
        """Begin a call, and give its id.

        Args:
            slot: Whose tool is called.
            text: The input as JSON text.
            facts: What the caller states.
            answered: Takes the answer as JSON text, once.
        """
        self._calls += 1
        call_id = f"call-{self._calls}"
        self._waiting[call_id] = answered
        now = self.dispatcher.call(slot, call_id, text, facts)
        assert not isinstance(now, int), "a tool in JavaScript, on CPython"
        if now is not None:
            self._settle(call_id, now)
        return call_id

    async def settled(self) -> None:
        """See `Driver`."""
        end = self.clock.now() + CAP
        quiet_at = self.clock.now() + QUIET

        def restart() -> None:
            nonlocal quiet_at
            quiet_at = self.clock.now() + QUIET

        self._heard.append(restart)
        try:
            await self._pass(lambda: self.clock.now() >= min(quiet_at, end))
        finally:
            self._heard.remove(restart)

    async def sleep(self, seconds: float) -> None:
        """See `Driver`."""
        at = self.clock.now() + seconds
        await self._pass(lambda: self.clock.now() >= at)

    def conceal(self, secret: str) -> None:
        """See `Driver`."""
        self.credentials.secrets.add([secret])

    def _settle(self, call_id: str, text: str) -> None:
        if answered := self._waiting.pop(call_id, None):  # None: whoever waited has given up
            answered(text)

    async def _pass(self, is_over: Callable[[], bool]) -> None:
        while True:
            for _ in range(TURNS):
                await asyncio.sleep(0)
            if is_over():
                return
            self.clock.advance(STEP)

    def _changed(self) -> None:
        for hear in list(self._heard):
            hear()


class _Context:
    """`webtools.lifecycle.model_context.ModelContext` that accepts everything, and tells of every change."""

    def __init__(self, tools: ToolRegistry, changed: Callable[[], None]) -> None:
        self._tools = tools
        self._changed = changed

    def register(self, registration: int, definition: Definition) -> None:  # noqa: ARG002  # the port's
        self._tools.accepted(registration)
        self._changed()

    def unregister(self, registration: int) -> None:  # noqa: ARG002  # the port's
        self._changed()


@contextmanager
def driven_page(
    *tools: Callable[..., Any], confirm: bool | None = None, fetch: Fetch | None = None
) -> Iterator[DrivenPage]:
    """Make a page with these tools, for `webtools.agent`, for as long as the block runs.

    Args:
        tools: What ``@tool`` was put on; more can come and go by `webtools.registry`.
        confirm: What the person says to everything that they are asked; None: there is nobody to ask.
        fetch: Sends the requests of an `OpenAIModel`; None: each is refused, as if there were no network.

    Raises:
        ToolDefinitionError: A function is no tool.
    """
    page = DrivenPage(fetch or _no_network, confirm)
    before = (driving.attach(page), registry.attach(page.registry), teardown.attach(page.teardown))
    try:
        for each in tools:
            page.registry.hold(each)
        yield page
    finally:
        page.dispatcher.close()
        page.registry.close()
        driving.attach(before[0])
        registry.attach(before[1])
        teardown.attach(before[2])


def _no_network(url: str, headers: Mapping[str, str], body: str) -> AbstractAsyncContextManager[Response]:  # noqa: ARG001  # the port's
    raise ConnectionError("This page has no network.")
