"""Nothing in the tests' browsers asks another machine: what is not for this one goes to a proxy that refuses.

The proxy is below everything that a page can do: frames, workers, service workers, sockets, beacons and what
a browser asks for itself. What a test answers in the network's place, by `page.route`, never comes so far.
Other ports of this machine are other origins, too, and some tests are about them: those are asked as ever.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Lock, Thread
from urllib.parse import urlsplit

OWN = ("google.com", "googleapis.com", "gvt1.com")
"""Whom Chromium asks of its own accord, for updates and accounts: that is refused, and nothing of ours."""


class Strangers(ThreadingTCPServer):
    """The proxy, which notes who was asked: `GET http://shop.example/`, `CONNECT shop.example:443`."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Refusal)
        self._lock = Lock()
        self._asked: list[str] = []

    @property
    def flags(self) -> list[str]:
        """Makes a browser send everything here that is not for this machine, also what WebRTC sends."""
        port = self.server_address[1]
        return [
            f"--proxy-server=http://127.0.0.1:{port}",
            "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
        ]

    def note(self, asked: str) -> None:
        """Somebody was asked."""
        url = asked.partition(" ")[2]
        host = urlsplit(url if "//" in url else f"//{url}").hostname or ""
        if host.endswith(OWN):
            return
        with self._lock:
            self._asked.append(asked)

    def take(self) -> list[str]:
        """Give who was asked since this was called last."""
        with self._lock:
            asked, self._asked = self._asked, []
        return asked


class _Refusal(StreamRequestHandler):
    server: Strangers
    timeout = 10

    def handle(self) -> None:
        line = self.rfile.readline(10_000).decode("ascii", "replace")
        method, _, rest = line.partition(" ")
        if rest:  # a browser may open a connection in advance, and ask nothing
            self.server.note(f"{method} {rest.rpartition(' ')[0]}")
            self.wfile.write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")


@contextmanager
def strangers_refused() -> Iterator[Strangers]:
    """Run the proxy while the block runs."""
    with Strangers() as proxy:
        thread = Thread(target=proxy.serve_forever, daemon=True)
        thread.start()
        try:
            yield proxy
        finally:
            proxy.shutdown()
            thread.join()
