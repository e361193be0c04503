"""Call a tool as a page would, on CPython."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from typing import Any, cast

from webtools.calls.dispatcher import Dispatcher
from webtools.calls.facts import Facts, Identity
from webtools.lifecycle.registry import ToolRegistry
from webtools.stores.artifacts import Artifacts
from webtools.testing.clock import FakeClock


class _Person:
    """`webtools.calls.confirmation.Person` who always says the same."""

    def __init__(self, says: bool, answered: Callable[[int, str], None]) -> None:
        self._says = says
        self._answered = answered

    def ask(self, question: int, text: str) -> None:  # noqa: ARG002  # the port's
        """Answer at once."""
        self._answered(question, "allowed" if self._says else "denied")

    def withdraw(self, question: int) -> None:
        """It has been answered."""


async def tool_call(
    function: Callable[..., Any],
    arguments: Mapping[str, Any] | None = None,
    *,
    session_id: str | None = None,
    turn_id: str | None = None,
    identity: Identity | None = None,
    confirm: bool | None = None,
    artifacts: Artifacts | None = None,
) -> dict[str, Any]:
    """Validate the arguments, run the tool, and return the answer that an agent would get.

    Args:
        function: What ``@tool`` was put on.
        arguments: The input, as an agent would send it in JSON.
        session_id: What the caller states of the call, as for the `ToolContext`.
        turn_id: The same.
        identity: The same.
        confirm: What the person says to everything that they are asked; None: there is nobody to ask.
        artifacts: What the call finds and keeps, such as `MemoryArtifacts()`; None: nothing is attached.

    Returns:
        ``{"content": [{"type": "text", "text"}], "structuredContent"?, "isError"?}``, also of an error.

    Raises:
        ToolDefinitionError: The function is no tool.
    """
    clock = FakeClock()
    registry = ToolRegistry(clock, lambda _: None)
    registry.hold(function)
    (slot,) = registry
    settled: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def settle(_: str, text: str) -> None:
        if not settled.done():
            settled.set_result(text)

    person = None if confirm is None else _Person(confirm, lambda *said: dispatcher.confirmed(*said))
    dispatcher = Dispatcher(clock, settle, person=person, artifacts=artifacts)
    facts = Facts(door="test", session_id=session_id, turn_id=turn_id, identity=identity)
    text = dispatcher.call(slot, "test-1", json.dumps(dict(arguments or {})), facts)
    try:
        return cast("dict[str, Any]", json.loads(text if isinstance(text, str) else await settled))
    finally:
        dispatcher.close()  # for a test that gives up: it cancels the tool, too
