"""Whether wheels have all that they need in a page, among each other."""

from collections.abc import Collection, Iterable, Mapping
from email import message_from_bytes
from pathlib import Path
from zipfile import ZipFile

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name, parse_wheel_filename

from webtools.cli.problems import CommandProblem

__all__ = ["check_needs"]


def check_needs(info: Mapping[str, str], wheels: Collection[Path]) -> None:
    """See to it that every package is there that another one needs.

    Args:
        info: What Pyodide's own lock says of its build: `{"python": "3.14.2", …}`.
        wheels: Everything that a page installs.

    Raises:
        CommandProblem: A wheel needs a package that is not among them.
    """
    names = {parse_wheel_filename(wheel.name)[0] for wheel in wheels}
    for wheel in wheels:
        for need in _needs(wheel, info["python"]):
            if need not in names:
                raise CommandProblem(
                    f"In the page {parse_wheel_filename(wheel.name)[0]} needs {need}, which is not pinned; "
                    "add its wheel, with its hash, to webtools/cli/page-requirements.txt."
                )


def _needs(wheel: Path, python: str) -> Iterable[str]:
    """Name what the wheel needs in the page: markers are those of Pyodide, and no extras are wanted."""
    page = {
        "extra": "",
        "os_name": "posix",
        "platform_machine": "wasm32",
        "platform_python_implementation": "CPython",
        "platform_system": "Emscripten",
        "implementation_name": "cpython",
        "python_full_version": python,
        "python_version": python.rpartition(".")[0],
        "sys_platform": "emscripten",
    }
    with ZipFile(wheel) as archive:
        files = archive.namelist()
        metadata = archive.read(next(file for file in files if file.endswith(".dist-info/METADATA")))
    needs = map(Requirement, message_from_bytes(metadata).get_all("Requires-Dist", []))
    return sorted(
        canonicalize_name(need.name) for need in needs if need.marker is None or need.marker.evaluate(page)
    )
