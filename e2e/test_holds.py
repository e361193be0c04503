"""Holds in Python: whatever the page does to its tools, no call is lost.

On native, on the polyfill, and on the polyfill in its cancelling mode, which stands for Chromium up to 152.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser

from e2e.agents import Agent, Mode, error_of, text_of
from e2e.conftest import Watched

Host = Literal["native", "polyfill", "cancelling"]
ALWAYS = {"show", "hide", "remount", "release_all", "state"}

LISTED = "document.modelContext.getTools().then((tools) => tools.map(({name}) => name))"

UNTIL_LISTED = """async ([name, wanted]) => {
  const isListed = async () => (await document.modelContext.getTools()).some((tool) => tool.name === name);
  for (const began = performance.now(); performance.now() - began < 10_000; )
    if ((await isListed()) === wanted) return performance.now() - began;
    else await new Promise((resolve) => setTimeout(resolve, 10));
  throw new Error(`${name} is ${wanted ? "not" : "still"} listed`);
}"""

UNTIL_DESCRIBED = """async ([name, description]) => {
  const tools = () => document.modelContext.getTools();
  const isIt = (each) => each.name === name && each.description === description;
  const isThere = async () => (await tools()).some(isIt);
  for (const began = performance.now(); performance.now() - began < 10_000; )
    if (await isThere()) return;
    else await new Promise((resolve) => setTimeout(resolve, 10));
  throw new Error(`${name} is not there`);
}"""

START = """async ([key, name, input]) => {
  const tool = (await document.modelContext.getTools()).find((each) => each.name === name);
  const began = new Promise((resolve) => webtools.addEventListener("callstart", resolve, {once: true}));
  window.calls ??= {};
  window.calls[key] = document.modelContext.executeTool(tool, input)
    .then(JSON.parse, (error) => ({lost: error.name}));
  await began;
}"""


@pytest.fixture(params=["native", "polyfill", "cancelling"], scope="module")
def host(request: pytest.FixtureRequest) -> Host:
    chosen: Host = request.param
    return chosen


@pytest.fixture(scope="module")
def page(browsers: Callable[[Mode], Browser], host: Host, pages: str) -> Iterator[Watched]:
    context = browsers("native" if host == "native" else "polyfill").new_context()
    watched = Watched(context.new_page())
    watched.page.goto(f"{pages}holds.html{'?cancels' if host == 'cancelling' else ''}")
    assert watched.ready() == "ready"
    yield watched
    assert watched.problems == []
    context.close()
    assert watched.foreign == []
    assert watched.uncaught == []


@pytest.fixture
def agent(page: Watched, host: Host) -> Iterator[Agent]:
    """An agent at a page whose panel is closed, before and after."""
    agent = Agent(page.page, "native" if host == "native" else "polyfill")
    yield agent
    for name in set(agent.names()) - ALWAYS:
        for what in ("panel", "first", "second"):
            page.page.evaluate("(what) => webtools.call('hide', {what})", what)
        wait_for(agent, name, listed=False)
    page.problems.clear()  # hiding what is not shown is a KeyError


def wait_for(agent: Agent, name: str, *, listed: bool) -> float:
    """Wait until the tool is listed or not; gives the milliseconds that it took."""
    return float(agent.page.evaluate(UNTIL_LISTED, [name, listed]))


def begin(agent: Agent, key: str, name: str, arguments: dict[str, Any]) -> None:
    """Begin a call that `end` waits for."""
    agent.page.evaluate(START, [key, name, arguments])


def end(agent: Agent, key: str) -> dict[str, Any]:
    """Give the answer of a call that was begun."""
    answer: dict[str, Any] = agent.page.evaluate("(key) => window.calls[key]", key)
    return answer


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
    context = browsers("native" if host == "native" else "polyfill").new_context()
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
