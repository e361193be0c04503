"""Drive a page as an agent does, by the same words on native WebMCP and on the polyfill."""

from __future__ import annotations

import json
from typing import Any, Literal, cast

from playwright.sync_api import Page

Mode = Literal["native", "polyfill"]
Host = Literal["native", "polyfill", "cancelling"]
"""A model context; the last one is the polyfill's that behaves as Chromium up to 152, which loses calls."""

Answer = dict[str, Any]

LIST = """async () => (await document.modelContext.getTools()).map(
  ({name, title, description, inputSchema, annotations}) =>
    ({name, title, description, inputSchema, annotations}))"""

EXECUTE = """async ([name, input]) => {
  const tool = (await document.modelContext.getTools()).find((each) => each.name === name);
  return document.modelContext.executeTool(tool, input);
}"""

UNTIL_LISTED = """async ([name, wanted]) => {
  const isListed = async () => (await document.modelContext.getTools()).some((tool) => tool.name === name);
  for (const began = performance.now(); performance.now() - began < 10_000; )
    if ((await isListed()) === wanted) return performance.now() - began;
    else await new Promise((resolve) => setTimeout(resolve, 10));
  throw new Error(`${name} is ${wanted ? "not" : "still"} listed`);
}"""

UNTIL_DESCRIBED = """async ([name, description]) => {
  const tools = () => document.modelContext.getTools();
  const isIt = (each) => each.name === name && each.description === description;
  const isThere = async () => (await tools()).some(isIt);
  for (const began = performance.now(); performance.now() - began < 10_000; )
    if (await isThere()) return;
    else await new Promise((resolve) => setTimeout(resolve, 10));
  throw new Error(`${name} is not there`);
}"""

START = """async ([key, name, input]) => {
  const tool = (await document.modelContext.getTools()).find((each) => each.name === name);
  const began = new Promise((resolve) => webtools.addEventListener("callstart", resolve, {once: true}));
  window.calls ??= {};
  window.calls[key] = document.modelContext.executeTool(tool, input)
    .then(JSON.parse, (error) => ({lost: error.name}));
  await began;
}"""


def mode_of(host: Host) -> Mode:
    """The browser that has such a model context, or can be given it."""
    return "native" if host == "native" else "polyfill"


class Agent:
    """What an agent can do: list the tools, call one.

    On native it speaks through Playwright's own client, which sees what any agent of the browser sees; a
    polyfill is seen by scripts of the page only, so there it calls `executeTool`.
    """

    def __init__(self, page: Page, mode: Mode) -> None:
        self.page = page
        self.mode = mode

    def names(self) -> list[str]:
        """The listed tools."""
        return [tool["name"] for tool in self.tools()]

    def tools(self) -> list[dict[str, Any]]:
        """What `getTools()` lists, as JSON data."""
        return cast("list[dict[str, Any]]", self.page.evaluate(LIST))

    def call(self, name: str, arguments: dict[str, Any] | None = None) -> Answer:
        """Call a tool and wait for its answer."""
        if self.mode == "native":
            return cast("Answer", self.page.webmcp.call_tool(name, arguments or {}))
        return cast("Answer", json.loads(self.page.evaluate(EXECUTE, [name, arguments or {}])))


def text_of(answer: Answer) -> str:
    """The text of an answer that has one part."""
    (part,) = answer["content"]
    return cast("str", part["text"])


def error_of(answer: Answer) -> dict[str, Any]:
    """The error of an answer, which must be one."""
    assert answer["isError"] is True, answer
    return cast("dict[str, Any]", answer["structuredContent"]["error"])


def wait_for(agent: Agent, name: str, *, listed: bool) -> float:
    """Wait until the tool is listed or not; gives the milliseconds that it took."""
    return float(agent.page.evaluate(UNTIL_LISTED, [name, listed]))


def begin(agent: Agent, key: str, name: str, arguments: dict[str, Any]) -> None:
    """Begin a call that `end` waits for."""
    agent.page.evaluate(START, [key, name, arguments])


def until_in_flight(page: Page, name: str) -> None:
    """Wait until a call has reached the tool: a native one goes through another process of the browser."""
    page.wait_for_function("(name) => webtools.tools().find((it) => it.name === name)?.inFlight", arg=name)


def end(agent: Agent, key: str) -> dict[str, Any]:
    """Give the answer of a call that was begun."""
    answer: dict[str, Any] = agent.page.evaluate("(key) => window.calls[key]", key)
    return answer
