"""Ask a page with a limit that is Python's: it holds also where the page's thread never yields."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from playwright.sync_api import Page

REACTION: Final = 3.0
"""Seconds in which a page that is not stuck runs a short script, on a busy machine, too."""


def evaluate(page: Page, script: str, argument: object = None, *, timeout: float) -> Any:
    """Run a function in the page, and give what it returns.

    Args:
        page: Playwright's, whose `evaluate` has no limit; that of `wait_for_function` fails where what
            it has begun gets stuck.
        script: The function, in JavaScript.
        argument: Of the function, as JSON can hold it.
        timeout: Seconds. What the function has begun goes on when they are over.

    Raises:
        TimeoutError: They are over.
        playwright.sync_api.Error: The function has thrown, or the page was left meanwhile.
    """
    __tracebackhide__ = True

    async def limited() -> Any:
        async with asyncio.timeout(timeout):
            return await page._impl_obj.evaluate(script, argument)

    return page._sync(limited())


def stuck(page: Page) -> str:
    """Give the end of a sentence on a page that is late: empty, or that it does not react at all."""
    try:
        evaluate(page, "() => null", timeout=REACTION)
    except TimeoutError:
        return ", and the page does not react: a tool or a script runs without end"
    return ""


def late(page: Page, name: str, timeout: float) -> AssertionError:
    """Make the failure of a test whose call of a tool has had its seconds."""
    return AssertionError(f"the call of {name} has no answer after {round(timeout, 1):g} s{stuck(page)}")
