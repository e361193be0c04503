"""What the page is told of a call before its handler runs, for the person who watches."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable
from datetime import date
from typing import Any

import pytest

from tests.unit.calls.caller import text_of, verdict
from tests.unit.calls.page_rig import PageRig
from webtools import tool


class Page:
    """A page with a cursor.

    Attributes:
        shown: Id and data of each call that was to be shown.
    """

    def __init__(self) -> None:
        self.shown: list[tuple[str, Any]] = []
        self.filling: asyncio.Future[None] | None = None
        self.rig = PageRig(shower=self._show)

    def _show(self, call_id: str, text: str) -> Awaitable[object] | None:
        self.shown.append((call_id, json.loads(text)))
        return self.filling

    def call(self, function: Any, arguments: dict[str, Any]) -> Any:
        """Call it and give the answer, which is there at once."""
        self.rig.registry.hold(function)
        return self.rig.answers[self.rig.call(function.__name__, arguments)]


def shown(function: Any, arguments: dict[str, Any]) -> Any:
    """What the page is told of a call that works."""
    page = Page()
    assert text_of(page.call(function, arguments)) == "done"
    ((call_id, wire),) = page.shown
    assert call_id == "c1"
    return wire


def test_a_function_gives_the_target_from_the_accepted_arguments() -> None:
    @tool(target=lambda given: f"#{given['sku']}-{given['size']}")
    def pick(sku: str, size: int = 3) -> None:
        """Pick."""

    assert shown(pick, {"sku": "A"}) == {"tool": "pick", "target": "#A-3", "fields": []}


def test_a_function_may_give_no_target() -> None:
    @tool(target=lambda given: None)
    def pick() -> None:
        """Pick."""

    assert shown(pick, {}) == {"tool": "pick", "fields": []}


def test_fields_show_the_arguments_and_fill_has_the_last_word() -> None:
    @tool(
        fields={"query": "#q", "day": "#day", "limit": "#limit", "cents": "#price"},
        fill=lambda given: {"#price": f"{given['cents'] / 100:.2f}", "#all": True},
    )
    def search(query: str, day: date, cents: int, limit: int | None = None) -> None:
        """Search."""

    wire = shown(search, {"query": "boots", "day": "2026-01-02", "cents": 1250})
    assert wire["fields"] == [
        ["#q", "boots"],
        ["#day", "2026-01-02"],
        ["#limit", None],
        ["#price", "12.50"],
        ["#all", True],
    ]


def test_a_target_that_the_definition_has_is_not_told_again() -> None:
    @tool(target="#search")
    def search() -> None:
        """Search."""

    page = Page()
    assert text_of(page.call(search, {})) == "done"
    assert page.shown == []


def test_a_call_that_is_refused_shows_nothing() -> None:
    @tool(fields={"query": "#q"}, version=lambda: 2, expected_version="seen")
    def search(query: str, seen: int) -> None:
        """Search."""

    page = Page()
    assert verdict(page.call(search, {"query": 1, "seen": 2}))[0] == "INVALID_TOOL_ARGS"
    assert verdict(page.call(search, {"query": "a", "seen": 1}))[0] == "VERSION_CONFLICT"
    assert page.shown == []


def test_the_handler_waits_for_the_fields() -> None:
    ran: list[str] = []

    @tool(fields={"query": "#q"})
    def search(query: str) -> None:
        """Search."""
        ran.append(query)

    async def scene() -> None:
        page = Page()
        page.filling = asyncio.get_running_loop().create_future()
        page.rig.registry.hold(search)
        call_id = page.rig.call("search", {"query": "boots"})
        await asyncio.sleep(0)
        assert (len(page.shown), ran) == (1, [])
        page.filling.set_result(None)
        assert text_of(await page.rig.answered(call_id)) == "done"
        assert ran == ["boots"]

    asyncio.run(scene())


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"target": lambda given: given["nothing"]}, "its target raised"),
        ({"target": lambda given: 7}, "target gave 7. It must give a CSS selector, or None."),
        ({"fill": lambda given: given["nothing"]}, "its fill raised"),
        ({"fill": lambda given: "#q"}, "fill gave '#q'. It must give a dict"),
        ({"fill": lambda given: {1: "x"}}, "fill gave {1: 'x'}. It must give a dict"),
    ],
)
def test_what_an_authors_function_has_wrong_is_told_in_the_console_only(
    options: dict[str, Any], said: str, caplog: pytest.LogCaptureFixture
) -> None:
    @tool(**options)
    def search() -> None:
        """Search."""

    with caplog.at_level(logging.ERROR, "webtools"):
        assert shown(search, {}) == {"tool": "search", "fields": []}
    assert said in caplog.text


def test_what_json_cannot_hold_is_a_placeholder() -> None:
    @tool(fill=lambda given: {"#q": object(), "#n": float("nan")})
    def search() -> None:
        """Search."""

    (_, text), (_, number) = shown(search, {})["fields"]
    assert isinstance(text, str)
    assert number is None
