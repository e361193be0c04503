"""Where artifacts are kept: the port, and the backend in memory.

A backend knows no rule. For each scope it keeps one text, the index, and payloads by ref; whoever commits
names the index that it has read, so that two tabs cannot overwrite each other's.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Protocol

Stored = str | bytes
"""A payload; text and bytes are kept apart."""

MAX_SCOPES = 16
"""Above it the one goes whose last commit is the oldest: conversations come and never come again."""


class BackendProblem(Exception):
    """The backend cannot do its work; the text says why, and is fit for an agent. Nothing has changed."""


@dataclass(frozen=True)
class Committed:
    """A commit that has happened.

    Attributes:
        gone: The indexes of the scopes that went to make room for a new one.
    """

    gone: tuple[str, ...] = ()


class ArtifactBackend(Protocol):
    """The port. Each verb happens as a whole or not at all.

    Raises:
        BackendProblem: From every verb.
    """

    async def index(self, scope: str) -> str | None:
        """The scope's index, None where nothing was ever committed."""

    async def payload(self, scope: str, ref: str) -> Stored | None:
        """The payload, None where there is none."""

    async def commit(
        self,
        scope: str,
        before: str | None,
        after: str,
        *,
        put: tuple[str, Stored] | None = None,
        drop: Collection[str] = (),
    ) -> Committed | None:
        """Replace the index, add a payload and drop others, all together; above `MAX_SCOPES` one goes.

        Args:
            scope: Whose.
            before: The index that the caller has read.
            after: The new one.
            put: A ref and its payload.
            drop: Refs of payloads; one that is not there is all right.

        Returns:
            None, and nothing has changed, where the index is not `before` any more.
        """


@dataclass(eq=False)
class _Shelf:
    index: str | None
    payloads: dict[str, Stored] = field(default_factory=dict)


class MemoryBackend:
    """`ArtifactBackend` that lives as long as it is referred to."""

    def __init__(self) -> None:
        self._shelves: dict[str, _Shelf] = {}  # the oldest commit first

    async def index(self, scope: str) -> str | None:
        """The scope's index."""
        return self._shelves[scope].index if scope in self._shelves else None

    async def payload(self, scope: str, ref: str) -> Stored | None:
        """The payload."""
        return self._shelves[scope].payloads.get(ref) if scope in self._shelves else None

    async def commit(
        self,
        scope: str,
        before: str | None,
        after: str,
        *,
        put: tuple[str, Stored] | None = None,
        drop: Collection[str] = (),
    ) -> Committed | None:
        """Replace the index, add a payload and drop others."""
        shelf = self._shelves.get(scope, _Shelf(None))
        if shelf.index != before:
            return None
        self._shelves.pop(scope, None)
        self._shelves[scope] = shelf
        shelf.index = after
        if put:
            shelf.payloads[put[0]] = put[1]
        for ref in drop:
            shelf.payloads.pop(ref, None)
        coldest = list(self._shelves)[:-MAX_SCOPES]
        return Committed(tuple(self._shelves.pop(each).index or "" for each in coldest))
