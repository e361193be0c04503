"""`webtools.calls.driving.Driver` in a page: calls, waits and requests by the border."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from webtools.browser.adapters import BrowserClock, LateAnswers
from webtools.browser.border import Border
from webtools.calls.fetching import Fetch, Response
from webtools.calls.signal import CancelSignal, obeying
from webtools.stores.secrets import Secrets


class BrowserDriver:
    """Lives as long as the page.

    Attributes:
        clock: The page's.
        requests: Those of models.
    """

    def __init__(self, border: Border, clock: BrowserClock, answers: LateAnswers, secrets: Secrets) -> None:
        self._border = border
        self._answers = answers
        self._secrets = secrets
        self.clock = clock
        self.requests = Requests(border)

    @property
    def fetch(self) -> Fetch:
        """See `Driver`."""
        return self.requests.send

    async def call(self, name: str, text: str, facts: str, signal: CancelSignal) -> str:
        """See `Driver`."""
        number = self._answers.number()
        give_up = partial(self._border.abortTool, number)
        self._border.callTool(number, name, text, facts)
        try:
            return await obeying(signal, give_up, self._answers.of(number))
        except asyncio.CancelledError:
            give_up()
            raise

    async def settled(self) -> None:
        """See `Driver`."""
        number = self._answers.number()
        self._border.untilSettled(number)
        await self._answers.of(number)

    async def sleep(self, seconds: float) -> None:
        """See `Driver`."""
        over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        timer = self.clock.call_later(seconds, lambda: over.set_result(None))
        try:
            await over
        finally:
            timer.cancel()

    def conceal(self, secret: str) -> None:
        """See `Driver`."""
        self._secrets.add([secret])


class _Answer:
    """`webtools.calls.fetching.Response`, as far as it has come."""

    def __init__(self) -> None:
        self.status = 0
        self.headers: Mapping[str, str] = {}
        self._said: deque[dict[str, Any]] = deque()
        self._news: asyncio.Future[None] | None = None

    def tell(self, said: dict[str, Any]) -> None:
        self._said.append(said)
        if self._news and not self._news.done():
            self._news.set_result(None)

    async def begin(self) -> None:
        head = await self._next()
        self.status, self.headers = head["status"], head["headers"]

    async def chunks(self) -> AsyncIterator[str]:
        """See `Response`."""
        while "end" not in (said := await self._next()):
            yield said["chunk"]

    async def _next(self) -> dict[str, Any]:
        while not self._said:
            self._news = asyncio.get_running_loop().create_future()
            await self._news
        said = self._said.popleft()
        if "error" in said:
            raise ConnectionError(said["error"])
        return said


class Requests:
    """The requests that are open."""

    def __init__(self, border: Border) -> None:
        self._border = border
        self._open: dict[int, _Answer] = {}
        self._count = 0

    @asynccontextmanager
    async def send(self, url: str, headers: Mapping[str, str], body: str) -> AsyncIterator[Response]:
        """See `webtools.calls.fetching.Fetch`."""
        self._count += 1
        number = self._count
        answer = self._open[number] = _Answer()
        request = {"url": url, "headers": dict(headers), "body": body}
        self._border.fetch(number, json.dumps(request, ensure_ascii=False))
        try:
            await answer.begin()
            yield answer
        finally:
            del self._open[number]
            self._border.abortFetch(number)

    def told(self, number: int, text: str) -> None:
        """Take what ``static/requests.js`` says of a request; harmless where nobody waits for it any more."""
        if answer := self._open.get(number):
            answer.tell(json.loads(text))
