"""The polyfill beside native WebMCP and `@mcp-b/webmcp-polyfill`: register, list, execute, and its size."""

from __future__ import annotations

import gzip
from functools import cache
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, Playwright, Route

from bench.browsers import launched
from bench.rows import Row, compare
from bench.site import bundle
from e2e.others import MODULES
from webtools.cli.sources.checkout import CHECKOUT

__all__ = ["polyfill_rows"]

OURS = CHECKOUT / "static" / "polyfill.js"
THEIRS = MODULES / "@mcp-b" / "webmcp-polyfill" / "dist" / "index.js"
COUNTS = (1, 10, 100, 1000)

INSTALL = {
    "native": "undefined",
    "webtools": "import('/webtools/polyfill.js').then(({apply}) => { apply(); })",
    "@mcp-b": "import('/theirs.js').then(({initializeWebMCPPolyfill}) => { initializeWebMCPPolyfill(); })",
}

SCRIPT = Path(__file__).with_suffix(".js").read_text("utf-8")


def polyfill_rows(playwright: Playwright, url: str, rounds: int) -> list[Row]:
    """Times of both polyfills, native being the base; a new page each time, the three taking turns."""
    groups: dict[str, dict[str, list[float]]] = {}
    with launched(playwright) as native, launched(playwright, native=False) as other:
        for _ in range(rounds):
            for count in COUNTS:
                for name, install in INSTALL.items():
                    page = (native if name == "native" else other).new_page()
                    page.route("**/theirs.js", serve_theirs)
                    page.goto(f"{url}empty.html")
                    for what, taken in measured(page, install, [count, name == "@mcp-b"]).items():
                        group = groups.setdefault(f"{what}, {count:,} tools", {})
                        group.setdefault(name, []).append(taken)
                    page.close()
    rows = [row for group in sorted(groups) for row in compare(group, "µs", groups[group])]
    sizes = {"@mcp-b": [gzipped(THEIRS)], "webtools": [gzipped(OURS)]}
    return [*rows, *compare("size, gzipped", "B", sizes)]


def serve_theirs(route: Route) -> None:
    """Give a page the other polyfill as a module."""
    route.fulfill(body=bundled(THEIRS), content_type="text/javascript")


def measured(page: Page, script: str, given: list[Any]) -> dict[str, float]:
    """Give the microseconds of each verb, after one round that warms the page up."""
    page.evaluate(script)
    page.evaluate(SCRIPT, given)
    taken: dict[str, float] = page.evaluate(SCRIPT, given)
    return taken


def gzipped(entry: Path) -> float:
    """Give the bytes of a module and what it imports, minified and gzipped."""
    return len(gzip.compress(bundled(entry), 9))


bundled = cache(bundle)
