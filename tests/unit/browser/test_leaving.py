"""The page is left, comes back from the back-forward cache, or loses a registration: what the host does."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from tests.unit.browser.border import FakeBorder, host_at
from tests.unit.calls.caller import until, verdict
from webtools import registry
from webtools.browser.host import Host
from webtools.lifecycle.slot import LOST, MAX_LOSSES, RESPONSE_GRACE, Slot

APP = '''
import asyncio
from webtools import tool

@tool
async def wait() -> None:
    """Wait for ever."""
    await asyncio.Event().wait()
'''

PAGE_TOOL = '{"name":"theirs","description":"d"}'


pytestmark = pytest.mark.usefixtures("forgotten_apps")


class Time:
    """What the host's clock reads."""

    now = 100.0


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    """Time that stands still."""
    time = Time()
    monkeypatch.setattr("webtools.browser.adapters.time.monotonic", lambda: time.now)
    return time


def play(scene: Callable[[Host, FakeBorder], Coroutine[Any, Any, None]]) -> None:
    """Play a scene with an app whose tool the browser has."""

    async def whole() -> None:
        border = FakeBorder()
        with host_at(border) as host:
            assert host.load("http://localhost/shop.py", APP) is None
            host.registered(1)
            await scene(host, border)
        await until(lambda: len(asyncio.all_tasks()) == 1)

    asyncio.run(whole())


def slot_of(name: str) -> Slot:
    slot = registry().named(name)
    assert slot is not None
    return slot


def test_leaving_answers_every_call_and_makes_it_stale_first() -> None:
    async def scene(host: Host, border: FakeBorder) -> None:
        generation = slot_of("wait").generation
        assert host.call(1, "c1", "{}") is None
        await asyncio.sleep(0)
        host.leave(True)
        host.leave(True)
        assert verdict(border.settled["c1"]) == ("CANCELLED", "unknown", False)
        assert slot_of("wait").generation > generation
        assert slot_of("wait").in_flight == 0
        assert border.timers == {}

    play(scene)


def test_leaving_makes_calls_of_the_pages_handlers_stale_and_leaves_their_answers_to_the_page() -> None:
    async def scene(host: Host, border: FakeBorder) -> None:
        host.hold(7, "theirs", PAGE_TOOL, None, None)
        assert host.call(2, "c1", "{}") == 7
        assert host.is_current("c1")
        host.leave(True)
        assert not host.is_current("c1")
        assert slot_of("theirs").in_flight == 1
        host.count_out("c1")
        assert slot_of("theirs").in_flight == 0

    play(scene)


def test_a_page_that_comes_back_has_its_registrations_as_they_were_and_no_second_ones() -> None:
    async def scene(host: Host, border: FakeBorder) -> None:
        host.leave(True)
        host.restored()
        host.restored()
        assert list(border.registered) == [1]
        assert border.unregistered == []
        assert host.call(1, "c1", "{}") is None
        host.abort("c1")

    play(scene)


def test_what_was_to_leave_while_the_page_was_away_leaves_once_when_it_comes_back(time: Time) -> None:
    async def scene(host: Host, border: FakeBorder) -> None:
        host.hold(7, "theirs", PAGE_TOOL, None, None)
        host.call(2, "c1", "{}")
        host.release(7)
        await until(lambda: slot_of("theirs").state == "leaving")
        await asyncio.sleep(0)
        host.leave(True)
        host.count_out("c1")
        assert border.unregistered == []
        ((timer, delay_ms),) = border.timers.items()
        assert delay_ms == RESPONSE_GRACE * 1000
        time.now += 3600
        host.restored()
        assert border.unregistered == [2]
        assert border.timers == {}
        host.timer(timer)  # the browser's own, overdue
        host.restored()
        assert border.unregistered == [2]

    play(scene)


def test_a_lost_registration_is_made_again_with_a_number_of_its_own_while_it_is_held() -> None:
    async def scene(host: Host, border: FakeBorder) -> None:
        host.lost(1)
        host.lost(1)
        assert list(border.registered) == [1, 2]
        assert border.unregistered == []
        gone = host.call(1, "c1", "{}")
        assert isinstance(gone, str)
        assert verdict(json.loads(gone))[0] == "TOOL_NOT_FOUND"
        host.registered(2)
        assert border.states[-2:] == [("wait", "registering", None), ("wait", "registered", None)]

    play(scene)


def test_a_registration_that_is_lost_again_and_again_is_given_up_with_the_reason() -> None:
    async def scene(host: Host, border: FakeBorder) -> None:
        for number in range(1, MAX_LOSSES + 1):
            host.registered(number)
            host.lost(number)
        assert list(border.registered) == list(range(1, MAX_LOSSES + 1))
        assert border.states[-1] == ("wait", "failed", LOST)

    play(scene)


def test_a_page_that_may_come_back_keeps_what_its_tools_keep_and_one_that_goes_closes_it() -> None:
    source = '''
from webtools import ToolContext, page, tool

@tool
def keep(ctx: ToolContext) -> None:
    """Keep."""
    ctx.on_teardown(page("notes").closed, scope="page")
'''

    async def scene(host: Host, border: FakeBorder) -> None:
        assert host.load("http://localhost/keep.py", source) is None
        host.call_named("keep", "c1", "{}", None)
        host.leave(True)
        assert border.page_calls == []
        host.leave(False)
        await until(lambda: len(border.page_calls) == 1)
        assert border.page_calls[0][1:3] == ("notes", "closed")

    play(scene)


@pytest.mark.parametrize(("scope", "fact"), [("run", "runId"), ("session", "sessionId")])
def test_the_page_says_what_has_ended_and_is_told_when_that_is_closed(scope: str, fact: str) -> None:
    source = f'''
from webtools import ToolContext, page, tool

@tool
def keep(ctx: ToolContext) -> None:
    """Keep."""
    ctx.on_teardown(page("notes").closed, scope="{scope}")
'''
    identity = '{"conversationId": "talk-1", "tenant": "acme"}'

    async def scene(host: Host, border: FakeBorder) -> None:
        assert host.load("http://localhost/keep.py", source) is None
        host.call_named("keep", "c1", "{}", f'{{"{fact}": "it", "identity": {identity}}}')
        assert host.end(1, scope, "it", None) is None
        await until(lambda: border.ends == [1])
        assert border.page_calls == []
        assert host.end(2, scope, "it", identity) is None
        await until(lambda: border.ends == [1, 2])
        assert len(border.page_calls) == 1
        assert host.end(3, scope, "it", "{}") == (
            "identity must be an object with a conversationId, a text that is not empty"
        )
        assert [each["what"] for each in border.teardowns] == ["started", "fired"]

    play(scene)
