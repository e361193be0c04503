"""Serve a folder for tests, by the command that an author uses."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import IO

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
    command = [sys.executable, "-m", "webtools", "serve", str(folder), "--port", "0", "--no-reload"]
    urls: SimpleQueue[str | None] = SimpleQueue()
    with (
        tempfile.TemporaryFile("w+", encoding="utf-8") as errors,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True) as server,
    ):
        reader = Thread(target=_read, args=(server.stdout, urls))
        reader.start()
        try:
            url = urls.get()
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
            reader.join()


def _read(lines: IO[str], urls: SimpleQueue[str | None]) -> None:
    """Read to the end, so that the server never waits for a reader; tell of URLs, and by None of the end."""
    for line in lines:
        if found := _URL.search(line):
            urls.put(found[0])
    urls.put(None)
