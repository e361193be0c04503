"""Load an app that is an archive, `.zip` or `.whl`: unpacked where imports find it, its entry imported.

The modules of all archives, of the page and of the standard library are one namespace, so a top-level name
that is there already is refused: which of the two an import means would depend on what came first.
"""

from __future__ import annotations

import importlib
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from types import ModuleType
from urllib.parse import unquote, urlsplit
from zipfile import ZipFile

from webtools.browser.apps import PACKAGES_CURE, AppProblem, explained

_MOST_NAMED = 8
"""Modules that a message names."""


class Archives:
    """The archives that are loaded, by their URLs; one archive is one app."""

    def __init__(self) -> None:
        self._loaded: dict[str, _Archive] = {}

    def load(self, url: str, data: bytes, entry: str) -> ModuleType:
        """Import an archive's entry module; of an archive that was loaded before all modules are run anew.

        What was unpacked before stays where it is, for calls in flight. Where the new one fails, the modules
        of the old one stay.

        Raises:
            AppProblem: It is no archive, has no such module, has a module's name that is taken, or the entry
                raised when it was run; then ``__cause__`` has the traceback.
        """
        archive = _opened(url, data, entry)
        before = self._loaded.pop(url, None)
        modules = before.taken_out() if before else {}
        try:
            self._check(archive, before)
            module = archive.imported(data)
        except Exception:
            if before:
                before.put_back(modules)
                self._loaded[url] = before
            raise
        self._loaded[url] = archive
        return module

    def place(self, filename: str) -> str | None:
        """A file of one of them as an author knows it: ``/shop.zip/shop/tools.py``; None for another file."""
        return next((said for each in self._loaded.values() if (said := each.place(filename))), None)

    def _check(self, archive: _Archive, before: _Archive | None) -> None:
        if before and before.entry != archive.entry:
            raise AppProblem(
                f"{archive.file} is on this page already, with the entry {before.entry}, and an archive is "
                f"one app. Let one module import the tools of both, and name that."
            )
        if archive.entry not in archive.modules:
            raise AppProblem(
                f"{archive.file} has no module {archive.entry}, which data-entry names. {archive.contents}"
            )
        for name in sorted(archive.tops):
            if owner := self._owner(name):
                raise AppProblem(
                    f"{archive.file} has a module {name}, and so has {owner}. "
                    f"Rename it in the archive, or leave it out."
                )

    def _owner(self, name: str) -> str | None:
        """Who has a top-level module of this name already."""
        if name in sys.stdlib_module_names:
            return "Python's standard library"
        for other in self._loaded.values():
            if name in other.tops:
                return other.file
        if name in sys.modules:
            file = getattr(sys.modules[name], "__file__", None) or ""
            return urlsplit(file).path if "://" in file else "the page's Python"
        try:
            found = find_spec(name)
        except ImportError:  # Pyodide knows the name, and says how to get it
            return "the page's Python"
        return "the page's Python" if found else None


@dataclass
class _Archive:
    url: str
    entry: str
    modules: frozenset[str]
    folder: str = field(default="")
    """Where it is unpacked."""

    @property
    def file(self) -> str:
        return urlsplit(self.url).path

    @property
    def tops(self) -> frozenset[str]:
        """The top-level names of its modules."""
        return frozenset(name.partition(".")[0] for name in self.modules)

    @property
    def contents(self) -> str:
        names = sorted(self.modules, key=lambda name: (name.count("."), name))
        if not names:
            return "It has no Python modules."
        more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
        return f"It has: {', '.join(names[:_MOST_NAMED])}{more}."

    def imported(self, data: bytes) -> ModuleType:
        """Unpack it and import the entry."""
        folder = Path(tempfile.mkdtemp(prefix="webtools-")) / unquote(self.file).rpartition("/")[2]
        self.folder = str(folder)
        try:
            with ZipFile(BytesIO(data)) as archive:
                archive.extractall(folder)
        except Exception as error:  # a damaged archive may raise anything
            raise _broken(self.file, error) from error
        sys.path.append(self.folder)
        try:
            return importlib.import_module(self.entry)
        except BaseException as error:  # also SystemExit: an app must not end the interpreter
            self.taken_out()
            cure = f"{PACKAGES_CURE}. The app's own modules have to be in its archive."
            raise AppProblem(explained(self.file, error, self.place, cure)) from error

    def taken_out(self) -> dict[str, ModuleType]:
        """Have imports not find it any more; gives its modules that were imported."""
        if self.folder in sys.path:
            sys.path.remove(self.folder)
        tops = self.tops
        own = [name for name in sys.modules if name.partition(".")[0] in tops]
        return {name: sys.modules.pop(name) for name in own}

    def put_back(self, modules: dict[str, ModuleType]) -> None:
        """Undo `taken_out`."""
        sys.path.append(self.folder)
        sys.modules.update(modules)

    def place(self, filename: str) -> str | None:
        """A file of it as an author knows it: `/shop.zip/shop/tools.py`."""
        inside = filename.removeprefix(f"{self.folder}/")
        return None if inside == filename else f"{self.file}/{inside}"


def _opened(url: str, data: bytes, entry: str) -> _Archive:
    try:
        with ZipFile(BytesIO(data)) as archive:
            names = archive.namelist()
    except Exception as error:  # a damaged archive may raise anything
        raise _broken(urlsplit(url).path, error) from error
    return _Archive(url, entry, frozenset(_modules(names)))


def _broken(file: str, error: Exception) -> AppProblem:
    said = f"{error}" or type(error).__name__
    return AppProblem(
        f"{file} cannot be unpacked ({said}): it is damaged, or no zip archive. Build it anew, and compare "
        f"what the server sends with the file."
    )


def _modules(names: list[str]) -> Iterator[str]:
    """Give the dotted names of an archive's modules; a package without `__init__` is none by itself."""
    for name in names:
        *folders, file = name.split("/")
        stem, _, suffix = file.partition(".")
        parts = folders if stem == "__init__" else [*folders, stem]
        is_module = suffix in ("py", "pyc") or suffix.endswith("so")
        if is_module and parts and parts != ["__main__"] and all(part.isidentifier() for part in parts):
            yield ".".join(parts)


def sources(data: bytes) -> Iterator[str]:
    """Give the text of each Python file in an archive; of one that is broken, as far as it goes."""
    try:
        with ZipFile(BytesIO(data)) as archive:
            for name in archive.namelist():
                if name.endswith(".py"):
                    yield archive.read(name).decode("utf-8", "replace")
    except Exception:  # noqa: BLE001  # a damaged archive may raise anything, and loading it will say so
        return
