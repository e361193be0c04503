"""Calls of tools that a manifest has promised: they wait until the app that defines them is there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from webtools._exceptions import ToolError
from webtools.calls.deadlines import Deadlines
from webtools.calls.facts import BROWSER, Facts
from webtools.lifecycle.clock import Clock
from webtools.lifecycle.slot import Ticket
from webtools.tools.answers import failure
from webtools.tools.promised_tool import PromisedTool
from webtools.tools.tool import Tool


@dataclass(eq=False)
class EarlyCall:
    """One call that waits; it has been counted in.

    Attributes:
        text: The input as JSON text.
        began_at: In the clock's seconds; its own deadline runs from there.
    """

    call_id: str
    ticket: Ticket
    tool: PromisedTool
    text: str
    began_at: float
    facts: Facts = BROWSER


class EarlyCalls:
    """Keeps them in the order in which they came.

    Args:
        clock: For their deadlines.
        settle: Takes ``(call_id, text)`` for each call that does not come to its tool.
        begin: Told of each call whose tool is there.
    """

    def __init__(
        self, clock: Clock, settle: Callable[[str, str], None], begin: Callable[[EarlyCall, Tool], None]
    ) -> None:
        self._settle = settle
        self._begin = begin
        self._calls: dict[str, EarlyCall] = {}
        self._failed: dict[str, str] = {}
        self._deadlines = Deadlines(clock, self._overdue)

    def take(self, call: EarlyCall) -> str | None:
        """Let a call wait; or give the answer of one that is refused."""
        if refusal := call.ticket.refusal:
            reason = self._failed.get(call.tool.app)
            call.ticket.slot.settle(call.ticket)
            return failure(refusal if reason is None else _host_failed(reason))
        self._calls[call.call_id] = call
        self._deadlines.watch(call.call_id, call.began_at + call.tool.timeout)
        return None

    def arrived(self, app: str) -> None:
        """The app has been loaded, and what it defines is held: its calls begin, in their order."""
        self._failed.pop(app, None)
        for call in self._of(app):
            slot = call.ticket.slot
            tool = slot.tool_of(call.ticket)
            if call.ticket.is_current and isinstance(tool, Tool):
                if self._take_out(call.call_id):
                    self._begin(call, tool)
            else:
                self._end(call.call_id, slot.refusal_of(call.ticket))

    def failed(self, app: str, reason: str) -> None:
        """The app cannot be loaded: its calls are answered, and those that come while its tools leave."""
        self._failed[app] = reason
        for call in self._of(app):
            self._end(call.call_id, _host_failed(reason))

    def abort(self, call_id: str) -> None:
        """The caller gave up; harmless for a call that does not wait here."""
        self._end(
            call_id, ToolError("The call was cancelled by its caller.", code="CANCELLED", effect="none")
        )

    def interrupt(self) -> None:
        """The page is being left."""
        for call in list(self._calls.values()):
            said = f"The page was left before {call.tool.name} began; it has done nothing."
            self._end(call.call_id, ToolError(said, code="CANCELLED", effect="none"))

    def _of(self, app: str) -> list[EarlyCall]:
        return [call for call in self._calls.values() if call.tool.app == app]

    def _overdue(self, call_id: str) -> None:
        if call := self._calls.get(call_id):
            said = f"{call.tool.name} could not begin within {call.tool.timeout:g} s; it has done nothing."
            self._end(call_id, ToolError(said, code="TOOL_TIMEOUT", effect="none"))

    def _take_out(self, call_id: str) -> EarlyCall | None:
        self._deadlines.forget(call_id)
        return self._calls.pop(call_id, None)

    def _end(self, call_id: str, error: ToolError) -> None:
        if call := self._take_out(call_id):
            call.ticket.slot.settle(call.ticket)
            self._settle(call_id, failure(error))


def _host_failed(reason: str) -> ToolError:
    return ToolError(f"This page's tools do not work: {reason}", code="HOST_FAILED", effect="none")
