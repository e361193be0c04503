"""Runs a bridge until its client, or the person, ends it."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from socket import socket
from typing import Any
from urllib.parse import urlsplit

import uvicorn
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings
from playwright.async_api import async_playwright

from webtools.cli.bridge.backoff import Time
from webtools.cli.bridge.chromium import Attached, Chromium, Launched, has_display
from webtools.cli.bridge.logs import log, origin_of, tell_fault, to_stderr
from webtools.cli.bridge.names import Named, named
from webtools.cli.bridge.server import BridgeServer, Changes
from webtools.cli.bridge.site import Site
from webtools.cli.bridge.sites import Sites
from webtools.cli.programs.chromium import HOW_TO_INSTALL, OLDEST, ChromiumMissing, find
from webtools.cli.serving.listening import listen, url_of
from webtools.cli.terminal.problems import CommandProblem

__all__ = ["Options", "run_bridge"]


@dataclass(frozen=True)
class Options:
    """What the command line has.

    Attributes:
        cdp: The URL of a browser that runs already.
        http: The port of 127.0.0.1 to serve at; None for standard input and output.
        headless: No window; by default where there is no display.
        allow: Origins whose tools are offered, besides the pages' own.
        version: The library's.
    """

    cdp: str | None
    http: int | None
    headless: bool | None
    allow: Sequence[str]
    version: str


def run_bridge(pages: Sequence[str], options: Options) -> None:
    """Serve the tools of the pages.

    Raises:
        CommandProblem: An option cannot be used, or there is no Chromium.
    """
    listed = named(pages)
    allowed = frozenset([*(origin_of(page.url) for page in listed), *map(_origin, options.allow)])
    source = _source(options)
    to_stderr()
    with ExitStack() as stack:
        listener = None
        if options.http is not None:
            listener = stack.enter_context(listen("127.0.0.1", options.http, option="--http"))
        asyncio.run(_serve(listed, allowed, source, listener, options.version))


async def _serve(
    pages: Sequence[Named],
    allowed: frozenset[str],
    source: Attached | Launched,
    listener: socket | None,
    version: str,
) -> None:
    asyncio.get_running_loop().set_exception_handler(tell_fault)
    time = Time()
    changes = Changes(time)
    async with async_playwright() as playwright:
        chromium = Chromium(playwright, source)
        sites = Sites({page.prefix: Site(page, chromium, allowed, changes.note, time) for page in pages})
        server = BridgeServer(sites, changes, version)
        keeping = [asyncio.create_task(sites.run()), asyncio.create_task(changes.run())]
        for page in pages:
            log.info("opening %s", page.label)
        try:
            ended_by = await _until_ended(_over_http(server, listener) if listener else _over_stdio(server))
        finally:
            for task in keeping:
                task.cancel()
            await asyncio.gather(*keeping, return_exceptions=True)
            await chromium.close()
    if ended_by:
        os._exit(128 + ended_by)  # nothing else ends the thread that is reading standard input


async def _until_ended(serve: Coroutine[Any, Any, None]) -> int:
    """Serve until the client is gone, or a signal comes; gives its number, else 0."""
    loop = asyncio.get_running_loop()
    signalled: asyncio.Future[int] = loop.create_future()
    with suppress(NotImplementedError):  # Windows: there the client's end is the bridge's
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, _set_once, signalled, number)
    serving = loop.create_task(serve)
    either: set[asyncio.Future[Any]] = {serving, signalled}
    await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
    if signalled.done():
        return signalled.result()
    await serving
    return 0


def _set_once(future: asyncio.Future[int], value: int) -> None:
    if not future.done():
        future.set_result(value)


async def _over_stdio(server: BridgeServer) -> None:
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


class _Uvicorn(uvicorn.Server):
    """Leaves signals to the bridge, which has tabs to close before it ends."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


async def _over_http(server: BridgeServer, listener: socket) -> None:
    """Serve this machine alone; a page of another origin, or by another host's name, gets nothing."""
    hosts = [f"{host}:{listener.getsockname()[1]}" for host in ("127.0.0.1", "localhost")]
    app = server.streamable_http_app(
        transport_security=TransportSecuritySettings(
            allowed_hosts=hosts, allowed_origins=[f"http://{host}" for host in hosts]
        )
    )
    log.info("serving MCP at %smcp", url_of(listener))
    config = uvicorn.Config(
        app, log_config=None, access_log=False, lifespan="on", timeout_graceful_shutdown=1
    )
    await _Uvicorn(config).serve(sockets=[listener])


def _source(options: Options) -> Attached | Launched:
    if options.cdp is not None:
        if options.headless is not None:
            raise CommandProblem("A browser that runs already has its own windows; leave out --headless")
        _check_cdp(options.cdp)
        return Attached(options.cdp)
    path = find()
    if not path:
        raise ChromiumMissing(f"Chromium {OLDEST} or newer is missing; {HOW_TO_INSTALL}")
    return Launched(path, headless=options.headless if options.headless is not None else not has_display())


def _origin(given: str) -> str:
    with suppress(ValueError):
        origin = origin_of(given)
        parts = urlsplit(given)
        if "@" not in parts.netloc and parts.path in ("", "/") and not parts.query + parts.fragment:
            return origin
    raise CommandProblem(
        "What --allow names is no origin, which has no path, user or query; give one, as in: "
        "--allow https://login.example.com"
    )


def _check_cdp(url: str) -> None:
    try:
        origin_of(url)
    except ValueError:
        raise CommandProblem(
            "What --cdp names is no URL; give one, as in: --cdp http://127.0.0.1:9222"
        ) from None
