"""A thousand calls that end in every way there is leave no task, no timer and no call behind."""

# without `from __future__ import annotations`: ToolContext is a class in the handler's signature, not a text

import asyncio
import gc
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from tests.unit.calls.caller import until
from tests.unit.calls.pair_rig import Scene, said
from webtools import ToolContext, tool
from webtools.calls.call import Call

EACH = 100

WAYS: dict[str, tuple[dict[str, Any], dict[str, int]]] = {
    # options of @tool, and how its calls end
    "answered": ({}, {"done": EACH}),
    "overdue": ({"timeout": 5}, {"TOOL_TIMEOUT unknown": EACH}),
    "silent": ({"idle_timeout": 5}, {"TOOL_TIMEOUT unknown": EACH}),
    "queued": ({"serial": True, "timeout": 5}, {"TOOL_TIMEOUT unknown": 1, "TOOL_TIMEOUT none": EACH - 1}),
    "unseen": ({"confirm": "Go on?"}, {"CONFIRMATION_UNAVAILABLE none": EACH}),
    "again": ({"idempotency": "key", "timeout": 5}, {"TOOL_TIMEOUT unknown": EACH}),
    "refused": ({"permission": lambda _: False}, {"NOT_ALLOWED none": EACH}),
    "aborted": ({}, {"CANCELLED unknown": EACH}),
    "aborted_queued": ({"serial": True}, {"CANCELLED unknown": 1, "CANCELLED none": EACH - 1}),
    "aborted_unseen": ({"confirm": "Go on?"}, {"CANCELLED none": EACH}),
}


def going(name: str, options: dict[str, Any]) -> Callable[..., Any]:
    """A tool whose calls go on until something ends them."""

    @tool(name=name, **options)
    async def go(ctx: ToolContext, key: str) -> None:
        """Go on."""
        if ctx.tool != "answered":
            await asyncio.Event().wait()

    return go


def calls_alive() -> int:
    gc.collect()
    return sum(type(each) is Call for each in gc.get_objects())  # another test's object may lie of its class


def test_a_thousand_calls_leave_nothing_behind(caplog: pytest.LogCaptureFixture) -> None:
    ends: dict[str, Counter[str]] = {name: Counter() for name in WAYS}
    before = calls_alive()

    async def scene(at: Scene) -> None:
        for name, (options, _) in WAYS.items():
            at.registry.hold(going(name, options))
        calls = [(at.call(name, {"key": "same"}), name) for _ in range(EACH) for name in WAYS]
        await until(lambda: len(at.person.open) == 2 * EACH)
        assert at.clock.pending == 2 * EACH + 1, "a limit for each question, and one timer for all deadlines"
        for call_id, name in calls:
            if name.startswith("aborted"):
                at.dispatcher.abort(call_id)
        at.clock.advance(120)
        await until(lambda: len(asyncio.all_tasks()) == 1)
        await asyncio.sleep(0)  # a task's end is told a turn later
        for call_id, name in calls:
            ends[name][said(at.answers[call_id])] += 1
        assert (at.clock.pending, at.person.open) == (0, [])
        assert [slot.in_flight for slot in at.registry] == [0] * len(WAYS)
        assert calls_alive() == before

    asyncio.run(scene(Scene()))
    assert ends == {name: expected for name, (_, expected) in WAYS.items()}
    assert caplog.records == []
