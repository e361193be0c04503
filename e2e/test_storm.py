"""A storm of holds, releases, routes, apps and aborts, with calls going on all the time, loses none of them.

On native, on the polyfill, and on the polyfill in its cancelling mode, which stands for Chromium up to 152.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from e2e.agents import Host, Mode, mode_of
from e2e.conftest import Watched

OPERATIONS = 2000
SEEDS = {"native": 1, "polyfill": 2, "cancelling": 3}

SURE = {
    "done",
    "not listed",
    "aborted",
    "CANCELLED",
    "STALE_TOOL_CALL",
    "TOOL_CHANGED",
    "TOOL_NOT_FOUND",
    "REFUSED",
    "TOOL_HANDLER_ERROR",
}
"""What calls end with in every storm; "REFUSED" and the last are the handler's own."""

MAY_BE = {"gone"}
"""The tool was listed, and had left before the browser entered it."""

STORM = """async ([seed, operations]) => {
  window.storm = new Storm(seed);
  await storm.run(operations);
  return storm.report();
}"""

CALM = """async () => {
  await storm.end();
  return storm.report();
}"""


@pytest.fixture(scope="module")
def page(browsers: Callable[[Mode], Browser], host: Host, pages: str) -> Iterator[Watched]:
    context = browsers(mode_of(host)).new_context()
    watched = Watched(context.new_page())
    watched.page.goto(f"{pages}storm.html?{host}")
    watched.page.wait_for_selector("html[data-ready]")
    yield watched
    context.close()
    assert watched.foreign == []
    assert watched.uncaught == []


def test_a_storm_loses_no_call_and_ends_as_the_page_wishes(page: Watched, host: Host) -> None:
    seed = SEEDS[host]
    storm = page.page.evaluate(STORM, [seed, OPERATIONS])
    check(storm, seed)
    check_breadth(storm, seed)
    calm = page.page.evaluate(CALM)
    check(calm, seed)
    assert calm["listed"] == ["go_on: go_on", "hide: hide", "part: part", "remount: remount", "show: show"]
    own = [each for each in page.problems if "an error of the handler's own" in each]
    assert [each for each in page.problems if each not in own] == [], f"seed {seed}"
    assert len(own) == calm["faults"], f"seed {seed}"


def check(report: dict[str, Any], seed: int) -> None:
    """Nothing is lost or left, and the browser has what the page wishes for."""
    where = f"seed {seed}"
    assert report["problems"] == [], where
    assert report["unsettled"] == [], where
    assert report["unended"] == [], where
    assert set(report["outcomes"]) <= SURE | MAY_BE, (where, report["outcomes"])
    assert report["listed"] == report["wished"], where
    assert report["unquiet"] == [], where


def check_breadth(report: dict[str, Any], seed: int) -> None:
    """The storm was one: calls met tools in every state, and the browser had traffic."""
    counts = report["outcomes"]
    assert min(counts.get(each, 0) for each in SURE) > 0, (seed, counts)
    assert counts["done"] > 300, (seed, counts)
    assert min(report["traffic"].values()) > 50, (seed, report["traffic"])
