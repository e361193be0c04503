"""What a manifest has promised becomes the app's, changes, or goes; early calls come to their tools."""

from __future__ import annotations

import asyncio
import functools
import json
import sys
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest

from tests.unit.browser.border import FakeBorder, host_at
from tests.unit.calls.caller import verdict
from webtools.browser import apps
from webtools.browser.adapters import BrowserClock
from webtools.browser.host import Host
from webtools.lifecycle.slot import RESPONSE_GRACE

URL = "https://shop.example/promising.py"

APP = """
import asyncio
from webtools import ToolContext, registry, tool

seen = []

@tool(timeout=5)
def note(word: str) -> list[str]:
    "Note a word."
    seen.append(word)
    return seen

@tool
async def slow(word: str) -> str:
    "Take a while."
    await asyncio.sleep(0)
    return word

@tool
def who(ctx: ToolContext) -> str:
    "Say whose call it is."
    return ctx.session_id

@tool(match="/cart/*")
def cart() -> str:
    "Read the cart."
    return "empty"

@tool(held=True)
def edit() -> str:
    "Edit the document."
    return "edited"
"""


@pytest.fixture(autouse=True)
def no_module_is_left() -> Iterator[None]:
    before = dict(sys.modules)
    yield
    for name in sys.modules.keys() - before:
        if getattr(sys.modules[name], "__file__", "") == URL:
            del sys.modules[name]


def in_a_loop(test: Callable[..., Awaitable[None]]) -> Callable[..., None]:
    """Run a test in an event loop, as the page's Python runs."""

    @functools.wraps(test)
    def run(*args: Any, **kwargs: Any) -> None:
        async def running() -> None:
            await test(*args, **kwargs)

        asyncio.run(running())

    return run


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[[FakeBorder, Host], None]:
    """Let the grace pass, and the page's timers."""
    passed = [0.0]
    monkeypatch.setattr(BrowserClock, "now", lambda _: passed[0])

    def later(border: FakeBorder, host: Host) -> None:
        passed[0] += RESPONSE_GRACE
        fire(border, host)

    return later


class Page:
    """What `static/early.js` hands over of an app's tools: all are promised, and held as the path says."""

    def __init__(self, source: str = APP, path: str = "/cart/1") -> None:
        self.path = path
        self.tools = {each.name: each for each in apps.declared_in(vars(apps.load(URL, source))).tools}
        self.wishes: list[dict[str, Any]] = []
        self.calls: list[dict[str, Any]] = []
        for name, each in self.tools.items():
            if not each.is_held_by_others and (not each.match or path.startswith("/cart/")):
                self.wish(name, self.number(name))

    def number(self, name: str) -> int:
        return -1 - list(self.tools).index(name)

    def wish(self, name: str, number: int, **more: object) -> None:
        text = self.tools[name].definition.text
        wish = {"number": number, "name": name, "text": text, "isPromised": True}
        self.wishes.append({**wish, **more})

    def call(
        self, call_id: str, name: str, age_ms: float = 0, facts: str | None = None, **input_: str
    ) -> None:
        early: dict[str, Any] = {"input": json.dumps(input_), "ageMs": age_ms}
        if facts:
            early["facts"] = facts
        key = json.dumps([self.tools[name].definition.text, None, None])
        self.calls.append({"id": call_id, "name": name, "key": key, "generation": 0, "early": early})

    def text(self) -> str:
        held = {wish["name"]: wish for wish in self.wishes}
        return json.dumps(
            {
                "attempts": len(held),
                "promised": [
                    {
                        "number": self.number(name),
                        "app": URL,
                        "name": name,
                        "text": each.definition.text,
                        "held": each.is_held_by_others,
                        "match": list(each.match),
                        "timeout": each.timeout,
                    }
                    for name, each in self.tools.items()
                ],
                "wishes": self.wishes,
                "slots": [
                    {
                        "name": name,
                        "generation": 0,
                        "seen": json.dumps([wish["text"], wish.get("resourceId"), wish.get("owner")]),
                        "registration": {
                            "number": attempt,
                            "text": wish["text"],
                            "isAccepted": True,
                            "hold": wish["number"],
                        },
                        "reason": None,
                        "calls": sum(call["name"] == name for call in self.calls),
                        "settledMsAgo": None,
                    }
                    for attempt, (name, wish) in enumerate(held.items(), 1)
                ],
                "calls": self.calls,
            }
        )

    def take_over(self, host: Host) -> None:
        host.take_over(self.text())
        host.moved(self.path, "")


async def turns() -> None:
    """Let macrotasks and their followers run."""
    for _ in range(5):
        await asyncio.sleep(0)


def fire(border: FakeBorder, host: Host) -> None:
    """Let the page's timers pass."""
    for timer in list(border.timers):
        border.timers.pop(timer)
        host.timer(timer)


def states(host: Host) -> dict[str, str]:
    return {each["name"]: each["state"] for each in json.loads(host.states())}


def code(border: FakeBorder, call_id: str) -> str:
    error = border.settled[call_id]["structuredContent"]["error"]
    assert error["effect"] == "none"
    return str(error["code"])


@in_a_loop
async def test_equal_definitions_are_adopted_without_a_word_to_the_browser() -> None:
    border = FakeBorder()
    page = Page()
    page.wish("edit", 7, resourceId="doc-1", owner=3)
    with host_at(border) as host:
        page.take_over(host)
        await turns()
        assert host.load(URL, APP) is None
        await turns()
        assert states(host) == dict.fromkeys(["note", "slow", "who", "cart", "edit"], "registered")
        assert (border.registered, border.unregistered, border.states) == ({}, [], [])
        host.release(7)
        await turns()
        assert border.unregistered == [5]


@in_a_loop
async def test_early_calls_run_in_their_order_when_their_app_is_there() -> None:
    border = FakeBorder()
    page = Page()
    page.call("first", "note", word="one")
    page.call("second", "slow", word="two")
    page.call("third", "note", word="three")
    page.call("fourth", "who", facts='{"sessionId": "s"}')
    with host_at(border) as host:
        page.take_over(host)
        assert host.call(1, "fifth", '{"word": "five"}') is None
        assert border.settled == {}
        assert host.load(URL, APP) is None
        await turns()
        texts = {name: answer["content"][0]["text"] for name, answer in border.settled.items()}
        assert texts["first"] == '{"result":["one"]}'
        assert texts["third"] == '{"result":["one","three"]}'
        assert texts["fifth"] == '{"result":["one","three","five"]}'
        assert (texts["second"], texts["fourth"]) == ("two", "s")
        assert all(each["inFlight"] == 0 for each in json.loads(host.states()))


@in_a_loop
async def test_an_early_call_is_judged_as_any_other() -> None:
    border = FakeBorder()
    page = Page()
    page.call("wrong", "note", world="one")
    page.call("odd", "note", facts='{"sessionId": 5}', word="one")
    with host_at(border, has_context=False) as host:
        page.take_over(host)
        assert code(border, "odd") == "INVALID_TOOL_ARGS"
        host.load(URL, APP)
    assert code(border, "wrong") == "INVALID_TOOL_ARGS"


@in_a_loop
async def test_a_changed_definition_leaves_by_the_rule_and_its_early_calls_are_told(
    later: Callable[[FakeBorder, Host], None],
) -> None:
    border = FakeBorder()
    page = Page()
    page.call("early", "note", word="one")
    with host_at(border) as host:
        page.take_over(host)
        host.load(URL, APP.replace("Note a word.", "Write a word down."))
        assert code(border, "early") == "TOOL_CHANGED"
        await turns()
        assert (border.registered, border.unregistered) == ({}, [])
        assert min(border.timers.values()) <= RESPONSE_GRACE * 1000
        later(border, host)
        assert border.unregistered == [1]
        assert [each["description"] for each in border.registered.values()] == ["Write a word down."]


@in_a_loop
async def test_what_the_app_no_longer_has_leaves_and_what_is_new_comes(
    later: Callable[[FakeBorder, Host], None],
) -> None:
    border = FakeBorder()
    page = Page()
    page.call("early", "slow", word="one")
    with host_at(border) as host:
        page.take_over(host)
        host.load(URL, APP.replace("def slow", "def quick"))
        assert code(border, "early") == "STALE_TOOL_CALL"
        await turns()
        later(border, host)
        assert border.unregistered == [2]
        assert [each["name"] for each in border.registered.values()] == ["quick"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("@tool(held=True)\ndef edit", "@tool\ndef edit"),
        ('@tool(match="/cart/*")\ndef cart', "@tool\ndef cart"),
        ("@tool\nasync def slow", '@tool(match="/cart/*")\nasync def slow'),
        ('match="/cart/*"', 'match="/*"'),
    ],
)
@in_a_loop
async def test_a_tool_that_is_held_otherwise_than_promised_stays_or_comes(before: str, after: str) -> None:
    border = FakeBorder()
    with host_at(border) as host:
        Page().take_over(host)
        assert host.load(URL, APP.replace(before, after)) is None
        await turns()
        assert border.unregistered == []
        assert {"slow", "cart"} <= states(host).keys()
        assert len(border.registered) == ("edit" in before)
        host.moved("/", "")
        await turns()
        assert ("cart" in states(host)) is (after in {"@tool\ndef cart", 'match="/*"'})


@in_a_loop
async def test_a_tool_that_is_only_held_by_others_now_leaves() -> None:
    border = FakeBorder()
    with host_at(border) as host:
        Page().take_over(host)
        host.load(URL, APP.replace("@tool\nasync def slow", "@tool(held=True)\nasync def slow"))
        await turns()
        assert border.unregistered == [2]


@in_a_loop
async def test_until_its_app_is_there_a_promised_tool_follows_path_and_wishes() -> None:
    border = FakeBorder()
    with host_at(border) as host:
        Page(path="/").take_over(host)
        assert "cart" not in states(host)
        host.moved("/cart/2", "")
        host.hold(9, "edit", None, "doc-1", None)
        await turns()
        assert [each["name"] for each in border.registered.values()] == ["cart", "edit"]
        assert host.call_named("edit", "early", "{}", None) is None
        host.load(URL, APP)
        await turns()
        assert border.settled["early"]["content"][0]["text"] == "edited"
        assert (len(border.registered), border.unregistered) == (2, [])


@in_a_loop
async def test_the_apps_own_hold_is_no_newer_than_a_wish_for_the_same_tool() -> None:
    border = FakeBorder()
    page = Page()
    page.wish("who", 7, resourceId="doc-1")
    with host_at(border) as host:
        page.take_over(host)
        host.load(URL, APP)
        slot = host._registry.named("who")
        assert slot
        assert slot.current
        assert slot.current.resource_id == "doc-1"


@in_a_loop
async def test_an_app_that_fails_answers_its_early_calls_why_and_its_tools_leave(
    later: Callable[[FakeBorder, Host], None],
) -> None:
    border = FakeBorder()
    page = Page()
    page.wish("edit", 7)
    page.call("early", "note", word="one")
    with host_at(border) as host:
        page.take_over(host)
        problem = host.load(URL, "1 / 0")
        assert problem
        host.give_up(URL, json.loads(problem)["message"])
        assert code(border, "early") == "HOST_FAILED"
        assert "ZeroDivisionError" in border.settled["early"]["content"][0]["text"]
        late = host.call(1, "late", "{}")
        assert isinstance(late, str)
        assert verdict(json.loads(late)) == ("HOST_FAILED", "none", False)
        await turns()
        assert sorted(border.unregistered) == [2, 3, 4, 5]
        later(border, host)
        assert states(host) == {}
        host.give_up(URL, "again")
        assert host.load(URL, APP) is None
        assert states(host)["edit"] == "registering", "the page's wish waited for it"


@in_a_loop
async def test_an_app_that_fails_leaves_another_ones_promises_alone() -> None:
    border = FakeBorder()
    page = Page()
    page.call("early", "note", word="one")
    with host_at(border, has_context=False) as host:
        page.take_over(host)
        host.give_up("https://shop.example/other.py", "it is missing")
        assert border.settled == {}


@in_a_loop
async def test_an_early_call_whose_path_was_left_meanwhile_is_stale_though_the_page_is_back() -> None:
    border = FakeBorder()
    page = Page()
    page.call("early", "cart")
    with host_at(border) as host:
        page.take_over(host)
        host.moved("/", "")
        await turns()
        host.moved("/cart/2", "")
        host.load(URL, APP)
        assert code(border, "early") == "STALE_TOOL_CALL"
        assert (border.registered, border.unregistered) == ({}, [])


@in_a_loop
async def test_an_early_call_keeps_the_deadline_that_it_began_with() -> None:
    border = FakeBorder()
    page = Page()
    page.call("old", "note", 5_000, word="one")
    page.call("young", "note", 1_000, word="two")
    with host_at(border) as host:
        page.take_over(host)
        assert min(border.timers.values()) <= 0
        fire(border, host)
        assert code(border, "old") == "TOOL_TIMEOUT"
        assert border.settled.keys() == {"old"}
        assert 3_000 < max(border.timers.values()) <= 4_000


@in_a_loop
async def test_an_early_call_is_cancelled_by_its_caller_and_by_the_pages_leaving() -> None:
    border = FakeBorder()
    page = Page()
    page.call("given up", "note", word="one")
    page.call("left", "note", word="two")
    with host_at(border, has_context=False) as host:
        page.take_over(host)
        host.abort("given up")
        host.abort("given up")
        assert code(border, "given up") == "CANCELLED"
        assert border.settled.keys() == {"given up"}
        host.leave(is_kept=True)
        assert code(border, "left") == "CANCELLED"
        assert border.timers == {}
        assert all(each["inFlight"] == 0 for each in json.loads(host.states()))
        host.load(URL, APP)


@in_a_loop
async def test_a_promised_tool_says_whose_it_is() -> None:
    border = FakeBorder()
    with host_at(border, has_context=False) as host:
        Page().take_over(host)
        slot = host._registry.named("note")
        assert slot
        assert slot.current
        assert repr(slot.current.tool) == f"<PromisedTool 'note' of {URL}>"


@in_a_loop
async def test_an_equal_tool_of_another_hand_is_not_entered_by_an_early_call() -> None:
    """A tool that JavaScript defines has its handler there: the call that waited is told to come again."""
    border = FakeBorder()
    page = Page()
    page.call("early", "note", word="one")
    with host_at(border, has_context=False) as host:
        page.take_over(host)
        host.hold(9, "note", page.tools["note"].definition.text, None, None)
        host.load(URL, "from webtools import tool\n")
        assert code(border, "early") == "STALE_TOOL_CALL"


@in_a_loop
async def test_a_page_is_told_what_its_app_has_defined_in_the_form_of_a_manifest() -> None:
    with host_at(FakeBorder()) as host:
        host.load(URL, APP)
        manifest = json.loads(host.manifest(URL, "1") or "")
        assert manifest["webtools"] == "1"
        assert [json.loads(each["definition"])["name"] for each in manifest["tools"]] == list(Page().tools)
        twice = APP + '\n@tool(held=True, name="who")\ndef other() -> None:\n    "Do it."\n'
        assert host.load(URL, twice) is None
        assert host.manifest(URL, "1") is None
