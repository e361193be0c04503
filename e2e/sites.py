"""Serve a folder for a test, as `webtools serve` does, on a free port."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from webtools.cli.authored.dependencies import dependencies_of
from webtools.cli.runtime.assembling import ensure_runtime
from webtools.cli.runtime.compressed import compress_ahead
from webtools.cli.serving.listening import listen, url_of
from webtools.cli.serving.live import Live
from webtools.cli.serving.server import Server, application
from webtools.cli.sources.installation import SOURCE
from webtools.cli.sources.library import ensure_library, ensure_micropip
from webtools.cli.terminal.problems import report_to_stderr

STRICT_CSP = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
"""Nothing less is needed: no HTML, script or URL of a script is made of a text, not even by a policy."""

NO_WASM_CSP = STRICT_CSP.replace(" 'wasm-unsafe-eval'", "")

REPORTS = "/violations-of-the-policy"

Wrapper = Callable[[ASGIApp], ASGIApp]

put_together = cache(ensure_library)
"""The modules do not change in a run of the tests."""


def with_header(name: str, value: str) -> Wrapper:
    """Send this header with everything."""

    def wrap(app: ASGIApp) -> ASGIApp:
        async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
            async def send_with_header(message: Message) -> None:
                if message["type"] == "http.response.start":
                    message["headers"] = [*message["headers"], (name.encode(), value.encode())]
                await send(message)

            await app(scope, receive, send_with_header)

        return wrapped

    return wrap


violations: list[str] = []
"""What browsers have reported of sites under a policy; a test that means to violate one takes it away."""


def with_csp(policy: str) -> Wrapper:
    """Send this Content-Security-Policy with everything, and note what browsers report of it."""

    def wrap(app: ASGIApp) -> ASGIApp:
        strict = with_header("content-security-policy", f"{policy}; report-uri {REPORTS}")(app)

        async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "http" or scope["path"] != REPORTS:
                return await strict(scope, receive, send)
            violations.append((await Request(scope, receive).body()).decode("utf-8", "replace"))
            return await Response(status_code=204)(scope, receive, send)

        return wrapped

    return wrap


def isolated(app: ASGIApp) -> ASGIApp:
    """Isolate the pages from other origins, which gives them clocks of 5 µs instead of 100."""
    app = with_header("cross-origin-opener-policy", "same-origin")(app)
    return with_header("cross-origin-embedder-policy", "require-corp")(app)


@contextmanager
def serving(
    directory: Path,
    wrap: Wrapper = lambda app: app,
    *,
    is_compressed: bool = False,
    library: Path | None = None,
    told: list[str] | None = None,
    context: ssl.SSLContext | None = None,
) -> Iterator[str]:
    """Serve the folder while the block runs; gives the URL, which ends with a slash.

    Args:
        directory: The folder.
        wrap: Put around the application.
        is_compressed: As for other machines.
        library: Other modules than those that `webtools serve` gives.
        told: Takes what pages tell, which follow the folder then.
        context: Has a certificate, for HTTPS.
    """
    runtime = ensure_runtime(more=dependencies_of(directory, SOURCE, report_to_stderr))
    micropip = ensure_micropip(SOURCE, report_to_stderr)
    library = library or put_together()
    compressed = compress_ahead(runtime, library, SOURCE.cache) if is_compressed else None
    live = None if told is None else Live(directory, told.append)
    app = wrap(
        application(
            directory,
            library=library,
            runtime=runtime,
            micropip=micropip,
            compressed=compressed,
            live=live,
        )
    )
    with serving_app(app, on_stop=live.close if live else lambda: None, context=context) as url:
        yield url


@contextmanager
def serving_app(
    app: ASGIApp, *, on_stop: Callable[[], None] = lambda: None, context: ssl.SSLContext | None = None
) -> Iterator[str]:
    """Run a server for an application while the block runs; gives its URL, which ends with a slash."""
    with listen("127.0.0.1", 0) as listener:
        server = Server(app, on_stop=on_stop, context=context)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield url_of(listener)
        finally:
            server.should_exit = True
            thread.join()
