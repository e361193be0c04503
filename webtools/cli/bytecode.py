"""Bytecode made ahead, since a page that compiles the standard library at each load takes twice as long."""

import hashlib
import json
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from webtools.cli.problems import Report, run_tool

__all__ = ["Archive", "with_bytecode"]

_HERE = Path(__file__).parent
_RECIPE = ("precompile.py", "bytecode.mjs")


@dataclass(frozen=True)
class Archive:
    """A wheel or zip of Python.

    Attributes:
        path: The file on this machine.
        folder: Where its modules lie in the page, ends with "/".
    """

    path: Path
    folder: str


def with_bytecode(
    archives: Sequence[Archive], *, cache: Path, pyodide: Path, info: dict[str, str], report: Report
) -> list[Path]:
    """Give for each archive one of the same name whose modules are bytecode; what is cached stays.

    Args:
        archives: Their names differ.
        cache: A folder that outlives the runtime; what it no longer needs is removed from it.
        pyodide: The folder of Pyodide, whose Python compiles, in Node.
        info: What Pyodide's own lock says of its build.
        report: Told before something slow.

    Raises:
        CommandProblem: Node could not compile.
    """
    cache.mkdir(parents=True, exist_ok=True)
    made = [cache / _digest(archive, info) / archive.path.name for archive in archives]
    missing = [pair for pair in zip(archives, made, strict=True) if not pair[1].is_file()]
    if missing:
        report("Compiling the page's Python …")
        _compile(missing, pyodide)
    wanted = {path.parent for path in made}
    for old in cache.iterdir():
        if old not in wanted:
            shutil.rmtree(old)
    return made


def _digest(archive: Archive, info: dict[str, str]) -> str:
    """Name what decides the result: the source, where it lies, and what compiles it."""
    together = hashlib.sha256(json.dumps([info, archive.folder], sort_keys=True).encode())
    for path in (archive.path, *(_HERE / name for name in _RECIPE)):
        together.update(hashlib.sha256(path.read_bytes()).digest())
    return together.hexdigest()[:32]


def _compile(missing: Sequence[tuple[Archive, Path]], pyodide: Path) -> None:
    cache = missing[0][1].parents[1]
    with tempfile.TemporaryDirectory(dir=cache.parent, prefix="compile-") as scratch:
        # in one folder, since a job that is stopped half-way must leave nothing that looks whole
        jobs = [
            {"source": str(archive.path), "target": str(Path(scratch) / path.name), "folder": archive.folder}
            for archive, path in missing
        ]
        paper = Path(scratch) / "jobs.json"
        paper.write_text(
            json.dumps(
                {
                    "pyodide": (pyodide / "pyodide.mjs").as_uri(),
                    "precompile": str(_HERE / "precompile.py"),
                    "jobs": jobs,
                }
            ),
            "utf-8",
        )
        run_tool(
            ["node", str(_HERE / "bytecode.mjs"), str(paper)],
            folder=cache,
            name="Compiling the page's Python in Node",
            mend="to start anew, remove the folder build and run the same command again",
        )
        for job, (_, path) in zip(jobs, missing, strict=True):
            path.parent.mkdir(exist_ok=True)
            Path(job["target"]).replace(path)
