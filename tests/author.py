"""An author's project: files that docs/ shows, and what pytest says of them."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs"

_FILE = re.compile(r"`([\w./]+\.\w+)`:\n\n```[\w ]+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
"""A block of code below a line that ends with its path."""

WITHOUT_PLAYWRIGHT = """
import sys

sys.modules["playwright"] = None  # as where it is not installed
"""
"""A `conftest.py`."""


def write_files(page: str, folder: Path, *paths: str) -> None:
    """Write files that a page of docs/ shows; none named: all."""
    shown = dict(_FILE.findall((DOCS / page).read_text("utf-8")))
    for path in paths or shown:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(shown[path], "utf-8")


def run_pytest(folder: Path, *arguments: str) -> tuple[int, str]:
    """Run pytest in a folder, in a process of its own; gives its exit code and all that it printed."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    done = subprocess.run(
        command, cwd=folder, check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    return done.returncode, done.stdout
