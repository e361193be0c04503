"""One page that is kept open: its tools as they are, and the calls in flight."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from http import HTTPStatus
from typing import Any

from webtools.agent.conversation import Answer
from webtools.cli.bridge import answers
from webtools.cli.bridge.backoff import Backoff, Time
from webtools.cli.bridge.events import Answered, AppFailed, Event, Progress, Settled, ToolsTold, read
from webtools.cli.bridge.inflight import Call, Calls, abort, start
from webtools.cli.bridge.logs import log
from webtools.cli.bridge.names import Named
from webtools.cli.bridge.ports import Browser, Document, DocumentLeft, Tab, TabGone, Unreachable
from webtools.cli.bridge.watch import document_of, stuck, until_stuck
from webtools.cli.terminal.plain import plain
from webtools.tools.definition import Definition

__all__ = ["Report", "Site"]

Report = Callable[[Progress], Awaitable[None]]
"""Takes what a handler reports of its call."""

AGAIN_S = 0.05
"""Between two documents, so that a page which is left over and over does not take the processor."""


class Site:
    """Lives as long as the bridge; `run` opens the page, and opens it again whatever becomes of it.

    Args:
        page: Which it is.
        browser: Opens it.
        allowed: The origins whose tools are offered.
        changed: Told of each change of the tools.

    Attributes:
        label: What the log calls it.
        tools: Those of the document that is shown; none while there is no page, or it is elsewhere.
    """

    def __init__(
        self, page: Named, browser: Browser, allowed: frozenset[str], changed: Callable[[], None], time: Time
    ) -> None:
        self.label = page.label
        self._url = page.url
        self.tools: tuple[Definition, ...] = ()
        self._browser = browser
        self._allowed = allowed
        self._changed = changed
        self._time = time
        self._losses = Backoff(time)
        self._failures = Backoff(time)
        self._document: Document | None = None
        self._failure: str | None = None
        self._refusal: Callable[[], Answer] = lambda: answers.unavailable("it is being opened")
        self._settled = asyncio.Event()
        self._wanted = asyncio.Event()
        self._calls = Calls()
        self._aborts: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Keep the page open until this is cancelled."""
        while True:
            began = self._time.now()
            try:
                await self._open()
            except TabGone as gone:
                self._lose(gone)
            delay = self._losses.next(since=began)
            if delay is None:
                log.warning("%s: giving up until a tool is wanted", self.label)
                self._wanted.clear()
                await self._wanted.wait()
                self._losses = Backoff(self._time)
            else:
                await self._time.sleep(delay)

    def refusal(self) -> Answer | None:
        """Why a tool is not there, where that is the page's state and not its name."""
        if not self._document:
            return self._refusal()
        return answers.failed(self._failure) if self._failure else None

    async def settled(self, seconds: float) -> None:
        """Wait until the tools are those of a page that is up, or it cannot be had; at most so long."""
        self._wanted.set()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._settled.wait(), seconds)

    async def call(self, name: str, arguments: dict[str, Any], report: Report, settle_s: float) -> Answer:
        """Call a tool. Giving up the wait gives up the call.

        Args:
            name: The page's.
            arguments: JSON data.
            report: Takes the reports, in their order, before the answer is given.
            settle_s: How long to wait at most for the tools of the document that the call has led to.
        """
        self._wanted.set()
        document = self._document
        if not document:
            return self._refusal()
        with self._calls.one(name) as call:
            starting = asyncio.create_task(start(document, call, json.dumps(arguments)))
            try:
                return await self._answer(call, report, settle_s)
            except asyncio.CancelledError:
                self._give_up(document, call)
                raise
            finally:
                starting.cancel()

    async def _answer(self, call: Call, report: Report, settle_s: float) -> Answer:
        while True:
            told = await call.told.get()
            if isinstance(told, Progress):
                await report(told)
            elif isinstance(told, Answered):
                return answers.answer_of(told, call.name)
            else:
                await self.settled(settle_s)
                return told

    def _give_up(self, document: Document, call: Call) -> None:
        task = asyncio.create_task(abort(document, call))
        self._aborts.add(task)
        task.add_done_callback(self._aborts.discard)

    async def _open(self) -> None:
        """Be at the page until its tab is gone.

        Raises:
            TabGone: It always ends so.
        """
        tab = await self._browser.open(self._url)
        try:
            if not tab.is_found:
                await self._visit(tab)
            while True:
                document = await document_of(tab, self._time)
                self._calls.answer(answers.left)
                if document.is_error:
                    self._fail("it cannot be loaded")
                    await self._time.sleep(self._failures.again())
                    await self._visit(tab)
                elif document.origin not in self._allowed:
                    await self._stand_back(document)
                else:
                    await self._offer(document)
                await self._time.sleep(AGAIN_S)
        finally:
            await tab.close()

    async def _visit(self, tab: Tab) -> None:
        """Go to the page, as often as it takes."""
        while True:
            try:
                status = await tab.visit(self._url)
                if status < HTTPStatus.INTERNAL_SERVER_ERROR:
                    break
                reason = f"HTTP {status}"
            except Unreachable as unreachable:
                reason = unreachable.reason
            self._fail(f"it cannot be loaded ({reason})")
            await self._time.sleep(self._failures.again())
        if status >= HTTPStatus.BAD_REQUEST:
            log.warning("%s: the server answers with HTTP %d; is the URL right?", self.label, status)

    async def _offer(self, document: Document) -> None:
        """Offer the document's tools until it is left.

        Raises:
            TabGone: It does not answer any more.
        """
        self._failures = Backoff(self._time)
        self._settled.clear()
        hearing = asyncio.create_task(self._hear(document))
        watch = until_stuck(document, self._settled, self._calls.are_there, self._time)
        watching = asyncio.create_task(watch)
        try:
            await asyncio.wait({hearing, watching}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            hearing.cancel()
            watching.cancel()
        if not hearing.done():
            raise stuck()
        hearing.result()

    async def _hear(self, document: Document) -> None:
        try:
            await document.begin()
            self._document = document
            while True:
                for told in read(await document.next()):
                    self._take(told)
        except DocumentLeft:
            self._withdraw(lambda: answers.unavailable("it is going to another document"))

    async def _stand_back(self, document: Document) -> None:
        """Wait until a document is left whose tools may not be offered."""
        origin = document.origin
        said = "%s: the page has gone to %s, so its tools are withdrawn; allow it with: --allow %s"
        log.warning(said, self.label, origin, origin)
        way_out = "Ask the person to lead it back, or to start the bridge with --allow."
        self._refusal = lambda: answers.refused(origin, way_out)
        self._settled.set()
        try:
            while True:
                await document.next()
        except DocumentLeft:
            self._withdraw(lambda: answers.unavailable("it is going to another document"))

    def _take(self, event: Event) -> None:
        if isinstance(event, ToolsTold):
            self._list(tuple(each.definition() for each in event.tools))
        elif isinstance(event, Settled):
            log.info("%s: %d tools", self.label, len(self.tools))
            self._settled.set()
        elif isinstance(event, AppFailed):
            self._take_failure(event.reason)
        else:
            self._calls.take(event)

    def _take_failure(self, reason: str | None) -> None:
        self._failure = reason and plain(reason)
        if reason:
            log.warning("%s: the page's app has failed: %s", self.label, self._failure)

    def _list(self, tools: tuple[Definition, ...]) -> None:
        if tools != self.tools:
            self.tools = tools
            self._changed()

    def _withdraw(self, refusal: Callable[[], Answer]) -> None:
        self._document = self._failure = None
        self._refusal = refusal
        self._settled.clear()
        self._list(())

    def _fail(self, reason: str) -> None:
        log.warning("%s: %s; trying again", self.label, reason)
        self._withdraw(lambda: answers.unavailable(reason))
        self._settled.set()  # nobody is to wait for what may never come

    def _lose(self, gone: TabGone) -> None:
        log.warning("%s: %s", self.label, gone.reason)
        self._calls.answer(lambda name: answers.crashed(name, gone.reason))
        self._withdraw(lambda: answers.unavailable(gone.reason))
        self._settled.set()
