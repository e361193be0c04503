"""What is compiled, and what is taken from the cache."""

from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from tests.unit.cli.made_up import INFO, quiet
from webtools.cli import bytecode
from webtools.cli.bytecode import Compiler
from webtools.cli.problems import CommandProblem


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


@pytest.fixture
def pyodide(monkeypatch: pytest.MonkeyPatch) -> Pyodide:
    pyodide = Pyodide()
    monkeypatch.setattr(bytecode, "call_in_pyodide", pyodide)
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
    return Compiler(tmp_path / "build" / "bytecode", tmp_path, info, quiet)


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


def test_only_what_has_changed_is_made_anew_and_the_old_is_removed(
    pyodide: Pyodide, stdlib: Path, wheel: Path, tmp_path: Path
) -> None:
    _, (old,) = compiler(tmp_path).compiled(stdlib, [wheel])
    made(wheel, "other")
    it = compiler(tmp_path)
    whole, (new,) = it.compiled(stdlib, [wheel])
    it.close()
    assert pyodide.calls[2:] == [("precompile", wheel.name)]
    assert new.read_text().startswith("precompile other")
    assert sorted(files(tmp_path / "build")) == sorted([whole, new])
    assert not old.exists()


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
