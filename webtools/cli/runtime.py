"""The folder served as `/webtools/runtime/`: Python for a page, and an index of it.

`static/runtime.js` reads the index. Every other file has a hash of its content in its name: it never changes.
"""

import hashlib
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from webtools.cli.bytecode import Compiler
from webtools.cli.checkout import CHECKOUT, writing_to
from webtools.cli.compressing import Compressor, Variants
from webtools.cli.folder import DIGITS, INDEX, Folder
from webtools.cli.needs import check_needs
from webtools.cli.npm import ensure_packages
from webtools.cli.problems import CommandProblem, Report, report_to_stderr
from webtools.cli.wheels import modules_in, own_wheel, page_info, pinned_wheels

__all__ = ["compress_ahead", "compress_files", "ensure_runtime"]

_ENGINE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")


def ensure_runtime(
    checkout: Path = CHECKOUT, *, more: Sequence[Path] = (), report: Report = report_to_stderr
) -> Path:
    """Give the runtime's folder, assembled and up to date.

    It lies in the checkout's `build/`. What is missing is fetched or built, the rest left alone. Processes
    that want it at the same time wait for each other; one that is stopped half-way leaves no half-written
    file, and the index names only files that are there.

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
    with writing_to(build, "lock"):
        return _assemble(checkout, build, more, report)


def compress_ahead(
    runtime: Path, library: Path, *, report: Report = report_to_stderr
) -> dict[Path, Variants]:
    """Compress what every page loads, quickly and once.

    Args:
        runtime: What `ensure_runtime` gave.
        library: What `ensure_library` gave.
        report: Told before something slow.
    """
    of_runtime = (path for path in runtime.rglob("*") if path.is_file() and path.name != INDEX)
    files = sorted(path.resolve() for path in (*of_runtime, *library.iterdir()))
    return _compress(files, runtime.parent, "compressed", False, report)


def compress_files(
    files: Collection[Path], *, checkout: Path = CHECKOUT, report: Report = report_to_stderr
) -> dict[Path, Variants]:
    """Compress files as well as can be, and keep what comes of it in the checkout's `build/`."""
    return _compress(files, checkout / "build", "compressed-best", True, report)


def _compress(
    files: Collection[Path], build: Path, name: str, best: bool, report: Report
) -> dict[Path, Variants]:
    with writing_to(build, f"{name}.lock"):
        compressor = Compressor(build / name, report, best=best)
        found = compressor.variants(files)
        compressor.close()
        return found


def _assemble(checkout: Path, build: Path, more: Sequence[Path], report: Report) -> Path:
    ensure_packages(checkout, report)
    pyodide = checkout / "node_modules" / "pyodide"
    engine = [_present(pyodide / name) for name in _ENGINE]
    stdlib = _present(pyodide / "python_stdlib.zip")
    _present(pyodide / "pyodide-lock.json")
    info = page_info(checkout)
    pinned = pinned_wheels(build / "wheels", info, report)
    own = own_wheel(checkout, build / "own", report)
    installed = [own, *pinned, *more]
    check_needs(info, installed)
    compiler = Compiler(build / "bytecode", pyodide, checkout / "static", info, report)
    whole, wheels = compiler.compiled(stdlib, installed)
    trimmed = compiler.trimmed(whole, wheels)
    pack = compiler.packed(wheels)
    heap, about = _snapshot(compiler, trimmed, pack, modules_in(more), report)
    path = build / _folder_name(more)
    folder = Folder(path)
    folder.write(
        {
            "engine": folder.put_together("pyodide", engine),
            "info": info,
            "sitePackages": compiler.site_packages,
            "stdlib": folder.put(trimmed),
            "wholeStdlib": folder.put(whole, "python_stdlib_whole.zip"),
            "packages": folder.put(pack),
            "snapshot": {**folder.put(heap), **about},
        }
    )
    compiler.close()
    return path


def _snapshot(
    compiler: Compiler, stdlib: Path, pack: Path, imports: Sequence[str], report: Report
) -> tuple[Path, dict[str, Any]]:
    """Take it with what the apps need imported, if that can be."""
    if imports:
        try:
            return compiler.snapshot(stdlib, pack, imports)
        except CommandProblem as problem:
            report(f"warning: what the apps need is imported by each page itself: {problem}")
    return compiler.snapshot(stdlib, pack, ())


def _folder_name(more: Sequence[Path]) -> str:
    if not more:
        return "runtime"
    names = " ".join(sorted(wheel.name for wheel in more))
    return f"runtime-{hashlib.sha256(names.encode()).hexdigest()[:DIGITS]}"


def _present(path: Path) -> Path:
    if not path.is_file():
        raise CommandProblem(f"{path} is missing; run: npm ci --ignore-scripts")
    return path
