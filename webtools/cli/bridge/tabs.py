"""Tabs and documents through Playwright: `webtools.cli.bridge.ports`."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from typing import Any

from playwright.async_api import Dialog, Error, JSHandle, Page
from playwright.async_api import TimeoutError as TimedOut

from webtools.cli.bridge.logs import origin_of
from webtools.cli.bridge.ports import DocumentLeft, TabGone, Unreachable

__all__ = ["PlaywrightTab"]

SCRIPT = (Path(__file__).parent / "page.js").read_text("utf-8")

LOAD_S = 30.0
"""How long a page may take until something of it is there."""

CLOSE_S = 5.0
"""How long a tab that hangs may take to be closed."""

AGAIN_S = 0.05
"""Between two attempts to look into a document that is on its way."""


class _Dialogs:
    """The browser's dialogs in one tab; Playwright tells when one opens, and not when it is closed.

    Attributes:
        opened: How many have been.
        over: How many of them are known to be closed, since the page has had time after them.
    """

    def __init__(self) -> None:
        self.opened = self.over = 0

    @property
    def may_be_open(self) -> bool:
        return self.opened > self.over


class PlaywrightDocument:
    """See `webtools.cli.bridge.ports.Document`.

    Args:
        page: Playwright's.
        handle: What `page.js` gave.
        url: The document's as the browser has it; a page could lie.
        dialogs: The tab's.
    """

    def __init__(self, page: Page, handle: JSHandle, url: str, dialogs: _Dialogs) -> None:
        self._page = page
        self._handle = handle
        self._dialogs = dialogs
        self.is_error = url.startswith("chrome-error:")
        try:
            self.origin = origin_of(url)
        except ValueError:
            self.origin = "null"

    async def begin(self) -> None:
        """See `Document`."""
        await self._evaluate("(it) => void it.begin().catch(() => {})")

    async def next(self) -> str:
        """See `Document`."""
        return str(await self._evaluate("(it) => it.next()"))

    async def start(self, call: int, name: str, text: str) -> None:
        """See `Document`."""
        script = "(it, given) => { it.start(...given); return document.visibilityState === 'hidden'; }"
        if await self._evaluate(script, [call, name, text]):
            await _left(self._page.bring_to_front())

    async def abort(self, call: int) -> None:
        """See `Document`."""
        await self._evaluate("(it, call) => it.abort(call)", call)

    async def ping(self) -> None:
        """See `Document`."""
        before = self._dialogs.opened
        await self._evaluate("() => {}")
        self._dialogs.over = before

    @property
    def is_asking(self) -> bool:
        """See `Document`."""
        return self._dialogs.may_be_open

    async def _evaluate(self, script: str, given: Any = None) -> Any:
        return await _left(self._handle.evaluate(script, given))


class PlaywrightTab:
    """See `webtools.cli.bridge.ports.Tab`.

    Args:
        page: Playwright's.
        is_found: It was there before.
        is_seen: A person can see it.
    """

    def __init__(self, page: Page, *, is_found: bool, is_seen: bool) -> None:
        self.is_found = is_found
        self._page = page
        self._is_seen = is_seen
        self._gone: str | None = None
        self._dialogs = _Dialogs()
        page.on("crash", lambda _: self._end("the page crashed"))
        page.on("close", lambda _: self._end("the page or its browser was closed"))
        if is_seen:
            page.on("dialog", self._leave_to_the_person)

    @property
    def is_asking(self) -> bool:
        """See `Tab`."""
        return self._dialogs.may_be_open

    async def visit(self, url: str) -> int:
        """See `Tab`."""
        try:
            response = await self._page.goto(url, wait_until="commit", timeout=LOAD_S * 1000)
        except Error as error:
            self._check()
            raise Unreachable(_reason(error)) from None
        return response.status if response else HTTPStatus.OK

    async def document(self) -> PlaywrightDocument:
        """See `Tab`."""
        while True:
            self._check()
            before = self._dialogs.opened
            try:
                handle = await self._page.evaluate_handle(SCRIPT, {"isSeen": self._is_seen})
            except Error:
                await asyncio.sleep(AGAIN_S)
                continue
            # Where it is that of a newer document by now, the handle works no more.
            self._dialogs.over = before
            return PlaywrightDocument(self._page, handle, self._page.url, self._dialogs)

    async def close(self) -> None:
        """See `Tab`."""
        if self._is_seen:
            self._page.remove_listener("dialog", self._leave_to_the_person)
        if not self.is_found:
            with suppress(Error, TimeoutError):  # it crashed, hangs, or its browser is gone
                async with asyncio.timeout(CLOSE_S):
                    await self._page.close()

    def _leave_to_the_person(self, _: Dialog) -> None:
        """Without a listener Playwright would answer the page's `confirm()` itself."""
        self._dialogs.opened += 1

    def _end(self, reason: str) -> None:
        self._gone = self._gone or reason

    def _check(self) -> None:
        if self._gone or self._page.is_closed():
            raise TabGone(self._gone or "the page was closed")


async def _left(awaited: Any) -> Any:
    try:
        return await awaited
    except Error:
        raise DocumentLeft from None


def _reason(error: Error) -> str:
    """The browser's word alone: the rest of the message has the URL."""
    found = re.search(r"net::(ERR_\w+)", error.message)
    if found:
        return found[1]
    return "no answer in time" if isinstance(error, TimedOut) else "it is no page that a tab can show"
