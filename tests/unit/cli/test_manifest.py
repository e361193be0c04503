"""The command that writes a manifest; `e2e/test_manifest.py` runs it with the page's own Python."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.unit.cli.conftest import FakeTool
from tests.unit.cli.made_up import webtools
from webtools.cli import app as command
from webtools.cli import manifest
from webtools.cli.terminal.problems import CommandProblem


class Node:
    """Stands for Node: it answers what the test says, and keeps the job."""

    def __init__(self) -> None:
        self.job: dict[str, Any] = {}
        self.answer: dict[str, Any] = {"manifest": "{}\n"}

    def __call__(self, arguments: Sequence[str], **_: object) -> None:
        self.job = json.loads(Path(arguments[-1]).read_text("utf-8"))
        Path(self.job["target"]).write_text(json.dumps(self.answer), "utf-8")


@pytest.fixture
def node(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Node:
    node = Node()
    monkeypatch.setattr(manifest, "run_tool", node)
    monkeypatch.setattr(command, "ensure_runtime", lambda *, more, **_: tmp_path)
    monkeypatch.setattr(command, "dependencies_of", lambda *_: [])
    return node


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shop.py").write_bytes(b"\xef\xbb\xbfname = 'caf\xc3\xa9'\r\n")
    return Path("shop.py")


def test_the_app_is_run_as_a_page_reads_it(node: Node, app: Path, tmp_path: Path) -> None:
    assert manifest.manifest_text(app, runtime=tmp_path, library=tmp_path, version="1") == "{}\n"
    assert node.job["source"] == "name = 'café'\r\n"
    assert (node.job["url"], node.job["version"], node.job["runtime"]) == ("shop.py", "1", str(tmp_path))
    assert not Path(node.job["target"]).parent.exists()


@pytest.mark.usefixtures("fake_tool")
def test_missing_node_is_told_with_the_cure(app: Path, tmp_path: Path) -> None:
    with pytest.raises(CommandProblem, match=r"^Node\.js 20 or newer is missing; install it, .*nodejs npm"):
        manifest.manifest_text(app, runtime=tmp_path, library=tmp_path, version="1")


@pytest.mark.usefixtures("node", "app")
def test_the_manifest_is_all_that_standard_output_gets(capsys: pytest.CaptureFixture[str]) -> None:
    assert webtools("manifest", "shop.py") == 0
    assert capsys.readouterr().out == "{}\n"


@pytest.mark.usefixtures("node", "app")
@pytest.mark.parametrize("option", ["-o", "--output"])
def test_it_is_written_to_a_file(option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert webtools("manifest", "shop.py", option, "shop.tools.json") == 0
    assert (tmp_path / "shop.tools.json").read_bytes() == b"{}\n"
    assert capsys.readouterr().out == ""


@pytest.mark.usefixtures("app")
@pytest.mark.parametrize(
    ("needs_page", "end"), [(True, "belongs into the tools' handlers.\n"), (False, "line 3\n")]
)
def test_a_problem_is_one_sentence(
    node: Node, needs_page: bool, end: str, capsys: pytest.CaptureFixture[str]
) -> None:
    node.answer = {"problem": "shop.py, line 3", "needsPage": needs_page}
    assert webtools("manifest", "shop.py") == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("error: shop.py, line 3")
    assert told.err.endswith(end)
    assert told.err.count("\n") == 1


@pytest.mark.usefixtures("node", "app")
def test_a_file_that_cannot_be_written_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert webtools("manifest", "shop.py", "-o", "nowhere/shop.json") == 1
    assert "choose another file with -o" in capsys.readouterr().err


@pytest.mark.usefixtures("app")
@pytest.mark.parametrize(
    ("output", "sentence"),
    [
        (
            "./shop.py",
            "is the app itself, which its manifest would overwrite; choose another file, such as: ",
        ),
        ("link.json", "is the app itself"),
        ("notes.txt", "notes.txt is there and is no manifest; move it away, or choose another file with -o."),
        ("package.json", "package.json is there and is no manifest"),
    ],
)
def test_nothing_but_a_manifest_is_overwritten(
    node: Node, tmp_path: Path, output: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "package.json").write_text('{"name": "shop"}')
    (tmp_path / "link.json").symlink_to("shop.py")
    before = (tmp_path / output).read_bytes()
    assert webtools("manifest", "shop.py", "-o", output) == 1
    assert sentence in capsys.readouterr().err
    assert (tmp_path / output).read_bytes() == before
    assert node.job == {}


@pytest.mark.usefixtures("node", "app")
@pytest.mark.parametrize("before", ['{"webtools": "0", "app": "", "tools": []}', ""])
def test_an_older_manifest_is_overwritten(tmp_path: Path, before: str) -> None:
    output = tmp_path / "shop.tools.json"
    output.write_text(before)
    assert webtools("manifest", "shop.py", "-o", str(output)) == 0
    assert output.read_bytes() == b"{}\n"


def test_an_app_that_never_ends_is_told(
    fake_tool: FakeTool, app: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_tool("node", '[ "$1" = --version ] && echo v20.1.0 || exec sleep 60')
    monkeypatch.setattr(manifest, "_LONGEST_S", 0.2)
    with pytest.raises(CommandProblem, match=r"^shop\.py was not done after 0\.2 s, .* imported$"):
        manifest.manifest_text(app, runtime=tmp_path, library=tmp_path, version="1")


def test_an_archive_is_run_by_its_entry(node: Node, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shop.zip").write_bytes(b"PK")
    assert webtools("manifest", "shop.zip", "--entry", "shop.tools") == 0
    assert (node.job["archive"], node.job["entry"]) == (str(tmp_path / "shop.zip"), "shop.tools")
    assert node.job["url"] == "shop.zip"
    assert "source" not in node.job


@pytest.mark.usefixtures("app")
@pytest.mark.parametrize(
    ("arguments", "cure"),
    [
        (["shop.zip"], "name the module that has the tools, --entry pkg.module"),
        (["shop-1-py3-none-any.WHL"], "is an archive"),
        (["shop.py", "--entry", "shop"], "--entry is for an archive, a .zip or .whl, which shop.py is not"),
    ],
)
def test_an_archive_has_an_entry_and_a_file_has_none(
    node: Node, tmp_path: Path, arguments: list[str], cure: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / arguments[0]).touch()
    assert webtools("manifest", *arguments) == 1
    assert cure in capsys.readouterr().err
    assert node.job == {}


def test_an_app_that_is_no_text_is_told(node: Node, tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_bytes(b"name = '\xff'")
    with pytest.raises(CommandProblem, match="no UTF-8 text"):
        manifest.manifest_text(tmp_path / "shop.py", runtime=tmp_path, library=tmp_path, version="1")
    with pytest.raises(CommandProblem, match="Cannot read"):
        manifest.manifest_text(tmp_path / "missing.py", runtime=tmp_path, library=tmp_path, version="1")
    assert node.job == {}


def test_the_version_is_the_librarys(node: Node, app: Path, capsys: pytest.CaptureFixture[str]) -> None:
    version: Callable[[], str] = command._version
    webtools("manifest", str(app))
    assert node.job["version"] == version()
    assert capsys.readouterr().err == ""
