"""Tests ask no other machine: what Python would send elsewhere is refused, and fails the test.

It hears of what this process does with sockets, not of programs that it runs, and holds for its life.
"""

from __future__ import annotations

import os
import socket
import sys
from ipaddress import ip_address

LOCAL = frozenset({"localhost", "", None})
"""Names that need no other machine; the empty ones are every address of this one."""

asked: list[str] = []
"""What was to be asked elsewhere, for whoever must not overlook what code under test has caught."""


class AskedElsewhere(OSError):
    """A test was about to ask another machine."""


def keep() -> None:
    """Refuse it from now on."""
    sys.addaudithook(_hear)


def _hear(event: str, details: tuple[object, ...]) -> None:
    if event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
        if event == "socket.connect" and getattr(details[0], "type", None) == socket.SOCK_DGRAM:
            return  # sends nothing; it only chooses one of this machine's own addresses
        target = details[1]
    elif event in ("socket.getaddrinfo", "socket.gethostbyname"):
        target = (details[0],)
    else:
        return
    # an address of another kind is a file or a pipe of this machine
    if isinstance(target, tuple) and not _is_local(target[0]):
        asked.append(f"{os.environ.get('PYTEST_CURRENT_TEST')}: {event} {target}")
        raise AskedElsewhere(f"a test must not ask another machine: {event} {target}")


def _is_local(host: object) -> bool:
    name = host.decode("ascii", "replace") if isinstance(host, bytes) else host
    if name in LOCAL:
        return True
    try:
        address = ip_address(str(name).partition("%")[0])
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified
