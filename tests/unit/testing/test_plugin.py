"""The pytest plugin in an author's project, where no browser is needed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.author import WITHOUT_PLAYWRIGHT, run_pytest, write_files

USES_A_PAGE = """
def test_a_page(tool_page):
    tool_page.goto("/")
"""

TOO_LATE = """
import asyncio

import pytest
from webtools import registry, tool


@tool(held=True)
async def read_panel() -> str:
    "Read."
    await asyncio.Event().wait()


def test_a_call_that_is_lost(tool_host):
    async def scene():
        registry().hold(read_panel)
        call = tool_host.begin("read_panel")
        tool_host.registry.close()
        call.answer

    asyncio.run(scene())
"""


GONE = """
import pytest
from playwright.sync_api import Error
from webtools.testing import browsers


class Gone:
    def __getattr__(self, name):
        return lambda *_, **__: Gone()

    def close(self):
        raise Error("Playwright connection closed")


@pytest.fixture(scope="session")
def playwright():
    return Gone()


@pytest.fixture(scope="session")
def webtools_url():
    return "http://127.0.0.1/"


browsers.launch = lambda *_: Gone()
"""
"""A `conftest.py`: Ctrl+C on a terminal ends Playwright, too, before the plugin closes its browser."""


def write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text, "utf-8")
    return folder


def test_the_plugin_imports_nothing_that_takes_time_before_a_fixture_is_asked_for() -> None:
    script = "import pytest, sys; was = {*sys.modules}; import pytest_webtools; print(*{*sys.modules} - was)"
    done = subprocess.run([sys.executable, "-c", script], check=True, text=True, capture_output=True)
    assert done.stdout.split() == ["pytest_webtools"]


def test_the_documents_tests_of_which_tools_are_there_pass_as_each_browser(tmp_path: Path) -> None:
    write_files("testing.md", tmp_path, "test_panel.py")
    code, said = run_pytest(tmp_path)
    assert (code, said.split("\n")[-2].partition(" in ")[0]) == (0, "4 passed"), said


def test_a_lost_call_fails_the_test_as_the_browser_that_loses_it_only(tmp_path: Path) -> None:
    code, said = run_pytest(write(tmp_path, test_late=TOO_LATE))
    assert code == 1
    assert "the call of read_panel is lost (UnknownError)" in said
    assert "test_a_call_that_is_lost[chrome-152]" in said


def test_a_page_without_playwright_names_what_to_install(tmp_path: Path) -> None:
    code, said = run_pytest(write(tmp_path, conftest=WITHOUT_PLAYWRIGHT, test_page=USES_A_PAGE))
    assert code == 1
    assert "tool_page needs Playwright; run: pip install playwright" in said
    assert "During handling" not in said


def test_an_interrupted_run_is_told_as_such_alone(tmp_path: Path) -> None:
    interrupted = "def test_a_page(tool_page):\n    raise KeyboardInterrupt\n"
    code, said = run_pytest(
        write(tmp_path, conftest=GONE, test_page=interrupted),
        "--webtools-modes=native",
        "-p",
        "no:playwright",
    )
    assert code == pytest.ExitCode.INTERRUPTED
    assert "KeyboardInterrupt" in said
    assert "Traceback" not in said


def test_a_folder_that_cannot_be_served_is_told_in_the_servers_words(tmp_path: Path) -> None:
    write(tmp_path, test_page=USES_A_PAGE)
    code, said = run_pytest(tmp_path, "-o", "webtools_folder=nowhere", "--webtools-modes=native")
    assert code == 1
    assert "webtools serve" in said
    assert 'nowhere" does not exist' in said


@pytest.mark.parametrize(
    ("argument", "told"),
    [
        (
            "--webtools-modes=firefox",
            "--webtools-modes: 'firefox'; name some of native, polyfill, chrome-150,",
        ),
        ("--webtools-modes=", "--webtools-modes: ''; name some of native,"),
        ("--override-ini=webtools_modes=firefox", "webtools_modes: 'firefox'; name some of native,"),
        ("--override-ini=webtools_profiles=native", "webtools_profiles: 'native'; name some of chrome-150,"),
    ],
)
def test_a_mode_or_profile_that_is_none_is_an_error_of_usage(
    tmp_path: Path, argument: str, told: str
) -> None:
    code, said = run_pytest(write(tmp_path, test_page=USES_A_PAGE), argument)
    assert code == pytest.ExitCode.USAGE_ERROR
    assert said.startswith(f"ERROR: {told}"), said
