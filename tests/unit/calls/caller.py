"""A caller of tools, as a browser is one, with a clock that stands still."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from typing import Any

from webtools.calls.confirmation import Person
from webtools.calls.dispatcher import Dispatcher
from webtools.lifecycle.registry import ToolRegistry
from webtools.lifecycle.slot import Slot
from webtools.testing import FakeClock

Answer = dict[str, Any]


class Caller:
    """Calls, and keeps every answer that each call got: one, or the test has found a fault."""

    def __init__(self, *, person: Person | None = None, debug: bool = False) -> None:
        self.clock = FakeClock()
        self.answers: dict[str, list[Answer]] = {}
        self.dispatcher = Dispatcher(self.clock, self._settle, person=person, debug=debug)

    def call(self, slot: Slot, text: str = "{}") -> str:
        call_id = f"c{len(self.answers) + 1}"
        self.answers[call_id] = []
        answer = self.dispatcher.call(slot, call_id, text)
        if isinstance(answer, str):
            self._settle(call_id, answer)
        return call_id

    def answer(self, call_id: str) -> Answer:
        (answer,) = self.answers[call_id]
        return answer

    async def answered(self, call_id: str) -> Answer:
        await until(lambda: bool(self.answers[call_id]))
        return self.answer(call_id)

    def _settle(self, call_id: str, text: str) -> None:
        self.answers[call_id].append(json.loads(text))


def slot_of(function: Callable[..., Any]) -> Slot:
    """The slot of a tool that is held, where there is no model context."""
    registry = ToolRegistry(FakeClock(), lambda _: None)
    registry.hold(function)
    (slot,) = registry
    return slot


def text_of(answer: Answer) -> str:
    (part,) = answer["content"]
    assert part["type"] == "text"
    return str(part["text"])


def error_of(answer: Answer) -> dict[str, Any]:
    assert answer["isError"] is True
    error: dict[str, Any] = answer["structuredContent"]["error"]
    assert error["message"] == text_of(answer)
    return error


def verdict(answer: Answer) -> tuple[str, str, bool]:
    """An error's code, effect and whether the call may be tried again."""
    error = error_of(answer)
    return error["code"], error["effect"], error["retryable"]


async def until(condition: Callable[[], bool]) -> None:
    """Let the event loop turn until the condition holds, at most a hundred times."""
    for _ in range(100):
        if condition():
            return
        await asyncio.sleep(0)
    raise AssertionError("waited in vain")


def run(scene: Callable[[Caller], Coroutine[Any, Any, None]]) -> Caller:
    """Play a scene with a new caller."""
    caller = Caller()
    asyncio.run(scene(caller))
    return caller
