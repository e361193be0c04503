"""A Chromium of the bridge's own, or one that runs already: `webtools.cli.bridge.ports.Browser`."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from playwright.async_api import Browser, BrowserContext, Error, Page, Playwright

from webtools.cli.bridge.logs import shown
from webtools.cli.bridge.ports import TabGone
from webtools.cli.bridge.tabs import PlaywrightTab
from webtools.cli.programs.chromium import ARGS, NATIVE

__all__ = ["Attached", "Chromium", "Launched", "has_display"]

CONNECT_S = 10.0


def has_display(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> bool:
    """Whether a window could be seen here."""
    return platform in ("darwin", "win32") or bool({"DISPLAY", "WAYLAND_DISPLAY"} & set(environment))


class _Source(Protocol):
    """Where browsers come from.

    Attributes:
        is_seen: A person may see its windows.
        is_shared: It has tabs of others.
    """

    is_seen: bool
    is_shared: bool

    async def browser(self, playwright: Playwright) -> Browser:
        """Give one that runs.

        Raises:
            Error: There is none.
        """


class Launched:
    """A browser of the bridge's own, with an empty profile."""

    is_shared = False

    def __init__(self, path: Path, *, headless: bool) -> None:
        self._path = path
        self.is_seen = not headless

    def __str__(self) -> str:
        return f"{self._path}"

    async def browser(self, playwright: Playwright) -> Browser:
        """See `_Source`."""
        return await playwright.chromium.launch(
            executable_path=self._path, headless=not self.is_seen, args=[*ARGS, *NATIVE]
        )


class Attached:
    """The person's own browser, started with `--remote-debugging-port`."""

    is_shared = True
    is_seen = True

    def __init__(self, url: str) -> None:
        self._url = url

    async def browser(self, playwright: Playwright) -> Browser:
        """See `_Source`."""
        return await playwright.chromium.connect_over_cdp(self._url, timeout=CONNECT_S * 1000)

    def __str__(self) -> str:
        return shown(self._url)


class Chromium:
    """One browser for all pages, started or found when it is wanted, and again after it has ended."""

    def __init__(self, playwright: Playwright, source: _Source) -> None:
        self._playwright = playwright
        self._source = source
        self._context: BrowserContext | None = None
        self._turn = asyncio.Lock()
        self._taken: set[Page] = set()

    async def open(self, url: str) -> PlaywrightTab:
        """See `webtools.cli.bridge.ports.Browser`."""
        async with self._turn:
            try:
                context = await self._connected()
                found = self._find(context, url)
                page = found or await context.new_page()
            except Error:
                raise TabGone(f"the browser does not start, or does not answer ({self._source})") from None
        self._taken.add(page)
        return PlaywrightTab(page, is_found=found is not None, is_seen=self._source.is_seen)

    async def close(self) -> None:
        """End the browser, or let go of the person's."""
        context, self._context = self._context, None
        if context and context.browser:
            await context.browser.close()

    async def _connected(self) -> BrowserContext:
        old = self._context
        if old and old.browser and old.browser.is_connected():
            return old
        browser = await self._source.browser(self._playwright)
        shared = browser.contexts if self._source.is_shared else []
        # the window's own size, where there is one
        self._context = shared[0] if shared else await browser.new_context(no_viewport=self._source.is_seen)
        self._taken = set()
        return self._context

    def _find(self, context: BrowserContext, url: str) -> Page | None:
        if not self._source.is_shared:
            return None
        pages = [page for page in context.pages if page not in self._taken]
        return next((page for page in pages if _is_at(page, url)), None)


def _is_at(page: Page, url: str) -> bool:
    return page.url.partition("#")[0].rstrip("/") == url.partition("#")[0].rstrip("/")
