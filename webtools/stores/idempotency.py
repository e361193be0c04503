"""The answers of idempotent calls, kept in the tab so that a replay is answered after a reload, too.

One text holds them all: JSON ``[[id, settled_at_ms, fingerprint, answer], …]``.
"""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass
from typing import Protocol

from webtools.lifecycle.clock import Clock

logger = logging.getLogger("webtools")

MAX_RECORDS = 256
"""Above it the oldest goes. Source: ../shared/spec/tool-context.md, §4, "Destructive tools"."""

MAX_AGE_MS = 24 * 60 * 60 * 1000
"""Source: as above."""


class IdempotencyStore(Protocol):
    """The port to where one text outlives the page, but not the tab."""

    def read(self) -> str | None:
        """The text that was written last, by whomever; None where there is none, or reading is refused."""

    def write(self, text: str) -> bool:
        """Replace the text; False where that is refused, or there is no room for it."""


class MemoryIdempotencyStore:
    """`IdempotencyStore` that lives as long as it is referred to; `text` is what it has."""

    def __init__(self) -> None:
        self.text: str | None = None

    def read(self) -> str | None:
        """The text that was written last."""
        return self.text

    def write(self, text: str) -> bool:
        """Replace the text."""
        self.text = text
        return True


@dataclass(frozen=True, slots=True)
class Record:
    """How a call ended.

    Attributes:
        settled_at: Milliseconds since the Unix epoch.
        fingerprint: Of its arguments.
        answer: As it was given, JSON text.
    """

    settled_at: int
    fingerprint: str
    answer: str


class Records:
    """What is known of settled calls: the store's, and all that this page has put there, were it refused.

    Args:
        clock: For the records' age.
        store: Read anew each time, since another frame of the tab may write it, too.
    """

    def __init__(self, clock: Clock, store: IdempotencyStore) -> None:
        self._clock = clock
        self._store = store
        self._records: dict[str, Record] = {}
        self._text: str | None = None
        self._has_warned = False

    def find(self, record_id: str) -> Record | None:
        """The record, while it is not too old."""
        self._read()
        return self._records.get(record_id)

    def keep(self, record_id: str, fingerprint: str, answer: str) -> None:
        """Keep how a call ended, in place of the oldest where there is no room."""
        self._records[record_id] = Record(self._clock.epoch_ms(), fingerprint, answer)
        self._read()
        self._write()

    def _read(self) -> None:
        text = self._store.read()
        if text is not None and text != self._text:
            self._text = text
            self._records = {**_parsed(text), **self._records}
        oldest = self._clock.epoch_ms() - MAX_AGE_MS
        young = [(each, record) for each, record in self._records.items() if record.settled_at > oldest]
        young.sort(key=lambda pair: pair[1].settled_at)
        self._records = dict(young[-MAX_RECORDS:])

    def _write(self) -> None:
        rows = [[each, at.settled_at, at.fingerprint, at.answer] for each, at in self._records.items()]
        text = json.dumps(rows, separators=(",", ":"))
        if self._store.write(text):
            self._text = text
        elif not self._has_warned:
            self._has_warned = True
            logger.warning(
                "The tab's storage is full or refused: a call that is made again after a reload of the page "
                "will work again."
            )


def _parsed(text: str) -> dict[str, Record]:
    """Read the text; what somebody else has made of it is left alone."""
    try:
        rows = [(str(each), int(at), str(mark), str(answer)) for each, at, mark, answer in json.loads(text)]
    except (ValueError, TypeError, OverflowError, RecursionError):
        logger.warning("What the tab kept of idempotent calls has been damaged, and is not used.")
        return {}
    return {each: Record(at, mark, answer) for each, at, mark, answer in rows}
