"""Drive a page as an agent does, by the same words on native WebMCP and on the polyfill."""

from __future__ import annotations

import json
from typing import Any, Literal, cast

from playwright.sync_api import Page

Mode = Literal["native", "polyfill"]
Answer = dict[str, Any]

LIST = """async () => (await document.modelContext.getTools()).map(
  ({name, title, description, inputSchema, annotations}) =>
    ({name, title, description, inputSchema, annotations}))"""

EXECUTE = """async ([name, input]) => {
  const tool = (await document.modelContext.getTools()).find((each) => each.name === name);
  return document.modelContext.executeTool(tool, input);
}"""


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
