"""A browser that a test moves, behind the port that Chromium has in a bridge."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

from mcp import Client

from webtools.cli.bridge.backoff import Time
from webtools.cli.bridge.names import Named
from webtools.cli.bridge.ports import DocumentLeft, TabGone, Unreachable
from webtools.cli.bridge.server import BridgeServer, Changes
from webtools.cli.bridge.site import Site
from webtools.cli.bridge.sites import Sites
from webtools.testing import FakeClock

HERE = "http://shop.test"


def run(scenario: Coroutine[Any, Any, None]) -> None:
    """Run it to its end, which is not far."""
    asyncio.run(asyncio.wait_for(scenario, 10))


async def until(is_so: Callable[[], object], turns: int = 1000) -> None:
    """Let the event loop turn until it is so."""
    for _ in range(turns):
        if is_so():
            return
        await asyncio.sleep(0)
    raise AssertionError("it never came to be")


class FakeDocument:
    def __init__(self, *names: str, origin: str = HERE, is_error: bool = False, is_up: bool = True) -> None:
        self.origin = origin
        self.is_error = is_error
        self.is_asking = False
        self.is_busy = False
        self.pings = 0
        self.calls: dict[str, int] = {}
        self.inputs: list[Any] = []
        self.aborted: list[int] = []
        self._told: asyncio.Queue[str | None] = asyncio.Queue()
        self._is_left = False
        self.offer(*names)
        if is_up:
            self.settle()

    def tell(self, *events: Any) -> None:
        self.write(json.dumps(events))

    def write(self, text: str) -> None:
        self._told.put_nowait(text)

    def settle(self) -> None:
        self.tell({"kind": "settled"})

    def offer(self, *names: str) -> None:
        self.tell({"kind": "tools", "tools": [{"name": each, "description": "A tool."} for each in names]})

    def report(self, name: str, message: str, **numbers: float) -> None:
        self.tell({"kind": "progress", "call": self.calls[name], "message": message, **numbers})

    def answer(self, name: str, answer: Any = None, **more: Any) -> None:
        text = None if answer is None else json.dumps(answer)
        self.tell({"kind": "answer", "call": self.calls.pop(name), "text": text, **more})

    def leave(self) -> None:
        self._is_left = True
        self._told.put_nowait(None)

    async def begin(self) -> None:
        """There is nothing to begin."""

    async def next(self) -> str:
        told = await self._told.get()
        if told is None:
            raise DocumentLeft
        return told

    async def start(self, call: int, name: str, text: str) -> None:
        if self._is_left:
            raise DocumentLeft
        self.calls[name] = call
        self.inputs.append(json.loads(text))

    async def abort(self, call: int) -> None:
        self.aborted.append(call)

    async def ping(self) -> None:
        self.pings += 1
        if self.is_busy:
            await asyncio.Future()


@dataclass(eq=False)
class FakeTab:
    """Its documents come as the test shows them."""

    is_found: bool = False
    is_down: bool = False
    is_asking: bool = False
    statuses: list[int] = field(default_factory=list)
    visits: list[str] = field(default_factory=list)
    shown: asyncio.Queue[FakeDocument | TabGone] = field(default_factory=asyncio.Queue)
    document_now: FakeDocument | None = None

    def show(self, document: FakeDocument | TabGone) -> None:
        """Leave the document before, and come to this one."""
        if self.document_now:
            self.document_now.leave()
        self.document_now = document if isinstance(document, FakeDocument) else None
        self.shown.put_nowait(document)

    def crash(self) -> None:
        self.show(TabGone("the page crashed"))

    async def visit(self, url: str) -> int:
        self.visits.append(url)
        if self.is_down:
            raise Unreachable("ERR_CONNECTION_REFUSED")
        return self.statuses.pop(0) if self.statuses else 200

    async def document(self) -> FakeDocument:
        document = await self.shown.get()
        if isinstance(document, TabGone):
            raise document
        return document

    async def close(self) -> None:
        """A test has nothing to see of it."""


class FakeBrowser:
    """Gives the tabs of a test, by their URLs; where it has none (left), the browser does not start."""

    def __init__(self, tabs: Mapping[str, list[FakeTab]]) -> None:
        self._tabs = tabs
        self.attempts = 0

    async def open(self, url: str) -> FakeTab:
        self.attempts += 1
        if not self._tabs[url]:
            raise TabGone("the browser does not start")
        return self._tabs[url].pop(0)


def at_least(calls: Callable[[], int], wanted: int) -> Callable[[], bool]:
    """A condition for `until`."""
    return lambda: calls() >= wanted


class FakeTime:
    """Time that a test lets pass."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.time = Time(now=self.clock.now, sleep=self._sleep)

    async def _sleep(self, seconds: float) -> None:
        over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.clock.call_later(seconds, lambda: None if over.done() else over.set_result(None))
        await over

    async def passes(self, seconds: float) -> None:
        """Let so much time pass once somebody waits for it."""
        await until(lambda: self.clock.pending)
        self.clock.advance(seconds)

    async def seconds_pass(self, seconds: float) -> None:
        """Let them pass bit by bit, whoever waits."""
        for _ in range(int(100 * seconds)):
            self.clock.advance(0.01)
            await asyncio.sleep(0)


@dataclass(eq=False)
class Bridge:
    """A bridge that runs, its client, and what the client was told."""

    client: Client
    browser: FakeBrowser
    time: FakeTime
    told: list[str]

    async def names(self) -> list[str]:
        """List the tools, and let the time pass that this takes."""
        listing = asyncio.create_task(self.client.list_tools())
        while not listing.done():
            self.time.clock.advance(0.01)
            await asyncio.sleep(0)
        return [tool.name for tool in listing.result().tools]

    async def until_listed(self, *names: str) -> None:
        """Let time pass until the client sees these tools."""
        for _ in range(100):
            if await self.names() == list(names):
                return
        raise AssertionError(await self.names())


@asynccontextmanager
async def bridged(
    *tabs: FakeTab,
    pages: Mapping[str, tuple[str, list[FakeTab]]] | None = None,
    allowed: frozenset[str] = frozenset({HERE}),
    mode: Literal["legacy", "auto"] = "legacy",
) -> AsyncIterator[Bridge]:
    """Run a bridge of one page with these tabs, one after another, or of several pages by their prefixes."""
    pages = pages or {"": (f"{HERE}/?key=s3cret", list(tabs))}
    time, told = FakeTime(), list[str]()
    changes = Changes(time.time)
    browser = FakeBrowser(dict(pages.values()))
    sites = Sites(
        {
            prefix: Site(Named(prefix, url), browser, allowed, changes.note, time.time)
            for prefix, (url, _) in pages.items()
        }
    )
    keeping = [asyncio.create_task(sites.run()), asyncio.create_task(changes.run())]

    async def hear(message: Any) -> None:
        told.append(message.method)

    server = BridgeServer(sites, changes, "1.2.3")
    async with Client(server, mode=mode, message_handler=hear, cache=None) as client:
        yield Bridge(client, browser, time, told)
    for task in keeping:
        task.cancel()
    await asyncio.gather(*keeping, return_exceptions=True)


def showing(*names: str, **options: Any) -> FakeTab:
    """A tab that shows a document with these tools."""
    tab = FakeTab()
    tab.show(FakeDocument(*names, **options))
    return tab
