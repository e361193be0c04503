"""Use an installed wheel without Node, without a network: `python -m release.offline PYTHON`.

PYTHON is that of the environment in which it is installed.
"""

import contextlib
import fcntl
import socket
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from playwright.sync_api import sync_playwright

from e2e.chromium import ARGS, NATIVE, ensure

_SIOCSIFFLAGS, _IFF_UP = 0x8914, 1
_CALL = "webtools.call('search_products', { query: 'kettle' })"


def main(python: Path) -> None:
    """Serve the example, have a browser make a call, and look at what was written where."""
    webtools = python.with_name("webtools")
    before = _files(python.parents[1])
    with tempfile.TemporaryDirectory(prefix="webtools-nobody-") as home:
        env = {"PATH": home, "HOME": home, "PIP_NO_INDEX": "1", "PYTHONDONTWRITEBYTECODE": "1"}
        with _serving(webtools, home, env) as url:
            answer, hosts = _call(url)
        assert answer["structuredContent"], answer
        assert hosts == {url.split("/")[2]}, hosts
        app = Path(home) / "app.py"
        app.write_text("")
        said = subprocess.run(
            [webtools, "manifest", app], env=env, check=False, capture_output=True, text=True
        ).stderr
        assert said.startswith("error: Node.js 20 or newer is missing; install it"), said
        assert [path.name for path in Path(home).iterdir()] == ["app.py"]
    assert _files(python.parents[1]) == before, "something was written into the environment"
    print("webtools serve examples/shop answers a browser, without Node and without a network.")


@contextlib.contextmanager
def _serving(webtools: Path, folder: str, env: Mapping[str, str]) -> Iterator[str]:
    command = [str(webtools), "serve", "examples/shop", "--port", "0"]
    with subprocess.Popen(command, cwd=folder, env=env, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout
            yield server.stdout.readline().split()[-1]
        finally:
            server.terminate()


def _call(url: str) -> tuple[dict[str, object], set[str]]:
    """Give the answer, and the hosts that the page has asked."""
    hosts: set[str] = set()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=ensure(), args=[*ARGS, *NATIVE])
        page = browser.new_page()
        page.on("request", lambda request: hosts.add(request.url.split("/")[2]))
        page.goto(url)
        answer: dict[str, object] = page.evaluate(_CALL)
        browser.close()
    return answer, hosts


def _files(folder: Path) -> dict[str, tuple[int, int]]:
    return {
        str(path): (path.stat().st_size, path.stat().st_mtime_ns)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def _lift_loopback() -> None:
    """Have 127.0.0.1, which a machine without a network does not have from the start."""
    with socket.socket() as any_socket, contextlib.suppress(OSError):
        fcntl.ioctl(any_socket, _SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", _IFF_UP))


if __name__ == "__main__":
    _lift_loopback()
    main(Path(sys.argv[1]))
