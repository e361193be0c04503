"""A server of chat completions beside a page: it streams, and says what the name of the model stands for."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Iterator
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.types import ASGIApp

Body = dict[str, Any]

PIECE = 7
"""Bytes of a stream that are sent at a time."""


class ChatServer:
    """Answers at ``/v1/chat/completions``.

    Attributes:
        asked: The requests, the oldest first.
        keys: What each was authorised with.
        has_lost: Set when a caller has gone while it was being answered.
    """

    def __init__(self) -> None:
        self.asked: list[Body] = []
        self.keys: list[str | None] = []
        self.has_lost = threading.Event()

    def beside(self, app: ASGIApp) -> ASGIApp:
        """Serve it on the origin of an app."""
        route = Route("/v1/chat/completions", self._answer, methods=["POST"])
        return Starlette(routes=[route, Mount("/", app)])

    async def _answer(self, request: Request) -> Response:
        body: Body = await request.json()
        self.asked.append(body)
        self.keys.append(request.headers.get("authorization"))
        roles = [each["role"] for each in body["messages"]]
        said = roles[roles.index("user") :].count("assistant")
        if body["model"] in LINES:
            return streamed(LINES[body["model"]][said])
        if body["model"] == "stuck":
            return StreamingResponse(self._stuck(), media_type="text/event-stream")
        if body["model"] == "busy" and len(self.asked) == 1:
            return refusal(429, "slow down", {"retry-after": "0"})
        if body["model"] == "busy":
            return streamed([{"content": "Here I am."}])
        return refusal(401, f"wrong key: {self.keys[-1]}")

    async def _stuck(self) -> AsyncIterator[bytes]:
        yield event({"choices": [{"delta": {"content": "Let me"}}]})
        try:
            await asyncio.Event().wait()
        finally:
            self.has_lost.set()


def called(index: int, name: str, arguments: Body) -> list[Body]:
    """The deltas of a call, its arguments in two parts."""
    text = json.dumps(arguments)
    half = len(text) // 2
    begin = {
        "index": index,
        "id": f"c{index}",
        "type": "function",
        "function": {"name": name, "arguments": ""},
    }
    parts = [{"index": index, "function": {"arguments": part}} for part in (text[:half], text[half:])]
    return [{"tool_calls": [each]} for each in (begin, *parts)]


LINES = {
    "shopper": [
        [
            {"role": "assistant", "content": "Ich suche 🥾."},
            *called(0, "find", {"words": "boots"}),
            *called(1, "zoom", {"level": 3}),
        ],
        [*called(0, "open_cart", {"sku": "boots-1"})],
        [*called(0, "pay", {"wrong": 1}), *called(1, "nothing", {})],
        [*called(0, "pay", {"sku": "boots-1"})],
        [{"content": "Paid "}, {"content": "for boots-1."}],
    ],
    "harbour": [
        [{"content": "Let me look."}, *called(0, "search_products", {"query": "mug"})],
        [*called(0, "add_to_cart", {"sku": "KT-402"}), *called(1, "add_to_cart", {"sku": "KT-407"})],
        [{"content": "The mug is "}, {"content": "in your cart."}],
    ],
}
"""What such a model says in each turn: the first of `e2e/pages/agent.html`, the second of the storefront."""


def event(data: object) -> bytes:
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
    return f"data: {text}\n\n".encode()


def streamed(deltas: list[Body]) -> Response:
    chunks = [{"choices": [{"index": 0, "delta": each, "finish_reason": None}]} for each in deltas]
    end = {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
    whole = b"".join(map(event, [*chunks, end, "[DONE]"]))

    def pieces() -> Iterator[bytes]:
        for start in range(0, len(whole), PIECE):
            yield whole[start : start + PIECE]

    return StreamingResponse(pieces(), media_type="text/event-stream")


def refusal(status: int, message: str, headers: dict[str, str] | None = None) -> Response:
    return JSONResponse({"error": {"message": message}}, status, headers)
