"""Live reload: the folder is watched, and its pages hear of what has changed.

The page's end is `live.mjs`, which is added to `webtools.js` on the way. It hears that something has changed
(`/webtools/live/events`), asks what has since it was served (`/webtools/live/changes`), and tells how its
tools are (`/webtools/live/told`).
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from watchfiles import DefaultFilter, awatch

from webtools.cli.files.headers import ASK
from webtools.cli.serving.callers import check_host, check_origin
from webtools.cli.serving.told import Told, read_told
from webtools.cli.terminal.plain import plain

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.types import ASGIApp, Receive, Scope, Send

__all__ = ["Live", "Watch", "watched"]

Watch = Callable[[Path], AsyncIterator[Iterable[Path]]]
"""Gives the files of a folder that were written at about the same time, again and again."""

_MODULE = Path(__file__).with_name("live.mjs")

_LOADER = """
Promise.race([window.webtools.ready.catch(() => {{}}), new Promise((late) => setTimeout(late, {wait_ms}))])
  .then(() => import("./live.js?{revision}"))
  .then(({{ follow }}) => follow(window.webtools, "{revision}"))
  .catch(() => {{}});
"""
"""Loads the page's end when its tools are there, or are long in coming."""
_WAIT_MS = 3_000

_HEARTBEAT = 15.0
"""Seconds; whoever has gone is noticed by it."""
_RETRY_MS = 500
_MOST_ASKED = 10_000
"""Paths that are kept; nobody has a folder with so many."""


async def watched(directory: Path) -> AsyncIterator[Iterable[Path]]:
    """Watch a folder by the system's own means; what editors keep beside a file, and caches, are left out."""
    async for changes in awatch(directory, watch_filter=DefaultFilter(), debounce=400):
        yield [Path(path) for _, path in changes]


class Live:
    """What has changed in a folder since it was served, and who has to hear of it.

    It lives as long as its server: `lifespan` watches, and `close` ends what pages listen to.

    Args:
        directory: The author's folder.
        tell: Takes what a page has told, a line at a time.
        watch: How the folder is watched.
    """

    def __init__(self, directory: Path, tell: Callable[[str], None], *, watch: Watch = watched) -> None:
        self._directory = directory.resolve()
        self._watch = watch
        self._say = tell
        self._told = Told(tell)
        self._server = secrets.token_hex(4)
        self._number = 0
        self._changes: dict[str, int] = {}
        self._asked: set[str] = {"/index.html"}  # also what any route of the page's own router gets
        self._turn = asyncio.Event()
        self._is_over = False

    @property
    def revision(self) -> str:
        """What is served now: another one after each change, and of each server."""
        return f"{self._server}.{self._number}"

    def routes(self, library: Path) -> list[Route]:
        """What is served beside the folder and the library, in front of both."""

        async def entry(request: Request) -> Response:
            return self._entry(library / "webtools.js", request)

        return [
            Route("/webtools/webtools.js", entry),
            Route("/webtools/live.js", _module),
            Route("/webtools/live/events", self._events),
            Route("/webtools/live/changes", self._changed),
            Route("/webtools/live/told", self._tell, methods=["POST"]),
        ]

    def noting(self, site: "ASGIApp") -> "ASGIApp":
        """Note what is asked for of the folder: changes of other files concern no page."""

        async def noted(scope: "Scope", receive: "Receive", send: "Send") -> None:
            path = scope["path"]
            if len(self._asked) < _MOST_ASKED:
                self._asked.add(f"{path}index.html" if path.endswith("/") else path)
            await site(scope, receive, send)

        return noted

    @asynccontextmanager
    async def lifespan(self, _: "Starlette") -> AsyncIterator[None]:
        """Watch the folder while the server runs."""
        watching = asyncio.create_task(self._follow())
        try:
            yield
        finally:
            watching.cancel()
            with suppress(asyncio.CancelledError):
                await watching

    def close(self) -> None:
        """End all streams, which would keep the server from ending."""
        self._is_over = True
        self._wake()

    async def _follow(self) -> None:
        try:
            async for paths in self._watch(self._directory):
                self._note(paths)
        except (OSError, RuntimeError) as error:  # as where the system watches too many files already
            self._say(plain(f"problem: pages do not follow the folder, which cannot be watched: {error}"))

    def _note(self, paths: Iterable[Path]) -> None:
        seen = {path.relative_to(self._directory).as_posix(): path for path in paths}
        asked = {file: path for file, path in seen.items() if f"/{file}" in self._asked}
        for file, path in asked.items():
            if not path.exists():
                self._say(plain(f"problem: {file} is gone; open pages keep the one before"))
        saved = [file for file, path in asked.items() if path.is_file()]
        if saved:
            self._number += 1
            self._changes.update(dict.fromkeys(saved, self._number))
            self._wake()

    def _wake(self) -> None:
        self._turn.set()
        self._turn = asyncio.Event()

    def _entry(self, path: Path, request: Request) -> Response:
        tag = f'"{self.revision}-{path.stat().st_mtime_ns}"'
        headers = {"Cache-Control": ASK, "ETag": tag}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        loader = _LOADER.format(revision=self.revision, wait_ms=_WAIT_MS)
        return Response(path.read_bytes() + loader.encode(), media_type="text/javascript", headers=headers)

    async def _events(self, request: Request) -> Response:
        check_host(request)
        headers = {"Cache-Control": "no-store"}
        return StreamingResponse(self._pokes(), media_type="text/event-stream", headers=headers)

    async def _pokes(self) -> AsyncIterator[str]:
        """Poke at first, too: the page may have missed one while it was not connected."""
        yield f"retry: {_RETRY_MS}\n\n"
        sent = ""
        while not self._is_over:
            turn, revision = self._turn, self.revision
            yield f"data: {revision}\n\n" if revision != sent else ":\n\n"
            sent = revision
            with suppress(TimeoutError):
                await asyncio.wait_for(turn.wait(), _HEARTBEAT)

    async def _changed(self, request: Request) -> Response:
        check_host(request)
        server, _, number = request.query_params.get("since", "").partition(".")
        is_ours = server == self._server and number.isdecimal()
        files = (
            [file for file, changed in self._changes.items() if changed > int(number)] if is_ours else None
        )
        headers = {"Cache-Control": "no-store"}
        return JSONResponse({"revision": self.revision, "files": files}, headers=headers)

    async def _tell(self, request: Request) -> Response:
        check_host(request)
        check_origin(request)
        try:
            self._told.take(await read_told(request))
        except ValueError as error:
            raise HTTPException(400) from error
        return Response(status_code=204)


async def _module(_: Request) -> Response:
    return FileResponse(_MODULE, media_type="text/javascript", headers={"Cache-Control": ASK})
