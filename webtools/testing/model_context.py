"""A model context without a browser: the draft's rules, synchronously."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from webtools._exceptions import ToolDefinitionError
from webtools.testing.clock import FakeClock
from webtools.tools import rules

Execute = Callable[[dict[str, Any], "FakeSignal"], Any]
"""Answers a call with a value, or with a Future of it."""

HINTS = ("readOnlyHint", "untrustedContentHint", "consequentialHint", "debugging")


class FakeDOMException(Exception):
    """What the browser would reject with; `name` is the DOMException's or error's name."""

    def __init__(self, name: str, message: str = "") -> None:
        super().__init__(message or name)
        self.name = name


class FakeSignal:
    """An AbortSignal that its maker aborts."""

    def __init__(self) -> None:
        self.aborted = False
        self._callbacks: list[Callable[[], None]] = []

    def on_abort(self, callback: Callable[[], None]) -> None:
        """Run the callback at the abort."""
        self._callbacks.append(callback)

    def abort(self) -> None:
        """Abort once; harmless twice."""
        self.aborted = True
        callbacks, self._callbacks = self._callbacks, []
        for callback in callbacks:
            callback()


@dataclass(eq=False)
class FakeExecution:
    """One call.

    Attributes:
        outcome: None while it runs, then ``{"text": …}`` or ``{"error": name}``.
        signal: What its handler was given.
    """

    name: str
    outcome: dict[str, str] | None = None
    signal: FakeSignal = field(default_factory=FakeSignal)


@dataclass(eq=False)
class _Registered:
    tool: dict[str, Any]
    execute: Execute


class FakeModelContext:
    """``document.modelContext``; `events` has what it fires, such as ``"toolactivated add_to_cart"``.

    Args:
        cancels: Behave as Chromium up to 152: the calls in flight of a tool that goes are lost.
        clock: Needed for a postback only.
        postback: Seconds from a call's answer until its caller has it, in which it can still be lost.
    """

    def __init__(
        self, *, cancels: bool = False, clock: FakeClock | None = None, postback: float = 0.0
    ) -> None:
        self.events: list[str] = []
        self._tools: dict[str, _Registered] = {}
        self._cancels = cancels
        self._clock = clock
        self._postback = postback
        self._running: dict[FakeExecution, _Registered] = {}

    def register_tool(
        self,
        tool: dict[str, Any],
        execute: Execute,
        *,
        signal: FakeSignal | None = None,
        exposed_to: Iterable[str] = (),
    ) -> None:
        """Register, with the checks in the draft's order.

        Raises:
            FakeDOMException: The browser would reject; nothing is registered.
        """
        self._check(tool)
        if signal and signal.aborted:
            raise FakeDOMException("AbortError")
        for origin in exposed_to:
            _check_origin(origin)
        entry = self._tools[tool["name"]] = _Registered(json.loads(json.dumps(tool)), execute)
        self.events.append("toolchange")
        if signal:
            signal.on_abort(lambda: self._unregister(entry))

    def get_tools(self) -> list[dict[str, Any]]:
        """What the browser lists, sorted by name."""
        return [_listed(entry.tool) for _, entry in sorted(self._tools.items())]

    def execute_tool(
        self, name: str, arguments: dict[str, Any], signal: FakeSignal | None = None
    ) -> FakeExecution:
        """Call a tool; `signal` is the caller's."""
        call = FakeExecution(name)
        if signal and signal.aborted:
            call.outcome = {"error": "AbortError"}
            return call
        entry = self._tools.get(name)
        if entry is None:
            call.outcome = {"error": "UnknownError"}
            return call
        self.events.append(f"toolactivated {name}")
        if signal:
            signal.on_abort(lambda: self._cancel(call))
        try:
            answer = entry.execute(json.loads(json.dumps(arguments)), call.signal)
        except Exception:  # noqa: BLE001  # as a browser does with whatever a callback throws
            call.outcome = {"error": "UnknownError"}
            return call
        self._running[call] = entry
        if isinstance(answer, Future):
            answer.add_done_callback(lambda done: self._answered(call, done.result))
        else:
            self._answered(call, lambda: answer)
        return call

    def _check(self, tool: dict[str, Any]) -> None:
        if "name" not in tool or "description" not in tool:
            raise FakeDOMException("TypeError", "name and description are required")
        if tool["name"] in self._tools:
            raise FakeDOMException("InvalidStateError", f"{tool['name']} is taken")
        if not rules.NAME_RULE.fullmatch(tool["name"]) or not tool["description"]:
            raise FakeDOMException("InvalidStateError", "bad name or description")

    def _unregister(self, entry: _Registered) -> None:
        name = entry.tool["name"]
        if self._tools.get(name) is entry:
            del self._tools[name]
            self.events.append("toolchange")
            if self._cancels:
                self._lose(entry)

    def _lose(self, entry: _Registered) -> None:
        for call in [each for each, running in self._running.items() if running is entry]:
            del self._running[call]
            call.outcome = {"error": "UnknownError"}

    def _answered(self, call: FakeExecution, result: Callable[[], Any]) -> None:
        if self._clock and self._postback:
            self._clock.call_later(self._postback, lambda: self._deliver(call, result))
        else:
            self._deliver(call, result)

    def _deliver(self, call: FakeExecution, result: Callable[[], Any]) -> None:
        if self._running.pop(call, None):
            _settle(call, result)

    def _cancel(self, call: FakeExecution) -> None:
        if call.outcome is None:
            self._running.pop(call, None)
            call.outcome = {"error": "AbortError"}
            call.signal.abort()
            self.events.append(f"toolcancel {call.name}")


def _check_origin(origin: str) -> None:
    try:
        rules.check_origins("a", [origin])
    except ToolDefinitionError as error:
        raise FakeDOMException("SecurityError", str(error)) from error


def _listed(tool: dict[str, Any]) -> dict[str, Any]:
    listed = {"title": "", **tool}
    if "annotations" in tool:
        listed["annotations"] = {hint: tool["annotations"].get(hint, False) for hint in HINTS}
    return listed


def _settle(call: FakeExecution, result: Callable[[], Any]) -> None:
    if call.outcome is None:
        try:
            call.outcome = {"text": _text(result())}
        except Exception:  # noqa: BLE001  # a handler that rejects, or an answer that JSON cannot hold
            call.outcome = {"error": "UnknownError"}


def _text(answer: Any) -> str:
    if isinstance(answer, str):
        return answer or "Operation succeeded"
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":"))
