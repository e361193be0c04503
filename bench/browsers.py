"""Chromium as people have it: with all its compilers, and a profile on disk."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, BrowserContext, Playwright

from e2e.chromium import ARGS, NATIVE, ensure

__all__ = ["launched", "new_profile"]


@contextmanager
def launched(playwright: Playwright, *, native: bool = True) -> Iterator[Browser]:
    """Start Chromium with WebMCP, or without, and a page of its own for each caller."""
    args = [*ARGS, *(NATIVE if native else ())]
    with playwright.chromium.launch(executable_path=ensure(), args=args) as browser:
        yield browser


@contextmanager
def new_profile(playwright: Playwright, url: str) -> Iterator[BrowserContext]:
    """Start Chromium with WebMCP and an empty profile on disk; it has been at the site's empty page."""
    with tempfile.TemporaryDirectory(prefix="bench-", ignore_cleanup_errors=True) as folder:
        context = playwright.chromium.launch_persistent_context(
            folder, executable_path=ensure(), args=[*ARGS, *NATIVE]
        )
        context.pages[0].goto(f"{url}empty.html")
        yield context
        context.close()
