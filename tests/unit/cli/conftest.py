from collections.abc import Callable
from pathlib import Path

import pytest

FakeTool = Callable[[str, str], Path]


@pytest.fixture
def fake_tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeTool:
    """Put shell scripts in the place of all programs: `fake_tool("node", "echo v20.1.0")`."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))

    def make(name: str, script: str) -> Path:
        tool = folder / name
        tool.write_text(f"#!/bin/sh\nPATH=/usr/bin:/bin\n{script}\n")
        tool.chmod(0o755)
        return tool

    return make
