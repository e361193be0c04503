"""docs/cookbook.md, where a browser is needed: the wrong way fails as it says, the right one does not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from e2e.agents import Agent, Mode, begin, end, error_of, text_of, wait_for
from e2e.conftest import Watched
from e2e.sites import serving
from tests.cookbook import Way, patterns

HTML = """<!doctype html>
<html lang="en">
  <head>
    <title>Cookbook</title>
    <link rel="icon" href="data:," />
    {scripts}
  </head>
</html>
"""
SCRIPT = '<script type="module" src="/recipe.js"></script>'
APP = '<script type="module" src="/webtools/webtools.js" data-app="/recipe.py"></script>'


@contextmanager
def site(folder: Path, pattern: str, way: Way, files: dict[str, str]) -> Iterator[str]:
    """Serve a way of a pattern as a page of its own, beside other files; gives the URL."""
    blocks = patterns()[pattern]
    scripts = [SCRIPT if (way, "js") in blocks else "", APP if (way, "python") in blocks else ""]
    files = {"index.html": HTML.format(scripts="\n    ".join(scripts)), **files}
    for language, name in (("js", "recipe.js"), ("python", "recipe.py")):
        if (way, language) in blocks:
            files[name] = blocks[way, language]
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")
    with serving(folder) as url:
        yield url


@pytest.fixture
def context(browsers: Callable[[Mode], Browser], mode: Mode) -> Iterator[BrowserContext]:
    context = browsers(mode).new_context()
    yield context
    context.close()


def opened(context: BrowserContext, url: str) -> Page:
    """Open a page whose app is up."""
    page = context.new_page()
    page.goto(url)
    assert Watched(page).ready() == "ready"
    return page


class TestChangeOfRoute:
    PATTERN = "A change of route"
    ORDERS = """
      export const paid = (window.paid = []);
      const loading = new Map();
      window.arrive = (id) => loading.get(id)({ id });
      export const load = (id) => new Promise((resolve) => loading.set(id, resolve));
      export const pay = async (id) => void paid.push(id);
    """
    GO = "async (id) => void (window.coming = (await import('/recipe.js')).show(id))"

    @contextmanager
    def between_two_orders(
        self, context: BrowserContext, mode: Mode, folder: Path, way: Way
    ) -> Iterator[Agent]:
        """Give an agent at order 1, while order 2 is being loaded."""
        with site(folder, self.PATTERN, way, {"orders.js": self.ORDERS}) as url:
            page = context.new_page()
            page.goto(url)
            page.evaluate(self.GO, 1)
            page.evaluate("() => { arrive(1); return coming; }")
            page.wait_for_function("document.modelContext")  # the polyfill comes with the first definition
            agent = Agent(page, mode)
            wait_for(agent, "pay_order", listed=True)
            page.evaluate(self.GO, 2)
            assert page.evaluate("location.pathname") == "/orders/2"
            yield agent

    def test_the_wrong_way_pays_the_order_before(
        self, context: BrowserContext, mode: Mode, tmp_path: Path
    ) -> None:
        with self.between_two_orders(context, mode, tmp_path, "Wrong") as agent:
            assert text_of(agent.call("pay_order")) == "Order 1 is paid."
            assert agent.page.evaluate("paid") == [1]

    def test_the_right_way_pays_none_until_the_order_is_there(
        self, context: BrowserContext, mode: Mode, tmp_path: Path
    ) -> None:
        with self.between_two_orders(context, mode, tmp_path, "Right") as agent:
            assert error_of(agent.call("pay_order"))["code"] == "STALE_TOOL_CALL"
            assert agent.page.evaluate("paid") == []
            agent.page.evaluate("() => { arrive(2); return coming; }")
            wait_for(agent, "pay_order", listed=True)
            assert text_of(agent.call("pay_order")) == "Order 2 is paid."
            assert agent.page.evaluate("paid") == [2]


class TestSeveralTabs:
    PATTERN = "Several tabs"
    NOTES = """() => {
      window.asked = {};
      asked.promise = new Promise((resolve) => (asked.resolve = resolve));
      webtools.expose("notes", {
        read: () => JSON.parse(localStorage.getItem("notes") ?? "[]"),
        write: (notes) => localStorage.setItem("notes", JSON.stringify(notes)),
        shortened: (text) => new Promise((resolve) => {
          window.goOn = () => resolve(text);
          asked.resolve();
        }),
      });
    }"""

    @contextmanager
    def two_tabs(
        self, context: BrowserContext, mode: Mode, folder: Path, way: Way
    ) -> Iterator[tuple[Agent, Agent]]:
        """Give an agent in each of two tabs; the first has read the notes, and is adding one."""
        with site(folder, self.PATTERN, way, {}) as url:
            first, second = (Agent(opened(context, url), mode) for _ in range(2))
            for agent in (first, second):
                agent.page.evaluate(self.NOTES)
            begin(first, "x", "add_note", {"text": "one"})
            first.page.evaluate("asked.promise")
            yield first, second

    def test_the_wrong_way_drops_the_note_of_the_other_tab(
        self, context: BrowserContext, mode: Mode, tmp_path: Path
    ) -> None:
        with self.two_tabs(context, mode, tmp_path, "Wrong") as (first, second):
            begin(second, "x", "add_note", {"text": "two"})
            second.page.evaluate("asked.promise")
            for agent in (first, second):
                agent.page.evaluate("goOn()")
                end(agent, "x")
            # each tab is a process of its own, and hears of the other's writing a moment later
            first.page.wait_for_function("""localStorage.getItem('notes') === '["two"]'""")

    def test_the_right_way_lets_one_tab_write(
        self, context: BrowserContext, mode: Mode, tmp_path: Path
    ) -> None:
        with self.two_tabs(context, mode, tmp_path, "Right") as (first, second):
            error = error_of(second.call("add_note", {"text": "two"}))
            assert (error["code"], error["effect"]) == ("NOT_OWNER", "none")
            first.page.evaluate("goOn()")
            assert end(first, "x")["structuredContent"] == {"result": 1}
            assert first.page.evaluate("localStorage.getItem('notes')") == '["one"]'


class TestNavigationAfterTheAnswer:
    PATTERN = "Navigation after the answer"

    @contextmanager
    def with_orders(self, context: BrowserContext, mode: Mode, folder: Path, way: Way) -> Iterator[Agent]:
        """Give an agent at a page whose orders take longer to come than the next page."""
        with site(folder, self.PATTERN, way, {"orders.html": HTML.format(scripts="")}) as url:
            agent = Agent(opened(context, url), mode)
            wait_for(agent, "open_orders", listed=True)
            agent.page.route("**/orders.json", lambda route: None)  # never answered
            yield agent

    def test_the_wrong_way_loses_the_answer(
        self, context: BrowserContext, mode: Mode, tmp_path: Path
    ) -> None:
        with self.with_orders(context, mode, tmp_path, "Wrong") as agent:
            try:
                answer = agent.call("open_orders")
            except AssertionError:  # the browser has lost it
                answer = {"isError": True}
            assert answer["isError"] is True
            agent.page.wait_for_url("**/orders.html")

    def test_the_right_way_answers_and_leaves(
        self, context: BrowserContext, mode: Mode, tmp_path: Path
    ) -> None:
        with self.with_orders(context, mode, tmp_path, "Right") as agent:
            assert text_of(agent.call("open_orders")).startswith("The page with the orders comes")
            agent.page.wait_for_url("**/orders.html")
