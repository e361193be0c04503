"""Call a tool as a page would, on CPython."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from typing import Any, cast

from webtools.calls.dispatcher import Dispatcher
from webtools.calls.facts import Facts, Identity
from webtools.lifecycle.registry import ToolRegistry
from webtools.testing.clock import FakeClock


async def tool_call(
    function: Callable[..., Any],
    arguments: Mapping[str, Any] | None = None,
    *,
    session_id: str | None = None,
    turn_id: str | None = None,
    identity: Identity | None = None,
) -> dict[str, Any]:
    """Validate the arguments, run the tool, and return the answer that an agent would get.

    Args:
        function: What ``@tool`` was put on.
        arguments: The input, as an agent would send it in JSON.
        session_id: What the caller states of the call, as for the `ToolContext`.
        turn_id: The same.
        identity: The same.

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

    dispatcher = Dispatcher(clock, settle)
    facts = Facts(door="test", session_id=session_id, turn_id=turn_id, identity=identity)
    text = dispatcher.call(slot, "test-1", json.dumps(dict(arguments or {})), facts)
    try:
        return cast("dict[str, Any]", json.loads(text if isinstance(text, str) else await settled))
    finally:
        dispatcher.close()  # for a test that gives up: it cancels the tool, too
