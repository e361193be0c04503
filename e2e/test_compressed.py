"""A page over a server that compresses, as `webtools serve` does for other machines."""

from __future__ import annotations

import pytest

from e2e.agents import Agent, Mode, text_of
from e2e.conftest import PAGES, Watched, one_mode
from e2e.sites import serving

PAGE = """<!doctype html><html lang="en"><title>Compressed</title><link rel="icon" href="data:,">
<script type="module" src="/webtools/webtools.js" data-app="/how.py" data-snapshot="{}"></script>"""
FAST = "performance.getEntriesByName = () => [{transferSize: 1e6, responseStart: 0, responseEnd: 1}]"
SMALLER = """performance.getEntriesByType("resource")
  .filter(({encodedBodySize: came, decodedBodySize: is}) => came < 0.8 * is)
  .map(({name}) => new URL(name).pathname)"""


@one_mode
@pytest.mark.parametrize("snapshot", ["auto", "off"])
def test_a_page_comes_up_from_compressed_files(watched: Watched, mode: Mode, snapshot: str) -> None:
    with serving(PAGES, is_compressed=True) as url:
        html = PAGE.format(snapshot)
        watched.page.add_init_script(FAST)
        watched.page.route(f"{url}how", lambda route: route.fulfill(body=html, content_type="text/html"))
        watched.page.goto(f"{url}how")
        assert watched.ready() == "ready"
        how = watched.page.evaluate("webtools.call('how', {})")["structuredContent"]
        assert how["restored"] is (snapshot == "auto")
        assert text_of(Agent(watched.page, mode).call("slow", {"text": "x"})) == "x, later"
        smaller = watched.page.evaluate(SMALLER)
    for path in ("/webtools/webtools.js", "/webtools/runtime/packages-", "/how.py"):
        assert any(name.startswith(path) for name in smaller)
    assert watched.problems == []
