"""Run a script in the page's own Python, under Node."""

import json
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from webtools.cli.problems import run_tool

__all__ = ["call_in_pyodide", "seen"]

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
    stdlib: Path | None = None,
    wheels: Sequence[Path] = (),
) -> None:
    """Call a function of a script once with each of these keyword arguments; what it does, it does to files.

    Args:
        script: Run as it is, with nothing but its globals.
        name: The function's.
        calls: The keyword arguments of each.
        pyodide: The folder of Pyodide.
        stdlib: Another zip of the standard library than the one in that folder.
        wheels: Installed before, without a look at what they need.

    Raises:
        CommandProblem: Node or Python could not do it.
    """
    job = {
        "pyodide": (pyodide / "pyodide.mjs").resolve().as_uri(),
        "stdlib": str(stdlib.resolve()) if stdlib else "",
        "wheels": [str(wheel.resolve()) for wheel in wheels],
        "script": str(script),
        "name": name,
        "calls": [dict(call) for call in calls],
    }
    with tempfile.TemporaryDirectory(prefix="webtools-") as scratch:
        paper = Path(scratch) / "job.json"
        paper.write_text(json.dumps(job), "utf-8")
        run_tool(
            ["node", str(_DRIVER), str(paper)],
            folder=Path(scratch),
            name="Running the page's Python in Node",
            mend="to start anew, remove the folder build and run the same command again",
        )
