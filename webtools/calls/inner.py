"""Tools that call tools: ``ctx.tools``, one level deep.

Source: ../shared/spec/tool-context.md, §10.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Protocol

from pydantic import ValidationError

from webtools._exceptions import ToolError
from webtools.calls.call import Call
from webtools.calls.signal import CancelSignal, obeying
from webtools.lifecycle.hold import AnyTool
from webtools.lifecycle.slot import Slot
from webtools.stores.credentials import Credentials
from webtools.tools.answers import DONE
from webtools.tools.encoding import Encoder
from webtools.tools.page_tool import PageTool
from webtools.tools.tool import Tool

Find = Callable[[str], Slot | None]
"""Gives the slot of a name."""


class Runner(Protocol):
    """What runs calls: the dispatcher."""

    def run_inner(self, call: Call) -> Awaitable[str]:
        """Run a call that its slot has counted in; gives its answer, JSON text."""

    def abort(self, call_id: str) -> None:
        """Give a call up; harmless for one that has its answer."""

    def now(self) -> float:
        """The clock's seconds."""


class ToolDispatch:
    """The page's other tools, for the handler of one call; what they return comes back as they return it.

    Tools whose handlers are JavaScript are not among them, nor is the tool itself.
    """

    def __init__(self, outer: Call, find: Find, credentials: Credentials, runner: Runner) -> None:
        self._outer = outer
        self._find = find
        self._credentials = credentials
        self._runner = runner
        self._calls = 0

    def has(self, name: str) -> bool:
        """Whether there is such a tool of Python's now, other than this one.

        It says nothing of whether `call` is allowed: one that asks the person is there, and refuses.

        Raises:
            TypeError: The name is no text.
        """
        _check_name("has", name)
        return isinstance(self._tool_of(self._find(name)), Tool) and name != self._outer.tool.name

    async def call(
        self, name: str, args: Mapping[str, Any] | None = None, signal: CancelSignal | None = None
    ) -> Any:
        """Call another tool by its name, and return what its handler returns.

        It is a call of that tool like any other, but cannot ask the person. It ends with the outer call.

        Args:
            name: The tool's.
            args: What an agent would send, in data that JSON can hold.
            signal: Gives the inner call up where it fires.

        Raises:
            ToolError: There is no such tool, it asks the person first, it wants artifacts, it does not take
                these arguments, its credential was not issued, or what it raised itself. The message names
                the tool.
            TypeError: An argument is of another kind.
        """
        _check_name("call", name)
        if not isinstance(args, Mapping | None):
            raise TypeError(f"ctx.tools.call: the arguments must be a dict, not a {type(args).__name__}.")
        if not isinstance(signal, CancelSignal | None):
            raise TypeError(f"ctx.tools.call: signal must be a CancelSignal, not a {type(signal).__name__}.")
        try:
            return await self._called(name, args, signal)
        except ToolError as error:
            # what the inner call did not do, the outer one may have done
            raise ToolError(
                error.message, code=error.code, details=error.details, retryable=error.retryable
            ) from error

    async def _called(self, name: str, args: Mapping[str, Any] | None, signal: CancelSignal | None) -> Any:
        text = _text(name, args)
        _, tool = self._accepting(name, text)
        need = tool.guards.needs
        who = self._outer.facts.identity
        issued = (need, await self._credentials.get(need, who, name)) if need else None
        slot, tool = self._accepting(name, text)  # after a wait another one may be there
        call = self._begun(slot, tool, text, signal)
        call.issued = issued
        give_up = partial(self._runner.abort, call.call_id)
        answer = json.loads(await obeying(signal, give_up, self._runner.run_inner(call)))
        return call.result[0] if call.result else _value(tool, answer)

    def _accepting(self, name: str, text: str) -> tuple[Slot, Tool]:
        """The tool, where it may be called so."""
        if self._outer.is_settled:
            said = f"{self._outer.tool.name} has its answer already; {name} was not called."
            raise ToolError(said, code="CANCELLED")
        slot = self._find(name)
        tool = self._tool_of(slot)
        if slot is None or not isinstance(tool, Tool) or name == self._outer.tool.name:
            raise ToolError(self._why_not(name, tool), code="TOOL_NOT_FOUND")
        if tool.guards.confirm is not None:
            raise ToolError(cannot_ask(name), code="CONFIRMATION_UNAVAILABLE", details={"reason": "inner"})
        if tool.wants:
            raise ToolError(cannot_want(name), code="ARTIFACT_REFUSED", details={"reason": "inner"})
        tool.arguments.accept(text)
        return slot, tool

    def _begun(self, slot: Slot, tool: Tool, text: str, signal: CancelSignal | None) -> Call:
        if signal and signal.cancelled:
            raise ToolError(f"{tool.name} was not called: its signal has fired.", code="CANCELLED")
        ticket = slot.begin()
        if ticket.refusal:
            slot.settle(ticket)
            raise ticket.refusal
        self._calls += 1
        outer, place = self._outer, f"#inner-{self._calls}"
        theirs = outer.facts.call_id and f"{outer.facts.call_id}{place}"
        facts = replace(outer.facts, door="inner", call_id=theirs)
        call_id = f"{outer.call_id}{place}"
        return Call(call_id, ticket, tool, text, facts, self._runner.now(), outer=outer)

    def _why_not(self, name: str, tool: AnyTool | None) -> str:
        if isinstance(tool, PageTool):
            return f"{name} is a tool in JavaScript, which a tool in Python reaches by what the page exposes."
        if name == self._outer.tool.name:
            return f"{name} cannot call itself as a tool: call its function."
        return f"There is no tool {name} here now."

    @staticmethod
    def _tool_of(slot: Slot | None) -> AnyTool | None:
        return slot.current.tool if slot and slot.current else None

    def __repr__(self) -> str:
        return f"<the tools that {self._outer.tool.name!r} may call>"


def cannot_ask(name: str) -> str:
    """Why a tool that asks the person is not called by another one."""
    return (
        f"{name} asks the person in front of the page, and a tool that another tool calls cannot. "
        f"Let the agent call {name} itself."
    )


def cannot_want(name: str) -> str:
    """Why a tool that wants artifacts is not called by another one."""
    return (
        f"{name} takes artifacts, and a tool that another tool calls has none. "
        f"Let the agent call {name} itself."
    )


def _check_name(verb: str, name: str) -> None:
    if not isinstance(name, str):
        raise TypeError(f"ctx.tools.{verb}: the name of a tool is a text, not a {type(name).__name__}.")


def _text(name: str, args: Mapping[str, Any] | None) -> str:
    encoder = Encoder()
    plain = encoder.encode(dict(args or {}))
    if encoder.lost:
        said = f"{name} takes JSON data only: {'; '.join(encoder.lost)}."
        raise ToolError(said, code="INVALID_TOOL_ARGS")
    return json.dumps(plain, ensure_ascii=False)


def _value(tool: Tool, answer: dict[str, Any]) -> Any:
    """What the answer says that a handler returned: an error, or what was answered to an earlier call."""
    structured = answer.get("structuredContent", {})
    if answer.get("isError"):
        error = structured["error"]
        raise ToolError(
            error["message"],
            code=error["code"],
            details=error.get("details"),
            retryable=error["retryable"],
        )
    (part,) = answer["content"]
    values = [part["text"], None] if part["text"] == DONE else [part["text"]]
    if structured:
        values = [structured["result"], structured] if set(structured) == {"result"} else [structured]
    for value in values:
        try:
            return tool.returns.accept(value)
        except ValidationError:
            continue
    return values[0]
