"""The page's Python made ready ahead, by that Python itself: what a page need not do at each load.

Modules are compiled, of the standard library what is used is picked out, the packages become one pack, and an
interpreter that has imported them becomes a snapshot.
"""

import hashlib
import json
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from webtools.cli.runtime.in_pyodide import call_in_pyodide, seen, snapshot_in_pyodide
from webtools.cli.runtime.pack import write_pack
from webtools.cli.terminal.problems import Report

__all__ = ["Compiler"]

_HERE = Path(__file__).parent
_PRECOMPILE = _HERE / "precompile.py"
_REHEARSAL = _HERE / "rehearsal.py"
_DRIVER = _HERE / "in_pyodide.mjs"
_PACK = _HERE / "pack.py"
_KEPT_SECONDS = 7 * 86_400
"""How long what is not asked for is kept."""
_SHARED = ("pack.js", "snapshot.js")
"""With these modules Node makes a snapshot, and a page restores it."""


class Compiler:
    """Makes a page's files with its own Python, and keeps what it has made.

    Args:
        cache: A folder that outlives the runtime; `close` removes from it what nobody has asked for of late.
        pyodide: The folder of Pyodide's own files, whose Python runs in Node.
        library: The folder of the page's modules, of which Node needs some.
        info: What Pyodide's own lock says of its build: `{"python": "3.14.2", …}`.
        report: Told before something slow.
    """

    def __init__(
        self, cache: Path, pyodide: Path, library: Path, info: Mapping[str, str], report: Report
    ) -> None:
        self._cache = cache
        self._pyodide = pyodide
        self._library = library
        self._info = dict(info)
        self._report = report
        self._wanted: set[Path] = set()
        major, minor, _ = info["python"].split(".", 2)
        self._stdlib_folder = f"/lib/python{major}{minor}.zip/"
        self.site_packages = f"/lib/python{major}.{minor}/site-packages"
        """Where the page's Python has its packages."""
        cache.mkdir(parents=True, exist_ok=True)

    def compiled(self, stdlib: Path, wheels: Sequence[Path]) -> tuple[Path, list[Path]]:
        """Give for each archive one of the same name whose modules are bytecode.

        Raises:
            CommandProblem: Node could not compile; nothing half-made is left.
        """
        folders = [self._stdlib_folder, *(f"{self.site_packages}/" for _ in wheels)]
        sources = [stdlib, *wheels]
        places = [
            self._place(source.name, folder, [source, _PRECOMPILE, _DRIVER])
            for source, folder in zip(sources, folders, strict=True)
        ]

        def compile_into(scratch: Path) -> None:
            calls = [
                {"source": seen(source), "target": seen(scratch / place.parent.name), "folder": folder}
                for source, folder, place in zip(sources, folders, places, strict=True)
                if not place.is_file()
            ]
            call_in_pyodide(
                _PRECOMPILE, "precompile", calls, pyodide=self._pyodide, stdlib=stdlib, info=self._info
            )

        self._make(places, compile_into)
        return places[0], places[1:]

    def trimmed(self, stdlib: Path, wheels: Sequence[Path]) -> Path:
        """Give of a compiled standard library what a page with these wheels uses, under the same name.

        Raises:
            CommandProblem: Node could not find out; nothing half-made is left.
        """
        place = self._place(stdlib.name, "trimmed", [stdlib, *wheels, _REHEARSAL, _DRIVER])

        def trim_into(scratch: Path) -> None:
            target = scratch / place.parent.name
            call_in_pyodide(
                _REHEARSAL,
                "trim",
                [{"source": seen(stdlib), "target": seen(target), "folder": self._stdlib_folder}],
                pyodide=self._pyodide,
                info=self._info,
                stdlib=stdlib,
                wheels=wheels,
            )

        self._make([place], trim_into)
        return place

    def packed(self, wheels: Sequence[Path]) -> Path:
        """Give a pack of all that these compiled wheels install.

        Raises:
            CommandProblem: Two of them install the same file.
        """
        place = self._place("packages.zip", "packed", [*wheels, _PACK])
        self._make([place], lambda scratch: write_pack(wheels, scratch / place.parent.name))
        return place

    def snapshot(self, stdlib: Path, pack: Path, imports: Sequence[str]) -> tuple[Path, dict[str, Any]]:
        """Give the memory of a Python that has imported what a page needs, and what a page has to know of it.

        Args:
            stdlib: That of the pages: a snapshot fits the very same bytes only.
            pack: Of the pages, too.
            imports: Modules that the apps need beside.

        Raises:
            CommandProblem: Node could not make it; nothing half-made is left.
        """
        sources = [stdlib, pack, _REHEARSAL, _DRIVER, *(self._library / name for name in _SHARED)]
        names = " ".join(imports)
        heap = self._place("snapshot.bin", f"heap {names}", sources)
        about = self._place("snapshot.json", f"about {names}", sources)

        def take_into(scratch: Path) -> None:
            snapshot_in_pyodide(
                _REHEARSAL,
                "warm",
                {"imports": names},
                heap=scratch / heap.parent.name,
                about=scratch / about.parent.name,
                pyodide=self._pyodide,
                info=self._info,
                library=self._library,
                stdlib=stdlib,
                pack=(pack, self.site_packages),
            )

        self._make([heap, about], take_into)
        return heap, json.loads(about.read_text("utf-8"))

    def close(self) -> None:
        """Remove what nobody has asked for of late: sites with packages of their own share the cache."""
        oldest = time.time() - _KEPT_SECONDS
        for each in self._cache.iterdir():
            if each not in self._wanted and each.stat().st_mtime < oldest:
                shutil.rmtree(each)

    def _place(self, name: str, purpose: str, made_from: Sequence[Path]) -> Path:
        """Where a result lies, by all that decides it."""
        together = hashlib.sha256(f"{json.dumps(self._info, sort_keys=True)} {purpose}".encode())
        for path in made_from:
            together.update(hashlib.sha256(path.read_bytes()).digest())
        folder = self._cache / together.hexdigest()[:32]
        self._wanted.add(folder)
        if folder.is_dir():
            os.utime(folder)
        return folder / name

    def _make(self, places: Sequence[Path], make_into: Callable[[Path], None]) -> None:
        """Have what is missing made in a folder of its own, each file named as its place's folder is."""
        if all(place.is_file() for place in places):
            return
        self._report("Compiling the page's Python …")
        with tempfile.TemporaryDirectory(dir=self._cache.parent, prefix="compile-") as scratch:
            make_into(Path(scratch))
            for made in Path(scratch).iterdir():
                (place,) = (place for place in places if place.parent.name == made.name)
                place.parent.mkdir(exist_ok=True)
                made.replace(place)
