"""Visits to pages: time to tools, time to the first answer, the longest task, and the bytes over the wire."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import BrowserContext, Playwright

from bench.browsers import new_profile
from bench.rows import Row, compare

__all__ = ["answer_rows", "tools_rows", "wire_rows"]

PROBE = Path(__file__).with_name("probe.js")
LATENCY_MS = 20
"""Of the throttled networks, for each request."""

STILL_MS = 3000
NETWORKS = {"unthrottled": None, "100 Mbit/s": 100, "20 Mbit/s": 20}
VISITS = ("first visit", "second visit")

BY_HAND = {"registerTool by hand": "javascript", "usewebmcp on React": "usewebmcp", "webtools": "webtools"}
IN_PYTHON = {"plain Pyodide": "pyodide", "PyScript": "pyscript", "webtools": "webtools"}


def tools_rows(playwright: Playwright, url: str, rounds: int) -> list[Row]:
    """From the start of the navigation until `getTools()` lists all ten tools."""
    groups: dict[str, dict[str, list[float]]] = {}
    for name, each, visit, seen in visits(playwright, url, rounds, BY_HAND, "visit.listed()"):
        groups.setdefault(f"{visit}, {each}", {}).setdefault(name, []).append(seen["tools"])
    return [row for group, taken in groups.items() for row in compare(group, "ms", taken)]


def answer_rows(playwright: Playwright, url: str, rounds: int) -> list[Row]:
    """From the start of the navigation until a Python tool answers, and the longest task until then."""
    groups: dict[str, dict[str, list[float]]] = {}
    for name, each, visit, seen in visits(playwright, url, rounds, IN_PYTHON, "visit.answered()"):
        groups.setdefault(f"answer, {visit}, {each}", {}).setdefault(name, []).append(seen["answer"])
        groups.setdefault(f"longest task, {visit}, {each}", {}).setdefault(name, []).append(seen["longest"])
    return [row for group, taken in groups.items() for row in compare(group, "ms", taken)]


def wire_rows(playwright: Playwright, url: str, rounds: int) -> list[Row]:
    """What a page loads until its first answer, and until the network has been still for three seconds."""
    groups: dict[str, dict[str, list[float]]] = {}
    pages = {**BY_HAND, **IN_PYTHON}
    for _ in range(min(rounds, 2)):
        for name, page in pages.items():
            with new_profile(playwright, url) as context:
                for visit in VISITS:
                    until, in_all = loaded(context, f"{url}{page}.html")
                    groups.setdefault(f"{visit}, until the answer", {}).setdefault(name, []).append(until)
                    groups.setdefault(f"{visit}, in all", {}).setdefault(name, []).append(in_all)
    return [row for group, taken in groups.items() for row in compare(group, "kB", taken)]


def visits(
    playwright: Playwright, url: str, rounds: int, pages: dict[str, str], script: str
) -> Iterator[tuple[str, str, str, dict[str, float]]]:
    """Visit each page twice with a new profile, on each network and in each round, the pages taking turns.

    Yields:
        The page's name, the network, which visit it was, and what the script gave.
    """
    for _ in range(rounds):
        for network, megabits in NETWORKS.items():
            for name, page in pages.items():
                with new_profile(playwright, url) as context:
                    for visit in VISITS:
                        yield name, network, visit, visited(context, f"{url}{page}.html", megabits, script)


def visited(context: BrowserContext, address: str, megabits: int | None, script: str) -> dict[str, float]:
    """Open a page of its own, and close it when the script has given what it measured."""
    page = context.new_page()
    page.add_init_script(path=PROBE)
    if megabits:
        session = context.new_cdp_session(page)
        throughput = megabits * 1_000_000 / 8
        session.send("Network.enable")
        session.send(
            "Network.emulateNetworkConditions",
            {
                "offline": False,
                "latency": LATENCY_MS,
                "downloadThroughput": throughput,
                "uploadThroughput": throughput,
            },
        )
    page.goto(address, wait_until="commit")
    seen: dict[str, float] = page.evaluate(script)
    page.close()
    return seen


def loaded(context: BrowserContext, address: str) -> tuple[float, float]:
    """Give the kB that came until the first answer, and in all."""
    page = context.new_page()
    page.add_init_script(path=PROBE)
    session = context.new_cdp_session(page)
    sizes: list[float] = []
    session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"] / 1000))
    session.send("Network.enable")
    page.goto(address, wait_until="commit")
    page.evaluate("visit.answered()")
    until = sum(sizes)
    seen = -1
    while seen < len(sizes):
        seen = len(sizes)
        page.wait_for_timeout(STILL_MS)
    page.close()
    return until, sum(sizes)
