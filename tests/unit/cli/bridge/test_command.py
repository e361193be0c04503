from __future__ import annotations

import subprocess
import sys

import pytest

from tests.unit.cli.conftest import FakeTool
from tests.unit.cli.made_up import webtools
from webtools.cli.bridge import run as running
from webtools.cli.bridge.chromium import has_display
from webtools.cli.bridge.run import Options
from webtools.cli.programs import chromium
from webtools.cli.serving.listening import listen

PYTHON = sys.executable
PAGE = "http://127.0.0.1:8000/"


@pytest.fixture(autouse=True)
def bare_machine(fake_tool: FakeTool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WEBTOOLS_CHROMIUM", raising=False)
    monkeypatch.setattr(chromium, "_MAC_APPS", ())
    monkeypatch.setattr("sys.executable", str(fake_tool("python", "exit 1")))


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((PAGE,), "Chromium 153 or newer is missing; install it, for example with: sudo apt-get"),
        (("shop",), "A page is no http or https URL"),
        ((PAGE, "--cdp", "9222"), "What --cdp names is no URL; give one, as in: --cdp http"),
        ((PAGE, "--allow", "login"), "What --allow names is no origin"),
        ((PAGE, "--allow", "http://ada@a.test"), "What --allow names is no origin"),
        ((PAGE, "--allow", "http://a.test/?tok=1"), "What --allow names is no origin"),
        ((PAGE, "--allow", "http://a.test/login"), "What --allow names is no origin"),
        ((PAGE, "--cdp", "http://127.0.0.1:9222", "--headless"), "leave out --headless"),
    ],
)
def test_what_cannot_be_is_told_in_one_line_and_not_on_standard_output(
    arguments: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert webtools("bridge", *arguments) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert told in err
    assert err.count("\n") == 1


def test_a_port_that_is_taken_is_told_with_its_own_option(capsys: pytest.CaptureFixture[str]) -> None:
    with listen("127.0.0.1", 0) as listener:
        port = str(listener.getsockname()[1])
        assert webtools("bridge", PAGE, "--cdp", "http://127.0.0.1:1", "--http", port) == 1
    assert "any free one with: --http 0" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["mcp", "playwright"])
def test_a_package_that_is_missing_is_told_with_the_command_that_installs_it(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for module in [module for module in sys.modules if module.startswith("webtools.cli.bridge.run")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "mcp.server.stdio" if name == "mcp" else "playwright.async_api", None)
    assert webtools("bridge", PAGE) == 1
    assert "run: python3 -m pip install mcp playwright" in capsys.readouterr().err


def test_the_options_reach_the_bridge(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[tuple[str, ...], Options]] = []
    monkeypatch.setattr(running, "run_bridge", lambda pages, options: seen.append((pages, options)))
    allow = ("--allow", "https://a.test", "--allow", "https://b.test")
    assert webtools("bridge", PAGE, f"me={PAGE}me", *allow, "--http", "0", "--no-headless") == 0
    ((pages, options),) = seen
    assert pages == (PAGE, f"me={PAGE}me")
    assert (options.http, options.headless, options.cdp) == (0, False, None)
    assert options.allow == ["https://a.test", "https://b.test"]


@pytest.mark.parametrize(
    ("platform", "environment", "is_there"),
    [
        ("linux", {}, False),
        ("linux", {"DISPLAY": ":0"}, True),
        ("linux", {"WAYLAND_DISPLAY": "wayland-0"}, True),
        ("darwin", {}, True),
        ("win32", {}, True),
    ],
)
def test_there_is_a_window_where_there_is_a_display(
    platform: str, environment: dict[str, str], is_there: bool
) -> None:
    assert has_display(environment, platform) is is_there


def test_no_other_command_loads_what_the_bridge_needs() -> None:
    script = "import sys, webtools.cli.app; print({'mcp', 'playwright'} & set(sys.modules))"
    done = subprocess.run([PYTHON, "-c", script], text=True, capture_output=True, check=False)
    assert done.stdout == "set()\n"
