import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
from filelock import FileLock, Timeout

from tests.unit.cli.made_up import make_checkout, make_wheel, quiet
from webtools.cli import runtime
from webtools.cli.problems import CommandProblem
from webtools.cli.runtime import CHECKOUT, ensure_runtime

PYODIDE = {
    *("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm"),
    *("python_stdlib.zip", "python_stdlib_whole.zip"),
}


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout whose pinned wheels are one made-up wheel, fetched already."""
    pinned = [make_wheel(tmp_path / "wheels", "pydantic")]
    monkeypatch.setattr(runtime, "pinned_wheels", lambda *_: pinned)
    monkeypatch.setattr(runtime, "Compiler", Uncompiled)
    return make_checkout(tmp_path / "checkout")


class Uncompiled:
    """Stands for what compiles: the made-up Pyodide has no Python."""

    def __init__(self, cache: Path, *_: object) -> None:
        self._trimmed = cache.parent / "own" / "python_stdlib.zip"

    def compiled(self, stdlib: Path, wheels: Sequence[Path]) -> tuple[Path, list[Path]]:
        return stdlib, list(wheels)

    def trimmed(self, stdlib: Path, _: object) -> Path:
        self._trimmed.write_text(f"of {stdlib.read_text()}")
        return self._trimmed

    def close(self) -> None:
        self._trimmed.unlink()


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def own_wheels(folder: Path) -> Sequence[str]:
    return sorted(name for name in names(folder) if name.startswith("webtools_host-0.1.0-0"))


def test_the_runtime_is_pyodide_the_wheels_and_a_lock_of_exactly_these(checkout: Path) -> None:
    folder = ensure_runtime(checkout, report=quiet)
    (own,) = own_wheels(folder)
    assert names(folder) == {*PYODIDE, "pyodide-lock.json", "pydantic-1.0-py3-none-any.whl", own}
    assert set(json.loads((folder / "pyodide-lock.json").read_text())["packages"]) == {
        "pydantic",
        "webtools-host",
    }
    assert names(checkout / "build") == {"lock", "own", "runtime"}


def test_wheels_that_apps_need_have_a_runtime_of_their_own(checkout: Path, tmp_path: Path) -> None:
    plain = ensure_runtime(checkout, report=quiet)
    more = [make_wheel(tmp_path / "more", "humanize", needs=["pydantic"])]
    folder = ensure_runtime(checkout, more=more, report=quiet)
    assert folder != plain
    assert "humanize-1.0-py3-none-any.whl" in names(folder)
    assert "humanize" in json.loads((folder / "pyodide-lock.json").read_text())["packages"]
    assert "humanize-1.0-py3-none-any.whl" not in names(plain)
    assert ensure_runtime(checkout, more=more, report=pytest.fail) == folder


def test_a_second_time_changes_nothing(checkout: Path) -> None:
    folder = ensure_runtime(checkout, report=quiet)
    before = {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}
    assert ensure_runtime(checkout, report=pytest.fail) == folder
    assert {path.name: path.stat().st_mtime_ns for path in folder.iterdir()} == before


def test_a_changed_source_replaces_the_own_wheel(checkout: Path) -> None:
    before = own_wheels(ensure_runtime(checkout, report=quiet))
    (checkout / "webtools" / "__init__.py").write_text("changed = True")
    after = own_wheels(ensure_runtime(checkout, report=quiet))
    assert len(after) == 1
    assert after != before


def test_a_damaged_file_is_mended(checkout: Path) -> None:
    folder = ensure_runtime(checkout, report=quiet)
    (folder / "pyodide.mjs").write_text("half")
    ensure_runtime(checkout, report=quiet)
    assert (folder / "pyodide.mjs").read_text() == "the real pyodide.mjs"


def test_a_copy_that_is_interrupted_leaves_nothing_half_written(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(source: Path, target: Path) -> Path:
        target.write_text("half")
        raise KeyboardInterrupt

    monkeypatch.setattr(shutil, "copyfile", interrupted)
    with pytest.raises(KeyboardInterrupt):
        ensure_runtime(checkout, report=quiet)
    assert names(checkout / "build") == {"lock", "own", "runtime"}
    assert not names(checkout / "build" / "runtime") & PYODIDE


def test_another_process_waits_until_the_first_is_done(checkout: Path) -> None:
    tried: list[str] = []

    def try_at_the_same_time(line: str) -> None:
        tried.append(line)
        with pytest.raises(Timeout):
            FileLock(checkout / "build" / "lock").acquire(blocking=False)

    ensure_runtime(checkout, report=try_at_the_same_time)
    assert tried
    FileLock(checkout / "build" / "lock").acquire(blocking=False).lock.release()


def test_an_install_without_its_sources_is_told_with_the_cure(tmp_path: Path) -> None:
    with pytest.raises(CommandProblem, match=r"in a clone of its repository, run: .* install --editable \.$"):
        ensure_runtime(tmp_path, report=quiet)


def test_a_missing_piece_of_pyodide_is_told_with_the_cure(checkout: Path) -> None:
    (checkout / "node_modules" / "pyodide" / "pyodide.asm.wasm").unlink()
    with pytest.raises(CommandProblem, match=r"pyodide\.asm\.wasm is missing; run: npm ci --ignore-scripts$"):
        ensure_runtime(checkout, report=quiet)


def test_a_folder_that_cannot_be_written_is_told_with_the_cure(checkout: Path) -> None:
    (checkout / "build").write_text("a file, where a folder should be")
    with pytest.raises(
        CommandProblem, match=r"Cannot write to .*build \(File exists\); .* run: rm -r .*build$"
    ):
        ensure_runtime(checkout, report=quiet)


def test_the_checkout_is_the_one_that_this_test_is_in() -> None:
    assert Path(__file__).is_relative_to(CHECKOUT)
