"""Texts of calls cross by their sizes, whatever is in them and however long they are."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator

import pytest

from tests.unit.browser.border import FakeBorder
from tests.unit.calls.caller import until
from webtools.browser.crossing import INITIAL, Crossing, start

APP = """
import asyncio
from webtools import tool

@tool
def echo(text: str) -> str:
    "Return it."
    return text

@tool
async def echo_later(text: str) -> str:
    "Return it later."
    await asyncio.sleep(0)
    return text
"""


pytestmark = pytest.mark.usefixtures("forgotten_apps")


@pytest.fixture
def settled() -> dict[str, str]:
    """The answers that came later; JavaScript reads each at once."""
    return {}


@pytest.fixture
def crossing(settled: dict[str, str]) -> Iterator[Crossing]:
    def settle(call_id: str, size: int) -> None:
        settled[call_id] = said(made, size)

    made = start(FakeBorder(), settle, False, "memory")
    assert made.host.load("https://shop.example/app.py", APP) is None
    yield made
    made.host.close()


def put(crossing: Crossing, text: str) -> int:
    """Write as JavaScript does."""
    data = text.encode()
    if len(data) > len(crossing.memory):
        crossing.grow(len(data))
    crossing.memory[: len(data)] = data
    return len(data)


def said(crossing: Crossing, size: object) -> str:
    """Read as JavaScript does."""
    assert isinstance(size, int)
    answer = json.loads(crossing.memory[:size].decode())
    return str(answer["content"][0]["text"])


@pytest.mark.parametrize("text", ["x", "é–🙂", "x" * INITIAL, "é" * INITIAL])
def test_a_call_gets_the_text_and_answers_with_the_size_of_its_own(crossing: Crossing, text: str) -> None:
    size = crossing.call_named(
        "echo", "c1", put(crossing, json.dumps({"text": text}, ensure_ascii=False)), None
    )
    assert said(crossing, size) == text


def test_a_longer_text_that_was_there_before_leaves_nothing_in_the_next_one(crossing: Crossing) -> None:
    put(crossing, "y" * 1000)
    assert (
        said(crossing, crossing.call_named("echo", "c1", put(crossing, '{"text": "short"}'), None)) == "short"
    )


def test_an_answer_that_comes_later_is_settled_with_its_size(
    crossing: Crossing, settled: dict[str, str]
) -> None:
    async def scene() -> None:
        assert crossing.call_named("echo_later", "c1", put(crossing, '{"text": "later"}'), None) is None
        put(crossing, "z" * 100)  # another call's
        await until(lambda: "c1" in settled)

    asyncio.run(scene())
    assert settled == {"c1": "later"}


def test_a_call_whose_handler_is_javascript_gives_its_number_as_a_negative_one(crossing: Crossing) -> None:
    definition = {"name": "js", "description": "d", "inputSchema": {"type": "object"}}
    crossing.host.hold(7, "js", json.dumps(definition), None, None)
    assert crossing.call_named("js", "c1", put(crossing, "{}"), None) == -7


def test_a_lone_surrogate_does_not_keep_an_answer_from_crossing(crossing: Crossing) -> None:
    assert crossing.write("a\ud800") == 4


def test_the_memory_that_javascript_has_a_view_of_never_changes_its_size(crossing: Crossing) -> None:
    with memoryview(crossing.memory) as seen:
        assert crossing.write("short") == 5
        assert crossing.write("x" * (INITIAL + 1)) == INITIAL + 1
        assert len(seen) == INITIAL
    assert len(crossing.memory) == INITIAL + 1
