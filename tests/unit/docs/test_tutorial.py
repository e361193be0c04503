"""docs/tutorial.md, where no browser is needed: each step's app loads, and the tutorial's own tests pass."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.docs import DOCS, ROOT, blocks, files_of
from webtools.browser import apps
from webtools.tools.tool import tool_of

TUTORIAL = DOCS / "tutorial.md"


def test_each_step_has_the_tools_that_it_speaks_of() -> None:
    steps = [block for block in blocks(TUTORIAL) if block.file == "notes/site/notes.py"]
    tools = [list(tools_of(step.text)) for step in steps]
    assert tools == [
        ["list_notes"],
        ["list_notes", "add_note"],
        ["list_notes", "add_note", "delete_note"],
    ]


def tools_of(source: str) -> list[str]:
    app = apps.load("http://localhost/notes.py", source)
    del sys.modules[app.__name__]
    found = [tool_of(each) for each in vars(app).values() if callable(each)]
    return [tool.name for tool in found if tool]


def test_the_tests_that_it_shows_pass(tmp_path: Path) -> None:
    for name, text in files_of(TUTORIAL).items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/test_notes.py"],
        cwd=tmp_path / "notes",
        env={"PYTHONPATH": str(ROOT), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "5 passed" in done.stdout, done.stdout + done.stderr
