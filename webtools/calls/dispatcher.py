"""Runs one call from its input to its answer, both JSON text."""

from __future__ import annotations

import asyncio
import inspect
import logging
import traceback
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from webtools._exceptions import Effect, ToolError
from webtools.calls import tasks
from webtools.calls.deadlines import Deadlines
from webtools.lifecycle.clock import Clock
from webtools.lifecycle.slot import Slot, Ticket
from webtools.tools.answers import answer, failure, returned_error
from webtools.tools.page_tool import PageTool
from webtools.tools.tool import Tool

logger = logging.getLogger("webtools")

LAST_RESORT = failure(ToolError("The tool failed, and so did telling why.", code="TOOL_HANDLER_ERROR"))
"""An answer that is there already, for when none can be made."""


@dataclass(eq=False)
class _Call:
    """One call in flight whose handler waits for something."""

    call_id: str
    ticket: Ticket
    tool: Tool
    task: asyncio.Task[None] | None = None
    text: str | None = None
    is_late: bool = False


class Dispatcher:
    """Validates, runs, answers. A call settles exactly once; nothing it meets is ever raised to the browser.

    Args:
        clock: For the deadlines.
        settle: Takes ``(call_id, text)`` for each call that `call` did not answer itself.
        debug: Whether an unexpected exception's text reaches the agent, too.
    """

    def __init__(self, clock: Clock, settle: Callable[[str, str], None], *, debug: bool = False) -> None:
        self._clock = clock
        self._settle = settle
        self._debug = debug
        self._calls: dict[str, _Call] = {}
        self._elsewhere: dict[str, Ticket] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._deadlines = Deadlines(clock, self._overdue)

    def call(self, slot: Slot, call_id: str, text: str) -> str | int | None:
        """Run one call.

        Args:
            slot: Whose tool is called; the call is counted there.
            call_id: Unique among all calls.
            text: The input as JSON text.

        Returns:
            The answer as JSON text; or None, and it goes to `settle` later; or the number of the handler that
            has to run in the page's JavaScript, until `count_out`.
        """
        ticket = slot.begin()
        try:
            if ticket.refusal:
                return self._counted_out(ticket, failure(ticket.refusal))
            if isinstance(ticket.tool, PageTool):
                self._elsewhere[call_id] = ticket
                return ticket.tool.number
            return self._run(ticket, ticket.tool, call_id, text)
        except BaseException:  # noqa: BLE001  # no memory for an answer, builtins that are gone
            return self._counted_out(ticket, LAST_RESORT)

    def resume(self, calls: dict[str, Ticket]) -> None:
        """Keep calls whose handlers run in the page's JavaScript already, until `count_out`."""
        self._elsewhere.update(calls)

    def count_out(self, call_id: str) -> None:
        """A handler in JavaScript is done; harmless for a call that is unknown."""
        if ticket := self._elsewhere.pop(call_id, None):
            ticket.slot.settle(ticket)

    def is_current(self, call_id: str) -> bool:
        """Whether a call whose handler runs in JavaScript is current; False when it has been counted out."""
        ticket = self._elsewhere.get(call_id)
        return ticket is not None and ticket.is_current

    def _run(self, ticket: Ticket, tool: Tool, call_id: str, text: str) -> str | None:
        try:
            arguments = tool.arguments.accept(text)
        except BaseException as error:  # noqa: BLE001  # an author's validator may raise anything
            return self._counted_out(ticket, self._failed(tool, error, effect="none"))
        try:
            result = tool.handler(**arguments)
        except BaseException as error:  # noqa: BLE001  # also SystemExit: exit() leaves no call unanswered
            return self._counted_out(ticket, self._failed(tool, error))
        if hasattr(type(result), "__await__"):
            return self._await(_Call(call_id, ticket, tool), result)
        return self._counted_out(ticket, self._succeeded(tool, result))

    def abort(self, call_id: str) -> None:
        """The caller gave up: answer ``CANCELLED`` and cancel the task; harmless for a settled call."""
        if call := self._calls.get(call_id):
            self._drop(call, ToolError("The call was cancelled by its caller.", code="CANCELLED"))

    def interrupt(self) -> None:
        """The page is being left: answer every call in flight and cancel its task."""
        for call in list(self._calls.values()):
            said = f"The page was left while {call.tool.name} ran; its effect may still land."
            self._drop(call, ToolError(said, code="CANCELLED"))

    def close(self) -> None:
        """Cancel every call in flight."""
        for call_id in list(self._calls):
            self.abort(call_id)

    def _await(self, call: _Call, result: Awaitable[Any]) -> str | None:
        self._calls[call.call_id] = call
        overdue_at = self._clock.now() + call.tool.timeout
        call.task = task = tasks.start(self._finish(call, result))
        if not task.done():
            self._tasks.add(task)
            task.add_done_callback(lambda done: self._ended(done, call, result))
        if call.text is not None:
            task.cancel()  # does something only to a call that was aborted while it began
            return call.text
        call.is_late = True
        self._deadlines.watch(call.call_id, overdue_at)
        return None

    async def _finish(self, call: _Call, result: Awaitable[Any]) -> None:
        tool = call.tool
        try:
            text = self._succeeded(tool, await result)
        except BaseException as error:  # noqa: BLE001  # as in call()
            if isinstance(error, asyncio.CancelledError) and call.call_id not in self._calls:
                return  # by _drop, which has answered
            text = self._failed(tool, error)
        self._end(call, text)

    def _ended(self, task: asyncio.Task[None], call: _Call, result: Awaitable[Any]) -> None:
        """Let go of a task; one that was cancelled before its first step has neither awaited nor answered."""
        self._tasks.discard(task)
        if inspect.iscoroutine(result):
            result.close()
        if call.call_id in self._calls:
            self._end(call, self._failed(call.tool, asyncio.CancelledError()))

    def _end(self, call: _Call, text: str) -> None:
        """Give the call its answer; the first one counts."""
        if self._calls.pop(call.call_id, None) is None:
            return
        self._deadlines.forget(call.call_id)
        call.text = self._counted_out(call.ticket, text)
        if call.is_late:
            self._settle(call.call_id, text)

    def _drop(self, call: _Call, error: ToolError) -> None:
        self._end(call, failure(error))
        if call.task:
            call.task.cancel()

    def _overdue(self, call_id: str) -> None:
        if call := self._calls.get(call_id):
            tool = call.tool
            text = f"{tool.name} did not finish within {tool.timeout:g} s; its effect may still land."
            self._drop(call, ToolError(text, code="TOOL_TIMEOUT"))

    @staticmethod
    def _counted_out(ticket: Ticket, text: str) -> str:
        ticket.slot.settle(ticket)
        return text

    def _succeeded(self, tool: Tool, value: Any) -> str:
        try:
            if error := returned_error(value):
                return failure(error)
            value = tool.returns.accept(value)
        except BaseException as error:  # noqa: BLE001  # a ValidationError, or what a validator raises
            return _output_invalid(tool, "is not of the type that it declares", error)
        try:
            return answer(value, tool.max_chars, lambda lost: _warn_lost(tool, lost))
        except ToolError as error:
            return failure(_too_long(tool, error))
        except BaseException as error:  # noqa: BLE001  # the value's own code: a property, an iterator
            return _output_invalid(tool, "cannot be written as JSON", error)

    def _failed(self, tool: Tool, error: BaseException, effect: Effect | None = None) -> str:
        if isinstance(error, ToolError):
            try:
                return failure(error if effect is None else _with_effect(error, effect))
            except Exception as broken:  # noqa: BLE001  # a field that cannot be read or written
                error = broken
        logger.error("Tool %r raised an exception", tool.name, exc_info=error)
        said = f"{tool.name} failed with {type(error).__name__}, an error of the page, not of your arguments."
        if self._debug:
            said = f"{said} {''.join(traceback.format_exception_only(error)).strip()}"
        return failure(ToolError(said, code="TOOL_HANDLER_ERROR", effect=effect or "unknown"))


def _warn_lost(tool: Tool, lost: list[str]) -> None:
    logger.warning("Tool %r returned what JSON cannot hold: %s", tool.name, "; ".join(lost[:5]))


def _with_effect(error: ToolError, effect: Effect) -> ToolError:
    """Copy the error, which may be an author's constant."""
    return ToolError(
        error.message, code=error.code, details=error.details, retryable=error.retryable, effect=effect
    )


def _output_invalid(tool: Tool, why: str, error: BaseException) -> str:
    logger.error("Tool %r returned what %s: %s", tool.name, why, error)
    said = f"{tool.name} did its work, but its answer {why}."
    return failure(ToolError(said, code="TOOL_OUTPUT_INVALID", effect="done"))


def _too_long(tool: Tool, error: ToolError) -> ToolError:
    """Add what only the tool knows: which parameters may narrow the answer, and whether to try again."""
    names = list(tool.definition.input_schema["properties"])
    cure = f" Narrow it with {', '.join(names)}." if names else ""
    return ToolError(
        error.message + cure,
        code=error.code,
        details={**(error.details or {}), "parameters": names},
        retryable=tool.definition.annotations.get("readOnlyHint", False),
        effect=error.effect,
    )
