"""Modules of the standard library that a page does not load at its start: found when they are imported.

`webtools serve` gives pages a trimmed standard library, the whole one beside it (`cli/runtime/rehearsal.py`).
Where an app's source imports what only the whole one has, it is fetched before the app is loaded; where that
shows only as the app runs, the import itself fetches it, and the page stands still meanwhile.
"""

from __future__ import annotations

import ast
import hashlib
import importlib
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType

from webtools.browser.archives import sources
from webtools.browser.border import Bytes

_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]*(\([^)]*\)|[^\n]*)|import[ \t]+([^\n]*))", re.MULTILINE
)
"""What looks like an import statement on lines of its own."""

LISTED_IN = "_late_stdlib"
"""The module of the trimmed one whose `NAMES` are those that only the whole one has."""


class LateStdlib:
    """Finds modules of the whole standard library; the last of `sys.meta_path`.

    Args:
        names: The modules that only the whole one has.
        zips: Where the trimmed one lies, and where the whole one is put.
        fetch: Gives the whole one at once; raises OSError with the reason where it cannot.
    """

    def __init__(self, names: frozenset[str], zips: tuple[str, str], fetch: Callable[[], bytes]) -> None:
        self._names = names
        self._trimmed, self._whole = zips
        self._fetch = fetch

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """See `importlib.abc.MetaPathFinder`.

        Raises:
            ImportError: The whole standard library could not be fetched.
        """
        if name not in self._names:
            return None
        if not self._is_there():
            try:
                self.give(self._fetch())
            except OSError as error:
                raise ImportError(
                    f"{name} is in a part of the standard library that could not be loaded ({error})",
                    name=name,
                ) from error
        places = [place.replace(self._trimmed, self._whole) for place in path] if path else [self._whole]
        return PathFinder.find_spec(name, places, target)

    def is_needed(self, source: str) -> bool:
        """Whether an app's source imports what is not there yet; of wrong syntax nothing is known."""
        if self._is_there():
            return False
        try:
            tree = ast.parse(source)
        except (SyntaxError, ValueError):
            return False
        return any(name in self._names for name in _imported(tree))

    def may_be_needed(self, source: str) -> bool:
        """Whether a source seems to: in a hundredth of the time, and wrong about a text or an odd line."""
        for module, names, plain in _IMPORT.findall(source):
            inside = re.findall(r"\w+", names) if module else []
            seen = [module, *(f"{module}.{name}" for name in inside), *re.findall(r"[\w.]+", plain)]
            if not self._names.isdisjoint(seen):
                return True
        return False

    def give(self, whole: bytes) -> None:
        """Take the whole standard library; its zip, fetched already."""
        Path(self._whole).write_bytes(whole)

    def _is_there(self) -> bool:
        return Path(self._whole).is_file()


def _imported(tree: ast.Module) -> Iterator[str]:
    """Name each module that an import statement may mean."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


class LateStdlibOfPage:
    """What JavaScript calls (`static/late-stdlib.js`)."""

    def __init__(self, late: LateStdlib) -> None:
        self._late = late

    def is_needed(self, source: str) -> bool:
        """See `LateStdlib`."""
        return self._late.is_needed(source)

    def is_needed_by_archive(self, archive: Bytes) -> bool:
        """Whether a source in an app's archive imports what is not there yet, as far as is quickly told."""
        late = self._late
        return any(late.may_be_needed(each) and late.is_needed(each) for each in sources(archive.to_bytes()))

    def give(self, whole: Bytes) -> None:
        """See `LateStdlib`."""
        self._late.give(whole.to_bytes())


def install(fetch: Callable[[], Bytes | str], sha256: str) -> LateStdlibOfPage | None:
    """Have imports find the late modules; None where the runtime's standard library is whole.

    Args:
        fetch: Gives the whole one's zip at once, or why it could not; never raises.
        sha256: Of that zip, in hexadecimal digits; some hosts answer a page for what they have not.
    """
    try:
        listed = importlib.import_module(LISTED_IN)
    except ModuleNotFoundError:
        return None
    trimmed = str(listed.__file__).rpartition("/")[0]
    zips = (trimmed, f"{trimmed.removesuffix('.zip')}_whole.zip")
    late = LateStdlib(listed.NAMES, zips, _fetching(fetch, sha256))
    sys.meta_path.append(late)
    return LateStdlibOfPage(late)


def _fetching(fetch: Callable[[], Bytes | str], sha256: str) -> Callable[[], bytes]:
    def fetched() -> bytes:
        answer = fetch()
        if isinstance(answer, str):
            raise OSError(answer)
        whole = answer.to_bytes()
        if hashlib.sha256(whole).hexdigest() != sha256:
            raise OSError("what came is not the file that the runtime's index tells of")
        return whole

    return fetched
