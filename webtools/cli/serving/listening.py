"""The socket that a server listens on, and the URL that leads there."""

import errno
import socket
from ipaddress import ip_address

from webtools.cli.terminal.problems import CommandProblem

__all__ = ["is_for_this_machine", "listen", "url_at", "url_of"]

_NOT_HERE = frozenset({errno.EADDRNOTAVAIL, socket.EAI_NONAME, socket.EAI_AGAIN, socket.EAI_FAIL})
"""Error numbers for a host that is another machine's, or nobody's; `create_server` keeps no more of them."""


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
