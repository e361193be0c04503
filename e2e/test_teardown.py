"""What tools of a real page keep open, and tools that call tools there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from e2e.agents import Agent, Mode, begin, error_of, until_in_flight
from e2e.conftest import Watched, visited

CALL = "([name, input, options]) => webtools.call(name, input, options)"
UNTIL_NOTED = "(line) => JSON.parse(sessionStorage.getItem('notes') ?? '[]').includes(line)"
LEAVE = "(persisted) => dispatchEvent(new PageTransitionEvent('pagehide', {persisted}))"


@pytest.fixture(scope="module")
def page(browsers: Callable[[Mode], Browser], mode: Mode, pages: str) -> Iterator[Watched]:
    with visited(browsers(mode), f"{pages}keeping.html") as watched:
        yield watched


@pytest.fixture
def agent(page: Watched, mode: Mode) -> Iterator[Agent]:
    """An agent at a page where nothing is open, and whose tab has noted nothing."""
    page.page.evaluate(LEAVE, False)
    page.page.evaluate("told.length = 0; sessionStorage.clear()")
    page.problems.clear()
    yield Agent(page.page, mode)
    assert page.problems == []


def call(agent: Agent, name: str, arguments: dict[str, Any], **facts: object) -> Any:
    """What a tool gives the page's own client, which can state facts."""
    answer = agent.page.evaluate(CALL, [name, arguments, facts])
    return answer["structuredContent"]["result"]


def noted(agent: Agent) -> list[str]:
    lines: list[str] = agent.page.evaluate("JSON.parse(sessionStorage.getItem('notes') ?? '[]')")
    return lines


def told(agent: Agent) -> list[tuple[str, str]]:
    """What the page was told of cleanups: scope and what became of it."""
    events = agent.page.evaluate("told")
    return [(detail["scope"], detail["what"]) for kind, detail in events if kind == "teardown"]


def test_the_end_of_a_session_closes_what_is_of_its_own(agent: Agent) -> None:
    for session in ("s1", "s1", "s2"):
        given = call(agent, "keep", {"scope": "session", "key": session}, sessionId=session)
        assert given[1:] == ["call", "session", "page"]
    agent.page.evaluate("webtools.endSession('s1')")
    assert noted(agent) == ["session s1"]
    assert told(agent) == [
        ("session", "started"),
        ("session", "reused"),
        ("session", "started"),
        ("session", "fired"),
    ]
    agent.call("end", {"session": "s2"})
    assert noted(agent) == ["session s1", "session s2"]


def test_the_end_of_a_run_is_that_of_one_tenants(agent: Agent) -> None:
    identity = {"conversationId": "talk-1", "tenant": "acme"}
    call(agent, "keep", {"scope": "run"}, runId="r1", identity=identity)
    agent.page.evaluate("webtools.endRun('r1')")
    assert noted(agent) == []
    agent.page.evaluate("(identity) => webtools.endRun('r1', {identity})", identity)
    assert noted(agent) == ["run it"]


@pytest.mark.parametrize(
    "ending",
    ["endRun('')", "endSession(5)", "endRun('r1', {identity: {}})", "endRun('r1', {identity: 'me'})"],
)
def test_an_end_of_nothing_is_a_type_error(agent: Agent, ending: str) -> None:
    script = f"webtools.{ending}.then(() => 'done', (error) => error.name)"
    assert agent.page.evaluate(script) == "TypeError"


def test_a_browsers_agent_has_call_and_page_and_the_call_is_closed_after_its_answer(agent: Agent) -> None:
    assert agent.call("keep", {"scope": "call"})["structuredContent"] == {
        "result": ["started", "call", "page"]
    }
    agent.page.wait_for_function(UNTIL_NOTED, arg="call it")
    order = [kind for kind, detail in agent.page.evaluate("told") if detail["tool"] == "keep"]
    assert order == ["callstart", "teardown", "callend", "teardown"]


def test_a_scope_that_nothing_ends_is_refused_with_those_that_there_are(agent: Agent, page: Watched) -> None:
    error = error_of(agent.call("keep", {"scope": "session"}))
    assert (
        "nothing ends the scope 'session' for this call, which came in by the door 'browser'"
        in (error["message"])
    )
    assert "It has the scopes call, page." in error["message"]
    page.problems.clear()


def test_a_page_that_may_come_back_keeps_what_is_open_and_one_that_goes_does_not(agent: Agent) -> None:
    agent.call("keep", {"scope": "page"})
    agent.page.evaluate(LEAVE, True)
    assert noted(agent) == []
    assert agent.call("keep", {"scope": "page"})["structuredContent"]["result"][0] == "reused"
    agent.page.evaluate(LEAVE, False)
    assert noted(agent) == ["page it"]


def test_a_real_navigation_closes_all_the_newest_first(agent: Agent, pages: str, page: Watched) -> None:
    for scope in ("page", "session"):
        call(agent, "keep", {"scope": scope}, sessionId="s1")
    agent.page.goto(f"{pages}empty.html")
    assert noted(agent) == ["session it", "page it"]
    agent.page.goto(f"{pages}keeping.html")
    assert page.ready() == "ready"


def test_a_page_that_is_left_runs_cleanups_but_gives_what_waits_no_turn_any_more(
    agent: Agent, pages: str, page: Watched
) -> None:
    begin(agent, "x", "stay", {})
    until_in_flight(agent.page, "stay")
    agent.page.goto(f"{pages}empty.html")
    assert noted(agent) == ["cleaned up"]
    agent.page.goto(f"{pages}keeping.html")
    assert page.ready() == "ready"
    assert [each["tool"] for each in agent.page.evaluate("webtools.interrupted")] == ["stay"]
    assert noted(agent) == ["cleaned up"]


def test_a_cleanup_that_fails_is_told_and_breaks_nothing(agent: Agent, page: Watched) -> None:
    agent.page.evaluate(CALL, ["keep_badly", {}, {"sessionId": "s1"}])
    call(agent, "keep", {"scope": "session"}, sessionId="s1")
    agent.page.evaluate("webtools.endSession('s1')")
    assert noted(agent) == ["session it"]
    assert ("session", "failed") in told(agent)
    (line,) = page.problems
    assert "Tool 'keep_badly': a cleanup (session) failed" in line
    page.problems.clear()


# Tools that call tools


def test_an_inner_call_gives_the_value_and_has_the_callers_facts(agent: Agent) -> None:
    found, inner = call(agent, "outer", {"name": "who"}, sessionId="s1")
    assert found is True
    assert inner[1:] == ["inner", "s1", True]
    events = [
        (kind, detail["tool"], detail["callId"])
        for kind, detail in agent.page.evaluate("told")
        if kind in ("callstart", "callend")
    ]
    outer = inner[0].removesuffix("#inner-1")
    assert events == [
        ("callstart", "outer", outer),
        ("callstart", "who", inner[0]),
        ("callend", "who", inner[0]),
        ("callend", "outer", outer),
    ]


def test_an_inner_call_is_in_flight_of_its_tool_and_ends_with_the_outer_one(agent: Agent) -> None:
    agent.page.evaluate(
        """() => {
          window.giveUp = new AbortController();
          window.ended = webtools.call("outer", {name: "wait"}, {signal: giveUp.signal});
        }"""
    )
    until_in_flight(agent.page, "wait")
    agent.page.evaluate("giveUp.abort()")
    assert error_of(agent.page.evaluate("ended"))["code"] == "CANCELLED"
    agent.page.wait_for_function(UNTIL_NOTED, arg="wait ended: CANCELLED")
    agent.page.wait_for_function("webtools.tools().every(({inFlight}) => inFlight === 0)")


@pytest.mark.parametrize(
    ("name", "args", "code"),
    [
        ("gone", {}, "TOOL_NOT_FOUND"),
        ("theirs", {}, "TOOL_NOT_FOUND"),
        ("outer", {}, "TOOL_NOT_FOUND"),
        ("keep", {}, "INVALID_TOOL_ARGS"),
        ("pay", {}, "CREDENTIAL_UNAVAILABLE"),
    ],
)
def test_an_inner_call_that_cannot_be_made_names_the_tool(
    agent: Agent, name: str, args: dict[str, Any], code: str
) -> None:
    error = error_of(agent.call("outer", {"name": name, "args": args}))
    assert (error["code"], error["effect"]) == (code, "unknown")
    assert name in error["message"]
