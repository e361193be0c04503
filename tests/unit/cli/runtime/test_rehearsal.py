"""The part of the standard library that a page uses."""

import sys
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from zipfile import ZipFile

import pytest

from webtools.cli.runtime import rehearsal
from webtools.cli.runtime.rehearsal import trim

FOLDER = "/lib/made_up.zip/"


@pytest.fixture
def trimmed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ZipFile:
    """Of a library with four modules, one of which is imported, and one part of the interpreter itself."""
    monkeypatch.setattr(rehearsal, "_PAGE", ())
    module = ModuleType("made_up_prices")
    module.__spec__ = ModuleSpec("made_up_prices", None, origin=f"{FOLDER}made_up_prices.pyc")
    monkeypatch.setitem(sys.modules, "made_up_prices", module)
    source, target = tmp_path / "whole.zip", tmp_path / "trimmed.zip"
    with ZipFile(source, "w") as whole:
        for name in ("made_up_prices.pyc", "mail/__init__.pyc", "mail/parts.pyc", "zipimport.pyc", "a.txt"):
            whole.writestr(name, name)
    trim(source=str(source), target=str(target), folder=FOLDER)
    return ZipFile(target)


def test_what_was_imported_is_kept(trimmed: ZipFile) -> None:
    assert trimmed.namelist() == ["made_up_prices.pyc", "_late_stdlib.py"]
    assert trimmed.read("made_up_prices.pyc") == b"made_up_prices.pyc"


def test_the_rest_is_listed_but_for_what_needs_no_file(trimmed: ZipFile) -> None:
    names: dict[str, frozenset[str]] = {}
    exec(trimmed.read("_late_stdlib.py"), names)
    assert names["NAMES"] == {"mail", "mail.parts"}


def test_pydantic_can_be_used_as_the_rehearsal_does() -> None:
    assert rehearsal.use_pydantic()[0]["type"] == "uuid_parsing"


def test_what_every_page_imports_is_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "_late_stdlib", ModuleType("_late_stdlib"))
    monkeypatch.delitem(sys.modules, "webtools.browser.awakening", raising=False)
    monkeypatch.delitem(sys.modules, "colorsys", raising=False)
    rehearsal.warm(imports="colorsys webtools_has_no_such_module")
    assert "colorsys" in sys.modules
    assert "webtools.browser.awakening" in sys.modules
