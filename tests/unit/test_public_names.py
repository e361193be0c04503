import ast
import importlib
import importlib.metadata
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import webtools

ROOT = Path(__file__).parents[2]
PACKAGES = ["webtools", "webtools.agent", "webtools.testing"]


def bound_names(package: str) -> set[str]:
    """The public names that the package's `__init__` binds, submodules aside."""
    file = importlib.import_module(package).__file__
    assert file
    bound: set[str] = set()
    for node in ast.parse(Path(file).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom):
            bound.update(alias.asname or alias.name for alias in node.names)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            bound.add(node.name)
    return {name for name in bound if not name.startswith("_")}


@pytest.mark.parametrize("package", PACKAGES)
def test_the_public_names_are_sorted_and_unique(package: str) -> None:
    names = importlib.import_module(package).__all__
    assert names == sorted(set(names), key=lambda name: (not name.isupper(), name))  # constants first


@pytest.mark.parametrize("package", PACKAGES)
def test_the_public_names_are_all_that_the_package_binds(package: str) -> None:
    assert set(importlib.import_module(package).__all__) == bound_names(package)


@pytest.mark.parametrize("package", PACKAGES)
def test_every_public_name_can_be_imported_and_says_what_it_is(package: str) -> None:
    module = importlib.import_module(package)
    for name in module.__all__:
        assert name.isupper() or getattr(module, name).__doc__  # a constant has its words below it


IMPORT_WITHOUT_A_WORLD = """
import asyncio, logging, os, random, secrets, sys, threading, time, uuid
import docstring_parser, pydantic

def forbid(name):
    def touched(*_, **__):
        raise AssertionError(f"importing webtools touches {name}")
    return touched

for module, names in {
    time: ["time", "monotonic", "perf_counter", "time_ns", "monotonic_ns"],
    random: ["random", "randint", "getrandbits", "seed"],
    os: ["urandom"],
    secrets: ["token_hex", "token_urlsafe", "token_bytes", "randbits"],
    uuid: ["uuid4", "uuid1"],
    asyncio: ["new_event_loop", "get_event_loop", "get_running_loop", "run", "Lock", "Future"],
    threading: ["Lock", "Thread"],
}.items():
    for name in names:
        setattr(module, name, forbid(f"{module.__name__}.{name}"))

import webtools, webtools.agent, webtools.calls.dispatcher, webtools.browser.host, webtools.testing
assert not {"js", "pyodide", "webtools.cli", "cyclopts", "rich"} & set(sys.modules)

@webtools.tool
async def search(query: str) -> list[str]:
    "Search."
    return [query]

shop = webtools.page("shop")
checkout = webtools.Ownership("checkout")
print("ok")
"""


def test_importing_webtools_and_defining_an_app_touches_no_loop_clock_or_randomness() -> None:
    """What is made at import would be frozen into a snapshot of the interpreter."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", IMPORT_WITHOUT_A_WORLD],
        cwd=Path(webtools.__file__).parents[1],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout.strip(), done.stderr) == ("ok", "")


def test_the_version_is_written_once_for_python_and_javascript() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert (project["project"].get("version"), project["project"]["dynamic"]) == (None, ["version"])
    assert project["tool"]["hatch"]["version"]["path"] == "static/version.js"
    written = (ROOT / "static" / "version.js").read_text("utf-8")
    assert f'VERSION = "{importlib.metadata.version("webtools-host")}"' in written
