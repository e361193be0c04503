"""The examples of docs/teardown.md, credentials.md and composition.md do what the pages say."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import ModuleType
from typing import get_args

import pytest

from webtools.stores.credentials import WHY
from webtools.stores.teardown import IDLE, LIMIT, MAX_LIVE, What

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("name", ["teardown", "credentials", "composition"])
def test_the_python_of_a_page_runs_and_its_assertions_hold(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocks = re.findall(r"```python\n(.*?)```", _text(name), re.DOTALL)
    assert len(blocks) >= 2
    module = ModuleType(f"docs_{name}")  # where annotations are looked up
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(compile("\n".join(blocks), f"{name}.md", "exec"), module.__dict__)


def test_the_numbers_and_words_are_those_of_the_code() -> None:
    teardown, credentials = _text("teardown"), _text("credentials")
    assert f"Each has {LIMIT:g} s" in teardown
    assert f"{IDLE / 60:g} minutes" in teardown
    assert f"Above {MAX_LIVE} on a page" in teardown
    assert all(f"`{what}`" in teardown for what in get_args(What))
    assert all(f"`{reason}`" in credentials for reason in WHY)


def _text(name: str) -> str:
    return (DOCS / f"{name}.md").read_text("utf-8")
