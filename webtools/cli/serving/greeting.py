"""The first lines of `webtools serve`: where the page is, and what other devices need."""

import shlex
import socket
from collections.abc import Iterator
from ipaddress import ip_address
from pathlib import Path

from webtools.cli.serving.https import CERTIFICATE, Identity
from webtools.cli.serving.listening import url_at

__all__ = ["greeting"]


def greeting(
    directory: Path, listener: socket.socket, others: list[str], identity: Identity | None
) -> Iterator[str]:
    """Say it line by line.

    Args:
        directory: What is served.
        listener: Where.
        others: What other devices can call this machine.
        identity: Proves to them that it is this machine, over HTTPS.
    """
    scheme = "https" if identity else "http"
    host, port = listener.getsockname()[:2]
    here = "localhost" if ip_address(host).is_unspecified else host
    yield f"Serving {directory} at {url_at(here, port, scheme)}"
    if not (directory / "index.html").is_file():
        yield f"warning: {directory} has no index.html, so there is no page at /; {_instead(directory)}"
    if not others:
        if identity:
            yield "Only this machine can open it: for other devices add --host 0.0.0.0"
        return
    if not identity:
        yield "Other devices have no tools over http, which is no secure context; for these add --https"
        return
    yield f"Other devices: {' or '.join(url_at(name, port, scheme) for name in others)}"
    certificate = f"{url_at(others[0], port, scheme)}{CERTIFICATE}"
    yield f"They trust it once they have this certificate: {certificate} (here: {identity.authority})"


def _instead(directory: Path) -> str:
    """Say what may be meant: a folder in it, as in what `webtools new` makes, or another page."""
    inner = sorted(path.parent for path in directory.glob("*/index.html"))
    if inner:
        return f"there is one in {inner[0]}: webtools serve {shlex.quote(str(inner[0]))}"
    pages = sorted(path.name for path in directory.glob("*.html"))
    return f"open a page by its name, such as /{pages[0]}" if pages else "put one there"
