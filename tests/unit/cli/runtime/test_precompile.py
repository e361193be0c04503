"""Archives whose modules are bytecode."""

import sys
import traceback
from collections.abc import Iterator
from importlib import import_module, invalidate_caches
from pathlib import Path
from types import ModuleType
from zipfile import ZipFile

import pytest

from webtools.cli.runtime.precompile import precompile

SOURCES = {
    "precompiled_shop/__init__.py": "from precompiled_shop.prices import price\n",
    "precompiled_shop/prices.py": "def price(sku):\n    return {'SH-101': 11900}[sku]\n",
    "precompiled_shop/py.typed": "",
    "precompiled_shop/template.py": "class {{ name }}:\n",
}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "source.zip"
    with ZipFile(path, "w") as archive:
        archive.mkdir("precompiled_shop")
        for name, text in SOURCES.items():
            archive.writestr(name, text)
    return path


@pytest.fixture
def shop(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """What the archive has, imported from it."""
    target = tmp_path / "target.zip"
    precompile(source=str(source), target=str(target), folder="/lib/")
    monkeypatch.syspath_prepend(str(target))
    invalidate_caches()
    yield import_module("precompiled_shop")
    for name in [name for name in sys.modules if name.startswith("precompiled_shop")]:
        del sys.modules[name]


def test_modules_are_bytecode_and_the_rest_is_as_it_was(source: Path, tmp_path: Path) -> None:
    precompile(source=str(source), target=str(tmp_path / "target.zip"), folder="/lib/")
    with ZipFile(tmp_path / "target.zip") as archive:
        assert sorted(archive.namelist()) == [
            "precompiled_shop/__init__.pyc",
            "precompiled_shop/prices.pyc",
            "precompiled_shop/py.typed",
            "precompiled_shop/template.py",
        ]
        template = "precompiled_shop/template.py"
        assert archive.read(template).decode() == SOURCES[template]


def test_the_modules_are_imported_without_their_source(shop: ModuleType) -> None:
    assert shop.price("SH-101") == 11900


def test_a_traceback_names_the_place_in_the_page(shop: ModuleType) -> None:
    with pytest.raises(KeyError) as caught:
        shop.price("none")
    assert traceback.extract_tb(caught.value.__traceback__)[-1].filename == "/lib/precompiled_shop/prices.py"


def test_the_same_source_makes_the_same_bytes(source: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "first.zip", tmp_path / "second.zip"
    precompile(source=str(source), target=str(first), folder="/lib/")
    precompile(source=str(source), target=str(second), folder="/lib/")
    assert first.read_bytes() == second.read_bytes()
