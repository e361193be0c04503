"""Tools before Python, from a manifest that the page's own Python has written, and from the last visit."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Route

from e2e.agents import Agent, Mode, begin, end, error_of, text_of, wait_for
from e2e.conftest import PAGES, Watched

HTML = """<!doctype html><title>Tools before Python</title><link rel="icon" href="data:,">
<script type="module">
  import {{apply}} from "/webtools/polyfill.js";
  apply();
  const context = document.modelContext;
  const register = context.registerTool.bind(context);
  window.traffic = [];
  context.registerTool = (tool, options) => {{
    traffic.push(`register ${{tool.name}}`);
    options.signal.addEventListener("abort", () => traffic.push(`abort ${{tool.name}}`));
    return register(tool, options);
  }};
  context.addEventListener("toolchange", () => traffic.push("toolchange"));
</script>
<script type="module" src="/webtools/webtools.js" data-app="/promised.py" {attributes}></script>
<h1>Test</h1>"""

DOOR = "**/runtime.json"

MANIFEST = 'data-manifest="/promised.tools.json"'


class Visit:
    """A page whose Python waits at the door until `let_in`."""

    def __init__(self, watched: Watched, mode: Mode) -> None:
        self.watched = watched
        self.page = watched.page
        self.agent = Agent(watched.page, mode)
        self._waiting: list[Route] = []

    def open(self, pages: str, attributes: str, files: dict[str, str]) -> None:
        """Go to a page with these attributes on its tag, and these files beside those that there are."""
        self.page.unroute_all()
        self._waiting.clear()
        html = HTML.format(attributes=attributes)
        self.page.route(pages, lambda route: route.fulfill(body=html, content_type="text/html"))
        for name, text in files.items():
            self.page.route(f"{pages}{name}", _giving(text))
        self.page.route(DOOR, lambda route: self._waiting.append(route))
        self.page.goto(pages)

    @property
    def is_fetched(self) -> bool:
        return bool(self._waiting)

    def let_in(self) -> str:
        """Let Python come; gives what `Watched.ready` says."""
        return self._decide(lambda route: route.continue_())

    def turn_away(self) -> str:
        """Python is missing on the server."""
        return self._decide(lambda route: route.fulfill(status=404, body=""))

    def _decide(self, decision: Callable[[Route], None]) -> str:
        self.page.unroute(DOOR)
        self.page.route(DOOR, decision)
        for route in self._waiting:
            decision(route)
        return self.watched.ready()

    def traffic(self) -> list[str]:
        """What the browser was asked for and told since it was asked last, once all is quiet."""
        quiet = "webtools.settled({quietMs: 600, capMs: 5000}).then(() => traffic.splice(0))"
        said: list[str] = self.page.evaluate(quiet)
        return said


def _giving(text: str) -> Callable[[Route], None]:
    return lambda route: route.fulfill(body=text, content_type="application/json")


@pytest.fixture(scope="module")
def manifest() -> str:
    """What the command writes, as its standard output."""
    command = [sys.executable, "-m", "webtools", "manifest", str(PAGES / "promised.py")]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def test_the_command_check_says_what_and_where() -> None:
    command = [sys.executable, "-m", "webtools", "check", str(PAGES / "promised.py"), "--json"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 1
    document = json.loads(done.stdout)
    assert document["apps"] == [{"app": (PAGES / "promised.py").as_posix(), "tools": 4}]
    told = {(each["tool"], each["parameter"], each["rule"], each["line"]) for each in document["findings"]}
    assert ("note", "word", "no-parameter-description", 8) in told
    assert all(each["file"].endswith("promised.py") for each in document["findings"])


@contextmanager
def visiting(browser: Browser, mode: Mode) -> Iterator[Visit]:
    context = browser.new_context()
    watched = Watched(context.new_page())
    yield Visit(watched, mode)
    context.close()
    assert watched.foreign == []
    assert watched.uncaught == []


@pytest.fixture(scope="module")
def visit(browsers: Callable[[Mode], Browser], mode: Mode) -> Iterator[Visit]:
    """One profile for the visits of a person who comes back."""
    with visiting(browsers(mode), mode) as visit:
        yield visit


@pytest.fixture
def other_visit(browsers: Callable[[Mode], Browser], mode: Mode) -> Iterator[Visit]:
    """Somebody else's."""
    with visiting(browsers(mode), mode) as visit:
        yield visit


def test_a_manifests_tools_are_there_before_python_and_become_its_own_unnoticed(
    visit: Visit, pages: str, manifest: str
) -> None:
    visit.open(pages, MANIFEST, {"promised.tools.json": manifest})
    agent, page = visit.agent, visit.page
    wait_for(agent, "count", listed=True)
    assert agent.names() == ["count", "note"]
    assert page.evaluate("webtools.status") == "loading"
    page.evaluate("history.pushState(null, '', '/cart/1')")
    page.evaluate("window.held = webtools.hold('edit', {resourceId: 'doc-1'})")
    wait_for(agent, "edit", listed=True)
    assert agent.names() == ["cart", "count", "edit", "note"]
    before = agent.tools()

    begin(agent, "first", "note", {"word": "one"})
    begin(agent, "second", "note", {"word": "two"})
    begin(agent, "third", "cart", {})
    begin(agent, "wrong", "note", {})
    page.evaluate("""() => {
      window.giver = new AbortController();
      window.given = webtools.call("note", {word: "never"}, {signal: giver.signal});
      giver.abort();
    }""")
    assert error_of(page.evaluate("given"))["code"] == "CANCELLED"
    begin(agent, "fourth", "count", {})
    states = page.evaluate("webtools.tools()")
    assert {each["name"]: each["inFlight"] for each in states} == {
        "note": 3,
        "count": 1,
        "cart": 1,
        "edit": 0,
    }

    visit.traffic()
    assert visit.is_fetched
    assert visit.let_in() == "ready"
    answers = [end(agent, key) for key in ("first", "second", "third", "wrong", "fourth")]
    assert [text_of(each) for each in answers[:3]] == [
        '{"result":["one"]}',
        '{"result":["one","two"]}',
        "empty",
    ]
    assert error_of(answers[3])["code"] == "INVALID_TOOL_ARGS"
    assert text_of(answers[4]) == '{"result":2}'
    assert visit.traffic() == []
    assert agent.tools() == before
    assert text_of(agent.call("edit")) == "edited"
    assert visit.traffic() == []

    page.evaluate("history.pushState(null, '', '/')")
    page.evaluate("held.release()")
    wait_for(agent, "edit", listed=False)
    wait_for(agent, "cart", listed=False)
    gone = visit.traffic()
    assert {each for each in gone if each != "toolchange"} == {"abort cart", "abort edit"}
    assert visit.watched.problems == []


def test_the_next_visit_has_them_without_a_manifest_and_fetches_python_with_the_first_call(
    visit: Visit, pages: str
) -> None:
    visit.open(pages, 'data-boot="call"', {})
    agent, page = visit.agent, visit.page
    wait_for(agent, "count", listed=True)
    assert agent.names() == ["count", "note"]
    before = visit.traffic()
    assert sorted(each for each in before if each != "toolchange") == ["register count", "register note"]
    assert not visit.is_fetched
    assert page.evaluate("Promise.race([webtools.ready, Promise.resolve(webtools.status)])") == "loading"
    begin(agent, "first", "note", {"word": "one"})
    assert visit.let_in() == "ready"
    assert text_of(end(agent, "first")) == '{"result":["one"]}'
    assert visit.traffic() == []
    assert visit.watched.problems == []


def test_a_manifest_that_is_out_of_date_is_an_ordinary_change(
    other_visit: Visit, pages: str, manifest: str
) -> None:
    old: dict[str, Any] = json.loads(manifest)
    for tool in old["tools"]:
        definition = json.loads(tool["definition"])
        if definition["name"] == "note":
            definition["description"] = "Note a word, as it used to be."
        if definition["name"] == "count":
            definition["name"] = "sum"
        tool["definition"] = json.dumps(definition)
    visit = other_visit
    visit.open(pages, MANIFEST, {"promised.tools.json": json.dumps(old)})
    wait_for(visit.agent, "sum", listed=True)
    assert visit.agent.names() == ["note", "sum"]
    begin(visit.agent, "changed", "note", {"word": "one"})
    begin(visit.agent, "gone", "sum", {})
    assert visit.let_in() == "ready"
    changed, gone = (error_of(end(visit.agent, key)) for key in ("changed", "gone"))
    assert (changed["code"], changed["retryable"], changed["effect"]) == ("TOOL_CHANGED", True, "none")
    assert (gone["code"], gone["effect"]) == ("STALE_TOOL_CALL", "none")
    wait_for(visit.agent, "sum", listed=False)
    wait_for(visit.agent, "note", listed=True)
    visit.traffic()
    assert visit.agent.names() == ["count", "note"]
    assert visit.agent.tools()[1]["description"] == "Note a word."
    assert text_of(visit.agent.call("note", {"word": "one"})) == '{"result":["one"]}'


@pytest.mark.parametrize("breaks", ["the app", "Python"])
def test_a_failed_boot_answers_early_calls_why_and_the_tools_leave(
    other_visit: Visit, pages: str, manifest: str, breaks: str
) -> None:
    visit = other_visit
    files = {"promised.tools.json": manifest}
    if breaks == "the app":
        files["promised.py"] = "def note(:"
    visit.open(pages, MANIFEST, files)
    wait_for(visit.agent, "note", listed=True)
    begin(visit.agent, "early", "note", {"word": "one"})
    reason = visit.let_in() if breaks == "the app" else visit.turn_away()
    assert reason != "ready"
    error = error_of(end(visit.agent, "early"))
    assert (error["code"], error["effect"]) == ("HOST_FAILED", "none")
    assert reason in error["message"]
    wait_for(visit.agent, "note", listed=False)
    visit.traffic()
    assert visit.agent.names() == []
    assert visit.page.evaluate("webtools.status") == "failed"
    assert len([each for each in visit.watched.problems if each.startswith("webtools: ")]) == 1
