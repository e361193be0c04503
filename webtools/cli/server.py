"""What `webtools serve` serves, and how: an author's folder, and the library and the runtime beside it."""

import mimetypes
import os
import socket
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, Response
from starlette.routing import Mount
from starlette.staticfiles import NotModifiedResponse, PathLike, StaticFiles
from starlette.types import ASGIApp, Scope

from webtools.cli.folder import INDEX
from webtools.cli.index import FOLDER, index_routes
from webtools.cli.problems import CommandProblem

__all__ = ["application", "listen", "run", "url_of"]

# Not the machine's mime.types, which may say anything: a module of the wrong type does not run at all.
_MEDIA_TYPES = mimetypes.MimeTypes()
for _suffix, _type in {
    ".css": "text/css",
    ".js": "text/javascript",
    ".json": "application/json",
    ".mjs": "text/javascript",
    ".py": "text/x-python",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
    ".whl": "application/zip",
    ".zip": "application/zip",
}.items():
    _MEDIA_TYPES.add_type(_type, _suffix)


def application(directory: Path, *, library: Path, runtime: Path, micropip: Path) -> Starlette:
    """Make the ASGI application; it reads files when they are asked for, and keeps nothing.

    Args:
        directory: The author's folder, at `/`.
        library: The folder whose modules are at `/webtools/`; its subfolders are not served.
        runtime: What `ensure_runtime` gave, at `/webtools/runtime/`.
        micropip: What `ensure_micropip` gave, at `/webtools/packages/`, where the index is of the wheels that
            the author has in `wheels`.
    """
    wheels = directory / FOLDER
    return Starlette(
        routes=[
            Mount("/webtools/runtime", _Runtime(directory=runtime)),
            Mount("/webtools/packages", routes=index_routes(wheels, micropip)),
            Mount("/webtools", _Modules(directory=library)),
            Mount("/", _Site(directory=directory, html=True)),
        ]
    )


def listen(host: str, port: int) -> socket.socket:
    """Open the listening socket; port 0 takes any free one. The caller closes it, or hands it to `run`.

    Raises:
        CommandProblem: The port is taken, or not ours to take.
    """
    if not host:
        raise CommandProblem("An empty host would be every address; name one with --host, such as 127.0.0.1")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except socket.gaierror as error:
        raise CommandProblem(f"There is no host {host!r} here; choose another with --host") from error
    except OSError as error:
        problem = str(error.strerror).partition(" (while")[0]  # what follows there is for programmers
        raise CommandProblem(
            f"Cannot listen on port {port} of {host} ({problem}); "
            "choose another with --port, or any free one with: --port 0"
        ) from error


def url_of(listener: socket.socket) -> str:
    """Give the URL of a listening socket, with its real port."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}/" if listener.family == socket.AF_INET6 else f"http://{host}:{port}/"


def run(app: ASGIApp, listener: socket.socket) -> None:
    """Serve until SIGINT or SIGTERM, then close the socket."""
    # A page that keeps a connection open must not keep the server from ending.
    config = uvicorn.Config(app, log_level="warning", lifespan="off", timeout_graceful_shutdown=1)
    uvicorn.Server(config).run(sockets=[listener])


class _Files(StaticFiles):
    """Files of one folder, none hidden and none from outside it, for a browser that asks anew each time."""

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
            headers={"Cache-Control": self._kept(full_path)},
            media_type=_media_type(full_path),
            stat_result=stat_result,
        )
        if self.is_not_modified(response.headers, Headers(scope=scope)):
            return NotModifiedResponse(response.headers)
        return response

    def _kept(self, _: PathLike) -> str:
        """How long a browser may keep a file without asking anew."""
        return "no-cache"


class _Runtime(_Files):
    """Files that never change under their names, but for the index."""

    def _kept(self, path: PathLike) -> str:
        is_index = Path(os.fspath(path)).name == INDEX
        return super()._kept(path) if is_index else "public, max-age=31536000, immutable"


class _Modules(_Files):
    """The library's own modules; what lies in folders below them is the demo's."""

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        is_module = path.endswith(".js") and os.sep not in path
        return super().lookup_path(path) if is_module else ("", None)


class _Site(_Files):
    """An author's folder. Routes of the page's own router get the page, so that they survive a reload."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        try:
            return await self._found(path, scope)
        except HTTPException as problem:
            if problem.status_code != 404 or not _is_navigation(scope):
                raise
            return await self._found("index.html", scope)

    async def _found(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        if response.status_code == 404:  # Starlette's way with an author's 404.html
            raise HTTPException(404)
        return response


def _is_navigation(scope: Scope) -> bool:
    path = scope["path"]
    names_a_file = "." in path.rpartition("/")[2] or "/." in path
    return "text/html" in Headers(scope=scope).get("accept", "") and not names_a_file


def _media_type(path: PathLike) -> str:
    return _MEDIA_TYPES.guess_type(os.fspath(path))[0] or "application/octet-stream"
