"""An agent in the page's own Python: its model is a server that streams, its tools are the page's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, cast

import pytest
from playwright.sync_api import Browser

from e2e.agents import Mode
from e2e.chat_server import ChatServer
from e2e.conftest import PAGES, Watched, visited
from e2e.sites import STRICT_CSP, serving, with_csp

KEY = "sk-e2e-very-secret-0123456789"

ASK = """async (model) => {
  const events = [];
  const note = ({detail}) => events.push(detail.progress);
  webtools.addEventListener("callprogress", note);
  const calls = [];
  const noteCall = ({detail}) => calls.push(detail.tool);
  webtools.addEventListener("callstart", noteCall);
  const answer = await webtools.call("ask", {prompt: "Buy boots.", model});
  webtools.removeEventListener("callprogress", note);
  webtools.removeEventListener("callstart", noteCall);
  return {...answer.structuredContent, events, calls};
}"""

ASK_AND_STOP = """async () => {
  const hasBegun = new Promise((resolve) => {
    webtools.addEventListener("callprogress", ({detail}) => detail.progress.event === "text" && resolve());
  });
  const asking = webtools.call("ask", {prompt: "Buy boots.", model: "stuck"});
  await hasBegun;
  await webtools.call("stop");
  return (await asking).structuredContent;
}"""


@pytest.fixture(scope="module")
def chats() -> ChatServer:
    return ChatServer()


@pytest.fixture(scope="module")
def driven(browsers: Callable[[Mode], Browser], mode: Mode, chats: ChatServer) -> Iterator[Watched]:
    """The page, its tools up; its policy lets it ask its own origin only."""
    with (
        serving(PAGES, lambda app: with_csp(STRICT_CSP)(chats.beside(app))) as url,
        visited(browsers(mode), f"{url}agent.html") as watched,
    ):
        yield watched


@pytest.fixture(autouse=True)
def _nothing_is_said_of_the_key(driven: Watched, chats: ChatServer) -> Iterator[None]:
    chats.asked.clear()
    chats.keys.clear()
    driven.problems.clear()
    yield
    assert KEY not in "".join(driven.problems)
    assert set(chats.keys) == {f"Bearer {KEY}"}


def ask(driven: Watched, model: str) -> dict[str, Any]:
    return cast("dict[str, Any]", driven.page.evaluate(ASK, model))


def offered(body: dict[str, Any]) -> set[str]:
    return {each["function"]["name"] for each in body["tools"]}


def test_an_agent_works_with_the_pages_tools_whoever_defines_them(driven: Watched, chats: ChatServer) -> None:
    said = ask(driven, "shopper")
    assert (said["outcome"], said["text"]) == ("done", "Paid for boots-1.")
    assert said["results"] == [
        ["find", None],
        ["zoom", None],
        ["open_cart", None],
        ["pay", "INVALID_TOOL_ARGS"],
        ["nothing", "TOOL_NOT_FOUND"],
        ["pay", None],
    ]
    assert said["calls"] == ["ask", "find", "zoom", "open_cart", "pay", "pay"]
    assert driven.page.evaluate("window.levels") == [3]
    assert driven.problems == []


def test_what_a_call_has_brought_is_offered_in_the_next_turn(driven: Watched, chats: ChatServer) -> None:
    driven.page.reload()
    assert driven.ready() == "ready"
    ask(driven, "shopper")
    first, second, third, *_ = chats.asked
    assert offered(first) == offered(second) == {"find", "open_cart", "leak", "zoom"}
    assert offered(third) == {*offered(first), "pay"}
    assert second["messages"][-1] == {"role": "tool", "tool_call_id": "c1", "content": '{"level":3}'}


def test_text_is_told_while_it_comes(driven: Watched) -> None:
    events = [each for each in ask(driven, "shopper")["events"] if each["event"] == "text"]
    assert [each["text"] for each in events] == ["Ich suche 🥾.", "Paid ", "for boots-1."]


def test_a_stop_keeps_what_was_said_and_closes_the_stream(driven: Watched, chats: ChatServer) -> None:
    said = driven.page.evaluate(ASK_AND_STOP)
    assert (said["outcome"], said["text"]) == ("stopped", "Let me")
    assert chats.has_lost.wait(10)
    chats.has_lost.clear()


def test_a_busy_server_is_asked_again(driven: Watched, chats: ChatServer) -> None:
    said = ask(driven, "busy")
    assert (said["outcome"], said["text"]) == ("done", "Here I am.")
    assert [each["event"] for each in said["events"]] == ["turn", "retry", "text", "end"]


def test_a_key_that_is_refused_is_told_to_nobody(driven: Watched) -> None:
    said = ask(driven, "other")
    assert (said["outcome"], said["error"]) == ("failed", "key")
    assert KEY not in str(said)
    leaked = driven.page.evaluate("webtools.call('leak')")
    assert leaked["content"][0]["text"] == "it is [redacted]"
