"""What the page is told of slots while somebody observes them."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from tests.unit.browser.border import FakeBorder, host_at

pytestmark = pytest.mark.usefixtures("forgotten_apps")

SHOP = "https://shop.example/shop.py"
SOURCE = """
from webtools import tool

@tool
def search() -> str:
    "Search."

@tool(match="/cart/*")
def pay() -> str:
    "Pay."

@tool(held=True)
def zoom() -> str:
    "Zoom."
"""

EMPTY = {"attempts": 0, "wishes": [], "slots": [], "calls": []}


def last(border: FakeBorder, name: str) -> dict[str, Any]:
    """What was told last of a tool."""
    return next(slot for slot in reversed(border.slots) if slot["name"] == name)


def test_each_holder_is_named_an_app_a_path_and_the_pages_own_wish() -> None:
    async def story() -> None:
        border = FakeBorder()
        with host_at(border) as host:
            host.observe(True)
            host.load(SHOP, SOURCE)
            host.hold(3, "zoom", None, "map-1", None)
            host.hold(4, "own", '{"name":"own","description":"d"}', None, None)
            host.moved("/cart/7", "")
            assert last(border, "search")["holds"] == [{"holder": f"app {SHOP}"}]
            assert last(border, "pay")["holds"] == [{"holder": "path /cart/*"}]
            assert last(border, "zoom")["holds"] == [{"holder": 3, "resourceId": "map-1"}]
            assert last(border, "own")["holds"] == [{"holder": 4}]

    asyncio.run(story())


def test_nothing_is_told_before_somebody_observes_nor_afterwards() -> None:
    async def story() -> None:
        border = FakeBorder()
        with host_at(border) as host:
            host.load(SHOP, SOURCE)
            assert border.slots == []
            host.observe(True)
            assert [slot["name"] for slot in border.slots] == ["search"]
            host.observe(False)
            host.hold(3, "zoom", None, None, None)
            assert len(border.slots) == 1

    asyncio.run(story())


def test_a_slot_is_told_with_its_definition_its_attempt_and_what_it_waits_for() -> None:
    async def story() -> None:
        border = FakeBorder()
        with host_at(border, has_context=False) as host:
            host.observe(True)
            host.hold(1, "a", '{"name":"a","description":"d"}', None, None)
            assert border.slots[-1] == {
                "name": "a",
                "state": "waiting",
                "inFlight": 0,
                "calls": 0,
                "generation": 0,
                "registration": 0,
                "definition": '{"name":"a","description":"d"}',
                "holds": [{"holder": 1}],
                "wait": {"what": "context"},
            }
            host.attach_context()
            host.registered(1)
            host.release(1)
            assert last(border, "a")["registration"] == 1
            assert last(border, "a")["wait"] == {"what": "macrotask"}

    asyncio.run(story())


def test_what_the_page_held_before_python_keeps_its_holders_names() -> None:
    text = json.dumps({"name": "search", "description": "d"})
    promised = {"number": -1, "app": SHOP, "name": "search", "text": text, "held": False, "timeout": 60}
    bound = {**promised, "number": -2, "name": "pay", "match": ["/cart/*"]}
    wishes = [
        {"number": number, "name": name, "text": text, "isPromised": True}
        for number, name in ((-1, "search"), (-2, "pay"), (5, "search"))
    ]
    slots = [
        {
            "name": name,
            "generation": 0,
            "seen": None,
            "registration": None,
            "reason": None,
            "calls": 0,
            "settledMsAgo": None,
        }
        for name in ("search", "pay")
    ]
    state = {**EMPTY, "promised": [{**promised, "match": []}, bound], "wishes": wishes, "slots": slots}

    async def story() -> None:
        border = FakeBorder()
        with host_at(border, has_context=False) as host:
            host.take_over(json.dumps(state))
            host.observe(True)
            assert last(border, "search")["holds"] == [{"holder": f"app {SHOP}"}, {"holder": 5}]
            assert last(border, "pay")["holds"] == [{"holder": "path /cart/*"}]

    asyncio.run(story())
