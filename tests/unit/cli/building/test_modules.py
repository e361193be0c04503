"""The library's modules, as a static host gets them."""

import re
from pathlib import Path

import pytest

from webtools.cli.building.modules import write_modules
from webtools.cli.sources.bundle import ENTRIES
from webtools.cli.sources.library import ensure_library

FROM = re.compile(r'\b(?:from|import) ?"(\./[^"]+)"')


@pytest.fixture(scope="module")
def library() -> Path:
    return ensure_library()


@pytest.fixture
def written(tmp_path: Path, library: Path) -> tuple[Path, str]:
    return tmp_path, write_modules(library, tmp_path, "{}", {})


def test_the_modules_are_the_librarys_own_and_the_index_lies_where_they_look_for_it(
    written: tuple[Path, str], library: Path
) -> None:
    target, folder = written
    assert {path.name for path in target.iterdir()} == {folder, *ENTRIES}
    for path in library.iterdir():
        assert (target / folder / path.name).read_bytes() == path.read_bytes()
    assert (target / folder / "runtime" / "runtime.json").read_text() == "{}"


@pytest.mark.parametrize("entry", ENTRIES)
def test_an_entry_imports_flat_all_that_a_browser_would_find_level_by_level(
    written: tuple[Path, str], entry: str
) -> None:
    target, folder = written
    reached: set[Path] = set()
    ahead = {target / folder / entry}
    while ahead:
        path = ahead.pop()
        reached.add(path)
        ahead |= {path.parent / name for name in FROM.findall(path.read_text("utf-8"))} - reached
    named = [target / name for name in FROM.findall((target / entry).read_text())]
    assert {*named} == reached
    assert named[-1] == target / folder / entry
    assert len(named) == len({*named})


def test_the_same_content_has_the_same_name_and_any_other_another(tmp_path: Path) -> None:
    library = tmp_path / "library"
    library.mkdir()
    for entry in ENTRIES:
        (library / entry).write_text("export {};\n")

    def name(target: str, index: str = "{}") -> str:
        return write_modules(library, tmp_path / target, index, {})

    first = name("1")
    assert name("2") == first
    assert re.fullmatch(r"lib-[0-9a-f]{16}", first)
    other = name("3", '{"engine": "pyodide-2/"}')
    (library / "react.js").write_text("export {};\n\n")
    assert len({first, other, name("4")}) == 3
