"""Files compressed ahead, with brotli and with gzip, so that nobody compresses them while a page waits."""

import hashlib
import os
import tempfile
import zlib
from collections.abc import Collection, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Literal

import brotli

from webtools.cli.terminal.problems import Report
from webtools.cli.terminal.working import in_parts

__all__ = ["SUFFIXES", "Compressor", "Encoding", "Variants", "compress", "is_worth_it"]

Encoding = Literal["br", "gzip"]
"""A name of HTTP's, for `Content-Encoding`."""

Variants = Mapping[Encoding, Path]
"""Where a file lies compressed; empty where compressing it saves too little."""

SUFFIXES: Mapping[Encoding, str] = {"br": ".br", "gzip": ".gz"}
"""What is put after a file's name, as nginx, Caddy and others look for it. The better one comes first."""

_PIECE = 1 << 20
_SAMPLE = 1 << 18
_LEAST = 256
"""Bytes; of fewer the headers cost as much as is saved."""
_DIGITS = 32
_SLOW = 15_000_000
"""Bytes, which take a minute or so as well as can be."""


def compress(content: bytes, encoding: Encoding, *, best: bool) -> bytes:
    """Compress, quickly or as well as can be (brotli takes four seconds for a million bytes then)."""
    return b"".join(_compressed(content, encoding, best))


def _compressed(content: bytes, encoding: Encoding, best: bool) -> Iterator[bytes]:
    """Compress piece by piece; the same content gives the same bytes."""
    pieces = (content[start : start + _PIECE] for start in range(0, len(content), _PIECE))
    if encoding == "br":
        to_brotli = brotli.Compressor(quality=11, lgwin=24) if best else brotli.Compressor(quality=5)
        yield from map(to_brotli.process, pieces)
        yield to_brotli.finish()
    else:
        to_gzip = zlib.compressobj(9 if best else 6, wbits=31)  # 31: gzip's format, with no date in it
        yield from map(to_gzip.compress, pieces)
        yield to_gzip.flush()


def is_worth_it(content: bytes) -> bool:
    """Tell whether compressing saves a tenth or more, by a piece from the middle."""
    start = max(0, (len(content) - _SAMPLE) // 2)
    sample = content[start : start + _SAMPLE]
    return len(content) >= _LEAST and len(zlib.compress(sample, 1)) <= 0.9 * len(sample)


class Compressor:
    """Compresses files, and keeps what it has made.

    What is kept has two hashes in its name, of the file and of itself. So what is of an older file, or
    damaged, is not taken for it.

    Args:
        cache: A folder that outlives the files; `close` removes from it what was not asked for.
        report: Told before something slow.
        best: Whether to take the time for the smallest.
    """

    def __init__(self, cache: Path, report: Report, *, best: bool) -> None:
        self._cache = cache
        self._report = report
        self._best = best
        self._wanted: set[Path] = set()
        cache.mkdir(parents=True, exist_ok=True)

    def variants(self, files: Collection[Path]) -> dict[Path, Variants]:
        """Give for each file where it lies compressed; an interrupt leaves nothing half-made."""
        found: dict[Path, dict[Encoding, Path]] = {file: {} for file in files}
        missing: list[tuple[Path, Encoding]] = []
        for file in files:
            content = file.read_bytes()
            for encoding in SUFFIXES if is_worth_it(content) else ():
                if kept := self._kept(content, encoding):
                    found[file][encoding] = kept
                else:
                    missing.append((file, encoding))
        for (file, encoding), made in zip(missing, self._make_all(missing), strict=True):
            found[file][encoding] = made
        self._wanted.update(path for each in found.values() for path in each.values())
        return {file: dict(sorted(each.items())) for file, each in found.items()}

    def close(self) -> None:
        """Remove what nobody has asked for."""
        for old in self._cache.iterdir():
            if old not in self._wanted:
                old.unlink()

    def _kept(self, content: bytes, encoding: Encoding) -> Path | None:
        for path in self._cache.glob(f"{_digest(content)}-*{SUFFIXES[encoding]}"):
            if path.name == _name(content, path.read_bytes(), encoding):
                return path
        return None

    def _make_all(self, missing: Collection[tuple[Path, Encoding]]) -> list[Path]:
        if not missing:
            return []
        is_slow = self._best and sum(file.stat().st_size for file, _ in missing) > _SLOW
        line = "Compressing (minutes, once) …" if is_slow else "Compressing …"
        on_done = in_parts(self._report, line, len(missing))
        is_over = Event()
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            made = [pool.submit(self._make, file, encoding, is_over) for file, encoding in missing]
            for each in made:
                each.add_done_callback(lambda _: on_done())
            try:
                return [each.result() for each in made]
            finally:
                is_over.set()  # an interrupt need not wait for the rest

    def _make(self, file: Path, encoding: Encoding, is_over: Event) -> Path:
        if is_over.is_set():
            raise InterruptedError
        content = file.read_bytes()
        pieces: list[bytes] = []
        for piece in _compressed(content, encoding, self._best):
            if is_over.is_set():
                raise InterruptedError
            pieces.append(piece)
        made = b"".join(pieces)
        with tempfile.TemporaryDirectory(dir=self._cache.parent, prefix="compress-") as scratch:
            fresh = Path(scratch) / "fresh"
            fresh.write_bytes(made)
            return fresh.replace(self._cache / _name(content, made, encoding))


def _name(content: bytes, made: bytes, encoding: Encoding) -> str:
    return f"{_digest(content)}-{_digest(made)}{SUFFIXES[encoding]}"


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:_DIGITS]
