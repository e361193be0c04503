"""Asks the person in front of the page whether a call may go on; nothing but a plain yes lets it.

A call's own time stands still while it asks, and waiting for the dialog counts as asking.

Source: ../shared/spec/tool-context.md, §4, "Confirmation".
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from webtools._exceptions import ToolError
from webtools.calls.call import Call
from webtools.lifecycle.clock import Clock
from webtools.tools.encoding import Encoder

LIMIT = 120.0
"""Seconds for which one call may ask in all."""

ALLOWED = "allowed"
"""The only outcome that lets a call go on; every other text is the reason of a refusal."""

DENIALS = {"denied", "dismissed"}
"""Outcomes that are a person's no: by the button, by Escape."""


class Person(Protocol):
    """The port to whom the page can ask; it has one question answered after another."""

    def ask(self, question: int, text: str) -> None:
        """Ask; `Confirmations.answered` is told the outcome, at once or later.

        Args:
            question: Its number.
            text: JSON text ``{"tool", "title"?, "message", "arguments"}``.
        """

    def withdraw(self, question: int) -> None:
        """Nobody needs the answer any more: close the dialog, or never open it."""


@dataclass(eq=False, slots=True)
class _Question:
    call: Call
    outcome: asyncio.Future[str]


class Confirmations:
    """The questions that are open; each ends once.

    Args:
        clock: For the limit.
        person: Whom to ask; None where there is nobody, and every question is refused.
        on_turn: Told when a call begins to ask, and when it has stopped.
    """

    def __init__(self, clock: Clock, person: Person | None, on_turn: Callable[[], None]) -> None:
        self._clock = clock
        self._person = person
        self._on_turn = on_turn
        self._open: dict[int, _Question] = {}
        self._count = 0

    async def ask(self, call: Call, message: str) -> None:
        """Return when the person allows it.

        Raises:
            ToolError: ``USER_DENIED``; ``CONFIRMATION_UNAVAILABLE`` where nobody could be asked or answered;
                ``UI_CONTEXT_CLOSED`` where the call has gone stale meanwhile. ``details`` has the ``reason``.
        """
        outcome = await self._outcome(call, message)
        if outcome != ALLOWED:
            raise refusal_for(call.tool.name, outcome)

    def answered(self, question: int, outcome: str) -> None:
        """The person, or whoever asked for us, is done; harmless for a question that is not open."""
        if (each := self._open.pop(question, None)) and not each.outcome.done():
            each.outcome.set_result(outcome)

    def look(self, is_lost: Callable[[Call], bool]) -> None:
        """Calls may have gone stale: theirs are closed."""
        self._close("stale", is_lost)

    def end(self, call: Call) -> None:
        """The call has its answer: what it still asks is closed."""
        self._close("over", lambda asking: asking is call)

    def _close(self, reason: str, is_meant: Callable[[Call], bool]) -> None:
        for number in [key for key, each in self._open.items() if is_meant(each.call)]:
            self._withdraw(number, reason)

    def _withdraw(self, number: int, reason: str) -> None:
        """Harmless for one that is not open: its limit may pass before its task has heard of its end."""
        if number in self._open and self._person:
            self.answered(number, reason)
            self._person.withdraw(number)

    async def _outcome(self, call: Call, message: str) -> str:
        if self._person is None:
            return "unavailable"
        if call.is_settled:
            return "over"
        left = LIMIT - call.asked(self._clock.now())
        if left <= 0:
            return "timeout"
        self._count += 1
        number = self._count
        outcome: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._open[number] = _Question(call, outcome)
        timer = self._clock.call_later(left, lambda: self._withdraw(number, "timeout"))
        self._turn(call, 1)
        try:
            self._person.ask(number, _text(call, message))
            return await outcome
        finally:
            timer.cancel()
            self._withdraw(number, "over")  # the task was cancelled, or nothing could be asked
            self._turn(call, -1)

    def _turn(self, call: Call, by: int) -> None:
        now = self._clock.now()
        call.asked_before, call.asked_until = call.asked(now), now
        call.asking += by
        self._on_turn()


def _text(call: Call, message: str) -> str:
    tool = call.tool
    question = {"tool": tool.name, "message": message, "arguments": Encoder().encode(call.told)}
    if tool.definition.title is not None:
        question["title"] = tool.definition.title
    return json.dumps(question)


def refusal_for(tool: str, reason: str) -> ToolError:
    """Why a tool may not go on."""
    if reason in DENIALS:
        code = "USER_DENIED"
        said = f"The person in front of the page does not allow {tool}. Do not call it again unless they ask."
    elif reason == "stale":
        code = "UI_CONTEXT_CLOSED"
        said = f"The part of the page that {tool} belonged to went away before the person had answered."
    else:
        code = "CONFIRMATION_UNAVAILABLE"
        said = f"{tool} needs a yes of the person in front of the page, and there is none ({reason})."
    return ToolError(said, code=code, details={"reason": reason})
