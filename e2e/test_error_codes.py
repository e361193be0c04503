"""Each error code that an agent can read, by a real call: its `retryable` and its `effect`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from e2e.agents import Agent, Mode, error_of, wait_for
from e2e.conftest import Watched, visited
from e2e.places import CHECKOUT

DOCS = CHECKOUT / "docs" / "errors.md"

TABLE: dict[str, tuple[bool, str]] = {
    "INVALID_TOOL_ARGS": (True, "none"),
    "TOOL_NOT_FOUND": (True, "none"),
    "SESSION_NOT_FOUND": (False, "none"),
    "USER_DENIED": (False, "none"),
    "CONFIRMATION_UNAVAILABLE": (False, "none"),
    "UI_CONTEXT_CLOSED": (False, "none"),
    "TOOL_TIMEOUT": (False, "unknown"),
    "CANCELLED": (False, "unknown"),
    "TOOL_HANDLER_ERROR": (False, "unknown"),
    "TOOL_OUTPUT_INVALID": (False, "done"),
    "ANSWER_TOO_LONG": (False, "done"),
    "TOOL_ERROR": (False, "unknown"),
    "PAGE_NOT_READY": (True, "unknown"),
    "PAGE_ERROR": (False, "unknown"),
    "HOST_FAILED": (False, "none"),
}
"""Whether the same call may be made again, and what it has done."""

ELSEWHERE = {
    "STALE_TOOL_CALL": "test_context.py::test_stale_tool_call",
    "TOOL_CHANGED": "test_context.py::test_tool_changed",
    "RESOURCE_CHANGED": "test_context.py::test_resource_changed",
    "RESOURCE_DISPOSED": "test_context.py::test_resource_disposed",
    "VERSION_CONFLICT": "test_context.py::test_version_conflict",
    "NOT_OWNER": "test_ownership.py::test_of_two_calls_at_once_one_runs_and_the_other_tab_is_not_the_owner",
    "NOT_ALLOWED": "test_context.py::test_not_allowed",
    "ARTIFACT_REFUSED": "test_artifacts.py::test_a_wrong_ref_is_answered_with_the_live_ones",
    "CREDENTIAL_UNAVAILABLE": "test_credentials.py::test_whatever_is_no_credential_keeps_the_tool_out",
    "FORM_REFUSED": "test_form_tools.py::test_a_form_that_the_page_finds_not_valid_is_not_submitted",
    "IDEMPOTENCY_CONFLICT": "test_idempotency.py::test_one_key_with_other_arguments_is_a_conflict",
}
"""Those that a test of what they are for compares, too."""

CALL_AND_GIVE_UP = """(name) => {
  const giveUp = new AbortController();
  webtools.addEventListener("callstart", () => setTimeout(() => giveUp.abort()), {once: true});
  return webtools.call(name, {}, {signal: giveUp.signal});
}"""

ASK_AND_CLOSE = """async ([name, release]) => {
  const {promise: asked, resolve} = Promise.withResolvers();
  webtools.confirmWith(({signal}) => new Promise((_, no) => { resolve(); signal.onabort = no; }));
  const answer = webtools.call(name);
  await asked;
  await webtools.call("release", {what: name});
  return answer;
}"""


def call(agent: Agent, name: str, arguments: dict[str, Any] | None = None) -> dict[str, Any]:
    """Call by the page's own client."""
    answer: dict[str, Any] = agent.page.evaluate(
        "([name, input]) => webtools.call(name, input)", [name, arguments or {}]
    )
    return answer


def asked(agent: Agent, ask: str) -> dict[str, Any]:
    """Call a tool that asks the person, who answers so."""
    agent.page.evaluate(f"() => webtools.confirmWith({ask})")
    return agent.call("submit")


def closed_while_asking(agent: Agent) -> dict[str, Any]:
    """Release a tool while the person is asked whether it may run."""
    agent.call("hold", {"what": "publish"})
    wait_for(agent, "publish", listed=True)
    answer: dict[str, Any] = agent.page.evaluate(ASK_AND_CLOSE, ["publish", "release"])
    return answer


WAYS: dict[str, Callable[[Agent], dict[str, Any]]] = {
    "INVALID_TOOL_ARGS": lambda agent: agent.call("edit", {"expected": "four"}),
    "TOOL_NOT_FOUND": lambda agent: call(agent, "nowhere"),
    "SESSION_NOT_FOUND": lambda agent: agent.call("of_session"),
    "USER_DENIED": lambda agent: asked(agent, "() => false"),
    "CONFIRMATION_UNAVAILABLE": lambda agent: asked(agent, "() => 'perhaps'"),
    "UI_CONTEXT_CLOSED": closed_while_asking,
    "TOOL_TIMEOUT": lambda agent: agent.call("sleep"),
    "CANCELLED": lambda agent: agent.page.evaluate(CALL_AND_GIVE_UP, "listen"),
    "TOOL_HANDLER_ERROR": lambda agent: agent.call("fail"),
    "TOOL_OUTPUT_INVALID": lambda agent: agent.call("lie"),
    "ANSWER_TOO_LONG": lambda agent: agent.call("talk"),
    "TOOL_ERROR": lambda agent: agent.call("give_up"),
    "PAGE_NOT_READY": lambda agent: agent.call("use", {"name": "nowhere"}),
    "PAGE_ERROR": lambda agent: agent.call("use", {"name": "thrower"}),
}


@pytest.fixture(scope="module")
def opened(browsers: Callable[[Mode], Browser], mode: Mode, pages: str) -> Iterator[Watched]:
    with visited(browsers(mode), f"{pages}context.html") as watched:
        yield watched


@pytest.fixture
def agent(opened: Watched, mode: Mode) -> Iterator[Agent]:
    """An agent at a page that asks the person by the library's dialog, before and after."""
    yield Agent(opened.page, mode)
    opened.page.evaluate("webtools.confirmWith(null)")


def assert_is(answer: dict[str, Any], code: str) -> None:
    error = error_of(answer)
    assert (error["code"], error["retryable"], error["effect"]) == (code, *TABLE[code])
    assert error["message"].strip()
    assert answer["content"] == [{"type": "text", "text": error["message"]}]


@pytest.mark.parametrize("code", WAYS)
def test_a_code_is_what_an_agent_reads(agent: Agent, code: str) -> None:
    assert_is(WAYS[code](agent), code)


def test_host_failed(watched: Watched, pages: str) -> None:
    watched.page.route("**/runtime/runtime.json", lambda route: route.fulfill(status=404))
    watched.page.goto(f"{pages}context.html")
    assert watched.ready() != "ready"
    assert_is(watched.page.evaluate("webtools.call('facts')"), "HOST_FAILED")


def test_an_answer_that_is_too_long_may_be_asked_for_again_where_that_changes_nothing(agent: Agent) -> None:
    error = error_of(agent.call("read"))
    assert (error["code"], error["retryable"], error["effect"]) == ("ANSWER_TOO_LONG", True, "done")


def test_an_authors_own_code_is_what_an_agent_reads(agent: Agent) -> None:
    error = error_of(agent.call("refuse"))
    assert (error["code"], error["retryable"], error["effect"]) == ("SOLD_OUT", False, "none")


def documented() -> dict[str, list[str]]:
    """By its code, each row of the docs' table."""
    rows = [
        line.strip("|\n ").split(" | ") for line in DOCS.read_text().splitlines() if line.startswith("| `")
    ]
    return {row[0].strip("`"): row for row in rows}


def test_every_code_of_the_docs_is_tried_here_or_where_it_says() -> None:
    assert {*TABLE, *ELSEWHERE} == set(documented())
    assert {*WAYS, "HOST_FAILED"} == set(TABLE)
    for place in ELSEWHERE.values():
        file, test = place.split("::")
        assert f"def {test}" in Path(__file__).with_name(file).read_text()


@pytest.mark.parametrize("code", TABLE)
def test_the_docs_say_the_same(code: str) -> None:
    *_, is_retryable, effects = documented()[code]
    assert (is_retryable.startswith("yes"), TABLE[code][1] in effects) == (TABLE[code][0], True)
