"""What `webtools new` makes: its tests pass as they are, on plain Python and in a browser."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from e2e.others import MODULES
from tests.author import run_pytest
from webtools.cli.new import Template, make_project
from webtools.cli.programs.node import find_node


def vendor(project: Path) -> None:
    """Do what `npm run vendor` does, after an install."""
    (project / "node_modules").symlink_to(MODULES)
    subprocess.run([find_node(), "vendor.mjs"], cwd=project, check=True)


@pytest.mark.parametrize(
    ("template", "modes", "passed"),
    [
        ("page", [], 3 + 2 * 2),
        # test_react.py and test_attach.py have both contexts for the others
        ("react", ["--webtools-modes=polyfill"], 2 + 2),
        ("pyscript", ["--webtools-modes=polyfill"], 3 + 1),
    ],
)
def test_a_new_projects_tests_pass(tmp_path: Path, template: Template, modes: list[str], passed: int) -> None:
    project = tmp_path / "project"
    make_project(project, template)
    if template == "pyscript":
        vendor(project)
    code, said = run_pytest(project, *modes)
    assert code == 0, said
    assert said.splitlines()[-1].startswith(f"{passed} passed in"), said
