"""The page's tools, for an agent in the page's own Python."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from typing import Any

from webtools._exceptions import ToolError
from webtools.agent.conversation import Answer, error_of
from webtools.calls.driving import Driver, driver
from webtools.calls.facts import Facts, Identity, facts_text
from webtools.calls.listed import listed, not_found
from webtools.calls.signal import CancelSignal
from webtools.lifecycle.registry import registry
from webtools.tools.answers import failure
from webtools.tools.definition import Definition
from webtools.tools.encoding import Encoder
from webtools.tools.nesting import is_too_deep

MAX_WAIT = 10.0
"""Seconds for which a call waits for the new definition of a tool that is being replaced."""

LOOK = 0.1
"""Seconds between two looks at such a tool; looking, unlike calling, does not keep the old one."""


class ToolClient:
    """Lists the page's tools and calls them, by the door of the page's own client.

    It keeps nothing but what its callers state, so there may be several, and none has to be closed.

    Args:
        session_id: Of every call, for the tools' `ToolContext`.
        identity: The same.
        offers: Which tools it has: it neither lists nor calls the others. Default: all of the page's.

    Attributes:
        facts: What it states of its calls.
    """

    def __init__(
        self,
        *,
        session_id: str | None = None,
        identity: Identity | None = None,
        offers: Callable[[Definition], bool] = lambda _: True,
    ) -> None:
        if not isinstance(session_id, str | None):
            raise TypeError(f"ToolClient: session_id must be a text, not a {type(session_id).__name__}.")
        if not isinstance(identity, Identity | None):
            raise TypeError(f"ToolClient: identity must be an Identity, not a {type(identity).__name__}.")
        self.facts = Facts(door="page", session_id=session_id, identity=identity)
        self._offers = offers
        self._has_called = False

    async def tools(self) -> list[Definition]:
        """What the page offers now; after a call it waits until the page has `settled`.

        Tools that are leaving are not among them.
        """
        if self._has_called:
            await self.settled()
        return self._listed()

    async def settled(self) -> None:
        """Wait until the page's tools have not changed for 150 ms, at most for 2 s."""
        await driver().settled()
        self._has_called = False

    async def call(
        self,
        name: str,
        arguments: Mapping[str, Any] | str | None = None,
        *,
        signal: CancelSignal | None = None,
        facts: Facts | None = None,
    ) -> Answer:
        """Call a tool, and return its answer, also where it is an error.

        Where the tool is just being replaced, it waits for the new one, and calls that. Giving up the wait
        gives up the call.

        Args:
            name: The tool's.
            arguments: Data that JSON can hold, or JSON text; what the tool does not take is an answer, too.
            signal: Gives the call up where it fires: the answer is ``CANCELLED`` then.
            facts: What is stated of this call in place of the client's own.

        Raises:
            TypeError: An argument is of another kind.
        """
        text, firing = _text(name, arguments), signal or CancelSignal()
        stated = facts_text(facts or self.facts)
        page = driver()
        end = page.clock.now() + MAX_WAIT
        while True:
            if not self._is_offered(name):
                names = [each.name for each in self._listed()]
                return _read(failure(not_found(f"The tool {name!r}", names)), name)
            self._has_called = True
            answer = _read(await page.call(name, text, stated, firing), name)
            self._has_called = True  # the page may have been waited for meanwhile
            if not await self._is_replaced(page, name, answer, end, firing):
                return answer

    async def _is_replaced(
        self, page: Driver, name: str, answer: Answer, end: float, signal: CancelSignal
    ) -> bool:
        """Whether the call was refused because the tool was being replaced, and by now it has been."""
        error = error_of(answer)
        if not error or error.get("code") != "TOOL_CHANGED" or error.get("effect") != "none":
            return False
        wait = (error.get("details") or {}).get("retry_after_ms", 0) / 1000
        while True:
            if page.clock.now() + wait > end or not await _slept(page, max(wait, LOOK), signal):
                return False
            slot = registry().named(name)
            if slot is None or slot.state != "leaving":
                return True
            wait = LOOK

    def _listed(self) -> list[Definition]:
        return [each for each in listed(registry()) if self._offers(each)]

    def _is_offered(self, name: str) -> bool:
        """Whether a call may go to the page, which has its own words for a tool that is leaving."""
        slot = registry().named(name)
        if slot is None:
            return False
        return slot.current is None or bool(self._offers(slot.current.tool.definition))

    def __repr__(self) -> str:
        bound = f" of session {self.facts.session_id!r}" if self.facts.session_id else ""
        return f"<ToolClient{bound}>"


async def _slept(page: Driver, seconds: float, signal: CancelSignal) -> bool:
    """Sleep; False where the signal fires before the end."""
    sleeping = asyncio.ensure_future(page.sleep(seconds))
    fired = asyncio.ensure_future(signal.wait())
    try:
        await asyncio.wait([sleeping, fired], return_when=asyncio.FIRST_COMPLETED)
        return not signal.cancelled
    finally:
        sleeping.cancel()
        fired.cancel()


def _text(name: str, arguments: Mapping[str, Any] | str | None) -> str:
    if not isinstance(name, str):
        raise TypeError(f"ToolClient.call: the name of a tool is a text, not a {type(name).__name__}.")
    if isinstance(arguments, str):
        return arguments
    if not isinstance(arguments, Mapping | None):
        raise TypeError(f"ToolClient.call: the arguments must be a dict, not a {type(arguments).__name__}.")
    encoder = Encoder()
    plain = encoder.encode(dict(arguments or {}))
    if encoder.lost:
        raise TypeError(f"ToolClient.call: {name} takes JSON data only: {'; '.join(encoder.lost)}.")
    return json.dumps(plain, ensure_ascii=False)


def _read(text: str, name: str) -> Answer:
    if is_too_deep(text):
        said = f"{name} did its work, but its answer is nested too deeply to be read."
        text = failure(ToolError(said, code="TOOL_OUTPUT_INVALID", effect="done"))
    answer: Answer = json.loads(text)
    return answer
