"""From one tool to a thousand, and from one call at a time to a hundred."""

from __future__ import annotations

from playwright.sync_api import Browser, Page, Playwright

from bench.browsers import launched
from bench.calls import LATER, TEXTS, measured
from bench.rows import Row, compare

__all__ = ["scale_rows"]

COUNTS = (1, 10, 100, 1000)
WAYS = {"registerTool by hand": "byHand", "webtools, held": "held", "webtools, an app": "app"}
SAME = {name: TEXTS[name] for name in ("JavaScript", "webtools")}


def scale_rows(playwright: Playwright, url: str, rounds: int) -> list[Row]:
    """Registration until all are listed, calls among that many tools, and calls at the same time."""
    with launched(playwright) as browser:
        return [
            *registration_rows(browser, url, rounds),
            *among_rows(browser, url, rounds),
            *together_rows(browser, url, rounds),
        ]


def registration_rows(browser: Browser, url: str, rounds: int) -> list[Row]:
    """A new page each time: by hand, by `hold` of tools that an app has defined, by loading the app."""
    rows: list[Row] = []
    for count in COUNTS:
        taken: dict[str, list[float]] = {}
        for _ in range(rounds):
            for name, script in WAYS.items():
                page = scaled(browser, url)
                taken.setdefault(name, []).append(page.evaluate(f"(count) => {script}(count)", count))
                page.close()
        rows += compare(f"register {count:,} tools", "ms", taken)
    return rows


def among_rows(browser: Browser, url: str, rounds: int) -> list[Row]:
    """Calls of one tool in Python and one in JavaScript, among that many of Python's."""
    rows: list[Row] = []
    for count in COUNTS:
        page = scaled(browser, url)
        page.evaluate("(count) => app(count)", count)
        rows += compare(
            f"call among {count:,} tools", "µs", measured(page, SAME, {"text": "x" * 100}, rounds, 100)
        )
        page.close()
    return rows


def together_rows(browser: Browser, url: str, rounds: int) -> list[Row]:
    """A call among several at the same time, whose handlers answer at once or wait one turn."""
    rows: list[Row] = []
    page = scaled(browser, url)
    for name, tools in {"": SAME, ", each waits one turn": LATER}.items():
        for together in (1, 10, 100):
            taken = measured(page, tools, {"text": "x" * 100}, rounds, 100, together)
            rows += compare(f"{together} at a time{name}", "µs", taken)
    page.close()
    return rows


def scaled(browser: Browser, url: str) -> Page:
    """A page with Python up."""
    page = browser.new_page()
    page.goto(f"{url}scale.html")
    page.evaluate("webtools.ready")
    return page
