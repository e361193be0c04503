"""A folder whose files have hashes of their contents in their names, and an index that lists them."""

import filecmp
import hashlib
import json
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

__all__ = ["DIGITS", "INDEX", "Folder"]

INDEX = "runtime.json"
"""The only file that ever changes."""

DIGITS = 16
"""Of a hash, in a name."""


class Folder:
    """The folder, to which files are put; what has not been put is gone when the index is written.

    A reader sees an old file or a new one, never half of one.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._kept: set[str] = set()
        path.mkdir(exist_ok=True)

    def put(self, source: Path, name: str = "") -> dict[str, object]:
        """Copy a file, unless it is there already.

        Args:
            source: The file.
            name: It gets a hash into this; default: its own.

        Returns:
            ``{"file", "size", "sha256"}``: its path in the folder, bytes, hexadecimal digits.
        """
        content = source.read_bytes()
        digest = hashlib.sha256(content).hexdigest()
        plain = Path(name or source.name)
        target = f"{plain.stem}-{digest[:DIGITS]}{plain.suffix}"
        self._copy(source, target)
        return {"file": target, "size": len(content), "sha256": digest}

    def put_together(self, name: str, sources: Sequence[Path]) -> str:
        """Copy files that know each other by their names, into a folder of their own.

        Returns:
            The folder's path, ends with "/".
        """
        together = hashlib.sha256()
        for source in sources:
            together.update(hashlib.sha256(source.read_bytes()).digest())
        folder = f"{name}-{together.hexdigest()[:DIGITS]}"
        (self._path / folder).mkdir(exist_ok=True)
        for source in sources:
            self._copy(source, f"{folder}/{source.name}")
        self._kept.add(folder)
        return f"{folder}/"

    def write(self, index: Mapping[str, object]) -> None:
        """Write the index, then remove what it does not know of."""
        with tempfile.TemporaryDirectory(dir=self._path.parent, prefix="write-") as scratch:
            fresh = Path(scratch) / INDEX
            fresh.write_text(json.dumps(index, indent=1, sort_keys=True), "utf-8")
            self._copy(fresh, INDEX)
        for path in self._path.iterdir():
            if path.name in self._kept:
                continue
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()

    def _copy(self, source: Path, name: str) -> None:
        target = self._path / name
        self._kept.add(name)
        if target.is_file() and filecmp.cmp(source, target, shallow=False):
            return
        with tempfile.TemporaryDirectory(dir=self._path.parent, prefix="copy-") as scratch:
            shutil.copyfile(source, Path(scratch) / target.name).replace(target)
