"""Cleanups of what tools keep open from one call to the next: a connection, a worker, a lock.

Each is kept under its tool, scope and key, and runs once: when what it belongs to ends, or when nobody has
asked for it for long. What belongs to one call is neither idle nor evicted, since its call's end is certain.

Source: ../shared/spec/tool-context.md, §6.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from contextvars import ContextVar, copy_context
from dataclasses import dataclass
from typing import Any, Literal

from webtools.calls import tasks
from webtools.calls.facts import Identity, Scope
from webtools.calls.isolation import call_key, encoded, run_key, session_key, told
from webtools.lifecycle.clock import Clock

logger = logging.getLogger("webtools")

LIMIT = 5.0
"""Seconds that a cleanup has before it is left behind."""

IDLE = 15 * 60.0
"""Seconds after which what nobody has asked for is closed, at the next interaction."""

MAX_LIVE = 64
"""Above it the coldest goes."""

MAX_DEPTH = 8
"""Of cleanups that are kept by cleanups whose run is over: one that keeps itself would run for ever."""

PAGE = "page"
"""What stands for the key of the page, which has none."""

Cleanup = Callable[[], object]
"""A plain or a coroutine function that closes what its maker keeps."""

Kept = Literal["started", "reused"]
"""Whether a cleanup is kept, or one that was there before it."""

What = Literal["started", "reused", "fired", "idle", "evicted", "failed", "timed out"]
"""What became of a cleanup: "fired" at the end of what it belongs to, and for which other reason it ran."""


@dataclass(eq=False, slots=True)
class _Kept:
    """One cleanup, from its registration until it is started.

    Attributes:
        owner: The isolation key of what it belongs to.
        key: Tells it from others of its tool and scope.
        touched_at: In the clock's seconds.
        depth: How many cleanups keep one another, up to this one, of what is over.
        why: What it is started for, once it is.
        is_page_over: Whether all else ends with it.
    """

    number: int
    tool: str
    scope: Scope
    owner: str
    key: str
    cleanup: Cleanup
    touched_at: float
    depth: int = 0
    why: What = "fired"
    is_page_over: bool = False

    @property
    def slot(self) -> tuple[str, Scope, str]:
        return self.tool, self.scope, self.key

    def is_end_of(self, scope: Scope, owner: str) -> bool:
        """Whether it runs because this, or everything, is over."""
        return self.is_page_over or (self.why == "fired" and (self.scope, self.owner) == (scope, owner))


_Begun = tuple[_Kept, asyncio.Task[None]]
"""One that has to be waited for, and what runs it."""

_within: ContextVar[_Kept | None] = ContextVar("_within", default=None)
"""The cleanup that the running code is part of."""


class Teardown:
    """Lives as long as the page.

    Args:
        clock: For the limits; no timer runs while no cleanup does.
        tell: Told JSON text ``{"tool", "scope", "key", "what"}`` of each step in a cleanup's life, where
            ``key`` is what `told` gives.
    """

    def __init__(self, clock: Clock, tell: Callable[[str], None] = lambda _: None) -> None:
        self._clock = clock
        self._tell = tell
        self._live: dict[tuple[str, Scope, str], _Kept] = {}  # the coldest first
        self._due: list[_Kept] = []
        self._count = 0
        self._running: set[asyncio.Task[None]] = set()

    def keep(self, cleanup: Cleanup, tool: str, scope: Scope, owner: str, key: str | None = None) -> Kept:
        """Keep a cleanup; the first one of its slot stays, and is touched.

        What a cleanup keeps for what is over, as itself is, is closed soon.

        Args:
            cleanup: What closes it.
            tool: Whose it is.
            scope: What it belongs to,
            owner: and which one: its isolation key.
            key: The tool's own, where it keeps several things for one owner.
        """
        now = self._clock.now()
        whole = owner if key is None else f"{owner}/k={encoded(key)}"
        kept = self._live.pop((tool, scope, whole), None)
        what: Kept = "reused" if kept else "started"
        if kept is None:
            self._count += 1
            kept = _Kept(self._count, tool, scope, owner, whole, cleanup, now)
        kept.touched_at = now
        self._live[kept.slot] = kept
        self._say(kept, what)
        if (by := _within.get()) and by.is_end_of(scope, owner):
            self._close_soon(kept, by)
        elif what == "started":
            self._evict()
        return what

    def _close_soon(self, kept: _Kept, by: _Kept) -> None:
        kept.depth, kept.is_page_over = by.depth + 1, by.is_page_over
        if kept.depth <= MAX_DEPTH:
            self._soon([kept])
        else:
            del self._live[kept.slot]
            logger.error("Tool %r: cleanups (%s) keep one another without end; one never runs", *_named(kept))

    def sweep(self) -> None:
        """An interaction: what has been idle for too long is closed soon."""
        if self._live:
            before = self._clock.now() - IDLE
            self._soon([each for each in self._durable() if each.touched_at <= before], "idle")

    def end_call(self, call_id: str) -> None:
        """A call is over: what belongs to it is closed soon, so that its answer does not wait."""
        if self._live:
            self._soon(self._of("call", call_key(call_id)))

    async def end_run(self, run_id: str, identity: Identity | None) -> None:
        """A run is over; return when its cleanups are done, or left behind."""
        await self._end("run", run_key(run_id, identity))

    async def end_session(self, session_id: str, identity: Identity | None) -> None:
        """A session is over; return when its cleanups are done, or left behind."""
        await self._end("session", session_key(session_id, identity))

    def close(self) -> asyncio.Task[None] | None:
        """The page is over: start everything now, also what cleanups keep; gives what waits for it."""
        begun: list[_Begun] = []
        while due := self._all_due() + self._taken(list(self._live.values()), "fired"):
            for each in due:
                each.is_page_over = True
            begun += self._begin_all(due)
        return self._waiting(begun)

    @property
    def running(self) -> frozenset[asyncio.Task[None]]:
        """The cleanups that have begun and are not done, and what waits for them."""
        return frozenset(self._running)

    @property
    def is_at_rest(self) -> bool:
        """Whether nothing is kept, due or running."""
        return not (self._live or self._due or self._running)

    def _of(self, scope: Scope, owner: str | None) -> list[_Kept]:
        return [each for each in self._live.values() if each.scope == scope and each.owner == owner]

    def _durable(self) -> list[_Kept]:
        return [each for each in self._live.values() if each.scope != "call"]

    def _evict(self) -> None:
        durable = self._durable()
        self._soon(durable[: max(0, len(durable) - MAX_LIVE)], "evicted")

    async def _end(self, scope: Scope, owner: str | None) -> None:
        waiting = self._start(self._taken(self._of(scope, owner), "fired"))
        while waiting or self._due:
            if waiting:
                await asyncio.shield(waiting)  # cleanups go on where the caller does not
            waiting = self._start(self._all_due())  # what they have kept

    def _soon(self, chosen: list[_Kept], what: What = "fired") -> None:
        if chosen:
            self._due += self._taken(chosen, what)
            self._clock.call_soon(self._start_due)

    def _start_due(self) -> None:
        self._start(self._all_due())

    def _all_due(self) -> list[_Kept]:
        due, self._due = self._due, []
        return due

    def _taken(self, chosen: list[_Kept], what: What) -> list[_Kept]:
        """Take them out, so that none is started twice."""
        for each in chosen:
            del self._live[each.slot]
            each.why = what
        return chosen

    def _start(self, chosen: list[_Kept]) -> asyncio.Task[None] | None:
        return self._waiting(self._begin_all(chosen))

    def _begin_all(self, chosen: list[_Kept]) -> list[_Begun]:
        return [(each, task) for each in _newest_first(chosen) if (task := self._begin(each))]

    def _waiting(self, begun: list[_Begun]) -> asyncio.Task[None] | None:
        if not begun:
            return None
        waiting = tasks.start(self._wait(begun))
        self._running.add(waiting)
        waiting.add_done_callback(self._running.discard)
        return waiting

    def _begin(self, kept: _Kept) -> asyncio.Task[None] | None:
        context = copy_context()
        context.run(_within.set, kept)
        return context.run(self._begin_within, kept)

    def _begin_within(self, kept: _Kept) -> asyncio.Task[None] | None:
        self._say(kept, kept.why)
        try:
            result: Any = kept.cleanup()
        except BaseException as error:  # noqa: BLE001  # one that fails stops no other
            self._failed(kept, error)
            return None
        if not hasattr(type(result), "__await__"):
            return None
        task = tasks.start(self._finish(kept, result))
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return task

    async def _finish(self, kept: _Kept, result: Any) -> None:
        try:
            await result
        except asyncio.CancelledError:
            raise  # the loop is being closed
        except BaseException as error:  # noqa: BLE001  # as above
            self._failed(kept, error)

    async def _wait(self, begun: list[_Begun]) -> None:
        """Wait for all of them, for a limited time."""
        over: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def look(is_late: bool) -> None:
            if not over.done() and (is_late or all(task.done() for _, task in begun)):
                over.set_result(None)

        timer = self._clock.call_later(LIMIT, lambda: look(is_late=True))
        for _, task in begun:
            task.add_done_callback(lambda _: look(is_late=False))
        look(is_late=False)
        try:
            await over
        finally:
            timer.cancel()
        for kept, task in begun:
            if not task.done():
                logger.warning("Tool %r: a cleanup (%s) was left behind after %g s", *_named(kept), LIMIT)
                self._say(kept, "timed out")

    def _failed(self, kept: _Kept, error: BaseException) -> None:
        logger.error("Tool %r: a cleanup (%s) failed", *_named(kept), exc_info=error)
        self._say(kept, "failed")

    def _say(self, kept: _Kept, what: What) -> None:
        detail = {"tool": kept.tool, "scope": kept.scope, "key": told(kept.key), "what": what}
        try:
            self._tell(json.dumps(detail))
        except Exception:  # the page's own affair
            logger.exception("Tool %r: what became of a cleanup could not be told", kept.tool)

    def __repr__(self) -> str:
        return f"<Teardown, {len(self._live)} live>"


def _newest_first(chosen: list[_Kept]) -> list[_Kept]:
    return sorted(chosen, key=lambda each: each.number, reverse=True)


def _named(kept: _Kept) -> tuple[str, str]:
    return kept.tool, kept.scope


async def end_run(run_id: str, *, identity: Identity | None = None) -> None:
    """Say that a run of an agent is over: what tools keep for it is closed.

    An error is an end, a pause is none. It returns when all is closed, 5 s later at most. What was kept for
    another tenant or principal stays. Where there is no page nothing has been kept.

    Args:
        run_id: As the caller of the run's calls has stated it.
        identity: The same.

    Raises:
        TypeError: The id is no text, or the identity no `Identity`.
        ValueError: The id is empty.
    """
    _check("end_run", run_id, identity)
    if _page:
        await _page.end_run(run_id, identity)


async def end_session(session_id: str, *, identity: Identity | None = None) -> None:
    """Say that a session is over: what tools keep for it is closed; see `end_run`."""
    _check("end_session", session_id, identity)
    if _page:
        await _page.end_session(session_id, identity)


def _check(verb: str, name: str, identity: Identity | None) -> None:
    if not isinstance(name, str):
        raise TypeError(f"{verb}: the id must be a text, not {type(name).__name__}.")
    if not name:
        raise ValueError(f"{verb}: the id is empty.")
    if not isinstance(identity, Identity | None):
        raise TypeError(f"{verb}: identity must be an Identity, not {type(identity).__name__}.")


def attach(teardown: Teardown | None) -> Teardown | None:
    """Make it the page's, and return the one before; the browser's host does it at start."""
    global _page  # there is one page
    before, _page = _page, teardown
    return before


_page: Teardown | None = None
