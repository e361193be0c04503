"""The folder served as `/webtools/runtime/`: Python for a page, and an index of it.

`static/runtime.js` reads the index. Every other file has a hash of its content in its name: it never changes.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from webtools.cli.files.folder import DIGITS, Folder
from webtools.cli.runtime.bytecode import Compiler
from webtools.cli.sources.installation import SOURCE
from webtools.cli.sources.source import ENGINE, Kit, Source, writing_to
from webtools.cli.terminal.problems import CommandProblem, Report, report_to_stderr
from webtools.cli.wheels.importable import modules_in
from webtools.cli.wheels.needs import check_needs
from webtools.cli.wheels.own import OWN
from webtools.cli.wheels.pinned import page_has

__all__ = ["ensure_runtime"]


def ensure_runtime(
    source: Source = SOURCE, *, more: Sequence[Path] = (), report: Report = report_to_stderr
) -> Path:
    """Give the runtime's folder, assembled and up to date.

    Where the source has one, that is it. Else it is assembled in the source's cache: what is missing is
    fetched or built, the rest left alone. Processes that want it at the same time wait for each other; one
    that is stopped half-way leaves no half-written file, and the index names only files that are there.

    Args:
        source: Of what it is made.
        more: Wheels that the apps need, what `dependencies_of` gave; such a runtime has a folder of its own.
        report: Told before something slow.

    Raises:
        CommandProblem: A piece is missing and cannot be fetched or built.
    """
    if source.runtime and not more:
        return source.runtime
    with writing_to(source.cache):
        return _assemble(source.kit(report), source.cache, more, report)


def _assemble(kit: Kit, cache: Path, more: Sequence[Path], report: Report) -> Path:
    check_needs(kit.info, more, has={OWN, *page_has()})
    compiler = Compiler(cache / "bytecode", kit.engine, kit.modules, kit.info, report)
    whole, wheels = compiler.compiled(kit.stdlib, [*kit.wheels, *more])
    trimmed = compiler.trimmed(whole, wheels)
    pack = compiler.packed(wheels)
    heap, about = _snapshot(compiler, trimmed, pack, modules_in(more), report)
    path = cache / _folder_name(more)
    folder = Folder(path)
    folder.write(
        {
            "engine": folder.put_together("pyodide", [kit.engine / name for name in ENGINE]),
            "info": dict(kit.info),
            "sitePackages": compiler.site_packages,
            "stdlib": folder.put(trimmed, "python_stdlib.zip"),
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
