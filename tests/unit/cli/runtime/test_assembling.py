import hashlib
import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock, Timeout

from tests.unit.cli.made_up import INFO, make_checkout, make_wheel, quiet
from webtools.cli.runtime import assembling
from webtools.cli.runtime.assembling import ensure_runtime
from webtools.cli.sources import checkout as in_checkout
from webtools.cli.sources.checkout import CHECKOUT, Checkout
from webtools.cli.terminal.problems import CommandProblem


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout whose pinned wheels are one made-up wheel, fetched already."""
    pinned = [make_wheel(tmp_path / "wheels", "pydantic")]
    monkeypatch.setattr(in_checkout, "pinned_wheels", lambda *_: pinned)
    monkeypatch.setattr(assembling, "Compiler", Uncompiled)
    return make_checkout(tmp_path / "checkout")


class Uncompiled:
    """Stands for what compiles: the made-up Pyodide has no Python."""

    site_packages = "/lib/site-packages"

    def __init__(self, cache: Path, *_: object) -> None:
        self._scratch = cache.parent / "compiled"
        self._scratch.mkdir(exist_ok=True)

    def compiled(self, stdlib: Path, wheels: Sequence[Path]) -> tuple[Path, list[Path]]:
        return stdlib, list(wheels)

    def trimmed(self, stdlib: Path, _: object) -> Path:
        return self._made("python_stdlib.zip", f"of {stdlib.read_text()}")

    def packed(self, wheels: Sequence[Path]) -> Path:
        return self._made("packages.zip", " ".join(wheel.name for wheel in wheels))

    def snapshot(self, stdlib: Path, pack: Path, imports: Sequence[str]) -> tuple[Path, dict[str, object]]:
        if "unsnappable" in imports:
            raise CommandProblem("It knows JavaScript")
        texts = [stdlib.read_text(), pack.read_text(), *imports]
        heap = self._made("snapshot.bin", " and ".join(texts))
        return heap, {"memory": 4096}

    def close(self) -> None:
        shutil.rmtree(self._scratch)

    def _made(self, name: str, text: str) -> Path:
        path = self._scratch / name
        path.write_text(text)
        return path


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def index_of(folder: Path) -> dict[str, Any]:
    index: dict[str, Any] = json.loads((folder / "runtime.json").read_text())
    return index


def text_of(folder: Path, entry: dict[str, Any]) -> str:
    """Read a file of the index, which is as the index says."""
    content = Path(folder / entry["file"]).read_bytes()
    assert (len(content), hashlib.sha256(content).hexdigest()) == (entry["size"], entry["sha256"])
    return content.decode()


def test_the_runtime_is_an_index_and_exactly_what_it_lists(checkout: Path) -> None:
    folder = ensure_runtime(Checkout(checkout), report=quiet)
    index = index_of(folder)
    assert text_of(folder, index["stdlib"]) == "of the real python_stdlib.zip"
    assert text_of(folder, index["wholeStdlib"]) == "the real python_stdlib.zip"
    own, pydantic = text_of(folder, index["packages"]).split()
    assert own.startswith("webtools_host-0.1.0-0")
    assert pydantic == "pydantic-1.0-py3-none-any.whl"
    assert text_of(folder, index["snapshot"]).startswith("of the real python_stdlib.zip and webtools_host-")
    assert index["snapshot"]["memory"] == 4096
    assert (index["info"], index["sitePackages"]) == (INFO, "/lib/site-packages")
    for name in ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm"):
        assert (folder / index["engine"] / name).read_text() == f"the real {name}"
    files = [index[part]["file"] for part in ("stdlib", "wholeStdlib", "packages", "snapshot")]
    assert names(folder) == {"runtime.json", index["engine"].rstrip("/"), *files}
    assert names(checkout / "build") == {"lock", "own", "runtime"}


def test_wheels_that_apps_need_have_a_runtime_of_their_own(checkout: Path, tmp_path: Path) -> None:
    plain = ensure_runtime(Checkout(checkout), report=quiet)
    more = [make_wheel(tmp_path / "more", "humanize", needs=["pydantic"])]
    folder = ensure_runtime(Checkout(checkout), more=more, report=quiet)
    assert folder != plain
    assert "humanize-1.0-py3-none-any.whl" in text_of(folder, index_of(folder)["packages"])
    assert "humanize" not in text_of(plain, index_of(plain)["packages"])
    assert text_of(folder, index_of(folder)["snapshot"]).endswith(" and humanize")
    assert ensure_runtime(Checkout(checkout), more=more, report=pytest.fail) == folder


def test_what_cannot_be_in_a_snapshot_is_left_out_and_told(checkout: Path, tmp_path: Path) -> None:
    said: list[str] = []
    more = [make_wheel(tmp_path / "more", "unsnappable")]
    folder = ensure_runtime(Checkout(checkout), more=more, report=said.append)
    assert not text_of(folder, index_of(folder)["snapshot"]).endswith("unsnappable")
    assert said[-1] == "warning: what the apps need is imported by each page itself: It knows JavaScript"


def test_a_second_time_changes_nothing(checkout: Path) -> None:
    folder = ensure_runtime(Checkout(checkout), report=quiet)
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    assert ensure_runtime(Checkout(checkout), report=pytest.fail) == folder
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before


def test_a_changed_source_changes_the_packages_only(checkout: Path) -> None:
    folder = ensure_runtime(Checkout(checkout), report=quiet)
    before = index_of(folder)
    (checkout / "webtools" / "__init__.py").write_text("changed = True")
    ensure_runtime(Checkout(checkout), report=quiet)
    after = index_of(folder)
    assert {part for part in after if after[part] != before[part]} == {"packages", "snapshot"}
    assert before["packages"]["file"] not in names(folder)


def test_a_changed_engine_has_another_place(checkout: Path) -> None:
    folder = ensure_runtime(Checkout(checkout), report=quiet)
    before = index_of(folder)["engine"]
    (checkout / "node_modules" / "pyodide" / "pyodide.mjs").write_text("another")
    ensure_runtime(Checkout(checkout), report=quiet)
    after = index_of(folder)["engine"]
    assert after != before
    assert names(folder) & {before.rstrip("/"), after.rstrip("/")} == {after.rstrip("/")}


def test_a_damaged_file_is_mended(checkout: Path) -> None:
    folder = ensure_runtime(Checkout(checkout), report=quiet)
    engine = folder / index_of(folder)["engine"]
    (engine / "pyodide.mjs").write_text("half")
    ensure_runtime(Checkout(checkout), report=quiet)
    assert (engine / "pyodide.mjs").read_text() == "the real pyodide.mjs"


def test_a_copy_that_is_interrupted_leaves_nothing_half_written(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(source: Path, target: Path) -> Path:
        target.write_text("half")
        raise KeyboardInterrupt

    monkeypatch.setattr(shutil, "copyfile", interrupted)
    with pytest.raises(KeyboardInterrupt):
        ensure_runtime(Checkout(checkout), report=quiet)
    assert names(checkout / "build") == {"lock", "own", "runtime", "compiled"}
    assert all(path.is_dir() for path in (checkout / "build" / "runtime").rglob("*"))


def test_another_process_waits_until_the_first_is_done(checkout: Path) -> None:
    tried: list[str] = []

    def try_at_the_same_time(line: str) -> None:
        tried.append(line)
        with pytest.raises(Timeout):
            FileLock(checkout / "build" / "lock").acquire(blocking=False)

    ensure_runtime(Checkout(checkout), report=try_at_the_same_time)
    assert tried
    FileLock(checkout / "build" / "lock").acquire(blocking=False).lock.release()


def test_an_install_without_its_sources_is_told_with_the_cure(tmp_path: Path) -> None:
    with pytest.raises(CommandProblem, match=r"in a clone of the repository run: .* install --editable \.$"):
        ensure_runtime(Checkout(tmp_path), report=quiet)


def test_a_missing_piece_of_pyodide_is_told_with_the_cure(checkout: Path) -> None:
    (checkout / "node_modules" / "pyodide" / "pyodide.asm.wasm").unlink()
    with pytest.raises(CommandProblem, match=r"pyodide\.asm\.wasm is missing; run: npm ci --ignore-scripts$"):
        ensure_runtime(Checkout(checkout), report=quiet)


def test_a_folder_that_cannot_be_written_is_told_with_the_cure(checkout: Path) -> None:
    (checkout / "build").write_text("a file, where a folder should be")
    with pytest.raises(
        CommandProblem, match=r"Cannot write to .*build \(File exists\); .* run: rm -r .*build$"
    ):
        ensure_runtime(Checkout(checkout), report=quiet)


def test_the_checkout_is_the_one_that_this_test_is_in() -> None:
    assert Path(__file__).is_relative_to(CHECKOUT)
