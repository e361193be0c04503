"""Measure, side by side in one run: `python -m bench`; docs/speed.md says what each row is.

Times depend on the machine and on what else it does, so the figures to read are the ratios.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
from collections.abc import Callable
from datetime import UTC, datetime

from playwright.sync_api import Playwright, sync_playwright
from rich.console import Console

from bench.aims import aims_table, reached
from bench.browsers import launched
from bench.calls import call_rows
from bench.memory import memory_rows
from bench.picture import KINDS as DRAWN
from bench.picture import draw
from bench.polyfill import polyfill_rows
from bench.rows import Row, table_of
from bench.scale import scale_rows
from bench.site import site
from bench.visits import answer_rows, tools_rows, wire_rows
from webtools.cli.sources.checkout import CHECKOUT

RESULTS = CHECKOUT / "build" / "bench.json"
TABLES = RESULTS.with_suffix(".txt")
PICTURE = CHECKOUT / "docs" / "images" / "speed.svg"

Measure = Callable[[Playwright, str, int], list[Row]]

KINDS: dict[str, Measure] = {
    "tools": tools_rows,
    "answer": answer_rows,
    "wire": wire_rows,
    "calls": call_rows,
    "scale": scale_rows,
    "polyfill": polyfill_rows,
}


def main() -> None:
    """Measure what is asked for, print it, and keep it."""
    parser = argparse.ArgumentParser(prog="python -m bench")
    parser.add_argument(
        "--only", action="append", choices=[*KINDS, "memory"], help="one kind of rows; may be given again"
    )
    parser.add_argument("--rounds", type=int, default=5, help="how often each figure is taken (default: 5)")
    parser.add_argument("--calls", type=int, default=100_000, help="of the memory's rows (default: 100000)")
    parser.add_argument(
        "--picture", action="store_true", help=f"draw {PICTURE.relative_to(CHECKOUT)} of it, too"
    )
    asked = parser.parse_args()

    def memory(playwright: Playwright, url: str, _: int) -> list[Row]:
        return memory_rows(playwright, url, asked.calls)

    kinds = {**KINDS, "memory": memory}
    # what is measured alone joins what was measured before
    results = json.loads(RESULTS.read_text()) if asked.only and RESULTS.is_file() else {}
    missing = set(DRAWN) - {*results, *(asked.only or kinds)}
    if asked.picture and missing:
        parser.error(f"the picture needs {', '.join(sorted(missing))}, too; leave out --only, or add them")
    console = Console(width=120)
    with sync_playwright() as playwright, site() as url:
        with launched(playwright) as browser:
            machine = f"Chromium {browser.version}, {os.cpu_count()} cores, {platform.system()}"
        for kind in asked.only or kinds:
            rows = kinds[kind](playwright, url, asked.rounds)
            console.print(table_of(kind, rows))
            results[kind] = {
                "taken": datetime.now(UTC).isoformat(timespec="seconds"),
                "machine": machine,
                "rounds": asked.rounds,
                "rows": rows,
            }
            RESULTS.write_text(json.dumps(results, indent=1))  # kept whatever becomes of the next
    if found := reached(results):
        console.print(aims_table(found))
    with TABLES.open("w", encoding="utf-8") as file:
        written = Console(width=120, file=file)
        for kind, measured in results.items():
            written.print(table_of(kind, measured["rows"]))
        if found:
            written.print(aims_table(found))
    print(f"data: {RESULTS}\ntables: {TABLES}")
    if asked.picture:
        draw(results, PICTURE)
        print(f"picture: {PICTURE}")


if __name__ == "__main__":
    main()
