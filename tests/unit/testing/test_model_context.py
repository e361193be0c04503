"""The fake against `tests/model_context.json`; `tests/model_context.md` describes its language."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from webtools.testing import (
    PROFILES,
    FakeClock,
    FakeDOMException,
    FakeExecution,
    FakeModelContext,
    FakeSignal,
)
from webtools.testing.model_context import Execute

TABLE = Path(__file__).parents[2] / "model_context.json"
ALL: list[dict[str, Any]] = json.loads(TABLE.read_text(encoding="utf-8"))
ENTRIES = [entry for entry in ALL if "steps" in entry]  # the others are for pages

Step = dict[str, Any]


class Run:
    """One entry under way; each step is a method of the name of its first key."""

    def __init__(self) -> None:
        self.context = FakeModelContext()
        self.signals: dict[str, FakeSignal] = {}
        self.pending: dict[str, list[Callable[[], None]]] = {}
        self.calls: dict[str, FakeExecution] = {}
        self.cancels: dict[str, FakeSignal] = {}

    def play(self, step: Step) -> None:
        verbs = (
            "register",
            "abort",
            "list",
            "listed",
            "start",
            "execute",
            "finish",
            "cancel",
            "settle",
            "events",
        )
        verb = next(verb for verb in verbs if verb in step)
        getattr(self, verb)(step)

    def register(self, step: Step) -> None:
        tool = step["register"]
        signal = self.signal(step["signal"]) if "signal" in step else None
        execute = self.handler(tool.get("name", ""), step.get("handler", "echo"))
        outcome = "ok"
        try:
            self.context.register_tool(tool, execute, signal=signal, exposed_to=step.get("exposedTo", ()))
        except FakeDOMException as error:
            outcome = error.name
        assert outcome == step.get("expect", "ok")

    def abort(self, step: Step) -> None:
        self.signal(step["abort"]).abort()

    def list(self, step: Step) -> None:
        assert [tool["name"] for tool in self.context.get_tools()] == step["list"]

    def listed(self, step: Step) -> None:
        expected = step["listed"]
        (tool,) = (tool for tool in self.context.get_tools() if tool["name"] == expected["name"])
        assert {member: tool.get(member) for member in expected} == expected

    def execute(self, step: Step) -> None:
        check(self.context.execute_tool(step["execute"], step.get("input", {})), step["expect"])

    def start(self, step: Step) -> None:
        name, call = step["execute"], step["start"]
        self.cancels[call] = FakeSignal()
        before = len(self.pending.get(name, []))
        self.calls[call] = self.context.execute_tool(name, step.get("input", {}), self.cancels[call])
        assert len(self.pending[name]) == before + 1

    def finish(self, step: Step) -> None:
        self.pending[step["finish"]].pop(0)()

    def cancel(self, step: Step) -> None:
        self.cancels[step["cancel"]].abort()

    def settle(self, step: Step) -> None:
        check(self.calls[step["settle"]], step["expect"])

    def events(self, step: Step) -> None:
        assert self.context.events == step["events"]
        self.context.events.clear()

    def signal(self, name: str) -> FakeSignal:
        return self.signals.setdefault(name, FakeSignal())

    def handler(self, name: str, kind: Any) -> Execute:
        def reject(*_: Any) -> Any:
            raise LookupError("the handler fails")

        def pend(arguments: dict[str, Any], signal: FakeSignal) -> Future[Any]:
            answer: Future[Any] = Future()
            signal.on_abort(lambda: self.context.events.append(f"aborted {name}"))
            self.pending.setdefault(name, []).append(lambda: answer.set_result(arguments))
            return answer

        if isinstance(kind, dict):
            return lambda *_: kind["answer"]
        handlers: dict[str, Execute] = {
            "echo": lambda arguments, _: arguments,
            "reject": reject,
            "pending": pend,
        }
        return handlers[kind]


def check(call: FakeExecution, expected: dict[str, Any]) -> None:
    assert call.outcome
    if "json" in expected:
        assert json.loads(call.outcome["text"]) == expected["json"]
    else:
        assert call.outcome == expected


@pytest.mark.parametrize("entry", ENTRIES, ids=[entry["id"] for entry in ENTRIES])
def test_the_fake_does_what_the_table_asks_of_every_model_context(entry: dict[str, Any]) -> None:
    run = Run()
    for step in entry["steps"]:
        run.play(step)


def echoing() -> FakeModelContext:
    context = FakeModelContext()
    context.register_tool({"name": "a", "description": "d"}, lambda arguments, _: arguments)
    return context


def test_a_caller_that_gave_up_before_reaches_no_handler() -> None:
    context, signal = echoing(), FakeSignal()
    signal.abort()
    call = context.execute_tool("a", {}, signal)
    assert call.outcome == {"error": "AbortError"}
    assert context.events == ["toolchange"]


@pytest.mark.parametrize("is_late", [False, True])
def test_an_answer_that_json_cannot_hold_is_an_unknown_error(is_late: bool) -> None:
    context = FakeModelContext()
    answer: Future[Any] = Future()
    context.register_tool({"name": "a", "description": "d"}, lambda *_: answer if is_late else object())
    call = context.execute_tool("a", {})
    answer.set_result(object())
    assert call.outcome == {"error": "UnknownError"}


def test_a_future_that_fails_or_is_cancelled_is_an_unknown_error() -> None:
    context = FakeModelContext()
    answers: list[Future[Any]] = [Future(), Future()]
    context.register_tool({"name": "a", "description": "d"}, lambda *_: answers[len(calls)])
    calls: list[FakeExecution] = []
    for _ in answers:
        calls.append(context.execute_tool("a", {}))  # noqa: PERF401  # the handler counts what is there
    answers[0].set_exception(LookupError())
    answers[1].cancel()
    assert [call.outcome for call in calls] == [{"error": "UnknownError"}] * 2


def test_what_the_caller_changes_afterwards_reaches_neither_tool_nor_listing() -> None:
    context = FakeModelContext()
    tool = {"name": "a", "description": "d", "inputSchema": {"type": "object"}}
    given = {"n": 1}
    seen: list[dict[str, Any]] = []
    context.register_tool(tool, lambda arguments, _: seen.append(arguments))
    context.execute_tool("a", given)
    tool["description"] = "changed"
    given["n"] = 2
    assert seen == [{"n": 1}]
    assert context.get_tools()[0]["description"] == "d"


def test_a_signal_aborts_once_and_tells_each_listener_once() -> None:
    signal = FakeSignal()
    told: list[int] = []
    signal.on_abort(lambda: told.append(1))
    signal.on_abort(lambda: told.append(2))
    signal.abort()
    signal.abort()
    assert told == [1, 2]
    assert signal.aborted


def test_an_exception_has_the_name_and_the_text_of_the_browsers() -> None:
    error = FakeDOMException("InvalidStateError", "a is taken")
    assert (error.name, str(error)) == ("InvalidStateError", "a is taken")
    assert str(FakeDOMException("AbortError")) == "AbortError"


@pytest.mark.parametrize("name", PROFILES)
def test_the_fake_has_the_shape_of_each_profile(name: str) -> None:
    profile, clock = PROFILES[name], FakeClock()
    context = FakeModelContext(profile=profile, clock=clock)
    schema, registration, caller = {"type": "object"}, FakeSignal(), FakeSignal()
    answer: Future[Any] = Future()
    given: list[Any] = []

    def execute(*received: Any) -> Future[Any]:
        given.extend(received)
        return answer

    tool = {"name": "a", "description": "d", "inputSchema": schema}
    context.register_tool(tool, execute, signal=registration)
    (listed,) = context.get_tools()
    assert listed["inputSchema"] == (json.dumps(schema) if profile["schemaAsText"] else schema)
    texts: dict[bool, Any] = {True: '{"x": 1}', False: {"x": 1}}
    with pytest.raises(FakeDOMException):
        context.execute_tool("a", texts[not profile["inputAsText"]])
    call = context.execute_tool("a", texts[profile["inputAsText"]])
    assert given[0] == {"x": 1}
    answer.set_result({})
    is_late = profile["postbackMs"] > 0
    assert (call.outcome is None) is is_late
    registration.abort()
    clock.advance(1)
    is_lost = profile["cancelsCalls"] == "onUnregister"
    assert call.outcome == ({"error": "UnknownError"} if is_lost else {"text": "{}"})

    answer = Future()
    context.register_tool(tool, execute)
    call = context.execute_tool("a", texts[profile["inputAsText"]], caller)
    caller.abort()
    assert call.outcome == {"error": "AbortError"}
    assert given[-1].aborted is profile["signalArgument"]


def test_text_that_is_no_json_is_an_unknown_error() -> None:
    context = FakeModelContext(profile=PROFILES["chrome-154"])
    context.register_tool({"name": "a", "description": "d"}, lambda arguments, _: arguments)
    assert context.execute_tool("a", "no JSON").outcome == {"error": "UnknownError"}


def test_without_a_clock_no_answer_is_on_its_way() -> None:
    context = FakeModelContext(profile=PROFILES["chrome-152"])
    context.register_tool({"name": "a", "description": "d"}, lambda arguments, _: arguments)
    assert context.execute_tool("a", "{}").outcome == {"text": "{}"}
