"""Run a script in the page's own Python, under Node."""

import json
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from webtools.cli.programs.node import find_node
from webtools.cli.programs.running import run_tool

__all__ = ["call_in_pyodide", "seen", "snapshot_in_pyodide"]

_DRIVER = Path(__file__).with_name("in_pyodide.mjs")


def seen(path: Path) -> str:
    """Give the path under which that Python sees a file of this machine."""
    return f"/host{path.resolve().as_posix()}"


def call_in_pyodide(
    script: Path,
    name: str,
    calls: Iterable[Mapping[str, str]],
    *,
    pyodide: Path,
    stdlib: Path,
    info: Mapping[str, str],
    wheels: Sequence[Path] = (),
) -> None:
    """Call a function of a script once with each of these keyword arguments; what it does, it does to files.

    Args:
        script: Run as it is, with nothing but its globals.
        name: The function's.
        calls: The keyword arguments of each.
        pyodide: The folder of Pyodide's own files.
        stdlib: A zip of the standard library.
        info: What Pyodide's own lock says of its build.
        wheels: Installed before, without a look at what they need.

    Raises:
        CommandProblem: Node or Python could not do it.
    """
    _run(
        {
            **_python(pyodide, stdlib, info),
            "wheels": [str(wheel.resolve()) for wheel in wheels],
            "script": str(script),
            "name": name,
            "calls": [dict(call) for call in calls],
        }
    )


def snapshot_in_pyodide(
    script: Path,
    name: str,
    keywords: Mapping[str, str],
    *,
    heap: Path,
    about: Path,
    pyodide: Path,
    library: Path,
    stdlib: Path,
    info: Mapping[str, str],
    pack: tuple[Path, str],
) -> None:
    """Call a function of a script once, and write the memory that it leaves.

    Args:
        script: Run as it is; it must leave no JavaScript object in Python's hands.
        name: The function's.
        keywords: Its keyword arguments.
        heap: Where to write the memory.
        about: Where to write what a page has to know of it, as JSON (`static/snapshot.js`, `About`).
        pyodide: The folder of Pyodide's own files.
        library: The folder of the page's modules.
        stdlib: That of the pages.
        info: What Pyodide's own lock says of its build.
        pack: That of the pages, and the folder in which they unpack it.

    Raises:
        CommandProblem: Node or Python could not do it.
    """
    _run(
        {
            **_python(pyodide, stdlib, info),
            "library": f"{library.resolve().as_uri()}/",
            "pack": str(pack[0].resolve()),
            "folder": pack[1],
            "heap": str(heap.resolve()),
            "about": str(about.resolve()),
            "script": str(script),
            "name": name,
            "calls": [dict(keywords)],
        }
    )


def _python(pyodide: Path, stdlib: Path, info: Mapping[str, str]) -> dict[str, object]:
    return {
        "pyodide": f"{pyodide.resolve().as_uri()}/",
        "stdlib": str(stdlib.resolve()),
        "info": dict(info),
    }


def _run(job: Mapping[str, object]) -> None:
    with tempfile.TemporaryDirectory(prefix="webtools-") as scratch:
        paper = Path(scratch) / "job.json"
        paper.write_text(json.dumps(job), "utf-8")
        run_tool(
            [find_node(), str(_DRIVER), str(paper)],
            folder=Path(scratch),
            name="Running the page's Python in Node",
            mend="to start anew, remove the folder build and run the same command again",
        )
