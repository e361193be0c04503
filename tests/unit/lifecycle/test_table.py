"""No script of the table of ../shared/spec/lifecycle.md gets lost."""

from __future__ import annotations

import re
from pathlib import Path

from tests.unit.lifecycle import test_scripts

ROOT = Path(__file__).parents[3]

SCRIPTS = [f"W{number}" for number in range(1, 21)]

TESTS = ["tests/**/test_*.py", "tests/**/*.test.mjs", "e2e/**/test_*.py"]

NAMED = re.compile(r"""^\s*(?:def test_w|test\(["'`]W)([0-9]+)[_:]""", re.MULTILINE)
"""A test's name in Python, or in JavaScript, that begins with a script's number."""


def where_scripts_are() -> dict[str, list[str]]:
    """The test files of each script."""
    found: dict[str, list[str]] = {}
    for file in sorted(file for pattern in TESTS for file in ROOT.glob(pattern)):
        for number in {int(each) for each in NAMED.findall(file.read_text(encoding="utf-8"))}:
            found.setdefault(f"W{number}", []).append(file.relative_to(ROOT).as_posix())
    return found


def the_table() -> dict[str, list[str]]:
    """What `test_scripts` says of it."""
    rows = re.findall(r"^(W[0-9]+) +(.+)$", test_scripts.__doc__ or "", re.MULTILINE)
    return {script: files.split(", ") for script, files in rows}


def test_every_script_is_a_test_by_its_name() -> None:
    assert sorted(where_scripts_are()) == sorted(SCRIPTS)


def test_the_table_says_where_each_script_is() -> None:
    assert list(the_table()) == SCRIPTS
    found = where_scripts_are()
    wrong = {script: files for script, files in the_table().items() if not set(files) <= set(found[script])}
    assert wrong == {}
