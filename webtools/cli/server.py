"""What `webtools serve` serves, and how: an author's folder, and the library and the runtime beside it."""

import errno
import os
import socket
import ssl
from collections.abc import Callable, Mapping, Sequence
from ipaddress import ip_address
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import NotModifiedResponse, PathLike, StaticFiles
from starlette.types import ASGIApp, Scope

from webtools.cli.compressing import SUFFIXES, Encoding, Variants, compress
from webtools.cli.encodings import accepted
from webtools.cli.folder import INDEX
from webtools.cli.headers import ASK, FOR_EVER
from webtools.cli.index import FOLDER, index_routes
from webtools.cli.local import only_by_local_names
from webtools.cli.media_types import media_type
from webtools.cli.problems import CommandProblem
from webtools.cli.serving.live import Live

__all__ = ["Server", "application", "is_for_this_machine", "listen", "run", "url_at", "url_of"]

_TEXTS = frozenset({".css", ".html", ".js", ".json", ".mjs", ".py", ".svg"})
"""What is compressed when it is asked for, up to this size, which takes some milliseconds."""
_TEXT_BYTES = 1_000_000
_ICON = "favicon.ico"
_SAME_HEADERS = ("cache-control", "content-encoding", "content-type", "etag", "last-modified", "vary")
"""Of a file as it is, and compressed."""


_NOT_HERE = frozenset({errno.EADDRNOTAVAIL, socket.EAI_NONAME, socket.EAI_AGAIN, socket.EAI_FAIL})
"""Error numbers for a host that is another machine's, or nobody's; `create_server` keeps no more of them."""


def application(
    directory: Path,
    *,
    library: Path,
    runtime: Path,
    micropip: Path,
    compressed: Mapping[Path, Variants] | None = None,
    live: Live | None = None,
    more: Sequence[Route] = (),
) -> Starlette:
    """Make the ASGI application; it reads files when they are asked for, and keeps nothing.

    Args:
        directory: The author's folder, at `/`.
        library: What `ensure_library` gave, at `/webtools/`.
        runtime: What `ensure_runtime` gave, at `/webtools/runtime/`.
        micropip: What `ensure_micropip` gave, at `/webtools/packages/`, where the index is of the wheels that
            the author has in `wheels`.
        live: Has pages follow the folder; by default none does.
        more: Served in front of all else.
        compressed: What `compress_ahead` gave; other texts are compressed then, too, when they are asked
            for. By default everything is sent as it is.
    """
    places: list[tuple[str, _Files]] = [
        ("/webtools/runtime", _Runtime(directory=runtime)),
        ("/webtools", _Modules(directory=library)),
        ("/", _Site(directory=directory, html=True)),
    ]
    for _, files in places:
        files.compressed = compressed
    index = Mount("/webtools/packages", routes=index_routes(directory / FOLDER, micropip))
    of_live = live.routes(library) if live else []
    mounts = [Mount(path, live.noting(files) if live and path == "/" else files) for path, files in places]
    return Starlette(routes=[*more, *of_live, index, *mounts], lifespan=live.lifespan if live else None)


def listen(host: str, port: int, *, option: str = "--port") -> socket.socket:
    """Open the listening socket; port 0 takes any free one. The caller closes it, or hands it to `run`.

    Args:
        host: The address.
        port: The port.
        option: The command's for the port.

    Raises:
        CommandProblem: The port is taken, or not ours to take.
    """
    if not host:
        raise CommandProblem("An empty host would be every address; name one with --host, such as 127.0.0.1")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family)
    except (OSError, UnicodeError) as error:
        if isinstance(error, UnicodeError) or error.errno in _NOT_HERE:
            raise CommandProblem(f"There is no host {host!r} here; choose another with --host") from error
        problem = str(error.strerror).partition(" (while")[0]  # what follows there is for programmers
        raise CommandProblem(
            f"Cannot listen on port {port} of {host} ({problem}); "
            f"choose another with {option}, or any free one with: {option} 0"
        ) from error
    # Connections inherit it. uvicorn writes a response's head and body apart, and without it the body waits
    # for the browser's delayed acknowledgement of the head: 40 ms for each small file.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def is_for_this_machine(listener: socket.socket) -> bool:
    """Tell whether nobody else can reach a listening socket."""
    return ip_address(listener.getsockname()[0]).is_loopback


def url_of(listener: socket.socket) -> str:
    """Give the URL of a listening socket, with its real port."""
    return url_at(*listener.getsockname()[:2])


def url_at(host: str, port: int, scheme: str = "http") -> str:
    """Give the URL of a host's name or address."""
    return f"{scheme}://[{host}]:{port}/" if ":" in host else f"{scheme}://{host}:{port}/"


def run(
    app: ASGIApp,
    listener: socket.socket,
    *,
    context: ssl.SSLContext | None = None,
    on_stop: Callable[[], None] = lambda: None,
) -> None:
    """Serve until SIGINT or SIGTERM, then close the socket.

    What only this machine can reach is served by its own names only.

    Args:
        app: What answers.
        listener: What `listen` gave.
        context: Has the certificate; without one it is plain HTTP.
        on_stop: Ends what would not end by itself.
    """
    app = only_by_local_names(app) if is_for_this_machine(listener) else app
    Server(app, context=context, on_stop=on_stop).run(sockets=[listener])


class Server(uvicorn.Server):
    """What `run` runs; `should_exit` ends it, from another thread, too."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        context: ssl.SSLContext | None = None,
        on_stop: Callable[[], None] = lambda: None,
    ) -> None:
        # A page that keeps a connection open must not keep the server from ending.
        config = uvicorn.Config(
            app,
            log_level="warning",
            lifespan="auto",
            timeout_graceful_shutdown=1,
            ssl_context_factory=(lambda *_: context) if context else None,
        )
        super().__init__(config)
        self._on_stop = on_stop

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End what would not end by itself, then everything."""
        self._on_stop()
        await super().shutdown(sockets)


class _Files(StaticFiles):
    """Files of one folder, none hidden and none from outside it, for a browser that asks anew each time."""

    compressed: Mapping[Path, Variants] | None = None
    """Those that lie compressed, by their paths; with None nothing is sent compressed."""

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        try:
            found, status = super().lookup_path(path)
        except OSError:  # a name too long, a folder that may not be read, a link to itself
            return "", None
        return (found, status) if status and not self._is_hidden(found) else ("", None)

    def _is_hidden(self, found: str) -> bool:
        parts = Path(found).relative_to(Path(str(self.directory)).resolve()).parts
        return any(part.startswith(".") for part in parts)

    def file_response(
        self, full_path: PathLike, stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        response = FileResponse(
            full_path,
            status_code,
            headers={"Cache-Control": self._kept(full_path), "ETag": _tag(stat_result)},
            media_type=media_type(full_path),
            stat_result=stat_result,
        )
        request = Headers(scope=scope)
        encoding = self._encoding(response, request)
        if self.compressed is not None:
            response.headers["Vary"] = "Accept-Encoding"
        if encoding:
            response.headers["Content-Encoding"] = encoding
            tag = response.headers["etag"].strip('"')
            response.headers["ETag"] = f'"{tag}-{encoding}"'
        if self.is_not_modified(response.headers, request):
            return NotModifiedResponse(response.headers)
        return self._encoded(response, encoding, scope) if encoding else response

    def _encoding(self, plain: FileResponse, request: Headers) -> Encoding | None:
        """Choose by what the browser takes; a range is always one of the file as it is."""
        if self.compressed is None or "range" in request:
            return None
        path = Path(plain.path)
        is_text = path.suffix in _TEXTS and int(plain.headers["content-length"]) <= _TEXT_BYTES
        offers = self.compressed.get(path) or (SUFFIXES if is_text else {})
        ways = accepted(request.get("accept-encoding", ""))
        return next((way for way in ways if way in offers), None)

    def _encoded(self, plain: FileResponse, encoding: Encoding, scope: Scope) -> Response:
        headers = {name: plain.headers[name] for name in _SAME_HEADERS}
        ahead = (self.compressed or {}).get(Path(plain.path), {}).get(encoding)
        if ahead:
            return FileResponse(ahead, headers=headers, stat_result=ahead.stat())
        content = compress(Path(plain.path).read_bytes(), encoding, best=False)
        headers["content-length"] = str(len(content))
        return Response(b"" if scope["method"] == "HEAD" else content, headers=headers)

    def _kept(self, _: PathLike) -> str:
        """How long a browser may keep a file without asking anew."""
        return ASK


class _Runtime(_Files):
    """Files that never change under their names, but for the index."""

    def _kept(self, path: PathLike) -> str:
        is_index = Path(os.fspath(path)).name == INDEX
        return super()._kept(path) if is_index else FOR_EVER


class _Modules(_Files):
    """The library's own modules, and nothing that lies beside or below them."""

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        is_module = path.endswith(".js") and os.sep not in path
        return super().lookup_path(path) if is_module else ("", None)


class _Site(_Files):
    """An author's folder. Routes of the page's own router get the page, so that they survive a reload."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        try:
            return await self._found(path, scope)
        except HTTPException as problem:
            if problem.status_code == 404 and path == _ICON:  # every browser asks, and shows an error
                return Response(status_code=204, headers={"Cache-Control": ASK})
            if problem.status_code != 404 or not _is_navigation(scope):
                raise
            return await self._found("index.html", scope)

    async def _found(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        if response.status_code == 404:  # Starlette's way with an author's 404.html
            raise HTTPException(404)
        return response


def _tag(status: os.stat_result) -> str:
    """Name what a file holds: not by size and date alone, which rsync and tar can leave as they were."""
    return f'"{status.st_size:x}-{status.st_mtime_ns:x}-{status.st_ctime_ns:x}-{status.st_ino:x}"'


def _is_navigation(scope: Scope) -> bool:
    path = scope["path"]
    names_a_file = "." in path.rpartition("/")[2] or "/." in path
    return "text/html" in Headers(scope=scope).get("accept", "") and not names_a_file
