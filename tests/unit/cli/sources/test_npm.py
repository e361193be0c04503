import json
from pathlib import Path

import pytest

from tests.unit.cli.conftest import FakeTool
from tests.unit.cli.made_up import quiet, write_npm_lock
from webtools.cli.sources.npm import ensure_packages
from webtools.cli.terminal.problems import CommandProblem

INSTALL = "cp package-lock.json node_modules/.package-lock.json"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A fresh clone that wants pyodide 2, and has pyodide 1."""
    folder = tmp_path / "checkout"
    write_npm_lock(folder / "package-lock.json", pyodide="2")
    write_npm_lock(folder / "node_modules" / ".package-lock.json", pyodide="1")
    return folder


def test_packages_of_another_version_are_fetched(checkout: Path, fake_tool: FakeTool) -> None:
    fake_tool("node", "echo v20.0.0")
    fake_tool("npm", f'[ "$1 $2" = "ci --ignore-scripts" ] && {INSTALL}')
    ensure_packages(checkout, quiet)
    installed = json.loads((checkout / "node_modules" / ".package-lock.json").read_text())
    assert installed["packages"]["node_modules/pyodide"] == {"version": "2"}


@pytest.mark.usefixtures("fake_tool")
def test_packages_that_are_there_need_neither_npm_nor_node(checkout: Path) -> None:
    write_npm_lock(checkout / "node_modules" / ".package-lock.json", pyodide="2", another="1")
    ensure_packages(checkout, pytest.fail)


@pytest.mark.usefixtures("fake_tool")
def test_a_package_of_another_operating_system_is_not_missed(checkout: Path) -> None:
    lock = {"packages": {"": {}, "node_modules/windows-only": {"version": "1", "optional": True}}}
    (checkout / "package-lock.json").write_text(json.dumps(lock))
    ensure_packages(checkout, pytest.fail)


def test_an_install_that_broke_off_is_done_again(checkout: Path, fake_tool: FakeTool) -> None:
    (checkout / "node_modules" / ".package-lock.json").write_text('{"packages"')
    fake_tool("node", "echo v22.1.0")
    fake_tool("npm", INSTALL)
    reports: list[str] = []
    ensure_packages(checkout, reports.append)
    assert reports == ["Fetching npm's packages (once) …"]


@pytest.mark.usefixtures("fake_tool")
def test_missing_node_is_told_with_the_cure(checkout: Path) -> None:
    with pytest.raises(CommandProblem, match=r"Node\.js 20 .* missing; .*apt-get install nodejs npm"):
        ensure_packages(checkout, quiet)


def test_missing_npm_is_told_with_the_cure(checkout: Path, fake_tool: FakeTool) -> None:
    fake_tool("node", "echo v20.0.0")
    with pytest.raises(CommandProblem, match=r"^npm, .* is missing; .*apt-get install npm"):
        ensure_packages(checkout, quiet)


@pytest.mark.parametrize(("answer", "told"), [("echo v18.20.4", "v18.20.4"), ("exit 1", "broken")])
def test_an_old_or_broken_node_is_told_with_the_cure(
    checkout: Path, fake_tool: FakeTool, answer: str, told: str
) -> None:
    fake_tool("node", answer)
    fake_tool("npm", INSTALL)
    with pytest.raises(CommandProblem, match=rf"Node\.js here is {told}, and 20 or newer is needed; install"):
        ensure_packages(checkout, quiet)


def test_a_dead_network_is_told_with_npms_reason_and_the_cure(checkout: Path, fake_tool: FakeTool) -> None:
    fake_tool("node", "echo v20.0.0")
    fake_tool("npm", "echo 'npm error code ENOTFOUND' >&2; echo 'npm error A log is there' >&2; exit 1")
    with pytest.raises(CommandProblem, match=r"^npm ci failed \(code ENOTFOUND\); check the network"):
        ensure_packages(checkout, quiet)


def test_a_reason_is_one_line_of_a_bearable_length(checkout: Path, fake_tool: FakeTool) -> None:
    fake_tool("node", "echo v22.0.0")
    crash = (
        "file:///pyodide.mjs:1\\n" + "var a=1;" * 9000 + "\\n\\nError: no such file\\n  at x\\n\\nNode.js v22"
    )
    fake_tool("npm", f"printf '{crash}'; exit 1")
    with pytest.raises(CommandProblem, match=r"^npm ci failed \(Error: no such file\); check the network"):
        ensure_packages(checkout, quiet)
    fake_tool("npm", f"printf '{'x' * 9000}'; exit 1")
    with pytest.raises(CommandProblem, match=r"^npm ci failed \(x{300} …\); check"):
        ensure_packages(checkout, quiet)
