"""What is compiled, and what is taken from the cache."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.unit.cli.made_up import INFO, quiet
from webtools.cli import bytecode
from webtools.cli.bytecode import Archive, with_bytecode
from webtools.cli.problems import CommandProblem


class Node:
    """Stands for Node: writes to each target what it was asked to compile."""

    def __init__(self) -> None:
        self.jobs: list[dict[str, str]] = []
        self.stops_after = 99

    def __call__(self, command: Sequence[str], **_: object) -> None:
        paper = json.loads(Path(command[-1]).read_text())
        for number, job in enumerate(paper["jobs"]):
            if number == self.stops_after:
                raise CommandProblem("Node failed")
            self.jobs.append(job)
            Path(job["target"]).write_text(f"compiled {Path(job['source']).read_text()} for {job['folder']}")


@pytest.fixture
def node(monkeypatch: pytest.MonkeyPatch) -> Node:
    node = Node()
    monkeypatch.setattr(bytecode, "run_tool", node)
    return node


@pytest.fixture
def archives(tmp_path: Path) -> list[Archive]:
    made = []
    for name in ("a.zip", "b.whl"):
        (tmp_path / name).write_text(name)
        made.append(Archive(tmp_path / name, "/lib/"))
    return made


def compiled(archives: Sequence[Archive], tmp_path: Path, info: dict[str, str] = INFO) -> list[Path]:
    cache = tmp_path / "build" / "bytecode"
    return with_bytecode(archives, cache=cache, pyodide=tmp_path, info=info, report=quiet)


def test_each_archive_has_one_of_the_same_name(node: Node, archives: list[Archive], tmp_path: Path) -> None:
    made = compiled(archives, tmp_path)
    assert [path.name for path in made] == ["a.zip", "b.whl"]
    assert [path.read_text() for path in made] == ["compiled a.zip for /lib/", "compiled b.whl for /lib/"]
    assert len(node.jobs) == 2


def test_a_second_time_nothing_is_compiled(node: Node, archives: list[Archive], tmp_path: Path) -> None:
    first = compiled(archives, tmp_path)
    assert compiled(archives, tmp_path) == first
    assert len(node.jobs) == 2


def test_what_has_changed_is_compiled_anew_and_the_old_is_removed(
    node: Node, archives: list[Archive], tmp_path: Path
) -> None:
    old = compiled(archives, tmp_path)
    archives[1].path.write_text("other")
    new = compiled(archives, tmp_path)
    assert len(node.jobs) == 3
    assert new[0] == old[0]
    assert new[1].read_text() == "compiled other for /lib/"
    assert not old[1].exists()


def test_another_python_compiles_anew(node: Node, archives: list[Archive], tmp_path: Path) -> None:
    compiled(archives, tmp_path)
    compiled(archives, tmp_path, {**INFO, "python": "3.15.0"})
    assert len(node.jobs) == 4


def test_a_run_that_fails_half_way_leaves_nothing(
    node: Node, archives: list[Archive], tmp_path: Path
) -> None:
    node.stops_after = 1
    with pytest.raises(CommandProblem):
        compiled(archives, tmp_path)
    assert [path for path in (tmp_path / "build").rglob("*") if path.is_file()] == []
    node.stops_after = 99
    assert len(compiled(archives, tmp_path)) == 2
