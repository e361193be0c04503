"""Archives as a page fetches them."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from zipfile import ZipFile


class Array:
    """Stands for a `Uint8Array`."""

    def __init__(self, content: bytes) -> None:
        self._content = content

    def to_bytes(self) -> bytes:
        return self._content


def zipped(files: Mapping[str, str | bytes]) -> bytes:
    """Give a zip archive of these files."""
    made = BytesIO()
    with ZipFile(made, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return made.getvalue()
