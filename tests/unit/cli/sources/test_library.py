"""What a page gets as `/webtools/*.js`; `e2e/` runs it in browsers."""

import re
import shutil
from pathlib import Path

import pytest

from webtools.cli.sources.bundle import ENTRIES
from webtools.cli.sources.checkout import CHECKOUT, Checkout
from webtools.cli.sources.library import ensure_library
from webtools.cli.terminal.problems import CommandProblem

STATIC = CHECKOUT / "static"
FROM = re.compile(r'\b(?:from|import)\s*"\./([\w.-]+)"')
LATE = re.compile(r'\bimport\("\./([\w.-]+\.js)"\)')
STATE = re.compile(r"^(?:export )?(?:let |const \w+ = new (?:Weak)?(?:Map|Set|Ref)\()", re.MULTILINE)


@pytest.fixture(scope="module")
def library() -> Path:
    return ensure_library()


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """One with modules of a few lines."""
    for name in ("package-lock.json", "package.json"):
        shutil.copyfile(CHECKOUT / name, tmp_path / name)
    (tmp_path / "node_modules").symlink_to(CHECKOUT / "node_modules")
    static = tmp_path / "static"
    static.mkdir()
    (static / "webtools.js").write_text('import "./a.js";\nexport const f = () => import("./late.js");\n')
    (static / "a.js").write_text("globalThis.a = 1;\n")
    (static / "late.js").write_text("export const late = 2;\n")
    (static / "polyfill.js").write_text("export const apply = 3;\n")
    (static / "react.js").write_text("export const bindReact = 4;\n")
    (static / "elements.js").write_text("export const holdWhile = 5;\n")
    return tmp_path


def reached(entry: str, modules: Path) -> set[str]:
    """A module and all that it imports at once."""
    found: set[str] = set()
    ahead = {entry}
    while ahead:
        name = ahead.pop()
        found.add(name)
        ahead |= {*FROM.findall((modules / name).read_text("utf-8"))} - found
    return found


def test_the_entry_is_one_file(library: Path) -> None:
    assert reached("webtools.js", library) == {"webtools.js"}
    assert {*ENTRIES} <= {path.name for path in library.iterdir()}


def test_what_few_pages_need_is_imported_late(library: Path) -> None:
    assert "polyfill.js" in LATE.findall((library / "webtools.js").read_text("utf-8"))
    for name in LATE.findall((library / "webtools.js").read_text("utf-8")):
        assert (library / name).is_file()


def test_no_module_of_which_there_are_two_copies_has_state(library: Path) -> None:
    at_once = reached("webtools.js", STATIC)
    late = {*ENTRIES, *LATE.findall((library / "webtools.js").read_text("utf-8"))} - {"webtools.js"}
    twice = {name for each in late for name in reached(each, STATIC)} & at_once
    assert "definitions.js" in twice
    assert STATE.search((STATIC / "polyfill-tasks.js").read_text("utf-8"))
    assert [name for name in sorted(twice) if STATE.search((STATIC / name).read_text("utf-8"))] == []


def test_the_same_modules_give_the_same_files_and_those_keep_their_dates(checkout: Path) -> None:
    before = {path.name: path.stat().st_mtime_ns for path in ensure_library(Checkout(checkout)).iterdir()}
    after = {path.name: path.stat().st_mtime_ns for path in ensure_library(Checkout(checkout)).iterdir()}
    assert before == after
    assert {*before} == {*ENTRIES, "late.js"}


def test_a_module_that_has_changed_is_there_and_one_that_has_gone_is_not(checkout: Path) -> None:
    ensure_library(Checkout(checkout))
    (checkout / "static" / "a.js").write_text("globalThis.a = 5;\n")
    (checkout / "static" / "webtools.js").write_text('import "./a.js";\n')
    library = ensure_library(Checkout(checkout))
    assert "globalThis.a=5" in (library / "webtools.js").read_text("utf-8")
    assert {path.name for path in library.iterdir()} == {*ENTRIES}


def test_a_module_that_is_none_is_told_and_what_was_there_stays(checkout: Path) -> None:
    ensure_library(Checkout(checkout))
    (checkout / "static" / "a.js").write_text("const = 1;\n")
    with pytest.raises(CommandProblem, match=r'esbuild failed \(Expected identifier but found "="\)'):
        ensure_library(Checkout(checkout))
    assert "globalThis.a=1" in (checkout / "build" / "library" / "webtools.js").read_text("utf-8")
