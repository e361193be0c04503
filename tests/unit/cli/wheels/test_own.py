import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.unit.cli.made_up import make_checkout, quiet
from webtools.cli.terminal.problems import CommandProblem
from webtools.cli.wheels.own import own_wheel


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    return make_checkout(tmp_path / "checkout")


def test_the_own_wheel_is_built_once_for_each_state_of_the_sources(checkout: Path, tmp_path: Path) -> None:
    folder = tmp_path / "runtime"
    folder.mkdir()
    first = own_wheel(checkout, folder, quiet)
    assert own_wheel(checkout, folder, pytest.fail) == first
    (checkout / "webtools" / "__init__.py").write_text("changed = True")
    assert own_wheel(checkout, folder, quiet) != first


@pytest.mark.parametrize("name", ["static/version.js", "README.md", "LICENSE", "pyproject.toml"])
def test_what_lies_beside_the_package_counts_as_a_source(checkout: Path, tmp_path: Path, name: str) -> None:
    folder = tmp_path / "runtime"
    folder.mkdir()
    first = own_wheel(checkout, folder, quiet)
    with (checkout / name).open("a") as file:
        file.write("# changed\n")
    assert own_wheel(checkout, folder, quiet) != first


def test_compiled_files_do_not_count_as_sources(checkout: Path, tmp_path: Path) -> None:
    folder = tmp_path / "runtime"
    folder.mkdir()
    first = own_wheel(checkout, folder, quiet)
    (checkout / "webtools" / "__pycache__").mkdir()
    (checkout / "webtools" / "__pycache__" / "x.cpython-314.pyc").write_bytes(b"x")
    assert own_wheel(checkout, folder, pytest.fail) == first


def test_the_command_line_is_not_in_it_and_does_not_count_as_a_source(checkout: Path, tmp_path: Path) -> None:
    folder = tmp_path / "runtime"
    folder.mkdir()
    (checkout / "webtools" / "cli").mkdir()
    (checkout / "webtools" / "cli" / "app.py").write_text("first = True")
    first = own_wheel(checkout, folder, quiet)
    names = ZipFile(first).namelist()
    assert "webtools/__init__.py" in names
    assert [name for name in names if "cli" in name] == []
    (checkout / "webtools" / "cli" / "app.py").write_text("changed = True")
    assert own_wheel(checkout, folder, pytest.fail) == first


def test_sources_that_cannot_be_built_are_told_and_leave_nothing(checkout: Path, tmp_path: Path) -> None:
    folder = tmp_path / "build" / "runtime"
    folder.mkdir(parents=True)
    with (checkout / "pyproject.toml").open("a") as project:
        project.write("[project.urls]\nreadme = 1\n")
    with pytest.raises(CommandProblem, match=r"with hatchling failed \(TypeError: .*\); to see all"):
        own_wheel(checkout, folder, quiet)
    assert [path.name for path in folder.parent.rglob("*")] == ["runtime"]


def test_missing_hatchling_is_told_with_the_cure(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "hatchling", None)
    with pytest.raises(CommandProblem, match=r"^hatchling is missing .*; run: .* -m pip install hatchling$"):
        own_wheel(checkout, tmp_path, quiet)
