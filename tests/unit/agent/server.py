"""A server of chat completions without a network: what it answers, and what it was asked."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from webtools.calls.fetching import Response


@dataclass
class Reply:
    """One answer: its head, and the pieces of its body; an exception among them is where it breaks."""

    pieces: Iterable[str | Exception] = ()
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=lambda: {"content-type": "text/event-stream"})

    async def chunks(self) -> AsyncIterator[str]:
        for piece in self.pieces:
            await asyncio.sleep(0)
            if isinstance(piece, Exception):
                raise piece
            yield piece


@dataclass
class Asked:
    url: str
    headers: Mapping[str, str]
    body: dict[str, Any]


class Server:
    """`webtools.calls.fetching.Fetch`; each request gets the next reply. None: it answers nothing, ever."""

    def __init__(self, *replies: Reply | Exception | None) -> None:
        self._replies = list(replies)
        self.asked: list[Asked] = []
        self.given_up = 0

    def __call__(
        self, url: str, headers: Mapping[str, str], body: str
    ) -> AbstractAsyncContextManager[Response]:
        return self._answer(Asked(url, headers, json.loads(body)))

    @asynccontextmanager
    async def _answer(self, asked: Asked) -> AsyncIterator[Response]:
        self.asked.append(asked)
        reply = self._replies.pop(0)
        try:
            if reply is None:
                await asyncio.Event().wait()
            if isinstance(reply, Exception):
                raise reply
            assert reply is not None
            yield reply
        except asyncio.CancelledError:
            self.given_up += 1
            raise


def event(data: object) -> str:
    return f"data: {data if isinstance(data, str) else json.dumps(data)}\n\n"


def delta(finish: str | None = None, **said: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": said, "finish_reason": finish}]}


def streamed(*chunks: Any, cut: Callable[[str], Iterable[str]] = lambda text: [text]) -> Reply:
    """A whole stream, in one piece or cut."""
    return Reply(list(cut("".join(map(event, [*chunks, "[DONE]"])))))


def says(text: str) -> Reply:
    return streamed(delta(role="assistant", content=text), delta("stop"))


def fragment(index: int | None = 0, **given: Any) -> dict[str, Any]:
    function = {key: given.pop(key) for key in ("name", "arguments") if key in given}
    return {**({} if index is None else {"index": index}), **given, "function": function}


def calls(*fragments: dict[str, Any]) -> Reply:
    return streamed(*(delta(tool_calls=[each]) for each in fragments), delta("tool_calls"))


def refuses(status: int, message: str = "no", headers: Mapping[str, str] | None = None) -> Reply:
    return Reply([json.dumps({"error": {"message": message}})], status, headers or {})
