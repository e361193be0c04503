"""Tools that are bound to the path: there while it fits, and no call is lost when it moves.

On native, on the polyfill, and on the polyfill in its cancelling mode; the page is watched by the Navigation
API, and by the history object as in browsers that have none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser

from e2e.agents import Agent, Host, Mode, begin, end, error_of, mode_of, text_of
from e2e.conftest import Watched

ALWAYS = {"open_cart", "release_all"}

NO_NAVIGATION = "Object.defineProperty(window, 'navigation', {value: undefined})"

UNTIL_LISTED = """async (wanted) => {
  const names = async () => (await document.modelContext.getTools()).map(({name}) => name).join();
  for (const began = performance.now(); performance.now() - began < 10_000; )
    if ((await names()) === wanted) return;
    else await new Promise((resolve) => setTimeout(resolve, 10));
  throw new Error(`listed: ${await names()}, wanted: ${wanted}`);
}"""

W11 = """async (name) => {
  traffic.length = 0;
  history[name](null, "", "/cart/1");
  const atReturn = [...traffic];
  await null; // the next microtask after those that are waiting
  return [atReturn, [...traffic]];
}"""

THERE_AND_BACK = """async (inOneTask) => {
  traffic.length = 0;
  history.pushState(null, "", "/");
  if (!inOneTask) await null;
  history.pushState(null, "", "/cart/2");
  // a later macrotask, after the one in which a release is looked at
  for (let turns = 0; turns < 3; turns += 1) await new Promise((resolve) => setTimeout(resolve));
  return [...traffic];
}"""


@pytest.fixture(
    params=[
        ("native", "navigation"),
        ("native", "history"),
        ("polyfill", "navigation"),
        ("cancelling", "history"),
    ],
    ids=" by ".join,
    scope="module",
)
def site(request: pytest.FixtureRequest, browsers: Callable[[Mode], Browser], pages: str) -> Iterator[Agent]:
    """An agent at the page with its tools up; the parameter says on what, and how the page is watched."""
    host, way = request.param
    mode = mode_of(host)
    context = browsers(mode).new_context()
    if way == "history":
        context.add_init_script(NO_NAVIGATION)
    watched = Watched(context.new_page())
    watched.page.goto(url_of(pages, host))
    assert watched.ready() == "ready"
    wrapped = watched.page.evaluate("Reflect.ownKeys(history)")
    assert wrapped == ([] if way == "navigation" else ["pushState", "replaceState"])
    yield Agent(watched.page, mode)
    assert watched.problems == []
    context.close()
    assert watched.foreign == []
    assert watched.uncaught == []


@pytest.fixture
def agent(site: Agent) -> Agent:
    """An agent at the start page, to which no tool is bound."""
    go(site, "/")
    until_listed(site)
    site.page.evaluate("() => { traffic.length = 0; }")
    return site


def url_of(pages: str, host: Host, fragment: str = "") -> str:
    return f"{pages}match.html{'?cancels' if host == 'cancelling' else ''}{fragment}"


def go(agent: Agent, url: str) -> None:
    """Navigate as a router does."""
    agent.page.evaluate("(url) => history.pushState(null, '', url)", url)


def until_listed(agent: Agent, *names: str) -> None:
    """Wait until exactly these bound tools are listed."""
    agent.page.evaluate(UNTIL_LISTED, ",".join(sorted({*ALWAYS, *names})))


def traffic(agent: Agent) -> list[str]:
    """What the model context was asked for since the test began."""
    asked: list[str] = agent.page.evaluate("traffic")
    return asked


@pytest.mark.parametrize("name", ["pushState", "replaceState"])
def test_w11_a_matching_tool_is_registered_a_microtask_after_the_navigation_returned(
    agent: Agent, name: str
) -> None:
    assert agent.page.evaluate(W11, name) == [[], ["register cart", "register total"]]
    until_listed(agent, "cart", "total")
    assert text_of(agent.call("cart")) == "read: done"


def test_a_tool_leaves_when_the_path_stops_to_fit(agent: Agent) -> None:
    go(agent, "/cart/1")
    until_listed(agent, "cart", "total")
    agent.page.evaluate("history.replaceState(null, '', '/checkout')")
    until_listed(agent, "total")
    go(agent, "/")
    until_listed(agent)
    assert traffic(agent) == ["register cart", "register total", "unregister cart", "unregister total"]


def test_back_and_forward_count(agent: Agent) -> None:
    go(agent, "/checkout")
    until_listed(agent, "total")
    agent.page.evaluate("history.back()")
    until_listed(agent)
    agent.page.evaluate("history.forward()")
    until_listed(agent, "total")


def test_a_pattern_for_the_hash_follows_the_hash(agent: Agent) -> None:
    agent.page.evaluate("() => { location.hash = '/details/1'; }")
    until_listed(agent, "details")
    assert text_of(agent.call("details")) == "details"
    agent.page.evaluate("location.replace('#/')")
    until_listed(agent)
    go(agent, "/#/details/2")
    until_listed(agent, "details")
    agent.page.evaluate("history.back()")
    until_listed(agent)


def test_a_move_between_paths_that_fit_is_no_change_to_the_browser(agent: Agent) -> None:
    go(agent, "/cart/1")
    until_listed(agent, "cart", "total")
    for url in ("/cart/2", "/cart/2?sort=price", "/cart/2#lines"):
        go(agent, url)
    assert text_of(agent.call("cart")) == "read: done"
    assert traffic(agent) == ["register cart", "register total"]


@pytest.mark.parametrize("in_one_task", [True, False])
def test_there_and_back_in_one_tick_is_no_change_to_the_browser(agent: Agent, in_one_task: bool) -> None:
    go(agent, "/cart/1")
    until_listed(agent, "cart", "total")
    assert agent.page.evaluate(THERE_AND_BACK, in_one_task) == []
    assert text_of(agent.call("cart")) == "read: done"


def test_a_tool_that_navigates_away_from_its_own_path_still_answers(agent: Agent) -> None:
    go(agent, "/cart/1")
    until_listed(agent, "cart", "total")
    assert text_of(agent.call("cart", {"action": "leave"})) == "leave: done"
    until_listed(agent)
    assert agent.page.evaluate("location.pathname") == "/"


def test_a_call_in_flight_when_the_path_leaves_is_answered(agent: Agent) -> None:
    go(agent, "/cart/1")
    until_listed(agent, "cart", "total")
    begin(agent, "x", "cart", {"action": "wait"})
    go(agent, "/")
    until_listed(agent, "cart")
    assert error_of(agent.call("cart"))["code"] == "STALE_TOOL_CALL"
    agent.call("release_all")
    answer = end(agent, "x")
    assert text_of(answer) == "wait: done"
    until_listed(agent)


def test_back_while_the_tool_is_still_leaving_is_no_change_to_the_browser(agent: Agent) -> None:
    go(agent, "/cart/1")
    until_listed(agent, "cart", "total")
    begin(agent, "x", "cart", {"action": "wait"})
    go(agent, "/")
    until_listed(agent, "cart")
    go(agent, "/cart/2")
    agent.call("release_all")
    assert text_of(end(agent, "x")) == "wait: done"
    assert text_of(agent.call("cart")) == "read: done"
    assert [each for each in traffic(agent) if each.endswith(" cart")] == ["register cart"]


def test_an_app_that_is_loaded_again_keeps_its_bound_tools(agent: Agent) -> None:
    go(agent, "/cart/1")
    until_listed(agent, "cart", "total")
    agent.page.evaluate("webtools.start({app: '/match.py'})")
    assert text_of(agent.call("cart")) == "read: done"
    assert traffic(agent) == ["register cart", "register total"]
    go(agent, "/")
    until_listed(agent)


def test_a_page_that_opens_where_a_path_fits_has_the_tool_from_the_start(
    browsers: Callable[[Mode], Browser], host: Host, pages: str
) -> None:
    context = browsers(mode_of(host)).new_context()
    watched = Watched(context.new_page())
    watched.page.goto(url_of(pages, host, "#/details/1"))
    assert watched.ready() == "ready"
    states = {each["name"]: each["state"] for each in watched.page.evaluate("webtools.tools()")}
    assert states == dict.fromkeys({*ALWAYS, "details"}, "registered")
    context.close()
