"""What `webtools new` makes: its tests pass as they are, on plain Python, on native and on the polyfill."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.author import run_pytest
from webtools.cli.new import Template, make_project


@pytest.mark.parametrize(("template", "passed"), [("page", 3 + 2 * 2), ("react", 2 + 2 * 2)])
def test_a_new_projects_tests_pass(tmp_path: Path, template: Template, passed: int) -> None:
    make_project(tmp_path / "project", template)
    code, said = run_pytest(tmp_path / "project")
    assert code == 0, said
    assert said.splitlines()[-1].startswith(f"{passed} passed in"), said
