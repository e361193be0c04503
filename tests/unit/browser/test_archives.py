"""Apps that are archives: where their modules are found, and what is said where one cannot be loaded."""

from __future__ import annotations

import importlib.metadata
import sys
import traceback
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.zips import zipped
from webtools.browser import apps
from webtools.browser.apps import AppProblem, declared_in
from webtools.browser.archives import Archives

URL = "http://localhost:8000/apps/made_up_shop.zip?v=1"
OTHER = "http://localhost:8000/apps/other.whl"

SHOP = {
    "made_up_shop/__init__.py": "",
    "made_up_shop/prices.py": "from .data import price\n",
    "made_up_shop/data.py": "price = 3\n",
    "made_up_shop/tools.py": """
from webtools import tool

from made_up_shop.prices import price

@tool
def cost() -> int:
    "The price."
    return price
""",
}


pytestmark = pytest.mark.usefixtures("forgotten_apps")


def with_(**files: str) -> dict[str, str]:
    """The shop, with these modules of it changed or added."""
    return {**SHOP, **{f"made_up_shop/{name}.py": text for name, text in files.items()}}


def problem(
    files: Mapping[str, str] | bytes,
    entry: str = "made_up_shop.tools",
    archives: Archives | None = None,
    url: str = URL,
) -> str:
    data = files if isinstance(files, bytes) else zipped(files)
    with pytest.raises(AppProblem) as caught:
        (archives or Archives()).load(url, data, entry)
    text = str(caught.value)
    assert "\n" not in text
    return text


def test_an_archives_entry_finds_its_other_modules_and_has_its_tools() -> None:
    module = Archives().load(URL, zipped(SHOP), "made_up_shop.tools")
    assert module is sys.modules["made_up_shop.tools"]
    (tool,) = declared_in(vars(module)).tools
    assert (tool.name, tool.handler()) == ("cost", 3)


def test_a_package_or_a_single_module_can_be_the_entry() -> None:
    package = {**SHOP, "made_up_shop/__init__.py": "from made_up_shop.tools import cost\n"}
    assert len(declared_in(vars(Archives().load(URL, zipped(package), "made_up_shop"))).tools) == 1
    assert Archives().load(OTHER, zipped({"made_up_one.py": "x = 1"}), "made_up_one").x == 1


def test_a_wheel_has_its_metadata_and_the_files_beside_its_modules() -> None:
    files = {
        "made_up_shop/__init__.py": "",
        "made_up_shop/tools.py": (
            "from importlib import resources\n"
            "text = resources.files('made_up_shop').joinpath('notes.txt').read_text()\n"
        ),
        "made_up_shop/notes.txt": "notes",
        "made_up_shop-1.5.dist-info/METADATA": "Metadata-Version: 2.1\nName: made-up-shop\nVersion: 1.5\n",
    }
    assert Archives().load(OTHER, zipped(files), "made_up_shop.tools").text == "notes"
    assert importlib.metadata.version("made-up-shop") == "1.5"


def test_an_archive_may_have_what_only_python_on_a_desk_runs() -> None:
    files = {**SHOP, "__main__.py": "raise AssertionError"}
    assert Archives().load(URL, zipped(files), "made_up_shop.tools").cost() == 3


def test_an_entry_that_is_not_there_says_what_is() -> None:
    assert problem(SHOP, "shop.tools") == (
        "/apps/made_up_shop.zip has no module shop.tools, which data-entry names. It has: made_up_shop, "
        "made_up_shop.data, made_up_shop.prices, made_up_shop.tools."
    )
    inside_a_folder = {f"my-shop/{name}": text for name, text in SHOP.items()}
    assert problem(inside_a_folder).endswith("It has no Python modules.")
    many = {f"made_up_{number}.py": "" for number in range(10)}
    assert problem(many).endswith("made_up_6, made_up_7 and 2 more.")
    assert problem({"made_up_shop/data.py": ""}, "made_up_shop").endswith("It has: made_up_shop.data.")


@pytest.mark.parametrize(
    "damaged",
    [b"", b"<!doctype html>", zipped(SHOP)[:-30], zipped(SHOP).replace(b"price = 3", b"price = 4")],
)
def test_a_damaged_archive_says_what_to_look_at(damaged: bytes) -> None:
    said = problem(damaged)
    assert said.startswith("/apps/made_up_shop.zip cannot be unpacked (")
    assert said.endswith("compare what the server sends with the file.")
    assert not [name for name in sys.modules if name.startswith("made_up_shop")]


@pytest.mark.parametrize(
    ("name", "owner"),
    [
        ("json/__init__.py", "Python's standard library"),
        ("tomllib.py", "Python's standard library"),
        ("webtools/tools.py", "the page's Python"),
        ("pydantic.py", "the page's Python"),
        ("docstring_parser/__init__.py", "the page's Python"),
    ],
)
def test_a_module_that_the_page_has_is_refused(name: str, owner: str) -> None:
    top = name.partition("/")[0].removesuffix(".py")
    assert problem({**SHOP, name: ""}) == (
        f"/apps/made_up_shop.zip has a module {top}, and so has {owner}. "
        "Rename it in the archive, or leave it out."
    )


def test_a_name_that_pyodide_knows_how_to_get_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def find(name: str) -> None:
        raise ModuleNotFoundError(f"{name} has to be loaded")

    monkeypatch.setattr("webtools.browser.archives.find_spec", find)
    assert "so has the page's Python" in problem(SHOP)


@pytest.mark.parametrize(
    "member", ["../../escaped.txt", "/escaped.txt", "made_up_shop/../../../../escaped.txt"]
)
def test_no_member_leads_out_of_the_archives_folder(member: str, tmp_path: Path) -> None:
    Archives().load(URL, zipped({**SHOP, member: "out"}), "made_up_shop.tools")
    ((folder, *_),) = [found.parents for found in tmp_path.rglob("escaped.txt")]
    assert folder.is_relative_to(next(tmp_path.glob("webtools-*")) / "made_up_shop.zip")
    assert not Path("/escaped.txt").exists()


def test_the_modules_of_two_archives_never_mix() -> None:
    archives = Archives()
    first = archives.load(URL, zipped(SHOP), "made_up_shop.tools")
    said = problem(with_(data="price = 9"), "made_up_shop.tools", archives, OTHER)
    assert said.startswith(
        "/apps/other.whl has a module made_up_shop, and so has /apps/made_up_shop.zip. Rename"
    )
    assert sys.modules["made_up_shop.tools"] is first
    assert importlib.import_module("made_up_shop.data").price == 3


def test_an_app_of_one_file_keeps_its_name() -> None:
    apps.load("http://localhost/lib/made_up_shop.py", "x = 1")
    assert "and so has /lib/made_up_shop.py." in problem(SHOP)
    assert importlib.import_module("made_up_shop").x == 1


def test_an_archive_that_is_loaded_again_is_run_anew() -> None:
    archives = Archives()
    first = archives.load(URL, zipped(SHOP), "made_up_shop.tools")
    changed = with_(data="price = 4")
    del changed["made_up_shop/__init__.py"]
    second = archives.load(URL, zipped(changed), "made_up_shop.tools")
    assert (first.cost(), second.cost()) == (3, 4)
    assert second is not first
    assert importlib.import_module("made_up_shop").__file__ is None
    assert sum("made_up_shop" in place for place in sys.path) == 1


@pytest.mark.parametrize(
    "wrong",
    [with_(tools="1 / 0"), with_(tools="import sys\nsys.exit(1)"), {**SHOP, "json.py": ""}, {"a.py": ""}],
)
def test_what_fails_when_it_is_loaded_again_leaves_the_old_one_as_it_was(wrong: dict[str, str]) -> None:
    archives = Archives()
    files = with_(tools="def late():\n    import made_up_shop.prices\n    return made_up_shop.prices.price\n")
    first = archives.load(URL, zipped(files), "made_up_shop.tools")
    problem(wrong, archives=archives)
    assert sys.modules["made_up_shop.tools"] is first
    assert first.late() == 3
    archives.load(URL, zipped(SHOP), "made_up_shop.tools")


def test_an_archive_that_failed_leaves_nothing_and_can_be_mended() -> None:
    archives = Archives()
    before = list(sys.path)
    problem(with_(tools="from made_up_shop import data\nraise ValueError"), archives=archives)
    assert not [name for name in sys.modules if name.startswith("made_up_shop")]
    assert sys.path == before
    assert archives.load(URL, zipped(SHOP), "made_up_shop.tools").cost() == 3


def test_another_entry_of_an_archive_is_refused_once_it_is_loaded() -> None:
    archives = Archives()
    problem(SHOP, "made_up_shop.carts", archives)
    archives.load(URL, zipped(SHOP), "made_up_shop.tools")
    assert "is on this page already, with the entry made_up_shop.tools" in problem(
        SHOP, "made_up_shop.data", archives
    )


@pytest.mark.parametrize(
    ("files", "said"),
    [
        (with_(tools="x = 1\ndef f(:\n"), "/made_up_shop/tools.py, line 2: SyntaxError: invalid syntax"),
        (with_(data="x = 1\ndef f(:\n"), "/made_up_shop/data.py, line 2: SyntaxError: invalid syntax"),
        (with_(data="import json\njson.loads('{')"), "/made_up_shop/data.py, line 2: JSONDecodeError: Exp"),
        (with_(tools="raise ValueError('one\\ntwo')"), "/made_up_shop/tools.py, line 1: ValueError: one"),
        (with_(tools="import sys\nsys.exit(3)"), "/made_up_shop/tools.py, line 2: SystemExit: 3"),
        (with_(tools="import nowhere_to_be_found"), "/made_up_shop/tools.py, line 1: ModuleNotFoundError"),
        (with_(tools="from webtools import tool\n@tool\ndef f(x): ..."), "/made_up_shop/tools.py, line 2: "),
        (with_(tools="x = 1\0"), ": SyntaxError: source code string cannot contain null bytes"),
    ],
)
def test_an_error_is_named_with_its_place_in_the_archive(files: dict[str, str], said: str) -> None:
    text = problem(files)
    assert text.startswith(f"/apps/made_up_shop.zip{said}")


def test_a_module_that_is_not_there_says_where_it_has_to_be() -> None:
    assert problem(with_(tools="import nowhere_to_be_found")).endswith("have to be in its archive.")


def test_the_traceback_shows_the_archives_own_lines() -> None:
    with pytest.raises(AppProblem) as caught:
        Archives().load(URL, zipped(with_(data="number = 0\nprint(1 / number)\n")), "made_up_shop.tools")
    cause = caught.value.__cause__
    assert cause
    trace = "".join(traceback.format_exception(cause))
    assert "print(1 / number)" in trace
    assert 'made_up_shop.zip/made_up_shop/data.py", line 2' in trace
