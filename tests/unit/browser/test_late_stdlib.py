"""Modules that are fetched when they are imported."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from types import ModuleType
from zipfile import ZipFile

import pytest

from tests.zips import Array, zipped
from webtools.browser import late_stdlib
from webtools.browser.late_stdlib import LateStdlib, install

NAMES = frozenset({"made_up_mail", "made_up_mail.parts", "made_up_pack.late"})


@dataclass
class Server:
    """Has the whole library, and counts who asks."""

    whole: bytes
    reason: str = ""
    asked: int = 0

    def __call__(self) -> bytes:
        self.asked += 1
        if self.reason:
            raise OSError(self.reason)
        return self.whole


@pytest.fixture
def server() -> Server:
    made = BytesIO()
    with ZipFile(made, "w") as archive:
        archive.writestr("made_up_mail/__init__.py", "")
        archive.writestr("made_up_mail/parts.py", "text = 'a part'")
        archive.writestr("made_up_pack/__init__.py", "raise AssertionError('the trimmed one has it')")
        archive.writestr("made_up_pack/late.py", "text = 'late'")
    return Server(made.getvalue())


@pytest.fixture
def late(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LateStdlib]:
    """On `sys.meta_path`, beside a trimmed library that has a package without its late module."""
    trimmed, whole = tmp_path / "lib.zip", tmp_path / "lib_whole.zip"
    with ZipFile(trimmed, "w") as archive:
        archive.writestr("made_up_pack/__init__.py", "")
    monkeypatch.syspath_prepend(str(trimmed))
    late = LateStdlib(NAMES, (str(trimmed), str(whole)), server)
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path, late])
    yield late
    for name in [name for name in sys.modules if name.startswith("made_up_")]:
        del sys.modules[name]


def test_an_import_fetches_the_whole_library_once(late: LateStdlib, server: Server) -> None:
    assert importlib.import_module("made_up_mail.parts").text == "a part"
    assert importlib.import_module("made_up_pack.late").text == "late"
    assert server.asked == 1


def test_what_is_in_neither_is_not_fetched_for(late: LateStdlib, server: Server) -> None:
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("made_up_nothing")
    assert server.asked == 0


def test_one_that_cannot_be_fetched_is_told_and_tried_again(late: LateStdlib, server: Server) -> None:
    server.reason = "HTTP 503"
    with pytest.raises(ImportError, match=r"^made_up_mail is in a part .* \(HTTP 503\)$"):
        importlib.import_module("made_up_mail")
    server.reason = ""
    importlib.import_module("made_up_mail")


@pytest.mark.parametrize(
    ("source", "is_needed"),
    [
        ("import made_up_mail", True),
        ("import json, made_up_mail.parts as parts", True),
        ("from made_up_mail import parts", True),
        ("from made_up_pack import late", True),
        ("def f():\n    from made_up_pack.late import text", True),
        ("import made_up_pack", False),
        ("from . import made_up_mail", False),
        ("import json", False),
        ("text = 'import made_up_mail'", False),
        ("import made_up_mail (", False),
        ("\0", False),
    ],
)
def test_a_source_says_whether_it_is_needed(late: LateStdlib, source: str, is_needed: bool) -> None:
    assert late.is_needed(source) is is_needed


def test_what_was_given_is_needed_no_more(late: LateStdlib, server: Server) -> None:
    late.give(server.whole)
    assert not late.is_needed("import made_up_mail")
    assert importlib.import_module("made_up_mail.parts").text == "a part"
    assert server.asked == 0


@pytest.fixture
def listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A runtime whose library is trimmed."""
    module = ModuleType("_late_stdlib")
    module.__file__ = f"{tmp_path}/lib.zip/_late_stdlib.py"
    vars(module)["NAMES"] = NAMES
    monkeypatch.setitem(sys.modules, late_stdlib.LISTED_IN, module)
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))


@pytest.mark.usefixtures("listed")
def test_javascript_gives_it_or_says_why_not(server: Server) -> None:
    page = install(lambda: "HTTP 404", sha256(server.whole).hexdigest())
    assert page is not None
    assert page.is_needed("import made_up_mail")
    with pytest.raises(ImportError, match="HTTP 404"):
        importlib.import_module("made_up_mail")
    page.give(Array(server.whole))
    assert not page.is_needed("import made_up_mail")
    assert importlib.import_module("made_up_mail.parts").text == "a part"
    for name in ("made_up_mail", "made_up_mail.parts"):
        del sys.modules[name]


@pytest.mark.usefixtures("listed")
def test_what_comes_instead_of_it_is_refused_and_it_is_fetched_again(server: Server) -> None:
    answers = [Array(b"<!doctype html>"), Array(server.whole)]
    install(lambda: answers.pop(0), sha256(server.whole).hexdigest())
    with pytest.raises(ImportError, match="not the file that the runtime's index tells of"):
        importlib.import_module("made_up_mail")
    assert importlib.import_module("made_up_mail.parts").text == "a part"
    for name in ("made_up_mail", "made_up_mail.parts"):
        del sys.modules[name]


@pytest.mark.usefixtures("listed")
@pytest.mark.parametrize(
    ("archive", "is_needed"),
    [
        (zipped({"a/__init__.py": "", "a/b.py": "import made_up_mail"}), True),
        (zipped({"a.py": "import json", "notes.txt": "import made_up_mail"}), False),
        (zipped({"a.py": b"\xff", "b.py": "def f(:", "c.py": "import made_up_mail"}), True),
        (zipped({"a.py": "from made_up_pack import (\n    other,\n    late,\n)"}), True),
        (zipped({"a.py": "def f():\n    import json, made_up_mail.parts as parts  # at last"}), True),
        (zipped({"a.py": "'''\nimport made_up_mail\n'''"}), False),
        (zipped({"a.py": "from .made_up_mail import x\nfrom . import made_up_mail"}), False),
        (b"no archive", False),
    ],
)
def test_an_archive_needs_what_any_of_its_sources_imports(archive: bytes, is_needed: bool) -> None:
    page = install(lambda: "not asked", "")
    assert page is not None
    assert page.is_needed_by_archive(Array(archive)) is is_needed


def test_a_whole_library_needs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    before = list(sys.meta_path)
    assert install(lambda: "not asked", "") is None
    assert sys.meta_path == before
