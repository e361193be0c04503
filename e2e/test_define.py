"""Tools that JavaScript defines: without Python, before it is up, after it came, and after it died.

On native, on the polyfill, and on the polyfill in its cancelling mode, which stands for Chromium up to 152.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser

from e2e.agents import UNTIL_DESCRIBED, Agent, Host, Mode, begin, end, error_of, mode_of, text_of, wait_for
from e2e.conftest import Watched

When = Literal["without Python", "with Python"]


@pytest.fixture(scope="module", params=["without Python", "with Python"])
def page(
    browsers: Callable[[Mode], Browser], host: Host, pages: str, request: pytest.FixtureRequest
) -> Iterator[Watched]:
    when: When = request.param
    context = browsers(mode_of(host)).new_context()
    watched = Watched(context.new_page())
    open_page(watched, pages, host)
    if when == "with Python":
        watched.page.evaluate("webtools.start({app: '/hello.py'})")
    yield watched
    context.close()
    assert watched.problems == []
    assert watched.foreign == []
    assert watched.uncaught == []


@pytest.fixture
def agent(page: Watched, host: Host) -> Iterator[Agent]:
    agent = Agent(page.page, mode_of(host))
    yield agent
    page.page.evaluate("() => { goOn(); for (const key in holds) holds[key].release(); }")
    wait_for(agent, "panel", listed=False)


def open_page(watched: Watched, pages: str, host: Host) -> None:
    watched.page.goto(f"{pages}define.html?{host}")
    watched.page.wait_for_selector("html[data-ready]")


@pytest.fixture
def fresh(browsers: Callable[[Mode], Browser], host: Host, pages: str) -> Iterator[Watched]:
    """A page of the test's own, without Python so far."""
    context = browsers(mode_of(host)).new_context()
    watched = Watched(context.new_page())
    open_page(watched, pages, host)
    yield watched
    context.close()
    assert watched.foreign == []
    assert watched.uncaught == [] or watched.is_python_to_die


def run(agent: Agent, script: str) -> Any:
    return agent.page.evaluate(script)


def test_a_tool_is_there_while_it_is_held(agent: Agent) -> None:
    run(agent, "hold('panel')")
    wait_for(agent, "panel", listed=True)
    assert text_of(agent.call("panel", {"action": "look"})) == "look: done"
    assert run(agent, "holds.panel.status") == "registered"


def test_a_tool_that_releases_itself_still_answers(agent: Agent) -> None:
    run(agent, "hold('panel')")
    wait_for(agent, "panel", listed=True)
    assert text_of(agent.call("panel", {"action": "release"})) == "release: done"
    wait_for(agent, "panel", listed=False)


def test_a_call_in_flight_outlives_the_release_and_is_stale(agent: Agent) -> None:
    run(agent, "hold('panel')")
    wait_for(agent, "panel", listed=True)
    begin(agent, "x", "panel", {"action": "wait"})
    begin(agent, "y", "panel", {"action": "guarded"})
    assert run(agent, "contexts.at(-1).isCurrent()") is True
    run(agent, "holds.panel.release()")
    assert error_of(agent.call("panel"))["code"] == "STALE_TOOL_CALL"
    assert run(agent, "contexts.at(-1).isCurrent()") is False
    run(agent, "goOn()")
    assert text_of(end(agent, "x")) == "wait: done"
    assert error_of(end(agent, "y"))["code"] == "STALE_TOOL_CALL"


def test_a_remount_in_one_tick_keeps_calls_current_and_the_browser_quiet(agent: Agent) -> None:
    run(agent, "hold('panel')")
    wait_for(agent, "panel", listed=True)
    before = run(agent, "registered.panel")
    begin(agent, "x", "panel", {"action": "guarded"})
    run(agent, "() => { for (let i = 0; i < 5; i += 1) { holds.panel.release(); hold('panel'); } }")
    run(agent, "goOn()")
    assert text_of(end(agent, "x")) == "guarded: done"
    assert run(agent, "registered.panel") == before


def test_another_owners_hold_makes_calls_stale(agent: Agent) -> None:
    run(agent, "hold('panel', 'panel', undefined, {owner: {}})")
    wait_for(agent, "panel", listed=True)
    begin(agent, "x", "panel", {"action": "guarded"})
    run(agent, "() => { holds.panel.release(); hold('panel', 'panel', undefined, {owner: {}}); }")
    run(agent, "new Promise((resolve) => setTimeout(resolve)).then(goOn)")
    assert error_of(end(agent, "x"))["code"] == "STALE_TOOL_CALL"


def test_a_changed_definition_waits_for_the_call_of_the_old_one(agent: Agent) -> None:
    run(agent, "hold('panel', 'panel', 'The first.')")
    wait_for(agent, "panel", listed=True)
    begin(agent, "x", "panel", {"action": "wait"})
    run(agent, "hold('second', 'panel', 'The second.')")
    assert error_of(run(agent, "webtools.call('panel')"))["code"] == "TOOL_CHANGED"
    run(agent, "goOn()")
    assert text_of(end(agent, "x")) == "wait: done"
    run(agent, f"({UNTIL_DESCRIBED})(['panel', 'The second.'])")


def test_the_browsers_refusal_is_the_state_of_the_tool(agent: Agent) -> None:
    state = run(
        agent,
        """async () => {
          hold("bad", "no name!");
          while (holds.bad.status === "registering") await new Promise((resolve) => setTimeout(resolve));
          const [found] = webtools.tools().filter(({name}) => name === "no name!");
          holds.bad.release();
          return found;
        }""",
    )
    assert state["state"] == "failed"
    assert "InvalidStateError" in state["reason"]


def test_a_page_without_python_loads_the_polyfill_when_it_defines_a_tool(
    browsers: Callable[[Mode], Browser], pages: str
) -> None:
    context = browsers("polyfill").new_context()
    watched = Watched(context.new_page())
    watched.page.goto(f"{pages}define.html")
    watched.page.wait_for_selector("html[data-ready]")
    agent = Agent(watched.page, "polyfill")
    assert run(agent, "document.modelContext === undefined")
    run(
        agent,
        "() => { hold('panel'); hold('early'); holds.early.release(); window.first = holds.panel.status; }",
    )
    agent.page.wait_for_function("document.modelContext !== undefined")
    assert run(agent, "first") == "waiting"
    wait_for(agent, "panel", listed=True)
    assert agent.names() == ["panel"]
    assert text_of(agent.call("panel")) == "read: done"
    context.close()
    assert watched.problems == []
    assert watched.foreign == []


def test_tools_of_javascript_outlive_pythons_death(fresh: Watched, host: Host) -> None:
    fresh.is_python_to_die = True
    agent = Agent(fresh.page, mode_of(host))
    run(agent, "webtools.start({app: '/dying.py'})")
    run(agent, "() => { hold('panel'); hold('gone'); }")
    for name in ("die", "panel", "gone"):
        wait_for(agent, name, listed=True)
    begin(agent, "x", "panel", {"action": "guarded"})
    assert error_of(agent.call("die"))["code"] == "HOST_FAILED"
    assert run(agent, "webtools.status") == "failed"
    refused = error_of(agent.call("die"))
    assert (refused["code"], refused["effect"]) == ("HOST_FAILED", "none")
    assert text_of(agent.call("panel")) == "read: done"
    run(agent, "goOn()")
    assert text_of(end(agent, "x")) == "guarded: done"
    wait_for(agent, "die", listed=False)
    run(agent, "holds.gone.release()")
    wait_for(agent, "gone", listed=False)
    assert "panel" in agent.names()
    assert run(agent, "registered.panel") == 1


def test_a_boot_that_fails_leaves_javascripts_tools_and_lets_go_of_what_was_released(
    fresh: Watched, host: Host
) -> None:
    agent = Agent(fresh.page, mode_of(host))
    run(agent, "() => { hold('panel'); hold('gone'); }")
    wait_for(agent, "gone", listed=True)
    start = "webtools.start({app: '/hello.py', runtime: '/nowhere/'})"
    run(agent, f"() => {{ window.started = {start}.catch(() => {{}}); }}")
    begin(agent, "x", "panel", {"action": "wait"})
    run(agent, "() => { holds.gone.release(); holds.panel.release(); }")
    run(agent, "started")
    wait_for(agent, "gone", listed=False)
    assert "panel" in agent.names()
    run(agent, "goOn()")
    assert text_of(end(agent, "x")) == "wait: done"
    wait_for(agent, "panel", listed=False)


def test_tools_work_before_python_is_up_and_their_calls_live_through_its_arrival(
    fresh: Watched, host: Host
) -> None:
    agent = Agent(fresh.page, mode_of(host))
    run(agent, "() => { hold('panel'); hold('other'); hold('gone'); }")
    for name in ("panel", "other", "gone"):
        wait_for(agent, name, listed=True)
    run(agent, "() => { window.started = webtools.start({app: '/hello.py'}); holds.gone.release(); }")
    begin(agent, "x", "panel", {"action": "guarded"})
    begin(agent, "y", "other", {"action": "guarded"})
    run(agent, "holds.other.release()")
    assert "gone" in agent.names()
    run(agent, "started")
    assert [each["inFlight"] for each in run(agent, "webtools.tools()") if each["name"] == "panel"] == [1]
    wait_for(agent, "gone", listed=False)
    run(agent, "goOn()")
    assert text_of(end(agent, "x")) == "guarded: done"
    assert error_of(end(agent, "y"))["code"] == "STALE_TOOL_CALL"
    wait_for(agent, "other", listed=False)
    assert run(agent, "[registered.panel, registered.other]") == [1, 1]
    assert text_of(agent.call("panel")) == "read: done"
    assert fresh.problems == []
