"""The tools on plain Python, without a browser."""

import asyncio

import pytest
import shopping
from shopping import add_item, list_items

from webtools.testing import tool_call


@pytest.fixture(autouse=True)
def items(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    items = ["Milk"]
    monkeypatch.setattr(shopping, "items", items)
    return items


def test_items_are_listed() -> None:
    answer = asyncio.run(tool_call(list_items))
    assert answer["structuredContent"] == {"result": ["Milk"]}


def test_an_item_is_added_at_the_end_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr(shopping, "listeners", [told.append])
    answer = asyncio.run(tool_call(add_item, {"item": "Bread"}))
    assert answer["structuredContent"] == {"result": ["Milk", "Bread"]}
    assert told == ["Bread"]


def test_an_empty_item_is_refused(items: list[str]) -> None:
    answer = asyncio.run(tool_call(add_item, {"item": ""}))
    assert answer["structuredContent"]["error"]["code"] == "INVALID_TOOL_ARGS"
    assert items == ["Milk"]
