"""Holds in Python: whatever the page does to its tools, no call is lost.

On native, on the polyfill, and on the polyfill in its cancelling mode, which stands for Chromium up to 152.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser

from e2e.agents import UNTIL_DESCRIBED, Agent, Host, Mode, begin, end, error_of, mode_of, text_of, wait_for
from e2e.conftest import Watched, visited

ALWAYS = {"show", "hide", "remount", "release_all", "state"}

LISTED = "document.modelContext.getTools().then((tools) => tools.map(({name}) => name))"


@pytest.fixture(scope="module")
def page(browsers: Callable[[Mode], Browser], host: Host, pages: str) -> Iterator[Watched]:
    url = f"{pages}holds.html{'?cancels' if host == 'cancelling' else ''}"
    with visited(browsers(mode_of(host)), url) as watched:
        yield watched
    assert watched.problems == []


@pytest.fixture
def agent(page: Watched, host: Host) -> Iterator[Agent]:
    """An agent at a page whose panel is closed, before and after."""
    agent = Agent(page.page, mode_of(host))
    yield agent
    for name in set(agent.names()) - ALWAYS:
        for what in ("panel", "first", "second"):
            page.page.evaluate("(what) => webtools.call('hide', {what})", what)
        wait_for(agent, name, listed=False)
    page.problems.clear()  # hiding what is not shown is a KeyError


def test_a_tool_is_there_while_it_is_held(agent: Agent) -> None:
    assert "panel" not in agent.names()
    agent.call("show", {"what": "panel"})
    assert text_of(agent.call("panel")) == "read: done"
    agent.call("hide", {"what": "panel"})
    wait_for(agent, "panel", listed=False)


def test_a_tool_that_disables_itself_still_answers(agent: Agent) -> None:
    agent.call("show", {"what": "panel"})
    assert text_of(agent.call("panel", {"action": "close"})) == "close: done"
    wait_for(agent, "panel", listed=False)


def test_a_call_in_flight_outlives_the_release_of_its_tool(agent: Agent) -> None:
    agent.call("show", {"what": "panel"})
    begin(agent, "x", "panel", {"action": "wait"})
    agent.call("hide", {"what": "panel"})
    assert "panel" in agent.names()
    assert error_of(agent.call("panel"))["code"] == "STALE_TOOL_CALL"
    agent.call("release_all")
    assert text_of(end(agent, "x")) == "wait: done"
    wait_for(agent, "panel", listed=False)


def test_a_changed_definition_waits_for_the_call_of_the_old_one(agent: Agent) -> None:
    agent.call("show", {"what": "second"})
    begin(agent, "x", "other", {})
    agent.call("show", {"what": "first"})
    assert text_of(end(agent, "x")) == "second"
    error = error_of(agent.page.evaluate("webtools.call('other')"))
    assert (error["code"], error["retryable"]) == ("TOOL_CHANGED", True)
    agent.page.evaluate(UNTIL_DESCRIBED, ["other", "The first."])
    assert text_of(agent.call("other")) == "first"


def test_a_remount_in_one_tick_is_no_change_to_the_browser(agent: Agent) -> None:
    agent.call("show", {"what": "panel"})
    wait_for(agent, "panel", listed=True)
    begin(agent, "x", "panel", {"action": "wait"})
    changes = agent.page.evaluate("window.changes")
    for _ in range(5):
        agent.call("remount", {"what": "panel"})
    agent.call("release_all")
    assert text_of(end(agent, "x")) == "wait: done"
    assert agent.page.evaluate("window.changes") == changes


def test_the_pages_javascript_holds_a_python_tool(agent: Agent) -> None:
    agent.page.evaluate("() => { window.held = webtools.hold('panel', {resourceId: 'doc-1'}); }")
    assert agent.page.evaluate("window.held.status") in ("registering", "registered")
    begin(agent, "x", "panel", {"action": "wait"})
    agent.page.evaluate("() => { held.release(); held.release(); }")
    assert agent.page.evaluate("window.held.status") == "leaving"
    agent.call("release_all")
    assert text_of(end(agent, "x")) == "wait: done"
    wait_for(agent, "panel", listed=False)
    assert agent.page.evaluate("window.held.status") == "unknown"


def test_a_hold_of_the_pages_waits_for_python_and_a_released_one_is_never_registered(
    browsers: Callable[[Mode], Browser], host: Host, pages: str
) -> None:
    context = browsers(mode_of(host)).new_context()
    watched = Watched(context.new_page())
    watched.page.add_init_script("""addEventListener("DOMContentLoaded", () => {
      window.early = [webtools.hold("panel"), webtools.hold("other")];
      early[1].release();
      window.atFirst = early[0].status;
      window.states = [];
      webtools.addEventListener("toolstate", ({detail}) => states.push(`${detail.tool} ${detail.state}`));
    })""")
    watched.page.goto(f"{pages}holds.html{'?cancels' if host == 'cancelling' else ''}")
    assert watched.ready() == "ready"
    assert watched.page.evaluate("[atFirst, early[0].status]") == ["unknown", "registered"]
    assert "panel registered" in watched.page.evaluate("states")
    assert [each for each in watched.page.evaluate("states") if each.startswith("other")] == []
    context.close()
