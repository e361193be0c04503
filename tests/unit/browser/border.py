"""A border made of Python: it notes what the host asks of the page."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from webtools.browser.host import Host, start


class FakeBorder:
    """`webtools.browser.border.Border` without a page."""

    def __init__(self) -> None:
        self.registered: dict[int, dict[str, Any]] = {}
        self.unregistered: list[int] = []
        self.settled: dict[str, Any] = {}
        self.progress: list[tuple[str, str, Any]] = []
        self.inner_calls: list[tuple[str, str, str | None]] = []
        self.states: list[tuple[str, str, str | None]] = []
        self.slots: list[dict[str, Any]] = []
        self.on_route: Callable[[], object] = lambda: None
        self.timers: dict[int, float] = {}
        self.forms: dict[int, tuple[str, Any]] = {}
        self.page_calls: list[tuple[int, str, str, str]] = []
        self.page: Callable[[str], str | None] = lambda function: '{"value": null}'
        self.logged: list[tuple[str, str]] = []
        self.stored: dict[str, str] = {}
        self.artifact_calls: list[tuple[int, str, list[Any]]] = []
        self.artifacts_read: dict[int, Any] = {}
        self.tool_calls: list[tuple[int, str, str, Any]] = []
        self.aborted_calls: list[int] = []
        self.settling: list[int] = []
        self.requests: dict[int, Any] = {}
        self.aborted_requests: list[int] = []
        self.questions: dict[int, Any] = {}
        self.withdrawn: list[int] = []
        self.asked_for: list[tuple[str, str]] = []
        self.epochs: dict[str, int] = {}
        self.gone: set[str] = set()
        self.needed: dict[int, Any] = {}
        self.not_needed: list[int] = []
        self.teardowns: list[dict[str, str]] = []
        self.ends: list[int] = []
        self.shown: list[tuple[int, str, Any]] = []
        self.is_shown_at_once = True

    def register(self, registration: int, definition: str) -> None:
        self.registered[registration] = json.loads(definition)

    def unregister(self, registration: int) -> None:
        self.unregistered.append(registration)

    def settle(self, call_id: str, answer: str) -> None:
        assert call_id not in self.settled
        self.settled[call_id] = json.loads(answer)

    def innerCall(self, tool: str, call_id: str, answer: str | None) -> None:  # noqa: N802  # JavaScript's name
        self.inner_calls.append((tool, call_id, answer))

    def callProgress(self, tool: str, call_id: str, report: str) -> None:  # noqa: N802  # JavaScript's name
        self.progress.append((tool, call_id, json.loads(report)))

    def showCall(self, shown: int, call_id: str, text: str) -> bool:  # noqa: N802  # JavaScript's name
        self.shown.append((shown, call_id, json.loads(text)))
        return self.is_shown_at_once

    def toolState(self, name: str, state: str, reason: str | None) -> None:  # noqa: N802  # JavaScript's name
        self.states.append((name, state, reason))

    def observed(self, slot: str) -> None:
        self.slots.append(json.loads(slot))

    def routeBegan(self) -> None:  # noqa: N802  # JavaScript's name
        self.on_route()

    def setTimer(self, timer: int, delay_ms: float) -> None:  # noqa: N802  # JavaScript's name
        assert timer not in self.timers
        self.timers[timer] = delay_ms

    def clearTimer(self, timer: int) -> None:  # noqa: N802  # JavaScript's name
        self.timers.pop(timer)

    def holdForm(self, number: int, selector: str, options: str) -> str | None:  # noqa: N802  # as above
        if selector == "#":
            return '"#" is no selector'
        self.forms[number] = (selector, json.loads(options))
        return None

    def releaseForm(self, number: int) -> None:  # noqa: N802  # as above
        self.forms.pop(number, None)

    def callPage(self, call: int, name: str, function: str, arguments: str) -> str | None:  # noqa: N802  # as above
        self.page_calls.append((call, name, function, arguments))
        return self.page(function)

    def callArtifacts(self, call: int, verb: str, arguments: str) -> None:  # noqa: N802  # as above
        self.artifact_calls.append((call, verb, json.loads(arguments)))

    def callTool(self, call: int, name: str, text: str, facts: str) -> None:  # noqa: N802  # as above
        self.tool_calls.append((call, name, text, json.loads(facts)))

    def abortTool(self, call: int) -> None:  # noqa: N802  # as above
        self.aborted_calls.append(call)

    def untilSettled(self, call: int) -> None:  # noqa: N802  # as above
        self.settling.append(call)

    def fetch(self, request: int, text: str) -> None:
        self.requests[request] = json.loads(text)

    def abortFetch(self, request: int) -> None:  # noqa: N802  # as above
        self.aborted_requests.append(request)

    def artifactRead(self, reading: int, artifact: str) -> None:  # noqa: N802  # as above
        self.artifacts_read[reading] = json.loads(artifact)

    def readStored(self, name: str) -> str | None:  # noqa: N802  # as above
        return self.stored.get(name)

    def writeStored(self, name: str, text: str) -> bool:  # noqa: N802  # as above
        self.stored[name] = text
        return True

    def confirm(self, question: int, text: str) -> None:
        self.questions[question] = json.loads(text)

    def withdraw(self, question: int) -> None:
        self.withdrawn.append(question)

    def askOwnership(self, name: str) -> None:  # noqa: N802  # as above
        self.asked_for.append(("ask", name))

    def takeOwnership(self, name: str) -> None:  # noqa: N802  # as above
        self.asked_for.append(("take", name))

    def releaseOwnership(self, name: str) -> None:  # noqa: N802  # as above
        self.asked_for.append(("release", name))

    def ownedEpoch(self, name: str) -> int | None:  # noqa: N802  # as above
        return self.epochs.get(name)

    def isOwnershipGone(self, name: str) -> bool:  # noqa: N802  # as above
        return name in self.gone

    def requestCredential(self, number: int, text: str) -> None:  # noqa: N802  # as above
        self.needed[number] = json.loads(text)

    def withdrawCredential(self, number: int) -> None:  # noqa: N802  # as above
        self.not_needed.append(number)

    def teardown(self, text: str) -> None:
        self.teardowns.append(json.loads(text))

    def ended(self, number: int) -> None:
        self.ends.append(number)

    def log(self, level: str, text: str) -> None:
        self.logged.append((level, text))


@contextmanager
def host_at(
    border: FakeBorder, *, has_context: bool = True, debug: bool = False, artifacts: str = "memory"
) -> Iterator[Host]:
    """A host that is closed at the end, as the page's own is with the page."""
    host = start(border, debug, artifacts)
    if has_context:
        host.attach_context()
    try:
        yield host
    finally:
        host.close()
