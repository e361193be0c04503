"""`pyodide-lock.json` for pages with plain Pyodide: it lists the wheels that lie beside it."""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from packaging.utils import parse_wheel_filename

from webtools.cli.wheels.markers import needs_of

__all__ = ["lock_text"]


def lock_text(info: Mapping[str, str], wheels: Iterable[Path]) -> str:
    """Write the lock.

    Args:
        info: Pyodide's own `info`, which it compares with itself: `{"python": "3.14.2", …}`.
        wheels: Everything that a page may install.

    Source: https://pyodide.org/en/stable/usage/api/js-api.html#Lockfile
    """
    packages = {}
    for wheel in wheels:
        name, entry = _entry(wheel, info["python"])
        packages[name] = entry
    return json.dumps({"info": dict(info), "packages": packages}, indent=1, sort_keys=True)


def _entry(wheel: Path, python: str) -> tuple[str, dict[str, Any]]:
    name, version, _, _ = parse_wheel_filename(wheel.name)
    with ZipFile(wheel) as archive:
        files = archive.namelist()
    return name, {
        "name": name,
        "version": str(version),
        "file_name": wheel.name,
        "install_dir": "site",
        "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(),
        "package_type": "package",
        "imports": _imports(files),
        "depends": sorted({need.name for need in needs_of(wheel, python)}),
        "unvendored_tests": False,
    }


def _imports(files: Iterable[str]) -> list[str]:
    tops = {re.sub(r"\.pyc?$", "", file.split("/")[0]) for file in files}
    return sorted(top for top in tops if top.isidentifier())
