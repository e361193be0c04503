"""Wheels for pages: made-up ones of one module, and a small one of native code."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.zips import zipped

XXHASH = "xxhash==4.1.0 --hash=sha256:eb2a048fad81ab55ef3e835b8440a73bb7b8b709140a1e9fe77091863b2172c5"


def wheel_of(name: str, version: str, source: str, needs: str = "", **more: str) -> dict[str, bytes]:
    """A wheel of one module, and of `more` packages with nothing but a text, by its file's name."""
    info = f"{name}-{version}.dist-info"
    files = {
        f"{name}.py": source,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{needs}",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/RECORD": "",
        **{f"{package}/__init__.py": text for package, text in more.items()},
    }
    return {f"{name}-{version}-py3-none-any.whl": zipped(files)}


def fetch_native_wheel(folder: Path) -> Path:
    """Fetch a small wheel of native code that is built for the page's Python."""
    requirements = folder / "requirements.txt"
    requirements.write_text(XXHASH)
    command = [
        *(sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes"),
        *("--only-binary=:all:", "--platform", "pyemscripten_2026_0_wasm32", "--python-version", "3.14.2"),
        *("--requirement", str(requirements), "--dest", str(folder)),
    ]
    subprocess.run(command, check=True)
    (wheel,) = folder.glob("*.whl")
    return wheel
