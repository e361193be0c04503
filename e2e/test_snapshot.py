"""Python from a snapshot, and every way in which that can fail: then it is started from its files.

How Python comes up, no model context has a part in. So only what works is tested on both.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Request, Route

from e2e.agents import Agent, Mode, text_of
from e2e.conftest import TIME_LIMIT, Watched, one_mode

HEAP = re.compile(r"/runtime/snapshot-\w+\.bin$")
NOT_USED = "webtools: the snapshot is not used, which costs time only: "
HOW = "webtools.call('how', {}).then(({structuredContent}) => structuredContent)"


class Visits:
    """Visits of one person to one page, and how often the heap was asked for over the network."""

    def __init__(self, watched: Watched, url: str) -> None:
        self.watched = watched
        self.page: Page = watched.page
        self.url = url
        self.heaps = 0
        self.page.on("request", self._count)

    def visit(self) -> dict[str, Any]:
        """Load the page; gives how its Python came up."""
        self.page.goto(self.url)
        assert self.watched.ready() == "ready"
        how: dict[str, Any] = self.page.evaluate(HOW)
        return how

    def wait_until_kept(self) -> str:
        """Wait until the browser keeps a heap; gives its path."""
        kept = """(async () => {
          for (;;) {
            const [url] = (await (await caches.open("webtools")).keys()).map((request) => request.url);
            if (url && (await (await caches.match(url)).arrayBuffer()).byteLength > 1000)
              return new URL(url).pathname;
            await new Promise((resolve) => setTimeout(resolve, 50));
          }
        })()"""
        return str(self.page.evaluate(f"Promise.race([{kept}, {TIME_LIMIT}])"))

    def _count(self, request: Request) -> None:
        self.heaps += bool(HEAP.search(request.url))


@pytest.fixture
def visits(watched: Watched, pages: str) -> Visits:
    return Visits(watched, f"{pages}how.html")


def test_two_pages_from_one_snapshot_work_and_are_not_alike(visits: Visits, mode: Mode) -> None:
    first = visits.visit()
    assert first["restored"]
    assert re.fullmatch(r"/webtools/runtime/snapshot-\w+\.bin", visits.wait_until_kept())
    assert text_of(Agent(visits.page, mode).call("slow", {"text": "x"})) == "x, later"
    second = visits.visit()
    assert second["restored"]
    assert visits.heaps == 1
    for name in ("random", "uuid", "token", "later"):
        assert first[name] != second[name]
    assert (first["modules"], first["files"]) == (second["modules"], second["files"])
    assert visits.watched.problems == []


@one_mode
def test_a_page_that_wants_none_gets_none(watched: Watched, pages: str) -> None:
    visits = Visits(watched, f"{pages}how_plain.html")
    how = visits.visit()
    assert not how["restored"]
    assert visits.heaps == 0
    assert watched.problems == []


@one_mode
def test_over_a_slow_link_it_comes_when_the_page_is_idle_for_the_next_visit(visits: Visits) -> None:
    slow = "performance.getEntriesByName = () => [{transferSize: 1e5, responseStart: 0, responseEnd: 1000}]"
    visits.page.add_init_script(slow)
    assert not visits.visit()["restored"]
    visits.wait_until_kept()
    assert visits.visit()["restored"]
    assert visits.heaps == 1
    assert visits.watched.problems == []


def damaged(page: Page) -> None:
    """The heap comes with other bytes than the index tells of."""
    page.route(HEAP, lambda route: route.fulfill(body=bytes(100), content_type="application/octet-stream"))


def missing(page: Page) -> None:
    """The heap is not on the server."""
    page.route(HEAP, lambda route: route.fulfill(status=404, body="Not Found"))


def never_there(page: Page) -> None:
    """The heap is asked for and does not come; the page's wait for it passes at once."""
    page.route(HEAP, lambda _: None)
    page.add_init_script(
        "{ const set = setTimeout; window.setTimeout = (then, ms) => set(then, ms === 5000 ? 0 : ms); }"
    )


def index_with(page: Page, **about: Any) -> None:
    """The index tells something else of the snapshot."""

    def alter(route: Route) -> None:
        response = route.fetch()
        index = json.loads(response.text())
        index["snapshot"] |= about
        route.fulfill(response=response, body=json.dumps(index))

    page.route("**/runtime.json", alter)


def of_another_build(page: Page) -> None:
    """The header is that of another Pyodide."""
    header = b"\0snp" + (48).to_bytes(4, "little") + (2).to_bytes(4, "little") + bytes(36) + b"{}"
    index_with(page, header=base64.b64encode(header).decode())


def on_another_engine(page: Page) -> None:
    """The engine does not lay out its tables as the one did that took the snapshot."""
    page.add_init_script(
        """const {grow} = WebAssembly.Table.prototype;
        WebAssembly.Table.prototype.grow = function (by, ...rest) {
          if (this.length + by === 16384) throw new RangeError("no such table");
          return grow.call(this, by, ...rest);
        };"""
    )


@one_mode
@pytest.mark.parametrize(
    "spoil", [damaged, missing, never_there, of_another_build], ids=lambda spoil: spoil.__name__
)
def test_a_snapshot_that_cannot_be_used_is_told_once(visits: Visits, spoil: Callable[[Page], None]) -> None:
    spoil(visits.page)
    assert not visits.visit()["restored"]
    ours = [problem for problem in visits.watched.problems if problem.startswith("webtools: ")]
    assert len(ours) == 1
    assert ours[0].startswith(NOT_USED)


@one_mode
def test_a_snapshot_that_the_browser_cannot_use_is_not_fetched_again(visits: Visits) -> None:
    on_another_engine(visits.page)
    assert not visits.visit()["restored"]
    visits.page.wait_for_function("localStorage.getItem('webtools.snapshot')")
    assert not visits.visit()["restored"]
    assert visits.heaps == 1
    (told,) = visits.watched.problems
    assert told.startswith(NOT_USED)


@one_mode
def test_a_kept_heap_that_was_damaged_is_told_and_replaced(visits: Visits) -> None:
    visits.visit()
    path = visits.wait_until_kept()
    script = "(path) => caches.open('webtools').then((cache) => cache.put(path, new Response('damaged')))"
    visits.page.evaluate(script, path)
    assert not visits.visit()["restored"]
    (told,) = visits.watched.problems
    assert told.startswith(NOT_USED)
    visits.wait_until_kept()
    assert visits.visit()["restored"]


@one_mode
def test_a_browser_that_keeps_nothing_does_without(visits: Visits) -> None:
    visits.page.add_init_script(
        "CacheStorage.prototype.open = async () => { throw new DOMException('full', 'QuotaExceededError') };"
    )
    assert visits.visit()["restored"]
    assert not visits.visit()[
        "restored"
    ]  # Pyodide came from the browser's cache: how fast the link is shows nowhere
    assert visits.heaps == 1
    assert visits.watched.problems == []
