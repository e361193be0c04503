"""The artifacts of one scope, and the rules that they are kept by.

Source: ../shared/spec/tool-context.md, §9.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from webtools._exceptions import ToolError
from webtools.lifecycle.clock import Clock
from webtools.stores.artifact_backends import ArtifactBackend, BackendProblem, Committed
from webtools.stores.artifact_index import Index, Meta, Origin, Row, intact, read
from webtools.stores.artifact_payloads import DIGEST, Payload, packed
from webtools.stores.artifact_refs import is_ref, mint
from webtools.stores.secrets import Secrets
from webtools.tools.wants import word_problem

Given = TypeVar("Given")

logger = logging.getLogger("webtools")

MAX_BYTES = 32 * 1024 * 1024
"""Of all payloads of a scope. Source: ../shared/spec/tool-context.md, §9."""

MAX_COUNT = 256
"""Of a scope's artifacts. Source: as above."""

LATEST = 2**53 - 1
"""The largest whole number that JavaScript holds exactly."""

ATTEMPTS = 20
"""At a commit that other tabs come between; each that fails is one of theirs that succeeded."""

REFUSED = "ARTIFACT_REFUSED"
"""The code of what the store refuses."""

_DIGEST = re.compile(rf"{DIGEST}[0-9a-f]{{64}}")

_TOKEN = r"[A-Za-z0-9!#$&^_.+-]+"
_MEDIA_TYPE = re.compile(rf"{_TOKEN}/{_TOKEN}(?: *;[ -~]*)?")


@dataclass(frozen=True)
class Limits:
    """How much of a scope is kept; a caller may only tighten it.

    Attributes:
        ttl: Seconds after which an artifact expires, where it does not itself sooner.
    """

    max_bytes: int = MAX_BYTES
    max_count: int = MAX_COUNT
    ttl: float | None = None

    def __post_init__(self) -> None:
        if not 0 < self.max_bytes <= MAX_BYTES or not 0 < self.max_count <= MAX_COUNT:
            raise ValueError(
                f"Limits of artifacts can only be tightened: {MAX_BYTES} bytes and {MAX_COUNT} artifacts."
            )
        if self.ttl is not None and self.ttl <= 0:
            raise ValueError(f"ttl={self.ttl!r} must be a positive number of seconds.")


@dataclass(frozen=True)
class Wish:
    """What a handler wants to be put, not judged yet; see `webtools.stores.artifacts.ArtifactStore.put`."""

    kind: Any
    media_type: Any
    data: Any
    label: Any = None
    expires_at: Any = None
    digest: Any = None
    parents: Any = ()


class Damaged(Exception):
    """An artifact's payload is not what was put."""


class Shelf:
    """Lives as long as the call that it was made for; what it keeps lives in the backend.

    Args:
        clock: For expiry.
        backend: Keeps the artifacts.
        limits: How many.
        tell_evicted: Told of what had to go to make room.
        lock: Of all shelves of one backend in this page.
        scope: Whose artifacts these are.
    """

    def __init__(
        self,
        clock: Clock,
        backend: ArtifactBackend,
        limits: Limits,
        tell_evicted: Callable[[list[Meta]], None],
        lock: asyncio.Lock,
        scope: str,
    ) -> None:
        self._clock = clock
        self._backend = backend
        self._limits = limits
        self._tell_evicted = tell_evicted
        self._lock = lock
        self._scope = scope

    async def put(self, wish: Wish, origin: Origin, secrets: Secrets | None = None) -> Meta:
        """Keep something; what was used least recently goes where there is no room.

        Args:
            wish: What.
            origin: Which call puts it.
            secrets: Are not kept: a backend may outlive what knows them.

        Raises:
            ToolError: ``ARTIFACT_REFUSED``; nothing was kept, and nothing went.
        """
        _check_words(wish, self._clock.epoch_ms())
        payload, problem = _copied(wish.data)  # now: the caller may change the data while we wait
        async with self._lock:
            for _ in range(ATTEMPTS):
                index = await self._read()
                _check_parents(wish, index, self._clock.epoch_ms())
                if payload is None:
                    raise refused(f"data cannot be kept: {problem}.")
                if secrets:
                    _check_secrets(wish, payload, secrets)
                meta = self._meta(wish, payload, origin)
                expired, evicted = self._add(index, payload, meta)
                drop = [row.ref for row in expired + evicted]
                done = await self._commit(index, put=(meta.ref, payload.stored), drop=drop)
                if done:
                    self._tell([*evicted, *_live_in(done.gone, meta.created_at)])
                    return meta
        raise refused("other tabs of this page are putting artifacts all the time. Try again.")

    async def head(self, ref: object) -> Meta | None:
        """What is known of an artifact; None for all that is not there, for whatever reason."""
        row = await self._used(ref)
        return None if row is None else row.meta

    async def get(self, ref: object) -> tuple[Meta, Any] | None:
        """The artifact and a copy of its data; None for all that is not there, for whatever reason."""
        try:
            return await self.intact(ref)
        except Damaged:
            return None

    async def intact(self, ref: object) -> tuple[Meta, Any] | None:
        """The same as `get`.

        Raises:
            Damaged: It is there, and not as it was put; the console has been told.
        """
        row = await self._used(ref)
        if row is None:
            return None
        stored = await _asked(self._backend.payload(self._scope, row.ref))
        if stored is None and (await self._read()).row(ref, self._clock.epoch_ms()) is None:
            return None  # it has gone in between
        meta = row.meta
        payload = Payload(row.form, stored if stored is not None else "")
        is_whole = stored is not None and isinstance(stored, bytes) == (row.form == "binary")
        if not is_whole or payload.digest != meta.digest:
            logger.warning("An artifact of kind %r has been damaged, and is not used.", meta.kind)
            raise Damaged
        return meta, payload.data

    async def delete(self, ref: object) -> None:
        """Let it go; what is not there is all right."""
        async with self._lock:
            for _ in range(ATTEMPTS):
                index = await self._read()
                row = next((each for each in index.rows if each.ref == ref), None)
                if row is None:
                    return
                index.rows.remove(row)
                if await self._commit(index, drop=[row.ref]):
                    return
        raise refused("other tabs of this page are putting artifacts all the time. Try again.")

    async def rows(self) -> list[Row]:
        """What is live, newest first; none counts as used by it."""
        now = self._clock.epoch_ms()
        live = [row for row in (await self._read()).rows if row.is_live(now)]
        return sorted(live, key=lambda row: -row.number)

    def _meta(self, wish: Wish, payload: Payload, origin: Origin) -> Meta:
        size = payload.size
        if size > self._limits.max_bytes:
            raise refused(
                f"data has {size} bytes, more than the {self._limits.max_bytes} that all artifacts may have."
            )
        if wish.digest not in (None, payload.digest):
            raise refused("data has another digest than the one given.")
        now = self._clock.epoch_ms()
        return Meta(
            ref=mint(),
            kind=wish.kind,
            media_type=wish.media_type,
            bytes=size,
            created_at=now,
            digest=payload.digest,
            origin=origin,
            label=wish.label,
            expires_at=self._expiry(wish, now),
            parents=wish.parents,
        )

    def _expiry(self, wish: Wish, now: int) -> int | None:
        ttl = self._limits.ttl
        latest = None if ttl is None else now + round(ttl * 1000)
        return min((each for each in (wish.expires_at, latest) if each is not None), default=None)

    def _add(self, index: Index, payload: Payload, meta: Meta) -> tuple[list[Row], list[Row]]:
        """Add a row; gives the rows that have expired and those that had to go."""
        now = self._clock.epoch_ms()
        expired = [each for each in index.rows if not each.is_live(now)]
        live = [each for each in index.rows if each.is_live(now)]
        room, places = self._limits.max_bytes - meta.bytes, self._limits.max_count - 1
        evicted = []
        while len(live) > places or sum(each.bytes for each in live) > room:
            evicted.append(live.pop(0))
        index.rows = [*live, Row.of(index.next, payload.form, meta)]
        index.next += 1
        return expired, evicted

    def _tell(self, evicted: list[Row]) -> None:
        if evicted:
            self._tell_evicted([row.meta for row in evicted])

    async def _used(self, ref: object) -> Row | None:
        """The live row of a ref, which has been used now."""
        if not is_ref(ref):
            return None
        async with self._lock:
            index = await self._read()
            row = index.row(ref, self._clock.epoch_ms())
            if row and index.touch(row):
                try:
                    await self._backend.commit(self._scope, index.text, index.written())
                except BackendProblem as problem:
                    logger.warning("That an artifact was used could not be noted: %s", problem)
        return row

    async def _read(self) -> Index:
        return read(await _asked(self._backend.index(self._scope)))

    async def _commit(self, index: Index, **changes: Any) -> Committed | None:
        return await _asked(self._backend.commit(self._scope, index.text, index.written(), **changes))


def _live_in(indexes: Iterable[str], now: int) -> list[Row]:
    found = [index for text in indexes if (index := intact(text))]
    return [row for index in found for row in index.rows if row.is_live(now)]


def refused(said: str) -> ToolError:
    """What a store does not do, and why."""
    return ToolError(f"The artifact store refuses: {said}", code=REFUSED)


async def _asked(asked: Awaitable[Given]) -> Given:
    try:
        return await asked
    except BackendProblem as problem:
        raise refused(str(problem)) from problem


def _check_words(wish: Wish, now: int) -> None:
    _check_word("kind", wish.kind)
    _check_word("media_type", wish.media_type)
    if not _MEDIA_TYPE.fullmatch(wish.media_type):
        raise refused("media_type must be of the form type/subtype, such as 'image/png'.")
    _check_expiry(wish.expires_at, now)
    if wish.digest is not None and not (isinstance(wish.digest, str) and _DIGEST.fullmatch(wish.digest)):
        raise refused(f"digest must be '{DIGEST}' and 64 hexadecimal digits in lower case.")
    if wish.label is not None:
        _check_text("label", wish.label)


def _check_word(name: str, text: Any) -> None:
    if not isinstance(text, str) or not text.strip():
        raise refused(f"{name} is missing: a text such as 'picture' or 'image/png'.")
    _check_text(name, text)


def _check_text(name: str, text: Any) -> None:
    if not isinstance(text, str):
        raise refused(f"{name} must be a text.")
    if wrong := word_problem(text):
        raise refused(f"{name} {wrong}.")


def _check_expiry(at: Any, now: int) -> None:
    if at is None:
        return
    if not isinstance(at, int) or isinstance(at, bool) or at > LATEST:
        raise refused("expires_at must be a whole number of milliseconds since 1970, 2**53 - 1 at most.")
    if at <= now:
        raise refused("expires_at must be in the future, in milliseconds since 1970.")


def _check_parents(wish: Wish, index: Index, now: int) -> None:
    if not isinstance(wish.parents, tuple) or not all(isinstance(ref, str) for ref in wish.parents):
        raise refused("parents must be a list of refs, which are texts.")
    if len(wish.parents) > MAX_COUNT:
        raise refused(f"parents has {len(wish.parents)} refs, more than {MAX_COUNT}.")
    unknown = [ref for ref in wish.parents if index.row(ref, now) is None]
    if unknown:
        raise refused(f"parents has {len(unknown)} of {len(wish.parents)} refs that stand for nothing here.")


def _check_secrets(wish: Wish, payload: Payload, secrets: Secrets) -> None:
    texts = {"kind": wish.kind, "media_type": wish.media_type, "label": wish.label, "data": payload.stored}
    for name, text in texts.items():
        if isinstance(text, str) and secrets.are_in(text):
            raise refused(f"{name} has the secret of a credential, which is not kept.")


def _copied(data: Any) -> tuple[Payload | None, str]:
    try:
        return packed(data), ""
    except ValueError as problem:
        return None, str(problem)
