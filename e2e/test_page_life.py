"""What a page goes through: the back-forward cache, a hidden tab, foreign scripts, a second copy of ours."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, Route

from e2e.agents import Agent, Mode, begin, end, error_of, text_of, until_in_flight, wait_for
from e2e.conftest import Watched, one_mode, visited

FORM = """() => {
  document.body.insertAdjacentHTML("beforeend",
    '<form toolname="panel" tooldescription="A form."><input name="a"></form>');
}"""

REMOVE_FORM = "() => document.querySelector('form').remove()"

SLOW_TIMERS = """() => {
  const now = () => performance.now();
  const real = window.setTimeout;
  window.setTimeout = (callback, ms = 0, ...args) =>
    real(callback, Math.ceil((now() + ms) / 1000) * 1000 - now(), ...args);
}"""
"""A hidden page's timers: they fire at whole seconds (../shared/spec/platform.md, "Event loop")."""

STATE = "(name) => webtools.tools().find((tool) => tool.name === name)?.state ?? 'unknown'"

NOTES = "JSON.parse(sessionStorage.getItem('notes') ?? '[]')"


def until(page: Page, name: str, state: str) -> None:
    """Wait until a tool is in that state."""
    page.wait_for_function(f"([name, state]) => ({STATE})(name) === state", arg=[name, state])


@pytest.fixture(scope="module")
def page(browsers: Callable[[Mode], Browser], mode: Mode, pages: str) -> Iterator[Page]:
    """A page with tools of Python's, and those that JavaScript defines; one for two tests."""
    with visited(browsers(mode), f"{pages}life.html?{mode}") as watched:
        watched.page.wait_for_selector("html[data-ready]")
        yield watched.page
    assert watched.problems == []


def open_life(page: Page, mode: Mode, pages: str) -> None:
    page.goto(f"{pages}life.html?{mode}")
    page.wait_for_selector("html[data-ready]")
    page.evaluate("webtools.ready")


@pytest.fixture
def empty(returnable: Browser) -> Iterator[Watched]:
    """An empty page in a browser that has its back-forward cache."""
    watched = Watched(returnable.new_page())
    yield watched
    returnable.close()
    assert watched.problems == []
    assert watched.uncaught == []
    assert watched.foreign == []


@pytest.fixture
def returning(empty: Watched, mode: Mode, pages: str) -> Watched:
    """The page that all is about, in such a browser."""
    open_life(empty.page, mode, pages)
    return empty


def test_a_page_that_comes_back_from_the_cache_has_its_tools_once(
    returning: Watched, mode: Mode, pages: str
) -> None:
    page = returning.page
    agent = Agent(page, mode)
    page.evaluate("() => { hold('mine'); hold('gone'); }")
    agent.call("show", {"what": "panel"})
    for name in ("mine", "gone", "panel"):
        wait_for(agent, name, listed=True)
    before = page.evaluate("({...registered})")
    names = agent.names()
    page.evaluate("addEventListener('pageshow', ({persisted}) => { window.persisted = persisted; })")
    begin(agent, "python", "panel", {"action": "wait"})
    begin(agent, "javascript", "mine", {"action": "wait"})
    for name in ("panel", "mine"):
        until_in_flight(page, name)
    assert page.evaluate("contexts.at(-1).isCurrent()") is True
    page.goto(f"{pages}empty.html")
    page.go_back(wait_until="commit")
    page.wait_for_function("window.persisted === true")
    for key in ("python", "javascript"):
        error = error_of(end(agent, key))
        assert (error["code"], error["effect"]) == ("CANCELLED", "unknown")
    assert page.evaluate("[contexts.at(-1).signal.aborted, contexts.at(-1).isCurrent()]") == [True, False]
    assert agent.names() == names
    assert page.evaluate("({...registered})") == before
    assert [each["inFlight"] for each in page.evaluate("webtools.tools()")] == [0] * len(names)
    page.evaluate("holds.gone.release()")
    wait_for(agent, "gone", listed=False)
    assert text_of(agent.call("panel")) == "read: done"
    assert text_of(agent.call("mine")) == "read: done"


def test_what_waited_as_a_page_went_to_the_cache_ends_when_the_page_is_back(
    empty: Watched, mode: Mode, pages: str
) -> None:
    page = empty.page
    page.goto(f"{pages}keeping.html")
    assert empty.ready() == "ready"
    begin(Agent(page, mode), "x", "stay", {})
    until_in_flight(page, "stay")
    page.goto(f"{pages}empty.html")
    # how much of it runs before the browser stops the page is the browser's affair
    page.go_back(wait_until="commit")
    page.wait_for_function(f"() => {NOTES}.length === 2")
    assert page.evaluate(NOTES) == ["finally", "cleaned up"]


@pytest.mark.parametrize("owner", ["Python", "JavaScript", "JavaScript alone"])
def test_a_registration_that_a_form_takes_away_is_made_again(
    browsers: Callable[[Mode], Browser], pages: str, owner: str
) -> None:
    context = browsers("native").new_context()
    watched = Watched(context.new_page())
    if owner == "JavaScript alone":
        watched.page.goto(f"{pages}define.html?native")
        watched.page.wait_for_selector("html[data-ready]")
    else:
        open_life(watched.page, "native", pages)
    agent = Agent(watched.page, "native")
    if owner == "Python":
        agent.call("show", {"what": "panel"})
    else:
        watched.page.evaluate("hold('panel')")
    wait_for(agent, "panel", listed=True)
    for count in (1, 2, 3):
        watched.page.evaluate(FORM)
        watched.page.evaluate(REMOVE_FORM)
        wait_for(agent, "panel", listed=False)
        if count < 3:
            wait_for(agent, "panel", listed=True)
            assert text_of(agent.call("panel")) == "read: done"
    until(watched.page, "panel", "failed")
    (state,) = [each for each in watched.page.evaluate("webtools.tools()") if each["name"] == "panel"]
    assert "three times within a minute" in state["reason"]
    context.close()
    assert watched.problems == []
    assert watched.uncaught == []


def test_changes_of_our_own_and_of_frames_do_not_look_like_losses(page: Page, mode: Mode) -> None:
    agent = Agent(page, mode)
    page.evaluate("""() => {
      window.lists = 0;
      const getTools = document.modelContext.getTools.bind(document.modelContext);
      document.modelContext.getTools = (...args) => { window.lists += 1; return getTools(...args); };
      for (const name of ["a", "b", "c"]) hold(name);
      holds.b.release();
    }""")
    until(page, "a", "registered")
    until(page, "b", "unknown")
    page.evaluate("webtools.settled({quietMs: 300})")
    assert page.evaluate("lists") == 0
    page.evaluate("document.modelContext.registerTool({name: 'foreign', description: 'd', execute() {}})")
    page.wait_for_function("lists === 1")
    assert {"a", "c", "foreign", "show"} <= set(agent.names())


def test_a_hidden_pages_timers_only_make_registrations_stay_longer(page: Page, mode: Mode) -> None:
    agent = Agent(page, mode)
    page.evaluate(SLOW_TIMERS)
    page.evaluate("() => { hold('never_called'); hold('called'); }")
    until(page, "called", "registered")
    assert text_of(agent.call("called")) == "read: done"
    turns = page.evaluate("""async () => {
      holds.never_called.release();
      holds.called.release();
      const turn = () => new Promise((resolve) => {
        const {port1, port2} = new MessageChannel();
        port1.onmessage = () => { port1.close(); resolve(); };
        port2.postMessage(null);
      });
      let count = 0;
      while (webtools.tools().some(({name}) => name === "never_called")) { await turn(); count += 1; }
      return [count, webtools.tools().find(({name}) => name === "called").state];
    }""")
    assert turns[0] <= 5
    assert turns[1] == "leaving"
    until(page, "called", "unknown")


def copied(change: Callable[[str], str] = lambda text: text) -> Callable[[Route], None]:
    """Serve `/copy/` with what `/webtools/` has."""

    def serve(route: Route) -> None:
        answer = route.fetch(url=route.request.url.replace("/copy/", "/webtools/"))
        route.fulfill(response=answer, body=change(answer.text()))

    return serve


ADD_COPY = """() => new Promise((loaded) => {
  const script = document.createElement("script");
  script.onload = () => loaded(import("/copy/webtools.js").then((copy) => copy.webtools === window.webtools));
  Object.assign(script, {type: "module", src: "/copy/webtools.js"}).dataset.app = "/second.py";
  document.head.append(script);
})"""


def add_copy(watched: Watched, pages: str, serve: Callable[[Route], None]) -> bool:
    """Add another copy's script tag to a page that is up; tells whether it exports the first one's host."""
    watched.page.route("**/copy/**", serve)
    watched.page.goto(f"{pages}hello.html")
    watched.page.evaluate("webtools.ready")
    return bool(watched.page.evaluate(ADD_COPY))


def test_a_second_copy_of_the_library_hands_its_app_to_the_first(
    watched: Watched, mode: Mode, pages: str
) -> None:
    assert add_copy(watched, pages, copied())
    watched.page.wait_for_function("webtools.tools().length === 2")
    agent = Agent(watched.page, mode)
    assert sorted(agent.names()) == ["greet", "part"]
    watched.page.evaluate("""() => {
      window.began = 0;
      webtools.addEventListener("callstart", () => { began += 1; });
    }""")
    assert text_of(agent.call("greet")) == "Hello, world!"
    assert watched.page.evaluate("began") == 1
    assert watched.problems == []


@one_mode
def test_a_copy_of_another_version_does_nothing_but_say_so(watched: Watched, mode: Mode, pages: str) -> None:
    serve = copied(lambda text: text.replace("0.1.0", "9.9.9"))
    assert add_copy(watched, pages, serve)
    assert Agent(watched.page, mode).names() == ["greet"]
    (problem,) = watched.problems
    assert "9.9.9 does nothing" in problem
