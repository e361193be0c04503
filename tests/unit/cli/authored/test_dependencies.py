"""What apps need: chosen for the page's Python, pinned beside them; `e2e/test_dependencies.py` has a page."""

import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name, parse_wheel_filename

from tests.unit.cli.made_up import make_checkout, make_wheel, quiet
from webtools.cli.authored import dependencies
from webtools.cli.authored.dependencies import LOCK, Page, dependencies_of, resolved
from webtools.cli.sources.checkout import Checkout
from webtools.cli.terminal.problems import CommandProblem

PAGE = Page("3.14.2", {"pydantic": "2.14.4"})

BLOCK = "# /// script\n# dependencies = [{}]\n# ///\nimport webtools\n"


class Index:
    """Gives the newest wheel that fits, as pip does, and notes what it was asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.asked: list[list[str]] = []

    def has(self, name: str, version: str = "1.0", needs: Sequence[str] = ()) -> None:
        make_wheel(self.folder, name, version=version, needs=needs)

    def __call__(self, requirements: Sequence[str]) -> list[Path]:
        self.asked.append(list(requirements))
        return [self._newest(Requirement(text)) for text in requirements]

    def _newest(self, need: Requirement) -> Path:
        wheels = {parse_wheel_filename(path.name)[:2]: path for path in self.folder.glob("*.whl")}
        fitting = [
            key for key in wheels if key[0] == canonicalize_name(need.name) and key[1] in need.specifier
        ]
        if not fitting:
            raise CommandProblem(f"No matching distribution found for {need}")
        return wheels[max(fitting)]


@pytest.fixture
def index(tmp_path: Path) -> Index:
    return Index(tmp_path / "index")


def choose(index: Index, *needs: str) -> list[str]:
    wheels = resolved([Requirement(need) for need in needs], PAGE, index)
    return [wheel.name.removesuffix("-py3-none-any.whl") for wheel in wheels]


def test_each_wheel_gets_what_it_needs_in_a_page(index: Index) -> None:
    index.has("a", needs=["b>=1", "not_here; sys_platform != 'emscripten'", "not_wanted; extra == 'more'"])
    index.has("b", needs=["C_d; python_version >= '3.14'", "pydantic>=2"])
    index.has("c_d")
    assert choose(index, "a", "no; platform_system == 'Linux'") == ["a-1.0", "b-1.0", "c_d-1.0"]


def test_the_newest_that_fits_all_is_chosen(index: Index) -> None:
    for version in ("1.0", "1.5", "2.0"):
        index.has("b", version)
    index.has("a", needs=["b<2"])
    assert choose(index, "a", "b") == ["a-1.0", "b-1.5"]


def test_what_a_wheel_needed_that_is_not_chosen_in_the_end_is_left_out(index: Index) -> None:
    index.has("b", "2.0", needs=["only_new"])
    index.has("b", "1.0")
    index.has("only_new")
    index.has("a", needs=["b<2"])
    assert choose(index, "a", "b") == ["a-1.0", "b-1.0"]


def test_an_extra_brings_what_it_names(index: Index) -> None:
    index.has("a", needs=["b; extra == 'more'", "c; extra == 'more' or extra == 'other'"])
    index.has("b")
    index.has("c")
    assert choose(index, "a") == ["a-1.0"]
    assert choose(index, "a", "a[other]") == ["a-1.0", "c-1.0"]
    assert choose(index, "a[more]", "a[other]", "a") == ["a-1.0", "b-1.0", "c-1.0"]


def test_wheels_that_need_each_other_are_no_riddle(index: Index) -> None:
    index.has("a", needs=["b"])
    index.has("b", needs=["a", "b[x]"])
    assert choose(index, "a") == ["a-1.0", "b-1.0"]
    assert index.asked == [["a"], ["b"]]


def test_what_a_page_has_is_not_chosen_again(index: Index) -> None:
    assert choose(index, "pydantic>2", "webtools-host") == []
    assert index.asked == []


@pytest.mark.parametrize(
    ("needs", "said"),
    [
        (["pydantic<2"], "pydantic<2 is needed by the apps, but a page has pydantic 2.14.4; ask for"),
        (["old"], "pydantic<2 is needed by old, but a page has"),
        (["a @ https://example.org/a-1-py3-none-any.whl"], "a is asked for by a URL, by the apps; put that"),
        (["b>=2", "old"], "No matching distribution found for b>=2"),
    ],
)
def test_what_cannot_be_is_told_with_the_cure(index: Index, needs: list[str], said: str) -> None:
    index.has("old", needs=["pydantic<2"])
    index.has("b")
    with pytest.raises(CommandProblem, match=said):
        choose(index, *needs)


def test_needs_that_chase_each_other_come_to_an_end(index: Index) -> None:
    index.has("a", "2.0", needs=["b<2"])
    index.has("a", "1.0", needs=["b>=2"])
    index.has("b", "2.0", needs=["a>=2"])
    index.has("b", "1.0", needs=["a<2"])
    with pytest.raises(CommandProblem, match=r"contradicts itself \(.*\); ask for other versions"):
        choose(index, "a", "b")


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder whose app needs a package that lies in its `wheels`."""
    folder = tmp_path / "site"
    make_wheel(folder / "wheels", "made_up_words", needs=["made-up-letters"])
    make_wheel(folder / "wheels", "made_up_letters")
    (folder / "shop.py").write_text(BLOCK.format('"made-up-words"'))
    return folder


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    return make_checkout(tmp_path / "checkout")


@pytest.fixture
def quick(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Take pip's place where something is resolved; each of its runs takes seconds."""

    def fetch(target: Path, _: object, arguments: Sequence[str], *, mend: str) -> None:
        for wheel in Index(site / "wheels")([each for each in arguments[2:] if not each.startswith("--")]):
            shutil.copy(wheel, target)

    monkeypatch.setattr(dependencies, "fetch_wheels", fetch)


def names(wheels: Sequence[Path]) -> list[str]:
    return [parse_wheel_filename(wheel.name)[0] for wheel in wheels]


def test_they_are_pinned_beside_the_apps_with_hashes(site: Path, checkout: Path) -> None:
    wheels = dependencies_of(site, Checkout(checkout), quiet)
    assert names(wheels) == ["made-up-letters", "made-up-words"]
    lock = (site / LOCK).read_text()
    assert "# needs made-up-words\n" in lock
    assert "\nmade-up-letters==1.0 \\\n    --hash=sha256:" in lock


@pytest.mark.usefixtures("quick")
def test_a_lock_that_is_there_holds_and_needs_no_network(
    site: Path, checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = dependencies_of(site, Checkout(checkout), quiet)
    make_wheel(site / "wheels", "made_up_letters", version="2.0")
    monkeypatch.setattr(dependencies, "fetch_wheels", pytest.fail)
    assert dependencies_of(site, Checkout(checkout), pytest.fail) == first


@pytest.mark.usefixtures("quick")
def test_on_another_machine_the_same_wheels_are_fetched(site: Path, checkout: Path) -> None:
    first = dependencies_of(site, Checkout(checkout), quiet)
    make_wheel(site / "wheels", "made_up_letters", version="2.0")
    shutil.rmtree(checkout / "build" / "packages")
    assert dependencies_of(site, Checkout(checkout), quiet) == first
    make_wheel(site / "wheels", "made_up_words", needs=["other"])
    shutil.rmtree(checkout / "build" / "packages")
    with pytest.raises(CommandProblem, match="Fetching the page's wheels with pip failed"):
        dependencies_of(site, Checkout(checkout), quiet)


def _ask_for_more(site: Path, checkout: Path) -> None:
    (site / "shop.py").write_text(BLOCK.format('"made-up-words", "made-up-letters"'))


def _update_pyodide(site: Path, checkout: Path) -> None:
    lock = checkout / "node_modules" / "pyodide" / "pyodide-lock.json"
    text = json.loads(lock.read_text())
    text["info"]["python"] = "3.14.9"
    lock.write_text(json.dumps(text))


def _delete(site: Path, checkout: Path) -> None:
    (site / LOCK).unlink()


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("change", [_ask_for_more, _update_pyodide, _delete])
def test_another_lock_is_made_when_what_it_came_from_has_changed(
    site: Path, checkout: Path, change: Callable[[Path, Path], None]
) -> None:
    dependencies_of(site, Checkout(checkout), quiet)
    make_wheel(site / "wheels", "made_up_letters", version="2.0")
    change(site, checkout)
    assert "made_up_letters-2.0-py3-none-any.whl" in [
        wheel.name for wheel in dependencies_of(site, Checkout(checkout), quiet)
    ]


def test_apps_that_need_nothing_get_no_lock(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text("import webtools\n")
    assert dependencies_of(tmp_path, Checkout(tmp_path / "nowhere"), pytest.fail) == []
    assert [path.name for path in tmp_path.iterdir()] == ["shop.py"]


def test_a_package_without_a_wheel_for_pages_is_told_with_the_cure(site: Path, checkout: Path) -> None:
    (site / "shop.py").write_text(BLOCK.format('"made-up-nothing"'))
    with pytest.raises(CommandProblem, match=r"requirement made-up-nothing .*; a page needs a wheel of pure"):
        dependencies_of(site, Checkout(checkout), quiet)
    assert not (site / LOCK).exists()
