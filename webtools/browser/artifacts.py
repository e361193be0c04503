"""The page's artifacts: kept in memory or in the browser's IndexedDB, and shown to the page's JavaScript."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Collection
from typing import Any

from webtools._exceptions import ToolError
from webtools.browser.adapters import LateAnswers
from webtools.browser.border import Border
from webtools.calls.artifacts import scope_of
from webtools.lifecycle.clock import Clock
from webtools.stores.artifact_backends import MAX_SCOPES, BackendProblem, Committed, MemoryBackend, Stored
from webtools.stores.artifacts import Artifacts, detached

MEMORY, INDEXED_DB = "memory", "indexeddb"
"""What a script tag's `data-artifacts` can say; anything else attaches nothing."""


def attached(choice: str, clock: Clock, border: Border, answers: LateAnswers) -> Artifacts | None:
    """The page's artifacts, as its author has chosen."""
    if choice == MEMORY:
        return Artifacts(clock, MemoryBackend())
    if choice == INDEXED_DB:
        return Artifacts(clock, IndexedDBBackend(border, answers))
    return None


async def shown(artifacts: Artifacts | None, ref: str) -> str:
    """An artifact of the page's own as its JavaScript is given it.

    Returns:
        JSON text ``{"kind", "mediaType", "label"?, "text" | "base64"}``, ``null`` where there is none, or
        ``{"error"}``, which says why that cannot be told.
    """
    try:
        if artifacts is None:
            raise detached("get")
        found = await artifacts.shelf(scope_of(None)).get(ref)
    except ToolError as refusal:
        return json.dumps({"error": refusal.message})
    if found is None:
        return "null"
    meta, data = found
    said: dict[str, Any] = {"kind": meta.kind, "mediaType": meta.media_type}
    if meta.label is not None:
        said["label"] = meta.label
    if isinstance(data, bytes):
        said["base64"] = base64.b64encode(data).decode("ascii")
    else:
        said["text"] = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
    return json.dumps(said, ensure_ascii=False)


class IndexedDBBackend:
    """`webtools.stores.artifact_backends.ArtifactBackend` on ``static/artifacts.js``.

    A payload crosses the border, and is kept, as text: ``t`` and the text, or ``b`` and the bytes in base64.
    """

    def __init__(self, border: Border, answers: LateAnswers) -> None:
        self._border = border
        self._answers = answers

    async def index(self, scope: str) -> str | None:
        """The scope's index."""
        text: str | None = await self._ask("readIndex", scope)
        return text

    async def payload(self, scope: str, ref: str) -> Stored | None:
        """The payload; what somebody else has put there is given as it is, and fails its digest."""
        text: str | None = await self._ask("readPayload", scope, ref)
        if text is None:
            return None
        try:
            return base64.b64decode(text[1:], validate=True) if text.startswith("b") else text[1:]
        except binascii.Error:
            return text

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
        payload = None if put is None else [put[0], _text(put[1])]
        gone = await self._ask("commit", scope, before, after, payload, list(drop), MAX_SCOPES)
        return None if gone is None else Committed(tuple(gone))

    async def _ask(self, verb: str, *arguments: object) -> Any:
        number = self._answers.number()
        self._border.callArtifacts(number, verb, json.dumps(arguments, ensure_ascii=False))
        answer = json.loads(await self._answers.of(number))
        if "error" in answer:
            raise BackendProblem(f"{answer['error']['message']}.")
        return answer["value"]


def _text(stored: Stored) -> str:
    return f"t{stored}" if isinstance(stored, str) else f"b{base64.b64encode(stored).decode('ascii')}"
