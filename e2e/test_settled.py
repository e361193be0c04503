"""After a call that changes the tools, `settled()` says when to list them again."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page

from e2e.agents import Mode
from e2e.conftest import Watched, visited

CALL_THEN_LIST = """async () => {
  const names = async () => (await document.modelContext.getTools()).map(({name}) => name);
  const {settled} = await import("/webtools/webtools.js");
  const tool = (await document.modelContext.getTools()).find(({name}) => name === "open_cart");
  await document.modelContext.executeTool(tool, {});
  await settled({quietMs: 500}); // a busy machine takes its time from the answer to the change
  return await names();
}"""

W12 = """async () => {
  const change = () => document.modelContext.dispatchEvent(new Event("toolchange"));
  for (const ms of [40, 90, 200]) setTimeout(change, ms);
  const began = performance.now();
  await webtools.settled();
  return performance.now() - began;
}"""


@pytest.fixture(scope="module")
def page(browsers: Callable[[Mode], Browser], mode: Mode, pages: str) -> Iterator[Page]:
    """A page whose tools follow its path."""
    with visited(browsers(mode), f"{pages}match.html") as watched:
        yield watched.page


def test_tools_that_come_after_a_call_are_listed_when_it_has_settled(page: Page) -> None:
    assert page.evaluate(CALL_THEN_LIST) == ["cart", "open_cart", "release_all", "total"]


def test_w12_the_driver_of_a_page_goes_on_150_ms_after_the_last_change(page: Page) -> None:
    assert page.evaluate(W12) >= 349  # timers of a browser may be a fraction early


def test_settled_needs_neither_python_nor_a_model_context(watched: Watched, pages: str) -> None:
    watched.page.goto(f"{pages}empty.html")
    script = "import('/webtools/webtools.js').then(({settled}) => settled({quietMs: 10}))"
    assert watched.page.evaluate(f"{script}.then(() => webtools.status)") == "loading"
    refused = "webtools.settled({capMs: -1}).catch(({name, message}) => `${name}: ${message}`)"
    assert watched.page.evaluate(refused).startswith("TypeError: webtools.settled: capMs must be")
