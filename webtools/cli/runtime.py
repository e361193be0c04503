"""The folder served as `/webtools/runtime/`: Pyodide, the page's wheels, and a lock that lists them."""

import filecmp
import hashlib
import json
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from filelock import FileLock

from webtools.cli.bytecode import Compiler
from webtools.cli.lockfile import lock_text
from webtools.cli.npm import ensure_packages
from webtools.cli.problems import CommandProblem, Report, report_to_stderr
from webtools.cli.wheels import own_wheel, pinned_wheels

__all__ = ["CHECKOUT", "ensure_runtime"]

CHECKOUT = Path(__file__).resolve().parents[2]
"""The source checkout that this module was imported from."""

_ENGINE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
_STDLIB = "python_stdlib.zip"
_WHOLE_STDLIB = "python_stdlib_whole.zip"
"""Fetched by a page that imports what the other has not."""
_LOCK = "pyodide-lock.json"


def ensure_runtime(
    checkout: Path = CHECKOUT, *, more: Sequence[Path] = (), report: Report = report_to_stderr
) -> Path:
    """Give the runtime's folder, assembled and up to date.

    It lies in the checkout's `build/`. What is missing is fetched or built, the rest left alone. Processes
    that want it at the same time wait for each other; one that is stopped half-way leaves no half-written
    file, and the lock names only files that are there.

    Args:
        checkout: The source checkout.
        more: Wheels that the apps need, what `dependencies_of` gave; such a runtime has a folder of its own.
        report: Told before something slow.

    Raises:
        CommandProblem: A piece is missing and cannot be fetched or built.
    """
    if not (checkout / "package-lock.json").is_file():
        raise CommandProblem(
            "webtools serves pages from a source checkout only; in a clone of its repository, "
            "run: python -m pip install --editable ."
        )
    build = checkout / "build"
    try:
        build.mkdir(exist_ok=True)
        with FileLock(build / "lock"):
            return _assemble(checkout, build, more, report)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise CommandProblem(
            f"Cannot write to {build} ({reason}); make room or give permission, or run: rm -r {build}"
        ) from error


def _assemble(checkout: Path, build: Path, more: Sequence[Path], report: Report) -> Path:
    ensure_packages(checkout, report)
    pyodide = checkout / "node_modules" / "pyodide"
    engine = [_present(pyodide / name) for name in _ENGINE]
    stdlib = _present(pyodide / _STDLIB)
    info = json.loads(_present(pyodide / _LOCK).read_bytes())["info"]
    runtime = build / _folder_name(more)
    runtime.mkdir(exist_ok=True)
    pinned = pinned_wheels(build / "wheels", info, report)
    own = own_wheel(checkout, build / "own", report)
    compiler = Compiler(build / "bytecode", pyodide, info, report)
    whole, wheels = compiler.compiled(stdlib, [own, *pinned, *more])
    trimmed = compiler.trimmed(whole, wheels)
    for source in (*engine, *wheels, trimmed):
        _copy(source, runtime / source.name)
    _copy(whole, runtime / _WHOLE_STDLIB)
    _write(lock_text(info, wheels), runtime / _LOCK)
    _keep_only({_LOCK, _STDLIB, _WHOLE_STDLIB, *(source.name for source in (*engine, *wheels))}, runtime)
    compiler.close()
    return runtime


def _folder_name(more: Sequence[Path]) -> str:
    if not more:
        return "runtime"
    names = " ".join(sorted(wheel.name for wheel in more))
    return f"runtime-{hashlib.sha256(names.encode()).hexdigest()[:16]}"


def _present(path: Path) -> Path:
    if not path.is_file():
        raise CommandProblem(f"{path} is missing; run: npm ci --ignore-scripts")
    return path


def _copy(source: Path, target: Path) -> None:
    """Copy unless it is there already, and whole: a reader sees the old file or the new one."""
    if target.is_file() and filecmp.cmp(source, target, shallow=False):
        return
    with tempfile.TemporaryDirectory(dir=target.parent.parent, prefix="copy-") as scratch:
        shutil.copyfile(source, Path(scratch) / target.name).replace(target)


def _write(text: str, target: Path) -> None:
    with tempfile.TemporaryDirectory(dir=target.parent.parent, prefix="write-") as scratch:
        fresh = Path(scratch) / target.name
        fresh.write_text(text, "utf-8")
        _copy(fresh, target)


def _keep_only(names: set[str], folder: Path) -> None:
    for path in folder.iterdir():
        if path.name not in names:
            path.unlink()
