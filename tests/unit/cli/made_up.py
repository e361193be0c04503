"""Small stand-ins for what the command line finds on a real machine."""

import json
from collections.abc import Iterable
from pathlib import Path
from zipfile import ZipFile

from webtools.cli import app as command

INFO = {"abi_version": "2026_0", "arch": "wasm32", "platform": "emscripten_5_0_3", "python": "3.14.2"}


def quiet(line: str) -> None:
    """Report to nobody."""


def make_wheel(
    folder: Path, name: str, *, version: str = "1.0", needs: Iterable[str] = (), files: Iterable[str] = ()
) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    wheel = folder / f"{name}-{version}-py3-none-any.whl"
    metadata = [
        "Metadata-Version: 2.1",
        f"Name: {name}",
        f"Version: {version}",
        *(f"Requires-Dist: {need}" for need in needs),
    ]
    with ZipFile(wheel, "w") as archive:
        for file in files or [f"{name}/__init__.py"]:
            archive.writestr(file, "")
        archive.writestr(f"{name}-{version}.dist-info/METADATA", "\n".join(metadata) + "\n\nA text.\n")
        archive.writestr(f"{name}-{version}.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\n")
    return wheel


def write_npm_lock(path: Path, **versions: str) -> None:
    packages: dict[str, object] = {f"node_modules/{name}": {"version": it} for name, it in versions.items()}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"packages": {"": {"name": "root"}, **packages}}))


def make_checkout(folder: Path) -> Path:
    """Make a source checkout whose npm packages are installed, and whose package is one empty module."""
    write_npm_lock(folder / "package-lock.json", pyodide="314.0.7")
    write_npm_lock(folder / "node_modules" / ".package-lock.json", pyodide="314.0.7")
    pyodide = folder / "node_modules" / "pyodide"
    pyodide.mkdir()
    for name in ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip"):
        (pyodide / name).write_text(f"the real {name}")
    (pyodide / "pyodide-lock.json").write_text(json.dumps({"info": INFO, "packages": {"numpy": {}}}))
    (folder / "static").mkdir()
    (folder / "webtools").mkdir()
    (folder / "webtools" / "__init__.py").write_text("")
    (folder / "pyproject.toml").write_text(
        '[build-system]\nrequires = ["hatchling"]\nbuild-backend = "hatchling.build"\n'
        '[project]\nname = "webtools-host"\nversion = "0.1.0"\n'
        '[tool.hatch.build.targets.wheel]\npackages = ["webtools"]\n'
    )
    return folder


def webtools(*arguments: str) -> object:
    """Run the command line, and give its exit code."""
    try:
        command.main(arguments)
    except SystemExit as end:
        return end.code
    return 0
