"""What many calls leave behind: JavaScript's heap, Python's objects, WebAssembly's memory."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import CDPSession, Page, Playwright

from bench.browsers import launched
from bench.rows import Row, compare

__all__ = ["memory_rows"]

SCRIPT = Path(__file__).with_suffix(".js").read_text("utf-8")
WARM_UP = 2_000
PARTS = 4
UNITS = {
    "JavaScript's heap": "kB",
    "Python's objects": "",
    "Python's proxies": "",
    "WebAssembly's memory": "kB",
}


def memory_rows(playwright: Playwright, url: str, calls: int) -> list[Row]:
    """What there is after a warm-up, and after each quarter of the calls."""
    with launched(playwright) as browser:
        page = browser.new_page()
        page.goto(f"{url}calls.html")
        page.evaluate("webtools.ready")
        session = page.context.new_cdp_session(page)
        page.evaluate(SCRIPT, WARM_UP)
        counts = [count(page, session)]
        for _ in range(PARTS):
            page.evaluate(SCRIPT, calls // PARTS)
            counts.append(count(page, session))
    return [
        row
        for what, unit in UNITS.items()
        for row in compare(
            what,
            unit,
            {f"{part * (calls // PARTS):,} calls": [each[what]] for part, each in enumerate(counts)},
        )
    ]


def count(page: Page, session: CDPSession) -> dict[str, float]:
    """Count what there is, garbage aside."""
    found = page.evaluate("webtools.call('census').then(({structuredContent}) => structuredContent)")
    session.send("HeapProfiler.collectGarbage")
    used = session.send("Runtime.getHeapUsage")["usedSize"]
    return {
        "JavaScript's heap": used / 1000,
        "Python's objects": found["objects"],
        "Python's proxies": found["proxies"],
        "WebAssembly's memory": found["bytes"] / 1000,
    }
