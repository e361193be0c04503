"""A registry at a fake browser that cancels, on a clock that stands still."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import Any

from webtools.lifecycle.registry import ToolRegistry
from webtools.lifecycle.slot import MAX_LEAVING, RESPONSE_GRACE, Slot, Ticket
from webtools.testing import (
    PROFILES,
    FakeClock,
    FakeDOMException,
    FakeExecution,
    FakeModelContext,
    FakeSignal,
)
from webtools.tools.definition import Definition
from webtools.tools.tool import Tool, make_tool

LOSING = PROFILES["chrome-152"]
POSTBACK = LOSING["postbackMs"] / 1000
"""Seconds in which a browser of old can still lose an answer."""

NOTICE = 0.15
"""Seconds until the page notices what was taken away from it."""

QUIET = RESPONSE_GRACE + MAX_LEAVING + POSTBACK + NOTICE + 1
"""Seconds after which nothing is under way any more, where every call has settled."""


def tool_called(name: str, description: str = "d") -> Tool:
    """A tool with a handler of its own."""

    def handler() -> None: ...

    return make_tool(handler, name=name, description=description)


def renewed(tool: Tool) -> Tool:
    """An equal definition with another handler."""
    return replace(tool, handler=lambda: None)


@dataclass
class Call:
    """One call of an agent; it stays in its handler until the test ends it."""

    execution: FakeExecution
    ticket: Ticket
    future: Future[Any] | None

    @property
    def refused(self) -> str | None:
        """The code of the refusal, where the handler was not entered."""
        return self.ticket.refusal.code if self.ticket.refusal else None

    def finish(self) -> None:
        """The handler returns, or raises: it is settled either way."""
        assert self.future is not None
        self.future.set_result({"answer": True})
        self.ticket.slot.settle(self.ticket)

    @property
    def is_answered(self) -> bool:
        """Whether the caller has the answer; False as long as it waits."""
        outcome = self.execution.outcome
        assert outcome is None or "text" in outcome, f"the call was lost: {outcome}"
        return outcome is not None


@dataclass
class Attempt:
    """What the browser was asked for, until it is taken back, refused or lost."""

    definition: Definition
    signal: FakeSignal
    is_in_browser: bool = False


class Rig:
    """What a test drives.

    Attributes:
        traffic: ``(seconds, "register" | "unregister", name)`` of all that the browser was asked for.
        delays: By the number of an attempt, seconds until its outcome; default: the next turn.
        refusals: By the number of an attempt, the error's name that the browser rejects it with.
        breaks: Numbers of attempts whose abort handler throws.
        collisions: Names that we asked for while the browser had one of ours.
    """

    def __init__(self, *, has_context: bool = True) -> None:
        self.clock = FakeClock()
        self.context = FakeModelContext(profile=LOSING, clock=self.clock)
        self.registry = ToolRegistry(self.clock, self.note, self if has_context else None)
        self.traffic: list[tuple[float, str, str]] = []
        self.states: list[tuple[str, str]] = []
        self.delays: dict[int, float] = {}
        self.refusals: dict[int, str] = {}
        self.breaks: set[int] = set()
        self.collisions: list[str] = []
        self.entered: Call | None = None
        self._attempts: dict[int, Attempt] = {}

    def note(self, slot: Slot) -> None:
        self.states.append((slot.name, slot.state))

    # The port

    def register(self, registration: int, definition: Definition) -> None:
        self._log("register", definition.name)
        if definition.name in self.live:
            self.collisions.append(definition.name)
        signal = FakeSignal()
        attempt = self._attempts[registration] = Attempt(definition, signal)
        error = self.refusals.get(registration)
        if error is None:
            try:
                wire = {"name": definition.name, "description": definition.description}
                self.context.register_tool(wire, lambda *_: self._enter(registration), signal=signal)
                attempt.is_in_browser = True
            except FakeDOMException as taken:
                error = taken.name
        self.clock.call_later(self.delays.get(registration, 0.0), lambda: self._tell(registration, error))

    def unregister(self, registration: int) -> None:
        attempt = self._attempts.pop(registration)
        self._log("unregister", attempt.definition.name)
        attempt.signal.abort()
        if registration in self.breaks:
            raise RuntimeError("an abort handler of the page's")

    # What tests say

    def call(self, name: str) -> Call:
        """An agent calls a listed tool."""
        execution = self.context.execute_tool(name, "{}")
        entered, self.entered = self.entered, None
        assert entered is not None, f"{name} is not there: {execution.outcome}"
        entered.execution = execution
        return entered

    def drop(self, name: str) -> None:
        """Something else on the page takes our registration away, with its calls; we notice later."""
        number, attempt = next(
            each
            for each in self._attempts.items()
            if each[1].is_in_browser and each[1].definition.name == name
        )
        attempt.is_in_browser = False
        attempt.signal.abort()
        self.clock.call_later(NOTICE, lambda: self._tell_lost(number))

    @staticmethod
    def is_current(call: Call) -> bool:
        """Whether the call's guarded writes may still be made."""
        return call.ticket.is_current

    def turn(self) -> None:
        """One macrotask, and whatever it brings on at once."""
        self.clock.advance(0)

    @property
    def live(self) -> dict[str, Definition]:
        """What the browser has of ours."""
        return {
            each.definition.name: each.definition for each in self._attempts.values() if each.is_in_browser
        }

    @property
    def asked(self) -> list[str]:
        """What the browser was asked for, without the times."""
        return [f"{what} {name}" for _, what, name in self.traffic]

    def _enter(self, registration: int) -> Any:
        slot = self.registry.of_registration(registration)
        assert slot is not None
        ticket = slot.begin()
        future: Future[Any] | None = None if ticket.refusal else Future()
        self.entered = Call(FakeExecution(slot.name), ticket, future)
        if ticket.refusal:
            slot.settle(ticket)
            return {"refused": ticket.refusal.code}
        return future

    def _tell(self, registration: int, error: str | None) -> None:
        if error is None:
            self.registry.accepted(registration)
        else:
            self._attempts.pop(registration, None)
            self.registry.rejected(registration, error)

    def _tell_lost(self, registration: int) -> None:
        if self._attempts.pop(registration, None):
            self.registry.lost(registration)

    def _log(self, what: str, name: str) -> None:
        self.traffic.append((round(self.clock.now(), 6), what, name))
