"""Arrows of the design: `cli, testing, browser, agent → calls, stores → lifecycle → tools → _exceptions`."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "webtools"

LEVELS = [
    {"_exceptions"},
    {"tools"},
    {"lifecycle"},
    {"calls", "stores"},
    {"__init__"},
    {"agent", "browser", "cli", "testing"},
    {"__main__"},
]
"""The rooms from the ground up: one imports its own level or below. `__init__` has the public names."""

CLI_LEVELS = [
    {"terminal"},
    {"files", "programs"},
    {"wheels"},
    {"sources"},
    {"authored", "runtime"},
    {"building", "checking", "serving"},
    {"bridge"},
    {"commands"},
]
"""The rooms of `cli` likewise, but one imports itself or below. `commands` are the modules at its top."""

AUTHORS = PACKAGE / "cli" / "templates"
"""What `webtools new` copies: authors' code, in no room."""

PAGE_ONLY = {"js", "pyodide", "pyodide_js"}
"""What exists in a page alone."""


def room_of(module: str) -> str:
    """`webtools.calls.page` is in `calls`; the package itself is the room `__init__`."""
    return [*module.split("."), "__init__"][1]


def room_of_cli(module: str) -> str:
    """`webtools.cli.wheels.own` is in `wheels`, and `webtools.cli.app` in `commands`."""
    name = [*module.split("."), ""][2]
    return name if any(name in level for level in CLI_LEVELS) else "commands"


def imports(source: str) -> Iterator[str]:
    """Every module that a source imports, also inside of functions; of `from a import b` both readings."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports are banned"
            yield from _from(node)


def _from(node: ast.ImportFrom) -> Iterator[str]:
    module = node.module or ""
    if module != "webtools":
        yield module
        return
    for alias in node.names:
        is_room = any(alias.name in level for level in LEVELS)
        yield f"webtools.{alias.name}" if is_room else "webtools"


def faults(module: str, source: str) -> list[str]:
    """What a module imports against the arrows."""
    room = room_of(module)
    found = []
    for imported in imports(source):
        top = imported.split(".")[0]
        if top in PAGE_ONLY and room != "browser":
            found.append(f"{module} imports {imported}, which only webtools.browser may")
        if top == "webtools" and not may_import(module, imported):
            found.append(f"{module} imports {imported}, against the arrows")
    return found


def may_import(module: str, imported: str) -> bool:
    room, other = room_of(module), room_of(imported)
    if other == room:
        return room != "cli" or may_import_in_cli(room_of_cli(module), room_of_cli(imported))
    return other != "browser" and level_of(other, LEVELS) <= level_of(room, LEVELS)


def may_import_in_cli(room: str, other: str) -> bool:
    return other == room or level_of(other, CLI_LEVELS) < level_of(room, CLI_LEVELS)


def level_of(room: str, levels: list[set[str]]) -> int:
    return next(number for number, level in enumerate(levels) if room in level)


def modules() -> Iterator[tuple[str, Path]]:
    for path in sorted({*PACKAGE.rglob("*.py")} - {*AUTHORS.rglob("*.py")}):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        yield ".".join(part for part in parts if part != "__init__"), path


MODULES = dict(modules())


@pytest.mark.parametrize("module", MODULES)
def test_a_module_imports_along_the_arrows(module: str) -> None:
    assert faults(module, MODULES[module].read_text(encoding="utf-8")) == []


def test_every_room_has_its_level() -> None:
    assert {room_of(module) for module in MODULES} <= set().union(*LEVELS)


def test_every_room_of_the_command_line_has_its_level() -> None:
    rooms = {file.parent.name for file in (PACKAGE / "cli").glob("*/__init__.py")}
    assert {*rooms, "commands"} == set().union(*CLI_LEVELS)


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("webtools.tools.tool", "from webtools.lifecycle.registry import Slot"),
        ("webtools.lifecycle.registry", "import webtools.calls.dispatcher"),
        ("webtools.calls.page", "from webtools.testing import fake_page"),
        ("webtools.calls.page", "from webtools import testing"),
        ("webtools.calls.page", "def late():\n    from webtools.browser import host"),
        ("webtools.calls.page", "from webtools import tool"),
        ("webtools._exceptions", "import webtools.tools"),
        ("webtools", "from webtools.testing import FakeClock"),
        ("webtools.testing.page", "from webtools.browser.host import Host"),
        ("webtools.cli.app", "import webtools.browser"),
        ("webtools.cli.wheels.own", "from webtools.cli.sources.checkout import Checkout"),
        ("webtools.cli.runtime.pack", "from webtools.cli.authored import pages"),
        ("webtools.cli.terminal.plain", "def late():\n    import webtools.cli.files.folder"),
        ("webtools.cli.bridge.run", "from webtools.cli import app"),
        ("webtools.calls.page", "import js"),
        ("webtools.calls.tasks", "def late():\n    from pyodide.ffi import create_proxy"),
        ("webtools.testing.page", "if True:\n    import pyodide_js as inside"),
    ],
)
def test_a_made_up_violation_is_found(module: str, source: str) -> None:
    assert len(faults(module, source)) == 1


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("webtools.browser.host", "import js\nfrom webtools.calls import page"),
        ("webtools.browser.host", "from webtools.browser.border import Border"),
        ("webtools.calls.dispatcher", "from webtools.tools.tool import Tool"),
        ("webtools.testing.calls", "from webtools import tool, ToolError"),
        ("webtools.cli.bridge.run", "from webtools.cli.serving.listening import listen"),
        ("webtools.cli.app", "from webtools.cli.new import make_project"),
        ("webtools.testing.browsers", "from webtools.cli.programs.chromium import find"),
        ("webtools.__main__", "from webtools.cli.app import main"),
        ("webtools.tools.tool", "import json.decoder"),
    ],
)
def test_what_follows_the_arrows_is_no_violation(module: str, source: str) -> None:
    assert faults(module, source) == []


def test_end_to_end_tests_take_files_of_the_checkout_from_their_own_place() -> None:
    """The webtools that they import may be an installed one, beside which there is no checkout."""
    files = sorted((PACKAGE.parent / "e2e").glob("*.py"))
    theirs = "from webtools.cli.sources.checkout import CHECKOUT"
    assert [file.name for file in files if theirs in file.read_text("utf-8")] == []
