"""What a handler can do with artifacts: large results stay in the page, and the agent gets a ref.

Source: ../shared/spec/tool-context.md, §9.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NoReturn, Protocol

from webtools._exceptions import ToolError
from webtools.lifecycle.clock import Clock
from webtools.stores.artifact_backends import ArtifactBackend
from webtools.stores.artifact_index import Meta, Origin
from webtools.stores.artifact_shelf import MAX_COUNT, REFUSED, Limits, Shelf, Wish, refused
from webtools.stores.secrets import Secrets

logger = logging.getLogger("webtools")

CURE = (
    'a page attaches one by data-artifacts="memory" or "indexeddb" at its script tag, or by '
    'start({app, artifacts: "memory"}); a test by tool_call(..., artifacts=MemoryArtifacts()). '
    "Where the tool can do without, branch on ctx.has_artifacts"
)


@dataclass(frozen=True)
class MetaPage:
    """Some of the artifacts, newest first.

    Attributes:
        cursor: For the next page; None where this is the last.
    """

    items: tuple[Meta, ...]
    cursor: str | None


class ArtifactStore(Protocol):
    """The artifacts of the caller: its tenant, principal and conversation, or the page's own.

    Each verb raises a `ToolError` with the code ``ARTIFACT_REFUSED`` where the store cannot do it.
    """

    async def put(
        self,
        kind: str,
        media_type: str,
        data: Any,
        *,
        label: str | None = None,
        expires_at: int | None = None,
        digest: str | None = None,
        parents: Iterable[str] = (),
        origin: object = None,
    ) -> Meta:
        """Keep a copy of something; what was used least recently goes where there is no room.

        Args:
            kind: Your word for what it is, such as "picture"; a tool's ``wants`` compares it. This, the media
                type and the label have 200 characters at most.
            media_type: Such as "image/png"; parameters may follow.
            data: A text, bytes, or JSON data.
            label: For people.
            expires_at: Milliseconds since the Unix epoch.
            digest: What the data must have, ``"sha-256:<64 hexadecimal digits>"``.
            parents: Refs of what it was made from, which must be here.
            origin: Not used: what a call puts has that call's own facts.
        """

    async def head(self, ref: str) -> Meta | None:
        """What is known of an artifact; None where there is none for this caller, whatever the reason."""

    async def get(self, ref: str) -> tuple[Meta, Any] | None:
        """The artifact and a copy of its data; None where there is none for this caller, or it is damaged."""

    async def delete(self, ref: str) -> None:
        """Let it go; what is not there is all right."""

    async def list(self, cursor: str | None = None, limit: int = 50) -> MetaPage:
        """What there is, newest first, without data; it counts as no use.

        Args:
            cursor: Of the page before.
            limit: 1 to 256.
        """


class Artifacts:
    """The artifacts of every scope; lives as long as the page or the test.

    Args:
        clock: For expiry.
        backend: Where they are kept.
        limits: How much of each scope.
        tell_evicted: Told of what had to go to make room; default: a warning in the log, the first time.
    """

    def __init__(
        self,
        clock: Clock,
        backend: ArtifactBackend,
        limits: Limits | None = None,
        tell_evicted: Callable[[list[Meta]], None] | None = None,
    ) -> None:
        self._clock = clock
        self._backend = backend
        self._limits = limits or Limits()
        self._tell_evicted = tell_evicted or self._warn
        self._has_warned = False
        self._lock = asyncio.Lock()

    def shelf(self, scope: str) -> Shelf:
        """The artifacts of one scope, for the framework; a handler gets a `ScopedArtifacts`."""
        return Shelf(self._clock, self._backend, self._limits, self._tell_evicted, self._lock, scope)

    def _warn(self, evicted: list[Meta]) -> None:
        """Say it once: where the page is full, each put lets something go."""
        if not self._has_warned:
            self._has_warned = True
            kinds = ", ".join(sorted({each.kind for each in evicted}))
            logger.warning(
                "%d artifacts (%s) went to make room for a new one; more may go without a word",
                len(evicted),
                kinds,
            )


class ScopedArtifacts:
    """`ArtifactStore` of one call; which scope and origin it has was decided when it was made."""

    __slots__ = ("_origin", "_secrets", "_shelf")

    def __init__(self, shelf: Shelf, origin: Origin, secrets: Secrets | None = None) -> None:
        self._shelf = shelf
        self._origin = origin
        self._secrets = secrets

    async def put(
        self,
        kind: str,
        media_type: str,
        data: Any,
        *,
        label: str | None = None,
        expires_at: int | None = None,
        digest: str | None = None,
        parents: Iterable[str] = (),
        origin: object = None,  # noqa: ARG002  # whatever it says, the call's own facts count
    ) -> Meta:
        """Keep a copy of something."""
        wish = Wish(kind, media_type, data, label, expires_at, digest, _listed(parents))
        return await self._shelf.put(wish, self._origin, self._secrets)

    async def head(self, ref: str) -> Meta | None:
        """What is known of an artifact."""
        return await self._shelf.head(ref)

    async def get(self, ref: str) -> tuple[Meta, Any] | None:
        """The artifact and a copy of its data."""
        return await self._shelf.get(ref)

    async def delete(self, ref: str) -> None:
        """Let it go."""
        await self._shelf.delete(ref)

    async def list(self, cursor: str | None = None, limit: int = 50) -> MetaPage:
        """What there is, newest first."""
        _check_list(cursor, limit)
        rows = await self._shelf.rows()
        left = [row for row in rows if cursor is None or row.number < int(cursor)]
        shown = left[:limit]
        return MetaPage(tuple(row.meta for row in shown), str(shown[-1].number) if left[limit:] else None)

    def __repr__(self) -> str:
        return "<the artifacts of one caller>"


class NoArtifacts:
    """`ArtifactStore` where none is attached: each verb refuses, and says how to attach one."""

    async def put(self, *_: object, **__: object) -> NoReturn:
        """Refuse."""
        raise detached("put")

    async def head(self, *_: object) -> NoReturn:
        """Refuse."""
        raise detached("head")

    async def get(self, *_: object) -> NoReturn:
        """Refuse."""
        raise detached("get")

    async def delete(self, *_: object) -> NoReturn:
        """Refuse."""
        raise detached("delete")

    async def list(self, *_: object, **__: object) -> NoReturn:
        """Refuse."""
        raise detached("list")

    def __repr__(self) -> str:
        return "<no artifacts: none are attached>"


def _listed(parents: Any) -> Any:
    """Copy them, since the caller may change a list while we wait; what is no list is judged as it is."""
    is_list = isinstance(parents, Iterable) and not isinstance(parents, str | bytes)
    return tuple(parents) if is_list else parents


def _check_list(cursor: Any, limit: Any) -> None:
    if not isinstance(limit, int) or isinstance(limit, bool) or not 1 <= limit <= MAX_COUNT:
        raise refused(f"limit must be a whole number from 1 to {MAX_COUNT}.")
    if cursor is not None and not (isinstance(cursor, str) and re.fullmatch("[0-9]{1,15}", cursor)):
        raise refused("there is no such cursor: give the one of the page before, or none.")


def detached(verb: str) -> ToolError:
    """Why a verb cannot work where there is no store."""
    said = f"artifacts.{verb} cannot work, for no artifact store is attached to this call: {CURE}."
    return ToolError(said, code=REFUSED)
