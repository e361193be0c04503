"""The cost of a call through `executeTool`, against tools in JavaScript that do the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Page, Playwright

from bench.browsers import launched
from bench.rows import Row, compare

__all__ = ["call_rows", "measured"]

SCRIPT = Path(__file__).with_suffix(".js").read_text("utf-8")
MANY = 1000
"""Calls of each tool in a round; fewer where one takes long."""

TEXTS = {
    "JavaScript": "text_js",
    "JavaScript, zod": "text_zod",
    "JavaScript, ajv": "text_ajv",
    "webtools": "text",
    "webtools, coroutine": "text_async",
}
ITEMS = {
    "JavaScript": "items_js",
    "JavaScript, zod": "items_zod",
    "JavaScript, ajv": "items_ajv",
    "webtools": "items",
}
LATER = {"JavaScript": "text_js_later", "webtools": "text_later"}


def call_rows(playwright: Playwright, url: str, rounds: int) -> list[Row]:
    """Medians of many calls in each round, the tools taking turns, after as many that warm up."""
    rows: list[Row] = []
    with launched(playwright) as browser:
        page = browser.new_page()
        page.goto(f"{url}calls.html")
        page.evaluate("webtools.ready")
        for size in (100, 1_000, 10_000, 100_000):
            rows += compare(
                f"text, {size:,} characters", "µs", measured(page, TEXTS, {"text": "x" * size}, rounds, size)
            )
        for count in (1, 10, 100, 1000):
            rows += compare(
                f"{count:,} records", "µs", measured(page, ITEMS, records(count), rounds, count * 80)
            )
        rows += compare("waits one turn", "µs", measured(page, LATER, {"text": "x" * 100}, rounds, 100))
    return rows


def records(count: int) -> dict[str, Any]:
    """Input of about 80 characters a record."""
    item = {"sku": "A-1000-0001", "name": "A product with a name", "count": 3, "price": 12.5}
    return {"items": [item] * count}


def measured(
    page: Page, tools: dict[str, str], given: object, rounds: int, size: int, together: int = 1
) -> dict[str, list[float]]:
    """Measure tools that give the same answer.

    Args:
        page: Has the tools.
        tools: The names of their rows, and their own.
        given: Their input.
        rounds: How often each is measured.
        size: Of the input, in characters: long ones are called less often.
        together: How many calls of a tool run at the same time.
    """
    count = max(20, MANY // together // (1 + size // 10_000))
    names = list(tools.values())
    page.evaluate(SCRIPT, [names, given, count, together])
    taken = [page.evaluate(SCRIPT, [names, given, count, together]) for _ in range(rounds)]
    return {name: [times[index] for times in taken] for index, name in enumerate(tools)}
