"""Drive a page as an agent does, by the same words on native WebMCP and on the polyfill."""

from __future__ import annotations

from typing import Any, Literal, cast

import pytest
from playwright.sync_api import Page

from webtools.agent.conversation import Answer
from webtools.testing import ToolPage
from webtools.testing.expecting import UNTIL_LISTED
from webtools.testing.tool_page import BEGIN, END, Mode

__all__ = [
    "ONCE",
    "UNTIL_DESCRIBED",
    "Agent",
    "Answer",
    "Host",
    "Mode",
    "begin",
    "end",
    "error_of",
    "mode_of",
    "text_of",
    "until_in_flight",
    "wait_for",
]

Host = Literal["native", "polyfill", "cancelling"]
"""A model context; the last one is the polyfill's that behaves as Chromium up to 152, which loses calls."""

Agent = ToolPage
"""What an agent can do: list the tools, call one."""

ONCE = pytest.mark.parametrize("mode", ["polyfill"], indirect=True)
"""For what the model context plays no part in: the polyfill's browser takes less of the processor."""

UNTIL_DESCRIBED = """async ([name, description]) => {
  const tools = () => document.modelContext.getTools();
  const isIt = (each) => each.name === name && each.description === description;
  const isThere = async () => (await tools()).some(isIt);
  for (const began = performance.now(); performance.now() - began < 10_000; )
    if (await isThere()) return;
    else await new Promise((resolve) => setTimeout(resolve, 10));
  throw new Error(`${name} is not there`);
}"""


def mode_of(host: Host) -> Mode:
    """The browser that has such a model context, or can be given it."""
    return "native" if host == "native" else "polyfill"


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
    took = agent.page.evaluate(UNTIL_LISTED, [name, listed, 10_000])
    assert took is not None, f"{name} is {'not' if listed else 'still'} listed"
    return float(took)


def begin(agent: Agent, key: str, name: str, arguments: dict[str, Any]) -> None:
    """Begin a call that `end` waits for."""
    assert agent.evaluate(BEGIN, [key, name, arguments]) is None


def until_in_flight(page: Page, name: str) -> None:
    """Wait until a call has reached the tool: a native one goes through another process of the browser."""
    page.wait_for_function("(name) => webtools.tools().find((it) => it.name === name)?.inFlight", arg=name)


def end(agent: Agent, key: str) -> Answer:
    """Give the answer of a call that was begun, or ``{lost}``."""
    answer: Answer = agent.evaluate(END, key)
    return answer
