"""Serve a folder for tests, by the command that an author uses."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_URL = re.compile(r"https?://\S+/(?=\s)")

LAST = 5.0
"""Seconds in which the server has to end."""


class NotServed(Exception):
    """`webtools serve` has ended before it served; the message is what it said."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Run `webtools serve` on a free port while the block runs; gives the URL, which ends with a slash.

    The first run of all takes its time: what pages need is fetched and built.

    Raises:
        NotServed: It cannot serve.
    """
    command = [sys.executable, "-m", "webtools", "serve", str(folder), "--port", "0"]
    with (
        tempfile.TemporaryFile("w+", encoding="utf-8") as errors,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True) as server,
    ):
        assert server.stdout
        try:
            url = next((found[0] for line in server.stdout if (found := _URL.search(line))), None)
            if url is None:
                errors.seek(0)
                raise NotServed(f"webtools serve {folder}: {' '.join(errors.read().split())}")
            yield url
        finally:
            server.terminate()
            try:
                server.wait(LAST)
            except subprocess.TimeoutExpired:
                server.kill()
