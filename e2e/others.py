"""What others bring to a page, as npm has it: Pyodide and PyScript, put beside the page's own files."""

from __future__ import annotations

import shutil
from pathlib import Path

from e2e.places import CHECKOUT

MODULES = CHECKOUT / "node_modules"
PYODIDE = MODULES / "pyodide"
_ENGINE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")


def copy_pyodide(folder: Path) -> None:
    """Put what a page fetches of Pyodide into a new folder."""
    folder.mkdir(parents=True)
    for name in _ENGINE:
        shutil.copyfile(PYODIDE / name, folder / name)


def copy_pyscript(folder: Path) -> None:
    """Put PyScript into a new folder."""
    shutil.copytree(MODULES / "@pyscript" / "core" / "dist", folder)
