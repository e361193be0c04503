"""A model context without a browser: the draft's rules, synchronously."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from webtools._exceptions import ToolDefinitionError
from webtools.testing.clock import FakeClock
from webtools.testing.profiles import PROFILES, Profile
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
        profile: Whose shape it has. Without `signalArgument` a handler's signal is never aborted.
        clock: By which the profile's postback passes; without one each answer arrives at once.
    """

    def __init__(self, *, profile: Profile = PROFILES["chrome-156"], clock: FakeClock | None = None) -> None:
        self.events: list[str] = []
        self._tools: dict[str, _Registered] = {}
        self._profile = profile
        self._clock = clock
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
        as_text = self._profile["schemaAsText"]
        return [_listed(entry.tool, as_text) for _, entry in sorted(self._tools.items())]

    def execute_tool(
        self, name: str, arguments: dict[str, Any] | str, signal: FakeSignal | None = None
    ) -> FakeExecution:
        """Call a tool; `signal` is the caller's.

        Raises:
            FakeDOMException: The profile takes JSON text and got none, or the other way round.
        """
        call = FakeExecution(name)
        self._check_input(arguments)
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
            answer = entry.execute(_input(arguments), call.signal)
        except Exception:  # noqa: BLE001  # as a browser does with whatever a callback throws
            call.outcome = {"error": "UnknownError"}
            return call
        self._running[call] = entry
        if isinstance(answer, Future):
            answer.add_done_callback(lambda done: self._answered(call, done.result))
        else:
            self._answered(call, lambda: answer)
        return call

    def _check_input(self, arguments: dict[str, Any] | str) -> None:
        takes_text = self._profile["inputAsText"]
        if isinstance(arguments, str) is not takes_text:
            raise FakeDOMException("TypeError", f"the input is {'JSON text' if takes_text else 'an object'}")

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
            if self._profile["cancelsCalls"] == "onUnregister":
                self._lose(entry)

    def _lose(self, entry: _Registered) -> None:
        for call in [each for each, running in self._running.items() if running is entry]:
            del self._running[call]
            call.outcome = {"error": "UnknownError"}

    def _answered(self, call: FakeExecution, result: Callable[[], Any]) -> None:
        postback = self._profile["postbackMs"] / 1000
        if self._clock and postback:
            self._clock.call_later(postback, lambda: self._deliver(call, result))
        else:
            self._deliver(call, result)

    def _deliver(self, call: FakeExecution, result: Callable[[], Any]) -> None:
        if self._running.pop(call, None):
            _settle(call, result)

    def _cancel(self, call: FakeExecution) -> None:
        if call.outcome is None:
            self._running.pop(call, None)
            call.outcome = {"error": "AbortError"}
            if self._profile["signalArgument"]:
                call.signal.abort()
            self.events.append(f"toolcancel {call.name}")


def _input(arguments: dict[str, Any] | str) -> Any:
    return json.loads(arguments if isinstance(arguments, str) else json.dumps(arguments))


def _check_origin(origin: str) -> None:
    try:
        rules.check_origins("a", [origin])
    except ToolDefinitionError as error:
        raise FakeDOMException("SecurityError", str(error)) from error


def _listed(tool: dict[str, Any], schema_as_text: bool) -> dict[str, Any]:
    listed = {"title": "", **tool}
    if schema_as_text and "inputSchema" in tool:
        listed["inputSchema"] = json.dumps(tool["inputSchema"])
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
