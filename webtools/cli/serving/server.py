"""What `webtools serve` serves, and how: an author's folder, and the library and the runtime beside it."""

import socket
import ssl
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.routing import Mount, Route
from starlette.types import ASGIApp

from webtools.cli.files.compressing import Variants
from webtools.cli.serving.files import Files, ModuleFiles, RuntimeFiles, SiteFiles
from webtools.cli.serving.listening import is_for_this_machine
from webtools.cli.serving.live import Live
from webtools.cli.serving.local import only_by_local_names
from webtools.cli.wheels.index import FOLDER, index_routes

__all__ = ["Server", "application", "run"]


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
    places: list[tuple[str, Files]] = [
        ("/webtools/runtime", RuntimeFiles(directory=runtime)),
        ("/webtools", ModuleFiles(directory=library)),
        ("/", SiteFiles(directory=directory, html=True)),
    ]
    for _, files in places:
        files.compressed = compressed
    index = Mount("/webtools/packages", routes=index_routes(directory / FOLDER, micropip))
    of_live = live.routes(library) if live else []
    mounts = [Mount(path, live.noting(files) if live and path == "/" else files) for path, files in places]
    return Starlette(routes=[*more, *of_live, index, *mounts], lifespan=live.lifespan if live else None)


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
