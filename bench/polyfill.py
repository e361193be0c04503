"""The polyfill beside native WebMCP and `@mcp-b/webmcp-polyfill`: register, list, execute, and its size."""

from __future__ import annotations

import gzip
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Route

from webtools.cli.runtime import CHECKOUT

MODULES = CHECKOUT / "node_modules"
OURS = CHECKOUT / "static" / "polyfill.js"
THEIRS = MODULES / "@mcp-b" / "webmcp-polyfill" / "dist" / "index.js"
COUNTS = (1, 10, 100, 1000)

INSTALL = {
    "native": "undefined",
    "polyfill": "import('/webtools/polyfill.js').then(({apply}) => { apply(); })",
    "@mcp-b": "import('/theirs.js').then(({initializeWebMCPPolyfill}) => { initializeWebMCPPolyfill(); })",
}

MEASURE = """async ([count, asText]) => {
  const context = document.modelContext;
  const inputSchema = {type: "object", properties: {text: {type: "string"}}};
  const execute = (input) => ({content: [{type: "text", text: input.text}]});
  const time = async (action) => {
    const began = performance.now();
    await action();
    return (performance.now() - began) * 1000;
  };
  const controller = new AbortController();
  const names = Array.from({length: count}, (_, index) => `tool_${index}`);
  const register = await time(() => Promise.all(names.map((name) =>
    context.registerTool({name, description: "d", inputSchema, execute}, {signal: controller.signal}))));
  const list = [];
  for (let round = 0; round < 5; round += 1) list.push(await time(() => context.getTools()));
  const tools = await context.getTools();
  const input = asText ? '{"text":"x"}' : {text: "x"};
  const calls = [];
  for (let call = 0; call < 100; call += 1)
    calls.push(await time(() => context.executeTool(tools[call % count], input)));
  controller.abort();
  await context.getTools();
  const median = (times) => times.sort((a, b) => a - b)[times.length >> 1];
  return {register, list: median(list), execute: median(calls)};
}"""

Row = Callable[[str, str, list[float], list[float], str], dict[str, Any]]


def polyfill_rows(launch: Callable[[bool], Browser], url: str, rounds: int, row: Row) -> list[dict[str, Any]]:
    """Times of both polyfills, native being the base; a new page each time, the three taking turns."""
    browsers = {native: launch(native) for native in (True, False)}
    times: dict[tuple[str, int, str], list[float]] = {}
    for _ in range(rounds):
        for name, script in INSTALL.items():
            for count in COUNTS:
                page = browsers[name == "native"].new_page()
                page.route("**/theirs.js", serve_theirs)
                page.goto(f"{url}empty.html")
                for what, taken in measured(page, script, [count, name == "@mcp-b"]).items():
                    times.setdefault((name, count, what), []).append(taken)
                page.close()
    for browser in browsers.values():
        browser.close()
    return [
        row(f"{what}, {count} tools", name, times[name, count, what], times["native", count, what], "µs")
        for what in ("register", "list", "execute")
        for count in COUNTS
        for name in ("polyfill", "@mcp-b")
    ]


def serve_theirs(route: Route) -> None:
    """Give a page the other polyfill as a module."""
    route.fulfill(body=bundle(THEIRS), content_type="text/javascript")


def measured(page: Page, script: str, given: list[Any]) -> dict[str, float]:
    """Give the microseconds of each verb, after one round that warms the page up."""
    page.evaluate(script)
    page.evaluate(MEASURE, given)
    taken: dict[str, float] = page.evaluate(MEASURE, given)
    return taken


def size_rows(row: Row) -> list[dict[str, Any]]:
    """Minified and gzipped, the other polyfill being the base."""
    ours, theirs = (len(gzip.compress(bundle(entry), 9)) for entry in (OURS, THEIRS))
    return [row("size, gzipped", "polyfill", [ours], [theirs], "B")]


@cache
def bundle(entry: Path) -> bytes:
    """Make one minified module of a module and what it imports."""
    command = [str(MODULES / ".bin" / "esbuild"), str(entry), "--bundle", "--minify", "--format=esm"]
    return subprocess.run(command, check=True, capture_output=True).stdout
