"""What micropip is asked for, and what its errors mean; `e2e/test_packages.py` has the real one."""

from __future__ import annotations

import asyncio
import json
import sys
from types import ModuleType

import pytest

from webtools.browser.packages import install

INDEX = "http://localhost/webtools/packages"


class Micropip(ModuleType):
    """Notes what it is to install, or raises."""

    def __init__(self, error: Exception | None) -> None:
        super().__init__("micropip")
        self.asked: list[tuple[list[str], list[str]]] = []
        self._error = error

    async def install(self, requirements: list[str], *, index_urls: list[str]) -> None:
        self.asked.append((requirements, index_urls))
        if self._error:
            raise self._error


class InvalidRequirement(ValueError):
    """As in micropip's own copy of packaging."""


def ask(monkeypatch: pytest.MonkeyPatch, error: Exception | None = None) -> tuple[Micropip, str | None]:
    micropip = Micropip(error)
    monkeypatch.setitem(sys.modules, "micropip", micropip)
    return micropip, asyncio.run(install("humanize attrs>=25", INDEX))


def test_it_is_asked_for_all_of_them_from_the_pages_index_only(monkeypatch: pytest.MonkeyPatch) -> None:
    micropip, problem = ask(monkeypatch)
    assert problem is None
    assert micropip.asked == [(["humanize", "attrs>=25"], [INDEX])]


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (
            ValueError("Can't fetch metadata for 'a-b'. Please make sure you have entered a correct name"),
            f"there is no fitting wheel for a-b in the page's own index, {INDEX}/. Put it into the ",
        ),
        (
            ValueError("Can't find a pure Python 3 wheel for 'a>=2'.\nSee: https://example.org\nYou can"),
            "there is no fitting wheel for a>=2 in the page's own index",
        ),
        (
            ValueError("Requested 'pydantic<2', but pydantic==2.14.4 is already installed. If you want to"),
            "pydantic<2 is asked for, but the page has pydantic==2.14.4 already. Ask for that.",
        ),
        (
            InvalidRequirement("Expected end\n    a==\n"),
            "Expected end. Write a name, name==1.2 or a URL that ends with .whl, each without spaces.",
        ),
        (OSError("the network is gone\nat once"), "OSError: the network is gone"),
        (RuntimeError(), "RuntimeError: RuntimeError"),
    ],
)
def test_an_error_is_one_line_with_its_cure(
    monkeypatch: pytest.MonkeyPatch, error: Exception, said: str
) -> None:
    _, problem = ask(monkeypatch, error)
    told = json.loads(problem or "")
    assert told["message"].startswith(f"data-packages: {said}")
    assert "\n" not in told["message"]
    assert "Traceback" in told["traceback"]
