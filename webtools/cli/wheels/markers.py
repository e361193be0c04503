"""What a wheel needs in a page."""

from collections.abc import Iterable, Iterator
from email import message_from_bytes
from pathlib import Path
from zipfile import ZipFile

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

__all__ = ["applies", "needs_of"]


def needs_of(wheel: Path, python: str, extras: Iterable[str] = ()) -> Iterator[Requirement]:
    """Give what a wheel needs in a page, by its metadata.

    Args:
        wheel: The file.
        python: The page's Python, such as "3.14.2".
        extras: Of the wheel, that are wanted.
    """
    with ZipFile(wheel) as archive:
        files = archive.namelist()
        metadata = archive.read(next(file for file in files if file.endswith(".dist-info/METADATA")))
    for text in message_from_bytes(metadata).get_all("Requires-Dist", []):
        need = Requirement(text)
        need.name = canonicalize_name(need.name)
        if applies(need, python, extras):
            yield need


def applies(need: Requirement, python: str, extras: Iterable[str] = ()) -> bool:
    """Whether a requirement's marker is true in a page: markers are those of Pyodide."""
    page = {
        "os_name": "posix",
        "platform_machine": "wasm32",
        "platform_python_implementation": "CPython",
        "platform_system": "Emscripten",
        "implementation_name": "cpython",
        "python_full_version": python,
        "python_version": python.rpartition(".")[0],
        "sys_platform": "emscripten",
    }
    marker = need.marker
    return marker is None or any(marker.evaluate({**page, "extra": extra}) for extra in ("", *extras))
