"""Invariants 7 and 8 of ../shared/spec/lifecycle.md, whatever callers, handlers, owners and time do."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from typing import Annotated, Any

from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from tests.unit.calls.caller import Caller, until
from tests.unit.lifecycle.rig import QUIET, Rig
from webtools.lifecycle.hold import Hold
from webtools.tools.tool import Tool, make_tool

UpTo10 = Annotated[int, Field(le=10)]
UpTo100 = Annotated[int, Field(le=100)]

ENDS = ["value", "lone surrogate", "not a number", "not JSON", "raise", "exit", "wait", "wait and swallow"]

INPUTS = ['{"n": 1, "end": "%s"}', '{"n": 50, "end": "%s"}', '{"n": "x", "end": "%s"}', "[%s", "\ud800 %s"]


class Shop:
    """Two definitions of a name, told apart by what they accept, and a record of what entered a handler."""

    def __init__(self) -> None:
        self.caller = Caller()
        self.rig = Rig()
        self.holds: list[Hold] = []
        self.entered: list[tuple[int, Any]] = []
        self.tools = self._tools()

    def _tools(self) -> list[Tool]:
        async def few(n: UpTo10, end: str) -> Any:
            self.entered.append((10, n))
            return await finish(end)

        async def many(n: UpTo100, end: str) -> Any:
            self.entered.append((100, n))
            return await finish(end)

        return [make_tool(each, name="a", description=each.__name__, timeout=5) for each in (few, many)]

    def step(self, what: str, which: int) -> None:
        """Do one thing; one that has nothing to act on is none."""
        if what in ENDS:
            self._call(INPUTS[which % len(INPUTS)] % what)
        elif what == "hold":
            self.holds.append(self.rig.registry.hold(self.tools[which % 2]))
        elif what == "release" and self.holds:
            self.holds.pop(which % len(self.holds)).release()
        elif what == "abort" and self.caller.answers:
            calls = list(self.caller.answers)
            self.caller.dispatcher.abort(calls[which % len(calls)])
        elif what == "leave":
            self.rig.registry.interrupt()
            self.caller.dispatcher.interrupt()
        elif what == "time":
            for clock in (self.rig.clock, self.caller.clock):
                clock.advance(which)

    def _call(self, text: str) -> None:
        slot = self.rig.registry.named("a")
        if slot:
            self.caller.call(slot, text)


async def finish(end: str) -> Any:
    """Return, raise or wait, as the input says."""
    if end == "raise":
        raise LookupError("no")
    if end == "exit":
        raise SystemExit(1)
    try:
        while end.startswith("wait"):
            await asyncio.Event().wait()
    except asyncio.CancelledError:
        if end == "wait":
            raise
    await asyncio.sleep(0)
    odd = {"lone surrogate": "\ud800", "not a number": float("nan"), "not JSON": object()}
    return odd.get(end, {"a": [1]})


STEPS = st.lists(
    st.tuples(
        st.sampled_from([*ENDS, "hold", "release", "abort", "leave", "time", "turn"]), st.integers(0, 9)
    ),
    max_size=30,
)


def play(steps: list[tuple[str, int]]) -> Shop:
    """Play the steps, end every call that still waits, and let all become quiet."""

    async def scene() -> None:
        shop.step("hold", 0)
        for what, which in steps:
            shop.step(what, which)
            if what == "turn":
                await asyncio.sleep(0)
        shop.caller.clock.advance(60)
        await until(lambda: len(asyncio.all_tasks()) == 1)
        shop.rig.clock.advance(QUIET)

    shop = Shop()
    asyncio.run(scene())
    return shop


@given(STEPS)
def test_invariant_7_a_handler_never_runs_with_what_its_own_model_did_not_accept(
    steps: list[tuple[str, int]],
) -> None:
    for most, n in play(steps).entered:
        assert type(n) is int
        assert n <= most


@given(STEPS)
def test_invariant_8_every_call_settles_once_with_what_json_can_hold(steps: list[tuple[str, int]]) -> None:
    shop = play(steps)
    assert Counter(map(len, shop.caller.answers.values())).keys() <= {1}
    for (answer,) in shop.caller.answers.values():
        assert answer.keys() >= {"content"}
        json.dumps(answer, allow_nan=False).encode()
    assert [slot.in_flight for slot in shop.rig.registry] == [0] * bool(shop.holds)
    assert shop.caller.clock.pending == shop.rig.clock.pending == 0
