"""What is compressed ahead, and what is taken from the cache."""

import gzip
import os
import random
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from threading import Event

import brotli
import pytest

from tests.unit.cli.made_up import quiet
from webtools.cli.files import compressing
from webtools.cli.files.compressing import SUFFIXES, Compressor, Encoding, compress, is_worth_it

TEXT = b"All work and no play makes a text that compresses well. " * 100
NOISE = random.Random(1).randbytes(5000)
UNPACK = {"br": brotli.decompress, "gzip": gzip.decompress}


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "build" / "compressed"


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "text.txt"
    path.write_bytes(TEXT)
    return path


@pytest.mark.parametrize("best", [True, False])
@pytest.mark.parametrize("encoding", ["br", "gzip"])
def test_what_is_compressed_can_be_read_again_and_is_always_the_same(encoding: Encoding, best: bool) -> None:
    content = TEXT * 400  # more than one piece
    made = compress(content, encoding, best=best)
    assert UNPACK[encoding](made) == content
    assert compress(content, encoding, best=best) == made
    assert len(compress(content, encoding, best=True)) <= len(made) < len(content) / 10


@pytest.mark.parametrize(
    ("content", "is_worth"),
    [(TEXT, True), (TEXT[:255], False), (b"", False), (NOISE, False), (NOISE + TEXT, True)],
    ids=["text", "short", "empty", "noise", "half"],
)
def test_what_saves_nothing_is_left_as_it_is(content: bytes, is_worth: bool) -> None:
    assert is_worth_it(content) is is_worth


def test_each_file_is_compressed_in_both_ways_the_better_one_first(cache: Path, text: Path) -> None:
    found = Compressor(cache, quiet, best=True).variants([text])
    assert list(found[text]) == ["br", "gzip"]
    for encoding, path in found[text].items():
        assert path.name.endswith(SUFFIXES[encoding])
        assert UNPACK[encoding](path.read_bytes()) == TEXT


def test_a_file_that_does_not_compress_has_no_variants(cache: Path, text: Path, tmp_path: Path) -> None:
    noise = tmp_path / "noise.bin"
    noise.write_bytes(NOISE)
    found = Compressor(cache, quiet, best=False).variants([noise, text])
    assert (found[noise], len(found[text])) == ({}, 2)


def test_a_second_time_nothing_is_compressed(cache: Path, text: Path) -> None:
    first = Compressor(cache, quiet, best=False).variants([text])
    assert Compressor(cache, pytest.fail, best=False).variants([text]) == first


@pytest.mark.parametrize(("slow", "said"), [(100, "Compressing (minutes, once) …"), (10**6, "Compressing …")])
def test_minutes_are_spoken_of_only_where_there_is_much_to_compress(
    cache: Path, text: Path, monkeypatch: pytest.MonkeyPatch, slow: int, said: str
) -> None:
    monkeypatch.setattr(compressing, "_SLOW", slow)
    lines: list[str] = []
    Compressor(cache, lines.append, best=True).variants([text])
    assert lines == [said]


def test_a_damaged_one_is_made_anew(cache: Path, text: Path) -> None:
    good = Compressor(cache, quiet, best=False).variants([text])[text]["br"].read_bytes()
    for damaged in (good[:-1], b"", good + b"x"):
        for path in cache.iterdir():
            path.write_bytes(damaged)
        (found,) = Compressor(cache, quiet, best=False).variants([text]).values()
        assert {UNPACK[encoding](path.read_bytes()) for encoding, path in found.items()} == {TEXT}


def test_a_changed_file_is_compressed_anew_and_the_old_is_removed(cache: Path, text: Path) -> None:
    Compressor(cache, quiet, best=False).variants([text])
    text.write_bytes(TEXT.upper())
    compressor = Compressor(cache, quiet, best=False)
    found = compressor.variants([text])[text]
    compressor.close()
    assert brotli.decompress(found["br"].read_bytes()) == TEXT.upper()
    assert set(cache.iterdir()) == set(found.values())


def test_an_interrupt_leaves_nothing_half_made(
    cache: Path, text: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(self: Path, target: Path) -> Path:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        Compressor(cache, quiet, best=False).variants([text])
    assert list(cache.parent.rglob("*")) == [cache]


def test_after_an_interrupt_no_other_file_is_begun(
    cache: Path, text: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_over, begun = Event(), list[bytes]()

    def interrupted(self: object) -> None:
        raise KeyboardInterrupt

    def endless(content: bytes, *_: object) -> Iterator[bytes]:
        begun.append(content)
        assert is_over.wait(10)
        yield b""

    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    monkeypatch.setattr(compressing, "Event", lambda: is_over)
    monkeypatch.setattr(compressing, "_compressed", endless)
    monkeypatch.setattr(Future, "result", interrupted)
    with pytest.raises(KeyboardInterrupt):
        Compressor(cache, quiet, best=False).variants([text])
    assert len(begun) <= 1  # of two ways
