"""What micropip is asked for, and what its errors mean; `e2e/test_packages.py` has the real one."""

from __future__ import annotations

import asyncio
import json
import sys
from types import ModuleType
from typing import Any

import pytest

from tests.zips import zipped
from webtools.browser.packages import check_names, install

INDEX = "http://localhost/webtools/packages"
FILE = "greet-1.0-py3-none-any.whl"


class Layer:
    """As micropip's port to the page, with one wheel for all URLs."""

    wheel = b""

    @staticmethod
    async def fetch_bytes(_url: str, _kwargs: dict[str, Any]) -> bytes:
        return Layer.wheel


class Manager:
    """Notes what it is to install, or raises; fetches one wheel, and one text that is none."""

    def __init__(self, error: Exception | None = None) -> None:
        self.compat_layer: Any = Layer
        self.asked: list[tuple[list[str], list[str]]] = []
        self._error = error

    async def install(self, requirements: list[str], *, index_urls: list[str]) -> None:
        self.asked.append((requirements, index_urls))
        if self._error:
            raise self._error
        await self.compat_layer.fetch_bytes(f"{INDEX}/greet/{FILE}.metadata", {})
        await self.compat_layer.fetch_bytes(f"{INDEX}/greet/{FILE}#sha256=0", {})


class InvalidRequirement(ValueError):
    """As in micropip's own copy of packaging."""


def ask(monkeypatch: pytest.MonkeyPatch, error: Exception | None = None) -> tuple[Manager, str | None]:
    manager, micropip = Manager(error), ModuleType("micropip")
    micropip.__dict__["install"] = manager.install
    monkeypatch.setitem(sys.modules, "micropip", micropip)
    return manager, asyncio.run(install("humanize attrs>=25", INDEX))


def test_it_is_asked_for_all_of_them_from_the_pages_index_only(monkeypatch: pytest.MonkeyPatch) -> None:
    manager, problem = ask(monkeypatch)
    assert problem is None
    assert manager.asked == [(["humanize", "attrs>=25"], [INDEX])]


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


@pytest.mark.parametrize(
    ("member", "owner"),
    [
        ("webtools/__init__.py", "webtools"),
        ("webtools/notes.txt", "webtools"),
        ("webtools.py", "webtools"),
        ("webtools/calls/__pycache__/call.cpython-314.pyc", "webtools"),
        ("./webtools/call.py", "webtools"),
        ("webtools//call.py", "webtools"),
        ("pydantic/main.py", "pydantic"),
        ("pydantic_core/_pydantic_core.cpython-314-wasm32-emscripten.so", "pydantic-core"),
        ("typing_extensions.py", "typing-extensions"),
        ("__pycache__/typing_extensions.cpython-314.pyc", "typing-extensions"),
        ("greet-1.0.data/data/lib/python3.14/site-packages/pydantic/main.py", "pydantic"),
        ("greet-1.0.data/data/lib/python3.14/json/decoder.py", "Python's standard library"),
        ("json/__init__.py", "Python's standard library"),
        ("zlib.so", "Python's standard library"),
    ],
)
def test_a_wheel_with_a_module_that_every_page_needs_is_refused_before_anything_is_installed(
    monkeypatch: pytest.MonkeyPatch, member: str, owner: str
) -> None:
    monkeypatch.setattr(Layer, "wheel", zipped({"greet.py": "", member: ""}))
    _, problem = ask(monkeypatch)
    said = json.loads(problem or "")["message"]
    assert said.startswith(f"data-packages: {FILE} has a module ")
    assert f", and so has {owner}, which every page needs as it is. Leave the wheel out, or rename" in said


@pytest.mark.parametrize(
    "member",
    [
        "tests/__init__.py",
        "greet/json.py",
        "platform.json",
        "greet/webtools/call.py",
        "__pycache__/greet.cpython-314.pyc",
        "greet-1.0.dist-info/METADATA",
        "greet-1.0.data/data/share/json/greet.txt",
    ],
)
def test_a_wheel_whose_names_are_its_own_is_not_refused(member: str) -> None:
    check_names(FILE, zipped({member: ""}))


def test_a_wheel_that_is_damaged_is_left_to_the_installer() -> None:
    check_names(FILE, b"no archive")
