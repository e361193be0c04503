"""Cleanups of what tools keep open: tool-context.md, §6."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from tests.unit.calls.caller import until
from webtools import end_run, end_session
from webtools.calls.facts import Identity
from webtools.calls.isolation import call_key, run_key, session_key, told
from webtools.stores import teardown
from webtools.stores.teardown import IDLE, LIMIT, MAX_DEPTH, MAX_LIVE, PAGE, Teardown
from webtools.testing import FakeClock

RUN = run_key("r1", None) or ""


class Rig:
    """Cleanups on a clock that stands still.

    Attributes:
        closed: What was closed, in its order.
        said: What events say: the cleanup's tool, and what became of it.
    """

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.closed: list[str] = []
        self.events: list[dict[str, str]] = []
        self.teardown = Teardown(self.clock, lambda text: self.events.append(json.loads(text)))

    def closing(self, name: str) -> Callable[[], None]:
        return lambda: self.closed.append(name)

    def keep(self, name: str, *, key: str | None = None, owner: str = RUN, tool: str = "read") -> str:
        """Keep a plain cleanup for a run."""
        return self.teardown.keep(self.closing(name), tool, "run", owner, key)

    @property
    def said(self) -> list[str]:
        return [each["what"] for each in self.events]


def play(scene: Callable[[Rig], Coroutine[Any, Any, None]]) -> Rig:
    """Play a scene; nothing may be left that runs."""
    rig = Rig()

    async def whole() -> None:
        await scene(rig)
        await until(lambda: len(asyncio.all_tasks()) == 1)
        assert rig.clock.pending == 0

    asyncio.run(whole())
    return rig


async def end(rig: Rig) -> None:
    await rig.teardown.end_run("r1", None)


def test_c10_the_first_cleanup_of_a_key_stays_and_runs_once() -> None:
    async def scene(rig: Rig) -> None:
        assert [rig.keep("first"), rig.keep("second")] == ["started", "reused"]
        await end(rig)
        await end(rig)
        rig.teardown.close()

    rig = play(scene)
    assert rig.closed == ["first"]
    assert rig.said == ["started", "reused", "fired"]


def test_c10_the_newest_is_started_first() -> None:
    async def scene(rig: Rig) -> None:
        for name in "abc":
            rig.keep(name, key=name)
        rig.keep("a", key="a")  # being used again makes it no newer
        await end(rig)

    assert play(scene).closed == ["c", "b", "a"]


def test_c10_one_that_hangs_is_left_behind_and_one_that_raises_stops_no_other(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def scene(rig: Rig) -> None:
        goes_on = asyncio.Event()

        async def hang() -> None:
            rig.closed.append("hangs")
            await goes_on.wait()
            rig.closed.append("late")

        def fail() -> None:
            raise LookupError("no")

        async def fail_later() -> None:
            await asyncio.sleep(0)
            raise SystemExit

        for number, cleanup in enumerate([rig.closing("a"), fail, hang, fail_later, rig.closing("b")]):
            rig.teardown.keep(cleanup, "read", "run", RUN, str(number))
        ending = asyncio.ensure_future(end(rig))
        await until(lambda: rig.said.count("failed") == 2)
        assert sorted(rig.closed) == ["a", "b", "hangs"]
        rig.clock.advance(LIMIT - 0.1)
        await asyncio.sleep(0)
        assert not ending.done()
        rig.clock.advance(0.1)
        await ending
        assert rig.said[-1] == "timed out"
        goes_on.set()
        await until(lambda: rig.closed[-1] == "late")

    rig = play(scene)
    assert sorted(rig.said) == sorted(["started"] * 5 + ["fired"] * 5 + ["failed"] * 2 + ["timed out"])
    told_of = [record.getMessage() for record in caplog.records]
    assert told_of.count("Tool 'read': a cleanup (run) failed") == 2
    assert told_of.count("Tool 'read': a cleanup (run) was left behind after 5 s") == 1


def test_cleanups_are_waited_for_together() -> None:
    async def scene(rig: Rig) -> None:
        met = asyncio.Barrier(2)
        for key in "ab":
            rig.teardown.keep(met.wait, "read", "run", RUN, key)
        await end(rig)

    assert play(scene).said == ["started"] * 2 + ["fired"] * 2


def test_c11_what_is_touched_again_is_not_idle() -> None:
    """The table's numbers, times nine: idle 100, touched at 80, swept at 160 and at 500."""

    async def scene(rig: Rig) -> None:
        assert IDLE == 900
        rig.keep("a")
        rig.clock.advance(720)
        assert rig.keep("a") == "reused"
        rig.clock.advance(720)
        rig.teardown.sweep()
        rig.clock.advance(0)
        assert rig.closed == []
        rig.clock.advance(3060)
        assert rig.closed == [], "by a timer"
        rig.teardown.sweep()
        assert rig.closed == [], "the interaction is not made to wait"
        rig.clock.advance(0)
        assert rig.closed == ["a"]

    assert play(scene).said == ["started", "reused", "idle"]


def test_c12_above_the_limit_the_coldest_is_evicted() -> None:
    async def scene(rig: Rig) -> None:
        for number in range(MAX_LIVE):
            rig.keep(str(number), key=str(number))
        rig.keep("0", key="0")
        rig.clock.advance(0)
        assert rig.closed == []
        rig.keep("one more", key="one more")
        rig.clock.advance(0)
        assert rig.closed == ["1"]
        await end(rig)

    rig = play(scene)
    assert rig.said.count("evicted") == 1
    assert len(rig.closed) == len(set(rig.closed)) == MAX_LIVE + 1


def test_what_belongs_to_a_call_ends_with_it_and_is_neither_idle_nor_evicted() -> None:
    async def scene(rig: Rig) -> None:
        for number in range(MAX_LIVE + 1):
            owner = call_key(f"c{number}")
            rig.teardown.keep(rig.closing(f"c{number}"), "read", "call", owner)
        rig.clock.advance(2 * IDLE)
        rig.teardown.sweep()
        rig.clock.advance(0)
        assert rig.closed == []
        rig.teardown.end_call("c1")
        assert rig.closed == [], "the answer is not made to wait"
        rig.clock.advance(0)
        assert rig.closed == ["c1"]
        rig.teardown.close()

    assert len(play(scene).closed) == MAX_LIVE + 1


def test_an_end_closes_what_is_of_its_own_run_or_session_only() -> None:
    ada, bob = Identity("talk-1", "acme", "ada"), Identity("talk-1", "acme", "bob")

    async def scene(rig: Rig) -> None:
        for name, who in (("ada", ada), ("bob", bob), ("nobody", None)):
            rig.keep(name, owner=run_key("r1", who) or "")
            owner = session_key("r1", who) or ""
            rig.teardown.keep(rig.closing(f"{name}'s session"), "read", "session", owner)
        await rig.teardown.end_run("r1", ada)
        assert rig.closed == ["ada"]
        await rig.teardown.end_session("r1", bob)
        assert rig.closed == ["ada", "bob's session"]
        await rig.teardown.end_run("r2", None)
        await rig.teardown.end_run("", None)
        assert len(rig.closed) == 2
        rig.teardown.close()

    assert len(play(scene).closed) == 6


def test_tools_and_keys_of_their_own_are_told_apart_and_no_key_reaches_another_owner() -> None:
    async def scene(rig: Rig) -> None:
        rig.keep("a")
        assert rig.keep("b", tool="write") == "started"
        assert rig.keep("c", key="db") == "started"
        assert rig.keep("d", key="db", owner=run_key("r2", None) or "") == "started"
        assert rig.keep("e", key="r1/k=db") == "started"
        await end(rig)
        assert sorted(rig.closed) == ["a", "b", "c", "e"]
        rig.teardown.close()

    play(scene)


def test_the_pages_end_closes_all_at_once_also_what_is_due() -> None:
    async def scene(rig: Rig) -> None:
        rig.keep("run")
        rig.teardown.keep(rig.closing("page"), "read", "page", PAGE)
        rig.teardown.keep(rig.closing("call"), "read", "call", call_key("c1"))
        rig.teardown.end_call("c1")
        assert rig.teardown.close() is None
        assert rig.closed == ["call", "page", "run"]
        rig.clock.advance(0)

    assert len(play(scene).closed) == 3


def test_a_cleanup_may_keep_another_one_or_end_its_own_run() -> None:
    async def scene(rig: Rig) -> None:
        async def again() -> None:
            rig.keep("kept by a cleanup")
            await end(rig)

        rig.teardown.keep(again, "read", "run", RUN)
        await end(rig)
        rig.clock.advance(0)

    assert play(scene).closed == ["kept by a cleanup"]


def test_what_a_cleanup_keeps_for_its_own_run_is_closed_before_the_end_returns() -> None:
    async def scene(rig: Rig) -> None:
        async def second() -> None:
            await asyncio.sleep(0)
            rig.closed.append("second")
            rig.keep("third", key="3")

        rig.teardown.keep(lambda: rig.teardown.keep(second, "read", "run", RUN, "2"), "read", "run", RUN)
        await end(rig)
        assert rig.closed == ["second", "third"]
        assert rig.teardown.is_at_rest
        rig.clock.advance(0)

    assert play(scene).said == ["started", "fired", "started", "fired", "started", "fired"]


def test_what_a_cleanup_keeps_for_something_else_stays_until_that_is_over() -> None:
    other = run_key("r2", None) or ""

    async def scene(rig: Rig) -> None:
        rig.teardown.keep(lambda: rig.keep("other", owner=other), "read", "run", RUN)
        await end(rig)
        assert rig.closed == []
        await rig.teardown.end_run("r2", None)

    assert play(scene).closed == ["other"]


def test_one_that_was_left_behind_closes_at_once_what_it_keeps() -> None:
    async def scene(rig: Rig) -> None:
        goes_on = asyncio.Event()

        async def slow() -> None:
            await goes_on.wait()
            rig.keep("late")

        rig.teardown.keep(slow, "read", "run", RUN)
        ending = asyncio.ensure_future(end(rig))
        await until(lambda: rig.clock.pending == 1)
        rig.clock.advance(LIMIT)
        await ending
        goes_on.set()
        await until(lambda: rig.said[-1:] == ["started"])
        rig.clock.advance(0)

    assert play(scene).closed == ["late"]


def test_what_cleanups_keep_as_the_page_is_left_is_closed_within_the_same_turn() -> None:
    async def scene(rig: Rig) -> None:
        other = run_key("r2", None) or ""
        rig.teardown.keep(lambda: rig.keep("kept", owner=other), "read", "page", PAGE)
        rig.teardown.close()
        assert rig.closed == ["kept"]
        rig.clock.advance(0)

    play(scene)


@pytest.mark.parametrize("how", ["run", "page"])
def test_one_that_keeps_itself_ends_and_the_console_says_so(
    how: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def scene(rig: Rig) -> None:
        def again() -> None:
            rig.closed.append("again")
            rig.teardown.keep(again, "read", "run", RUN)

        again()
        if how == "run":
            await end(rig)
        else:
            rig.teardown.close()
        assert rig.teardown.is_at_rest
        rig.clock.advance(0)

    assert len(play(scene).closed) == MAX_DEPTH + 2
    (line,) = [record.getMessage() for record in caplog.records]
    assert line.startswith("Tool 'read': cleanups (run) keep one another without end")


def test_whoever_stops_waiting_for_an_end_does_not_stop_the_cleanups() -> None:
    async def scene(rig: Rig) -> None:
        goes_on = asyncio.Event()

        async def close() -> None:
            await goes_on.wait()
            rig.closed.append("a")

        rig.teardown.keep(close, "read", "run", RUN)
        ending = asyncio.ensure_future(end(rig))
        await asyncio.sleep(0)
        ending.cancel()
        await asyncio.sleep(0)
        goes_on.set()
        await until(lambda: rig.closed == ["a"])

    play(scene)


def test_events_name_tool_and_scope_and_hide_the_ids() -> None:
    async def scene(rig: Rig) -> None:
        owner = session_key("secret-session", Identity("talk-1", "acme", "ada")) or ""
        rig.teardown.keep(rig.closing("a"), "read", "session", owner)
        rig.teardown.close()

    rig = play(scene)
    key = told(session_key("secret-session", Identity("talk-1", "acme", "ada")) or "")
    assert rig.events == [
        {"tool": "read", "scope": "session", "key": key, "what": what} for what in ("started", "fired")
    ]
    assert "secret" not in json.dumps(rig.events)


def test_whoever_hears_of_it_cannot_break_it(caplog: pytest.LogCaptureFixture) -> None:
    def hear(text: str) -> None:
        raise LookupError(text)

    closed: list[str] = []
    broken = Teardown(FakeClock(), hear)
    assert broken.keep(lambda: closed.append("a"), "read", "page", PAGE) == "started"
    broken.close()
    assert closed == ["a"]
    assert [record.levelno for record in caplog.records] == [logging.ERROR] * 2


def test_the_pages_own_verbs_end_a_run_or_a_session() -> None:
    async def scene(rig: Rig) -> None:
        before = teardown.attach(rig.teardown)
        rig.keep("run")
        owner = session_key("s1", Identity("talk-1", "acme")) or ""
        rig.teardown.keep(rig.closing("session"), "read", "session", owner)
        await end_run("r1")
        assert rig.closed == ["run"]
        await end_session("s1")
        assert rig.closed == ["run"]
        await end_session("s1", identity=Identity("talk-9", "acme"))
        assert teardown.attach(before) is rig.teardown

    assert play(scene).closed == ["run", "session"]


@pytest.mark.parametrize("end_it", [end_run, end_session])
@pytest.mark.parametrize(
    ("name", "identity", "error", "said"),
    [
        ("", None, ValueError, "the id is empty"),
        (None, None, TypeError, "the id must be a text, not NoneType"),
        ("r1", "x", TypeError, "identity must be an Identity, not str"),
        ("r1", {"tenant": "acme"}, TypeError, "identity must be an Identity, not dict"),
    ],
)
def test_an_end_without_an_id_or_with_something_else_for_an_identity_is_refused(
    end_it: Callable[..., Coroutine[Any, Any, None]],
    name: Any,
    identity: Any,
    error: type[Exception],
    said: str,
) -> None:
    with pytest.raises(error, match=f"^{end_it.__name__}: {said}"):
        asyncio.run(end_it(name, identity=identity))


def test_without_a_page_there_is_nothing_to_end() -> None:
    asyncio.run(end_run("r1"))
    asyncio.run(end_session("s1"))
