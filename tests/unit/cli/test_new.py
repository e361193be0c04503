import json
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import get_args

import pytest

from tests.author import WITHOUT_PLAYWRIGHT, run_pytest
from tests.supply import npm_packages
from tests.unit.cli.made_up import webtools
from webtools.cli import new
from webtools.cli.new import TEMPLATES, Template, make_project
from webtools.cli.programs.node import find_node
from webtools.cli.terminal.problems import CommandProblem


@pytest.fixture(autouse=True)
def react(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shop = tmp_path / "examples" / "shop"
    bundled = shop / "vendor" / "react.js"
    bundled.parent.mkdir(parents=True)
    bundled.write_text("export default {};\n")
    monkeypatch.setattr(new, "SOURCE", SimpleNamespace(examples={"shop": shop}))
    return bundled


def test_the_templates_are_those_that_can_be_named() -> None:
    assert {path.name for path in TEMPLATES.iterdir()} == set(get_args(Template))


def test_new_makes_a_page_and_says_how_to_open_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert webtools("new", str(tmp_path / "My tasks")) == 0
    assert f"webtools serve '{tmp_path / 'My tasks' / 'site'}'" in capsys.readouterr().out


@pytest.mark.parametrize("template", get_args(Template))
def test_the_pages_name_is_the_folders_everywhere(tmp_path: Path, template: Template) -> None:
    project = tmp_path / "my-tasks"
    make_project(project, template)
    texts = {path: path.read_text("utf-8") for path in project.rglob("*") if path.is_file()}
    assert "<title>my-tasks</title>" in texts[project / "site" / "index.html"]
    assert texts[project / "README.md"].startswith("# my-tasks\n")
    assert [path for path, text in texts.items() if "__NAME__" in text] == []


@pytest.mark.parametrize("template", get_args(Template))
def test_a_page_asks_no_other_host_for_anything(tmp_path: Path, template: Template) -> None:
    make_project(tmp_path / "tasks", template)
    files = [path for path in (tmp_path / "tasks").rglob("*") if path.is_file()]
    assert [path for path in files if "://" in path.read_text("utf-8")] == []


def test_a_new_projects_tests_pass_and_without_playwright_say_what_is_skipped(tmp_path: Path) -> None:
    make_project(tmp_path / "tasks", "page")
    (tmp_path / "tasks" / "conftest.py").write_text(WITHOUT_PLAYWRIGHT)
    code, said = run_pytest(tmp_path / "tasks", "-rs")
    assert code == 0, said
    assert "3 passed, 1 skipped" in said
    assert "needs a browser: python -m pip install playwright" in said


def test_a_new_pyscript_page_says_what_to_run_before_it_can_be_seen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    webtools("new", str(tmp_path / "list"), "--template", "pyscript")
    assert "Run there once: npm install, npm run vendor. To see" in " ".join(capsys.readouterr().out.split())


def test_a_new_pyscript_projects_tests_pass_and_before_npm_say_what_is_skipped(tmp_path: Path) -> None:
    make_project(tmp_path / "list", "pyscript")
    code, said = run_pytest(tmp_path / "list", "-rs")
    assert code == 0, said
    assert "3 passed, 1 skipped" in said
    assert "needs PyScript in site/: npm install, then npm run vendor" in said


def test_pyscript_and_pyodide_are_those_that_webtools_is_tested_with() -> None:
    pinned = json.loads((TEMPLATES / "pyscript" / "package.json").read_text("utf-8"))["dependencies"]
    locked = npm_packages()
    assert pinned == {name: locked[name]["version"] for name in ("@pyscript/core", "pyodide")}


def test_vendoring_before_npm_install_is_told_in_a_sentence(tmp_path: Path) -> None:
    make_project(tmp_path / "list", "pyscript")
    command = [find_node(), "vendor.mjs"]
    done = subprocess.run(command, cwd=tmp_path / "list", check=False, text=True, capture_output=True)
    assert done.returncode == 1
    assert done.stderr == (
        "Not here yet: node_modules/pyodide, node_modules/@pyscript/core/dist; run first: npm install\n"
    )


def test_react_is_put_beside_the_app(tmp_path: Path, react: Path) -> None:
    make_project(tmp_path / "notes", "react")
    assert (tmp_path / "notes" / "site" / "vendor" / "react.js").read_text() == react.read_text()


def test_react_that_is_not_there_is_told_before_anything_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(new, "SOURCE", SimpleNamespace(examples={}))
    with pytest.raises(CommandProblem, match=r"React is not here .* run once: python3 -m nox -s demo"):
        make_project(tmp_path / "notes", "react")
    assert not (tmp_path / "notes").exists()


def test_an_empty_folder_is_filled(tmp_path: Path) -> None:
    (tmp_path / "tasks").mkdir()
    make_project(tmp_path / "tasks", "page")
    assert (tmp_path / "tasks" / "site" / "tasks.py").is_file()


def test_a_folder_that_has_something_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "kept.txt").write_text("mine")
    with pytest.raises(CommandProblem, match="is not empty; name a folder that is not there yet"):
        make_project(tmp_path, "page")
    assert not (tmp_path / "site").exists()


def test_a_file_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "tasks").write_text("mine")
    with pytest.raises(CommandProblem, match="tasks is a file; name a folder"):
        make_project(tmp_path / "tasks", "page")
    assert (tmp_path / "tasks").read_text() == "mine"


def test_a_place_that_cannot_be_written_to_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(CommandProblem, match=r"Cannot write to .* choose another folder"):
        make_project(tmp_path / "file" / "tasks", "page")


@pytest.mark.parametrize("name", ["<b>", "-tasks", "_tasks", "/"])
def test_a_name_that_no_page_can_have_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(
        CommandProblem, match=r"cannot be the name of a page; choose one of letters, .* begins with a letter"
    ):
        make_project(tmp_path / name, "page")


@pytest.mark.parametrize("name", ["u\u0308ber", "\u0939\u093f\u0928\u094d\u0926\u0940", "7 Läden.v2"])
def test_a_name_in_any_script_is_a_name(tmp_path: Path, name: str) -> None:
    make_project(tmp_path / name, "page")
    assert f"<title>{name}</title>" in (tmp_path / name / "site" / "index.html").read_text("utf-8")


def test_a_template_that_there_is_not_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert webtools("new", str(tmp_path / "tasks"), "--template", "vue") != 0
    said = capsys.readouterr().err
    assert "page" in said
    assert "react" in said
