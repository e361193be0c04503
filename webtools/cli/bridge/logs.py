"""What the bridge tells the person, on standard error: no arguments, no answers, and of a URL no secrets."""

from __future__ import annotations

import asyncio
import logging
from typing import Any
from urllib.parse import urlsplit

__all__ = ["log", "origin_of", "shown", "to_stderr"]

log = logging.getLogger("webtools.bridge")

_DEFAULT_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443}


def origin_of(url: str) -> str:
    """Give the origin of a URL, as browsers write it.

    Raises:
        ValueError: It has none.
    """
    parts = urlsplit(url)
    host = parts.hostname
    if not host or parts.scheme not in _DEFAULT_PORTS:
        raise ValueError("no http or https URL")
    host = f"[{host}]" if ":" in host else host.encode("idna").decode()
    port = parts.port
    return f"{parts.scheme}://{host}" + (
        f":{port}" if port not in (None, _DEFAULT_PORTS[parts.scheme]) else ""
    )


def shown(url: str) -> str:
    """A URL for people: user, password, query and fragment may be secrets."""
    return f"{origin_of(url)}{urlsplit(url).path}"


def to_stderr() -> None:
    """Have the log on standard error, and nobody else's: other libraries log what they were called with."""
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("webtools bridge: %(message)s"))
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    log.propagate = False
    logging.getLogger().addHandler(logging.NullHandler())


def tell_fault(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Take a fault that nothing else has, for an event loop; its text may have a URL in it."""
    kind = type(context.get("exception")).__name__
    log.error("A fault of the bridge's own (%s); please report it", kind)
