"""Finds out that a page is busy for ever: nothing else tells of it, and what is asked of it waits, too."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from webtools.cli.bridge.backoff import Time
from webtools.cli.bridge.ports import Document, DocumentLeft

__all__ = ["STUCK_S", "until_stuck"]

EVERY_S = 5.0
"""Between two looks at a page that has a call in flight."""

STUCK_S = 30.0
"""How long a page may do one thing without a pause."""


async def until_stuck(document: Document, is_calling: asyncio.Event, time: Time) -> None:
    """Wait until the document does not answer any more; it is only asked while a call is in flight."""
    while True:
        await is_calling.wait()
        await time.sleep(EVERY_S)
        if is_calling.is_set() and not await _answers(document, time):
            return


async def _answers(document: Document, time: Time) -> bool:
    answer = asyncio.create_task(_ping(document))
    end = asyncio.ensure_future(time.sleep(STUCK_S))
    try:
        await asyncio.wait({answer, end}, return_when=asyncio.FIRST_COMPLETED)
        return answer.done() or document.is_asking
    finally:
        answer.cancel()
        end.cancel()


async def _ping(document: Document) -> None:
    with suppress(DocumentLeft):
        await document.ping()
