"""What a test says of a page's tools: with a bounded wait, and with a message that says how it is instead."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, cast

from webtools.agent.conversation import Answer, error_of
from webtools.testing.limited import REACTION, evaluate
from webtools.testing.tool_page import ANSWER, ToolPage

LISTED = 5.0
"""Seconds in which a tool has to come or go."""

UNTIL_LISTED = """async ([name, wanted, ms]) => {
  const isListed = async () => {
    const tools = (await document.modelContext?.getTools()) ?? [];
    return tools.some((tool) => tool.name === name);
  };
  for (const began = performance.now(); performance.now() - began < ms; )
    if ((await isListed()) === wanted) return performance.now() - began;
    else await new Promise((resolve) => setTimeout(resolve, 10));
  return null;
}"""
"""Waits until a tool is listed or not, ``[name, wanted, ms]``; gives the milliseconds it took, or null."""

_SITUATION = """async () => ({
  listed: ((await document.modelContext?.getTools()) ?? []).map((tool) => tool.name).sort(),
  tools: window.webtools?.tools() ?? [],
  status: window.webtools?.status ?? "not there",
})"""

_UNSAID: Final = object()
"""In the place of a value that a test does not expect."""

_WATCH = """(names) => {
  const seen = [];
  const note = ({detail}) => {
    if (names.includes(detail.tool)) seen.push([detail.tool, detail.state]);
  };
  webtools.addEventListener("toolstate", note);
  (window.watchedTools ??= []).push({seen, stop: () => webtools.removeEventListener("toolstate", note)});
  return window.watchedTools.length - 1;
}"""

_WATCHED = """async ([number, names, ms]) => {
  const watched = window.watchedTools?.[number];
  if (!watched) return null;
  await webtools.settled();
  const isLeaving = () => webtools.tools().some((it) => names.includes(it.name) && it.state === "leaving");
  for (const began = performance.now(); performance.now() - began < ms && isLeaving(); )
    await new Promise((resolve) => setTimeout(resolve, 10));
  watched.stop();
  return watched.seen;
}"""


class ToolExpectation:
    """What `expect_tool` gives; each method returns when it is so, or raises an AssertionError."""

    def __init__(self, tool_page: ToolPage, name: str) -> None:
        self._page = tool_page
        self._name = name

    def to_be_listed(self, *, timeout: float = LISTED) -> None:
        """An agent finds the tool, at the latest after so many seconds."""
        __tracebackhide__ = True
        self._wait(True, timeout)

    def not_to_be_listed(self, *, timeout: float = LISTED) -> None:
        """No agent finds the tool any more, at the latest after so many seconds."""
        __tracebackhide__ = True
        self._wait(False, timeout)

    def to_answer(
        self,
        arguments: dict[str, Any] | None = None,
        *,
        text: str | re.Pattern[str] | None = None,
        data: object = _UNSAID,
        error: str | None = None,
        timeout: float = ANSWER,
    ) -> Answer:
        """The tool, once it is listed, answers an agent's call like this; gives the whole answer.

        Args:
            arguments: The input.
            text: All of the answer's text, or a pattern that is found in it.
            data: Its `structuredContent`; None: it has none.
            error: The code of the error that it has to be; left out, the answer must be none.
            timeout: Seconds until the answer is there; at most 5 of them until the tool is listed.
        """
        __tracebackhide__ = True  # a failure is shown where the test says what it wants
        end = time.monotonic() + timeout
        self.to_be_listed(timeout=min(timeout, LISTED))
        answer = self._page.call(self._name, arguments, timeout=max(0.1, end - time.monotonic()))
        failure = error_of(answer)
        code = failure["code"] if failure else None
        assert code == error, f"{self._name} answers with {_said(code)}; expected {_said(error)}: {answer}"
        given = "\n".join(part["text"] for part in answer["content"] if part["type"] == "text")
        if isinstance(text, re.Pattern):
            assert text.search(given), f"{self._name} answers {given!r}, in which {text.pattern!r} is not"
        elif text is not None:
            assert given == text, f"{self._name} answers {given!r}, not {text!r}"
        if data is not _UNSAID:
            found = answer.get("structuredContent")
            assert found == data, f"{self._name} answers with the data {found!r}, not {data!r}"
        return answer

    def _wait(self, wanted: bool, timeout: float) -> None:
        __tracebackhide__ = True
        if _came(self._page, self._name, wanted, timeout):
            return
        is_it = "is not" if wanted else "is still"
        situation = _situation(self._page, self._name)
        raise AssertionError(f"{self._name} {is_it} listed after {timeout:g} s.\n{situation}")


def expect_tool(tool_page: ToolPage, name: str) -> ToolExpectation:
    """Say what an agent has to find: ``expect_tool(tool_page, "read_cart").to_be_listed()``."""
    return ToolExpectation(tool_page, name)


@contextmanager
def assert_kept(tool_page: ToolPage, *names: str, timeout: float = LISTED) -> Iterator[None]:
    """Assert that whatever the block does to the page, these tools stay registered, without a gap.

    The block's end waits until the tools have stopped changing.

    Args:
        tool_page: The page.
        names: The tools'; they are registered when the block begins.
        timeout: Seconds in which one that is leaving has to be held again.

    Raises:
        AssertionError: A tool has left, be it to come again; or none is named.
    """
    assert names, 'assert_kept names no tool: assert_kept(tool_page, "read_cart")'
    for name in names:
        expect_tool(tool_page, name).to_be_listed(timeout=timeout)
    number = tool_page.evaluate(_WATCH, names)
    yield
    seen = tool_page.evaluate(_WATCHED, [number, names, timeout * 1000], timeout=timeout + ANSWER)
    assert seen is not None, f"the page was loaded anew, and {', '.join(names)} left with the old one"
    for name in names:
        states = [state for tool, state in seen if tool == name]
        is_kept = set(states) <= {"leaving", "registered"} and states[-1:] != ["leaving"]
        assert is_kept, f"{name} was not kept: {' → '.join(states)}.\n{_situation(tool_page, name)}"


@contextmanager
def assert_no_call_lost(tool_page: ToolPage, *, timeout: float = ANSWER) -> Iterator[None]:
    """Assert that each call is answered that `ToolPage.begin` begins in the block.

    Args:
        tool_page: The page.
        timeout: Seconds that each call may take when the block has ended.

    Raises:
        AssertionError: A call has no answer, or none was begun.
    """
    before = len(tool_page.begun)
    yield
    calls = tool_page.begun[before:]
    assert calls, "no call was begun in this block: begin one with tool_page.begin(name, arguments)"
    for call in calls:
        call.end(timeout=timeout)


def _came(tool_page: ToolPage, name: str, wanted: bool, timeout: float) -> bool:
    """Wait also where the page is left meanwhile for another one."""
    from playwright.sync_api import Error  # who has a page has it

    end = time.monotonic() + timeout
    while True:
        left = max(0.0, end - time.monotonic())
        try:
            wanted_for = [name, wanted, left * 1000 + 1]
            return evaluate(tool_page.page, UNTIL_LISTED, wanted_for, timeout=left + REACTION) is not None
        except TimeoutError:
            return False
        except Error as error:
            if "context was destroyed" not in error.message or not left:
                raise


def _situation(tool_page: ToolPage, name: str) -> str:
    try:
        found = cast("dict[str, Any]", evaluate(tool_page.page, _SITUATION, timeout=REACTION))
    except TimeoutError:
        return "The page does not react: a tool or a script runs without end."
    lines = [
        f"Listed: {', '.join(found['listed']) or 'nothing'}",
        f"State of {name}: {_state(found['tools'], name)}",
        f"webtools: {found['status']}",
        *(f"Console: {each}" for each in tool_page.problems[-3:]),
    ]
    return "\n".join(lines)


def _state(tools: list[dict[str, Any]], name: str) -> str:
    state = next((each for each in tools if each["name"] == name), None)
    if state is None:
        return "unknown, since nobody holds it"
    reason = f" ({state['reason']})" if state.get("reason") else ""
    return f"{state['state']}{reason}, {state['inFlight']} of {state['calls']} calls in flight"


def _said(code: str | None) -> str:
    return f"the error {code}" if code else "no error"
