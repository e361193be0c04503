"""What is compiled, and what is taken from the cache."""

import os
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.unit.cli.made_up import INFO, make_wheel, quiet
from webtools.cli.runtime import bytecode
from webtools.cli.runtime.bytecode import Compiler
from webtools.cli.terminal.problems import CommandProblem


class Pyodide:
    """Stands for Python under Node: writes into each target what it was asked to make of its source."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, str]] = []
        self.stops_after = 99

    def __call__(self, _: Path, name: str, calls: Iterable[Mapping[str, str]], **__: object) -> None:
        for call in calls:
            if len(self.calls) == self.stops_after:
                raise CommandProblem("Node failed")
            source = Path(call["source"])
            self.calls.append((name, source.name))
            Path(call["target"]).write_text(f"{name} {source.read_text()} for {call['folder']}")

    def snapshot(
        self,
        _: Path,
        name: str,
        keywords: Mapping[str, str],
        *,
        heap: Path,
        about: Path,
        stdlib: Path,
        pack: tuple[Path, str],
        **__: object,
    ) -> None:
        self.calls.append((name, stdlib.name))
        texts = name, keywords["imports"], stdlib.read_text(), "with", pack[0].read_text(), "in", pack[1]
        heap.write_text(" ".join(texts))
        about.write_text('{"memory": 4096}')


@pytest.fixture
def pyodide(monkeypatch: pytest.MonkeyPatch) -> Pyodide:
    pyodide = Pyodide()
    monkeypatch.setattr(bytecode, "call_in_pyodide", pyodide)
    monkeypatch.setattr(bytecode, "snapshot_in_pyodide", pyodide.snapshot)
    monkeypatch.setattr(bytecode, "seen", str)
    return pyodide


@pytest.fixture
def stdlib(tmp_path: Path) -> Path:
    return made(tmp_path / "python_stdlib.zip", "stdlib")


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    return made(tmp_path / "shop-1.0-py3-none-any.whl", "shop")


def made(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def compiler(tmp_path: Path, info: Mapping[str, str] = INFO) -> Compiler:
    library = tmp_path / "static"
    library.mkdir(exist_ok=True)
    for name in ("pack.js", "snapshot.js"):
        made(library / name, f"the page's {name}")
    return Compiler(tmp_path / "build" / "bytecode", tmp_path, library, info, quiet)


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_each_archive_is_compiled_for_the_place_where_the_page_has_it(
    pyodide: Pyodide, stdlib: Path, wheel: Path, tmp_path: Path
) -> None:
    whole, (shop,) = compiler(tmp_path).compiled(stdlib, [wheel])
    assert (whole.name, shop.name) == (stdlib.name, wheel.name)
    assert whole.read_text() == "precompile stdlib for /lib/python314.zip/"
    assert shop.read_text() == "precompile shop for /lib/python3.14/site-packages/"


def test_a_compiled_standard_library_is_trimmed(
    pyodide: Pyodide, stdlib: Path, wheel: Path, tmp_path: Path
) -> None:
    trimmed = compiler(tmp_path).trimmed(stdlib, [wheel])
    assert trimmed.name == stdlib.name
    assert trimmed.read_text() == "trim stdlib for /lib/python314.zip/"


def test_the_packages_become_one_pack(pyodide: Pyodide, tmp_path: Path) -> None:
    wheels = [make_wheel(tmp_path, "shop"), make_wheel(tmp_path, "cart")]
    pack = compiler(tmp_path).packed(wheels)
    assert pack.name == "packages.zip"
    assert {name.split("/")[0] for name in ZipFile(pack).namelist()} == {
        *("shop", "shop-1.0.dist-info", "cart", "cart-1.0.dist-info")
    }


def test_a_snapshot_is_taken_with_what_the_page_has(pyodide: Pyodide, stdlib: Path, tmp_path: Path) -> None:
    pack = made(tmp_path / "packages.zip", "packages")
    heap, about = compiler(tmp_path).snapshot(stdlib, pack, ["shop", "cart"])
    assert heap.name == "snapshot.bin"
    assert heap.read_text() == "warm shop cart stdlib with packages in /lib/python3.14/site-packages"
    assert about == {"memory": 4096}
    assert compiler(tmp_path).snapshot(stdlib, pack, ["shop", "cart"]) == (heap, about)
    assert len(pyodide.calls) == 1
    assert compiler(tmp_path).snapshot(stdlib, pack, []) != (heap, about)


@pytest.mark.parametrize("name", ["pack.js", "snapshot.js"])
def test_another_way_of_restoring_takes_another_snapshot(
    pyodide: Pyodide, stdlib: Path, tmp_path: Path, name: str
) -> None:
    pack = made(tmp_path / "packages.zip", "packages")
    compiler(tmp_path).snapshot(stdlib, pack, [])
    it = compiler(tmp_path)
    made(tmp_path / "static" / name, "another")
    it.snapshot(stdlib, pack, [])
    assert len(pyodide.calls) == 2


def test_a_second_time_nothing_is_made(pyodide: Pyodide, stdlib: Path, wheel: Path, tmp_path: Path) -> None:
    def run() -> list[Path]:
        it = compiler(tmp_path)
        whole, wheels = it.compiled(stdlib, [wheel])
        trimmed = it.trimmed(whole, wheels)
        it.close()
        return [whole, *wheels, trimmed]

    first = run()
    assert run() == first
    assert len(pyodide.calls) == 3


def test_only_what_has_changed_is_made_anew(
    pyodide: Pyodide, stdlib: Path, wheel: Path, tmp_path: Path
) -> None:
    compiler(tmp_path).compiled(stdlib, [wheel])
    made(wheel, "other")
    _, (new,) = compiler(tmp_path).compiled(stdlib, [wheel])
    assert pyodide.calls[2:] == [("precompile", wheel.name)]
    assert new.read_text().startswith("precompile other")


def test_what_nobody_has_asked_for_in_a_week_is_removed(
    pyodide: Pyodide, stdlib: Path, wheel: Path, tmp_path: Path
) -> None:
    _, (old,) = compiler(tmp_path).compiled(stdlib, [wheel])
    made(wheel, "other")
    it = compiler(tmp_path)
    whole, (new,) = it.compiled(stdlib, [wheel])
    it.close()
    assert old.exists()
    week = 7 * 86_400
    for folder in (old.parent, new.parent, whole.parent):
        os.utime(folder, times=(0, time.time() - week - 60))
    it = compiler(tmp_path)
    it.compiled(stdlib, [wheel])
    it.close()
    assert sorted(files(tmp_path / "build")) == sorted([whole, new])


def test_another_python_compiles_anew(pyodide: Pyodide, stdlib: Path, tmp_path: Path) -> None:
    compiler(tmp_path).compiled(stdlib, [])
    compiler(tmp_path, {**INFO, "python": "3.15.0"}).compiled(stdlib, [])
    assert len(pyodide.calls) == 2


def test_a_run_that_fails_half_way_leaves_nothing(
    pyodide: Pyodide, stdlib: Path, wheel: Path, tmp_path: Path
) -> None:
    pyodide.stops_after = 1
    with pytest.raises(CommandProblem):
        compiler(tmp_path).compiled(stdlib, [wheel])
    assert files(tmp_path / "build") == []
