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


class BackendProblem(Exception):
    """The backend cannot do its work; the text says why, and is fit for an agent. Nothing has changed."""


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
    ) -> bool:
        """Replace the index, add a payload and drop others, all together.

        Args:
            scope: Whose.
            before: The index that the caller has read.
            after: The new one.
            put: A ref and its payload.
            drop: Refs of payloads; one that is not there is all right.

        Returns:
            False, and nothing has changed, where the index is not `before` any more.
        """


@dataclass(eq=False)
class _Shelf:
    index: str | None = None
    payloads: dict[str, Stored] = field(default_factory=dict)


class MemoryBackend:
    """`ArtifactBackend` that lives as long as it is referred to."""

    def __init__(self) -> None:
        self._shelves: dict[str, _Shelf] = {}

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
    ) -> bool:
        """Replace the index, add a payload and drop others."""
        shelf = self._shelves.setdefault(scope, _Shelf())
        if shelf.index != before:
            return False
        shelf.index = after
        if put:
            shelf.payloads[put[0]] = put[1]
        for ref in drop:
            shelf.payloads.pop(ref, None)
        return True
