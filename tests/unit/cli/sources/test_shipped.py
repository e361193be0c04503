"""What an installed wheel gives pages, without Node and without writing to where it is installed."""

import json
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.unit.cli.made_up import INFO, make_wheel, quiet
from tests.unit.cli.runtime.test_assembling import Uncompiled, index_of, text_of
from webtools.cli.authored.dependencies import dependencies_of
from webtools.cli.runtime import assembling
from webtools.cli.runtime.assembling import ensure_runtime
from webtools.cli.sources.library import ensure_library, ensure_micropip
from webtools.cli.sources.shipped import Shipped
from webtools.cli.terminal.problems import CommandProblem

ENGINE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shipped:
    """One of small texts, and a cache that is not there yet."""
    root = tmp_path / "shipped"
    for name in ("library", "static", "examples/shop", "runtime/pyodide-1"):
        (root / name).mkdir(parents=True)
    for name in ENGINE:
        (root / "runtime" / "pyodide-1" / name).write_text(f"the real {name}")
    (root / "runtime" / "whole-2.zip").write_text("whole")
    with ZipFile(root / "runtime" / "packages-3.zip", "w") as pack:
        pack.writestr("webtools/__init__.py", "")
    parts = {"wholeStdlib": {"file": "whole-2.zip"}, "packages": {"file": "packages-3.zip"}}
    index = {"engine": "pyodide-1/", "info": INFO, **parts}
    (root / "runtime" / "runtime.json").write_text(json.dumps(index))
    make_wheel(root, "micropip")
    monkeypatch.setenv("WEBTOOLS_CACHE", str(tmp_path / "cache"))
    return Shipped(root)


def test_what_is_there_is_given_as_it_is_and_nothing_is_made(shipped: Shipped, tmp_path: Path) -> None:
    assert ensure_runtime(shipped, report=pytest.fail) == shipped.root / "runtime"
    assert ensure_library(shipped, report=pytest.fail) == shipped.root / "library"
    assert ensure_micropip(shipped, pytest.fail).name == "micropip-1.0-py3-none-any.whl"
    assert dependencies_of(shipped.examples["shop"], shipped, pytest.fail) == []
    assert shipped.info(pytest.fail) == INFO
    assert not (tmp_path / "cache").exists()


def test_what_apps_need_beside_goes_into_the_users_cache(
    shipped: Shipped, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(assembling, "Compiler", Uncompiled)
    before = sorted(shipped.root.rglob("*"))
    more = [make_wheel(tmp_path / "more", "humanize", needs=["pydantic", "webtools-host"])]
    folder = ensure_runtime(shipped, more=more, report=quiet)
    assert folder.parent == shipped.cache
    assert shipped.cache.parent == tmp_path / "cache"
    assert text_of(folder, index_of(folder)["packages"]) == f"packages-3.zip {more[0].name}"
    assert text_of(folder, index_of(folder)["wholeStdlib"]) == "whole"
    assert (folder / index_of(folder)["engine"] / "pyodide.mjs").read_text() == "the real pyodide.mjs"
    assert sorted(shipped.root.rglob("*")) == before


def test_what_apps_need_beside_must_be_complete(shipped: Shipped, tmp_path: Path) -> None:
    more = [make_wheel(tmp_path / "more", "humanize", needs=["nowhere"])]
    with pytest.raises(CommandProblem, match="humanize needs nowhere, which is not pinned"):
        ensure_runtime(shipped, more=more, report=quiet)


def test_another_build_of_the_wheel_has_another_cache(shipped: Shipped) -> None:
    before = shipped.cache
    (shipped.root / "runtime" / "runtime.json").write_text("{}")
    assert shipped.cache.parent == before.parent
    assert shipped.cache != before


def test_the_cache_is_the_users_where_they_name_none(
    shipped: Shipped, monkeypatch: pytest.MonkeyPatch
) -> None:
    from platformdirs import user_cache_dir

    monkeypatch.delenv("WEBTOOLS_CACHE")
    assert str(shipped.cache.parent) == user_cache_dir("webtools", appauthor=False)
