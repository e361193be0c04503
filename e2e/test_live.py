"""Live reload of `webtools serve`: a page takes what is saved, and keeps what is equal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from e2e.agents import UNTIL_DESCRIBED, Agent, Mode, begin, end, text_of, until_in_flight, wait_for
from e2e.conftest import Watched, visited
from e2e.sites import STRICT_CSP, serving, with_csp

PAGE = """<!doctype html>
<title>TITLE</title>
<script type="module" src="/webtools/webtools.js" data-app="/shop.py"></script>
"""
WITHOUT_APP = (
    '<!doctype html><title>beside</title><script type="module" src="/webtools/webtools.js"></script>'
)

APP = """
from webtools import page, tool

@tool
def code() -> str:
    \"""Tell which code runs.\"""
    return "CODE"

@tool
async def wait() -> str:
    \"""Wait for the page.\"""
    await page("gate").open()
    return "CODE"
"""
PAY = """
@tool
def pay() -> str:
    \"""DESCRIPTION\"""
    return "paid"
"""

CODE_RUNS = """async (code) => {
  for (const began = performance.now(); performance.now() - began < 15_000; )
    if ((await webtools.call("code")).content[0].text === code) return;
    else await new Promise((resolve) => setTimeout(resolve, 20));
  throw new Error("the new code does not run");
}"""
EXPOSE_GATE = """() =>
  webtools.expose("gate", {open: () => new Promise((open) => (window.openGate = open))})"""
IS_WAITING = "() => window.openGate !== undefined"
COUNT_CHANGES = """() => {
  window.changes = 0;
  document.modelContext.addEventListener("toolchange", () => (window.changes += 1));
}"""
"""Of the list of tools, which every agent hears."""


class Shop:
    """A folder whose page is open in a browser, and what the terminal of its server shows."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.told: list[str] = []
        self._number = 0
        folder.joinpath("index.html").write_text(PAGE)
        folder.joinpath("beside.html").write_text(WITHOUT_APP)
        self.write(PAY)

    def write(self, more: str) -> str:
        """Save the app with another code, and with more tools; gives that code."""
        self._number += 1
        code = f"code {self._number}"
        self.folder.joinpath("shop.py").write_text(APP.replace("CODE", code) + more)
        return code

    def until_told(self, page: Page, line: str) -> None:
        """Wait until the terminal shows a line that begins so."""
        for _ in range(500):
            if any(each.startswith(line) for each in self.told):
                return
            page.wait_for_timeout(20)
        raise AssertionError(self.told)


@pytest.fixture(scope="module")
def opened(
    browsers: Callable[[Mode], Browser], mode: Mode, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Shop, Watched, Page]]:
    """The page, and a tab beside it that has no app."""
    shop = Shop(tmp_path_factory.mktemp("live"))
    with (
        serving(shop.folder, with_csp(STRICT_CSP), told=shop.told) as url,
        visited(browsers(mode), url) as watched,
    ):
        beside = watched.page.context.new_page()
        beside.goto(f"{url}beside.html")
        yield shop, watched, beside


@pytest.fixture
def shop(opened: tuple[Shop, Watched, Page]) -> Shop:
    """The folder, whose page has what is in it, and nothing told."""
    shop, watched, _ = opened
    shop.told.clear()
    watched.page.evaluate(CODE_RUNS, shop.write(PAY))
    shop.until_told(watched.page, "shop.py changed: ")
    wait_for(Agent(watched.page, "polyfill"), "pay", listed=True)
    shop.told.clear()
    watched.problems.clear()
    return shop


@pytest.fixture
def page(opened: tuple[Shop, Watched, Page]) -> Page:
    return opened[1].page


@pytest.fixture
def agent(page: Page, mode: Mode) -> Agent:
    return Agent(page, mode)


def test_equal_tools_stay_registered_and_run_the_new_code(shop: Shop, page: Page, agent: Agent) -> None:
    page.evaluate(COUNT_CHANGES)
    code = shop.write(PAY)
    page.evaluate(CODE_RUNS, code)
    assert text_of(agent.call("code")) == code
    shop.until_told(page, "shop.py changed: 3 tools kept")
    assert page.evaluate("window.changes") == 0


def test_a_tool_that_is_changed_or_gone_changes_or_goes_and_the_terminal_says_so(
    shop: Shop, page: Page, agent: Agent
) -> None:
    shop.write(PAY.replace("DESCRIPTION", "Pay at once."))
    shop.until_told(page, "shop.py changed: 2 tools kept, 1 changed (pay)")
    page.evaluate(UNTIL_DESCRIBED, ["pay", "Pay at once."])
    assert text_of(agent.call("pay")) == "paid"
    shop.write("")
    shop.until_told(page, "shop.py changed: 2 tools kept, 1 gone (pay)")
    wait_for(agent, "pay", listed=False)


def test_a_call_in_flight_is_answered_by_the_code_that_it_began_with(
    shop: Shop, page: Page, agent: Agent
) -> None:
    page.evaluate(EXPOSE_GATE)
    old = text_of(agent.call("code"))
    begin(agent, "waits", "wait", {})
    until_in_flight(page, "wait")
    page.wait_for_function(IS_WAITING)
    new = shop.write("")
    page.evaluate(CODE_RUNS, new)
    page.evaluate("window.openGate()")
    assert text_of(end(agent, "waits")) == old != new


def test_an_app_that_does_not_load_any_more_leaves_the_one_before(
    shop: Shop, page: Page, agent: Agent, opened: tuple[Shop, Watched, Page]
) -> None:
    old = text_of(agent.call("code"))
    shop.write("def broken(:")
    shop.until_told(page, "problem: /shop.py, line ")
    assert "SyntaxError" in shop.told[-1]
    assert text_of(agent.call("code")) == old
    assert "SyntaxError" in opened[1].problems[0]
    mended = shop.write(PAY)
    page.evaluate(CODE_RUNS, mended)
    shop.until_told(page, "shop.py changed: 3 tools kept")
    assert page.evaluate("webtools.status") == "ready"


def test_another_file_loads_every_tab_anew_when_the_call_in_flight_is_answered(
    shop: Shop, page: Page, agent: Agent, opened: tuple[Shop, Watched, Page]
) -> None:
    page.evaluate(EXPOSE_GATE)
    begin(agent, "waits", "wait", {})
    page.wait_for_function(IS_WAITING)
    beside = opened[2]
    beside.evaluate("window.isOld = true")
    shop.folder.joinpath("index.html").write_text(PAGE.replace("TITLE", "new"))
    beside.wait_for_function("() => !window.isOld")
    assert page.title() == "TITLE"
    page.evaluate("() => void setTimeout(window.openGate)")
    page.wait_for_function("() => document.title === 'new'")
    assert opened[1].ready() == "ready"
