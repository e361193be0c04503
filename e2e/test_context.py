"""What a handler is given in a real page, and what guards it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from e2e.agents import Agent, Mode, begin, end, error_of, text_of, wait_for
from e2e.conftest import Watched, visited

FACTS: dict[str, Any] = {
    "sessionId": "s1",
    "turnId": "t1",
    "turnStartedAt": 17,
    "runId": "r1",
    "iteration": 3,
    "provider": "vendor",
    "effortLevel": "high",
    "identity": {"conversationId": "talk-1", "tenant": "acme"},
}

CALL = "([name, input, options]) => webtools.call(name, input, options)"

START = """([key, name, input, options]) => {
  window.begunCalls ??= {};
  window.giveUp ??= {};
  window.giveUp[key] = new AbortController();
  window.begunCalls[key] = webtools.call(name, input, {...options, signal: window.giveUp[key].signal});
}"""


@pytest.fixture(scope="module")
def page(browsers: Callable[[Mode], Browser], mode: Mode, pages: str) -> Iterator[Watched]:
    with visited(browsers(mode), f"{pages}context.html") as watched:
        yield watched
    assert watched.problems == []


@pytest.fixture
def agent(page: Watched, mode: Mode) -> Agent:
    """An agent at a page that has noted nothing yet."""
    agent = Agent(page.page, mode)
    agent.call("change")
    agent.call("take_log")
    page.page.evaluate("() => { told.length = 0; }")
    return agent


@pytest.fixture
def holding(agent: Agent) -> Iterator[Callable[..., None]]:
    """Holds a tool until the test is over."""
    held: list[str] = []

    def hold(what: str, **options: str) -> None:
        agent.call("hold", {"what": what, **options})
        held.append(what)

    yield hold
    agent.call("go_on")
    for what in held:
        agent.page.evaluate("(what) => webtools.call('release', {what})", what)
    for name in {"turning" if what == "turned" else what for what in held}:
        wait_for(agent, name, listed=False)


def call(
    agent: Agent, name: str, arguments: dict[str, Any] | None = None, **options: object
) -> dict[str, Any]:
    """Call by the page's own client, which can state facts."""
    answer: dict[str, Any] = agent.page.evaluate(CALL, [name, arguments or {}, options])
    return answer


def start(
    agent: Agent, key: str, name: str, arguments: dict[str, Any] | None = None, **options: object
) -> None:
    """Begin such a call; `end` waits for it."""
    agent.page.evaluate(START, [key, name, arguments or {}, options])


def log_of(agent: Agent) -> list[str]:
    noted: list[str] = agent.call("take_log")["structuredContent"]["result"]
    return noted


def told(agent: Agent, tool: str) -> list[tuple[str, dict[str, Any]]]:
    """What the page was told of a tool's calls."""
    events = agent.page.evaluate("told")
    return [(what, detail) for what, detail in events if detail["tool"] == tool]


# What a handler is given


def test_what_the_caller_states_is_what_the_handler_is_given(agent: Agent) -> None:
    given = call(agent, "facts", None, **FACTS)["structuredContent"]
    wanted = {
        "door": "page",
        "session_id": "s1",
        "turn_id": "t1",
        "turn_started_at": 17,
        "run_id": "r1",
        "iteration": 3,
        "provider": "vendor",
        "effort_level": "high",
        "identity": ["talk-1", "acme", None],
        "generation": None,
        "is_current": True,
    }
    assert {name: given[name] for name in wanted} == wanted
    always = {"call_id", "tool", "door", "received_at", "iteration", "signal", "deadline_at", "tools"}
    facts = {"turn_id", "turn_started_at", "run_id", "session_id", "identity", "provider", "effort_level"}
    assert set(given["present"]) == always | facts
    assert given["deadline_at"] - given["received_at"] == 60_000
    assert abs(given["received_at"] - agent.page.evaluate("Date.now()")) < 30_000


def test_a_browser_states_nothing_and_nothing_is_made_up(agent: Agent) -> None:
    given = agent.call("facts")["structuredContent"]
    names = ("session_id", "turn_id", "turn_started_at", "run_id", "identity", "provider", "effort_level")
    assert [given[name] for name in names] == [None] * 7
    assert (given["door"], given["iteration"], given["is_current"]) == ("browser", 0, True)
    assert not set(names) & set(given["present"])


def test_the_handlers_call_id_is_the_one_of_the_pages_events(agent: Agent) -> None:
    given = agent.call("facts")["structuredContent"]
    assert {detail["callId"] for _, detail in told(agent, "facts")} == {given["call_id"]}


@pytest.mark.parametrize(
    "options",
    [{"sessionId": 1}, {"iteration": 1.5}, {"identity": {}}, {"turnStartedAt": "now"}],
    ids=lambda options: next(iter(options)),
)
def test_facts_of_another_kind_are_refused(agent: Agent, options: dict[str, Any]) -> None:
    error = error_of(call(agent, "facts", **options))
    assert (error["code"], error["effect"], error["retryable"]) == ("INVALID_TOOL_ARGS", "none", True)
    assert next(iter(options)) in error["message"]


@pytest.mark.parametrize(
    "options", ["{toJSON: () => 5}", "{identity: deep(5000)}", "5", "{sessionId: 'a\\ud800'}"]
)
def test_no_options_can_kill_python(agent: Agent, options: str) -> None:
    deep = "const deep = (n) => { let all = 1; while (n--) all = {a: all}; return all; };"
    answer = agent.page.evaluate(f"() => {{ {deep} return webtools.call('facts', {{}}, {options}); }}")
    assert not answer.get("isError") or error_of(answer)["code"] == "INVALID_TOOL_ARGS"
    assert agent.call("facts")["structuredContent"]["door"] == "browser"


def test_an_abort_fires_the_handlers_signal(agent: Agent) -> None:
    start(agent, "x", "listen")
    agent.page.evaluate("giveUp.x.abort()")
    assert error_of(end(agent, "x"))["code"] == "CANCELLED"
    agent.page.wait_for_function(
        "async () => { const {structuredContent} = await webtools.call('take_log');"
        " return structuredContent.result.includes('signal: CANCELLED'); }"
    )


# Progress


def test_progress_is_told_in_its_order_before_the_calls_end(agent: Agent) -> None:
    assert text_of(call(agent, "count", {"to": 3}, iteration=2)) == "counted"
    events = told(agent, "count")
    assert [what for what, _ in events] == ["callstart", *["callprogress"] * 3, "callend"]
    call_id = events[0][1]["callId"]
    for number, (_, detail) in enumerate(events[1:4], 1):
        payload = {"message": f"at {number}", "done": number, "total": 3, "callId": "forged"}
        assert detail == {
            "tool": "count",
            "callId": call_id,
            "iteration": 2,
            "progress": payload,
            "message": f"at {number}",
            "done": number,
            "total": 3,
        }


def test_progress_of_a_browsers_call_changes_nothing_of_what_the_agent_reads(agent: Agent) -> None:
    assert agent.call("count", {"to": 12}) == agent.call("count", {"to": 0})
    assert [what for what, _ in told(agent, "count")].count("callprogress") == 12


def test_a_handler_in_javascript_reports_in_the_same_way(agent: Agent) -> None:
    assert text_of(call(agent, "count_in_page", iteration=5)) == "counted"
    events = told(agent, "count_in_page")
    assert [what for what, _ in events] == ["callstart", "callprogress", "callprogress", "callend"]
    details = [detail for what, detail in events if what == "callprogress"]
    assert [each["message"] for each in details] == ["one", "count_in_page reported progress (2)"]
    assert [(each["iteration"], each["done"], each["total"]) for each in details] == [(5, 1, 2), (5, 2, 2)]


# Guards, and the codes of their refusals


def test_calls_of_a_serial_tool_run_one_after_another(agent: Agent) -> None:
    agent.page.evaluate("Promise.all([1, 2, 3].map((number) => webtools.call('step', {number})))")
    assert log_of(agent) == [f"step {number}" for number in (1, 1, 2, 2, 3, 3)]


def test_stale_tool_call(agent: Agent, holding: Callable[..., None]) -> None:
    holding("write", resource_id="A")
    start(agent, "x", "write", {"waits": True}, sessionId="s1", turnId="t1")
    agent.call("release", {"what": "write"})
    agent.call("go_on")
    error = error_of(end(agent, "x"))
    assert (error["code"], error["effect"], error["retryable"]) == ("STALE_TOOL_CALL", "unknown", False)
    assert error["details"] == {"session_id": "s1", "turn_id": "t1"}
    late = error_of(call(agent, "write", sessionId="s1"))
    assert (late["code"], late["effect"], late["details"]) == (
        "STALE_TOOL_CALL",
        "none",
        {"session_id": "s1"},
    )
    assert log_of(agent) == []


def test_tool_changed(agent: Agent, holding: Callable[..., None]) -> None:
    holding("turning")
    wait_for(agent, "turning", listed=True)
    begin(agent, "x", "turning", {})
    holding("turned")
    error = error_of(call(agent, "turning"))
    assert (error["code"], error["effect"], error["retryable"]) == ("TOOL_CHANGED", "none", True)
    agent.call("go_on")
    assert text_of(end(agent, "x")) == "done"


def test_resource_changed(agent: Agent, holding: Callable[..., None]) -> None:
    holding("write", resource_id="A")
    start(agent, "x", "write", {"waits": True}, turnId="t1")
    agent.call("change", {"active": "B"})
    agent.call("go_on")
    error = error_of(end(agent, "x"))
    assert (error["code"], error["effect"], error["retryable"]) == ("RESOURCE_CHANGED", "unknown", False)
    assert error["details"] == {"turn_id": "t1", "resource_id": "A", "active_id": "B"}
    wait_for(agent, "write", listed=True)
    assert error_of(agent.call("write"))["effect"] == "none"
    assert log_of(agent) == []
    agent.call("change", {"active": "A"})
    assert text_of(agent.call("write")) == "wrote A"


def test_resource_disposed(agent: Agent, holding: Callable[..., None]) -> None:
    holding("write", resource_id="A")
    wait_for(agent, "write", listed=True)
    agent.call("change", {"active": None})
    error = error_of(agent.call("write"))
    assert (error["code"], error["effect"], error["retryable"]) == ("RESOURCE_DISPOSED", "none", False)
    assert log_of(agent) == []


@pytest.mark.parametrize("expected", [3, 5])
def test_version_conflict(agent: Agent, expected: int) -> None:
    error = error_of(agent.call("edit", {"expected": expected}))
    assert (error["code"], error["effect"], error["retryable"]) == ("VERSION_CONFLICT", "none", True)
    assert error["details"] == {"expected": expected, "current": 4}
    assert agent.call("edit", {"expected": 4})["structuredContent"] == {"result": 5}


def test_not_allowed(agent: Agent) -> None:
    error = error_of(agent.call("pay"))
    assert (error["code"], error["effect"], error["retryable"]) == ("NOT_ALLOWED", "none", False)
    assert error["message"] == "The page only shows this."
    assert log_of(agent) == []
    agent.call("change", {"is_allowed": True})
    assert text_of(agent.call("pay")) == "done"


def test_tool_timeout_of_a_handler_that_falls_silent(agent: Agent) -> None:
    error = error_of(agent.call("upload", {"reports": 5}))
    assert (error["code"], error["effect"], error["retryable"]) == ("TOOL_TIMEOUT", "unknown", False)
    assert error["message"] == "upload reported nothing for 0.3 s; its effect may still land."
    assert [detail["done"] for what, detail in told(agent, "upload") if what == "callprogress"] == [
        0,
        1,
        2,
        3,
        4,
    ]
    assert told(agent, "upload")[-1][1]["ms"] > 500, "each report began the idle time anew"
