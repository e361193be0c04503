"""Measure, side by side in one run: `python -m bench`.

Times depend on the machine and on what else it does, so the figures to read are the ratios.
"""

from __future__ import annotations

import argparse
import json
import statistics
from functools import partial
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Playwright, sync_playwright

from bench.polyfill import polyfill_rows, size_rows
from e2e.chromium import ARGS, NATIVE, ensure
from e2e.sites import isolated, serving

PAGES = Path(__file__).parent / "pages"
RESULTS = Path(__file__).parents[1] / "build" / "bench.json"

FIRST_ANSWER = """async () => {
  const find = async () => (await document.modelContext.getTools()).find(({name}) => name === "echo");
  while (!(await find())) await new Promise((resolve) => setTimeout(resolve, 5));
  await document.modelContext.executeTool(await find(), {text: "x"});
  return performance.now();
}"""

CALLS = """async ([names, size, count]) => {
  const listed = await document.modelContext.getTools();
  const tools = names.map((name) => listed.find((each) => each.name === name));
  const input = {text: "x".repeat(size)};
  const times = names.map(() => []);
  for (let call = 0; call < count; call += 1)
    for (const [index, tool] of tools.entries()) {
      const began = performance.now();
      await document.modelContext.executeTool(tool, input);
      times[index].push((performance.now() - began) * 1000);
    }
  return times.map((each) => each.sort((a, b) => a - b)[count >> 1]);
}"""

Row = dict[str, Any]


def main() -> None:
    """Run the benches and print their table."""
    parser = argparse.ArgumentParser(prog="python -m bench")
    parser.add_argument("--rounds", type=int, default=5, help="how often each figure is taken (default: 5)")
    rounds = parser.parse_args().rounds
    with sync_playwright() as playwright, serving(PAGES, isolated) as url:
        browser = launch(playwright, native=True)
        rows = [*boot_rows(browser, url, rounds), *call_rows(browser, url, rounds)]
        browser.close()
        rows += [*size_rows(row), *polyfill_rows(partial(launch, playwright), url, rounds, row)]
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(rows, indent=2))
    print_table(rows)


def launch(playwright: Playwright, native: bool) -> Browser:
    """Start Chromium with WebMCP, or without."""
    args = [*ARGS, *NATIVE] if native else ARGS
    return playwright.chromium.launch(executable_path=ensure(), args=args)


def boot_rows(browser: Browser, url: str, rounds: int) -> list[Row]:
    """From navigation to the first answer of a Python tool; a new profile each round, then the same again."""
    times: dict[str, list[float]] = {}
    for _ in range(rounds):
        for name in ("stock", "webtools"):
            context = browser.new_context()
            for visit in ("first visit", "second visit"):
                page = context.new_page()
                page.goto(f"{url}{name}.html")
                times.setdefault(f"{name}, {visit}", []).append(page.evaluate(FIRST_ANSWER))
                page.close()
            context.close()
    return [
        row(f"boot, {visit}", "webtools", times[f"webtools, {visit}"], times[f"stock, {visit}"], "ms")
        for visit in ("first visit", "second visit")
    ]


def call_rows(browser: Browser, url: str, rounds: int) -> list[Row]:
    """A call through native executeTool, against a tool in JavaScript; medians of 2,000 calls a round."""
    page = browser.new_page()
    page.goto(f"{url}webtools.html")
    page.evaluate("webtools.ready")
    rows = []
    for size in (100, 10_000):
        names = ("echo_js", "echo", "echo_async", "echo_later")
        times = measure(page, names, size, rounds)
        rows += [
            row(f"call, {size} characters", name, times[name], times["echo_js"], "µs") for name in names[1:]
        ]
    page.close()
    return rows


def measure(page: Page, names: tuple[str, ...], size: int, rounds: int) -> dict[str, list[float]]:
    """Medians of 2,000 calls in microseconds, the tools taking turns call by call."""
    page.evaluate(CALLS, [names, size, 500])
    taken = [page.evaluate(CALLS, [names, size, 2000]) for _ in range(rounds)]
    return {name: [times[index] for times in taken] for index, name in enumerate(names)}


def row(bench: str, what: str, ours: list[float], base: list[float], unit: str) -> Row:
    """One line of the table: medians, the range of ours, and the ratio of the medians."""
    return {
        "bench": bench,
        "what": what,
        "unit": unit,
        "median": statistics.median(ours),
        "min": min(ours),
        "max": max(ours),
        "base": statistics.median(base),
        "ratio": statistics.median(ours) / statistics.median(base),
    }


def print_table(rows: list[Row]) -> None:
    """Print what was measured, and where the data is."""
    print(f"{'bench':24}{'what':26}{'median':>10}{'min–max':>18}{'base':>10}{'ratio':>8}")
    for each in rows:
        span = f"{each['min']:.0f}–{each['max']:.0f}"
        print(
            f"{each['bench']:24}{each['what']:26}{each['median']:>7.0f} {each['unit']}{span:>18}"
            f"{each['base']:>10.0f}{each['ratio']:>8.2f}"
        )
    print(
        "base: plain Pyodide with pydantic, or a tool in JavaScript; "
        "of the polyfill native WebMCP, of its size @mcp-b's"
    )
    print(f"data: {RESULTS}")


if __name__ == "__main__":
    main()
