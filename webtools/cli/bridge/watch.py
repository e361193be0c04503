"""Finds out that a page is busy for ever: nothing else tells of it, and what is asked of it waits, too.

A page that is up and has no call in flight is left in peace.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from webtools.cli.bridge.backoff import Time
from webtools.cli.bridge.ports import Document, DocumentLeft, Tab, TabGone

__all__ = ["STUCK_S", "document_of", "stuck", "until_stuck"]

EVERY_S = 5.0
"""Between two looks at a page."""

STUCK_S = 30.0
"""How long a page may do one thing without a pause."""


async def document_of(tab: Tab, time: Time) -> Document:
    """Give the document that a tab shows.

    Raises:
        TabGone: There is no tab any more, or the document is busy from its first line on.
    """
    found = asyncio.ensure_future(tab.document())
    try:
        if await _in_time(found, lambda: tab.is_asking, time):
            return await found
        raise stuck()
    finally:
        found.cancel()


async def until_stuck(
    document: Document, is_up: asyncio.Event, is_calling: asyncio.Event, time: Time
) -> None:
    """Wait until the document does not answer any more, be it before it is up or in a call."""
    while True:
        if is_up.is_set():
            await is_calling.wait()
        await time.sleep(EVERY_S)
        is_watched = is_calling.is_set() or not is_up.is_set()
        if is_watched and not await _answers(document, time):
            return


def stuck() -> TabGone:
    """What becomes of a page that is."""
    return TabGone(f"the page has not answered for {STUCK_S:g} s")


async def _answers(document: Document, time: Time) -> bool:
    answer = asyncio.create_task(_ping(document))
    try:
        return await _in_time(answer, lambda: document.is_asking, time)
    finally:
        answer.cancel()


async def _in_time(outcome: asyncio.Future[Any], is_asking: Callable[[], bool], time: Time) -> bool:
    """Wait for the outcome; False when there is none, and no dialog either, which may take its time."""
    end = asyncio.ensure_future(time.sleep(STUCK_S))
    try:
        await asyncio.wait({outcome, end}, return_when=asyncio.FIRST_COMPLETED)
        return outcome.done() or is_asking()
    finally:
        end.cancel()


async def _ping(document: Document) -> None:
    with suppress(DocumentLeft):
        await document.ping()
