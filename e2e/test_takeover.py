"""The table of scripts with Python arriving at every possible step, on native and on a host that cancels."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from e2e.agents import Mode
from e2e.conftest import BOOT_MS, PAGES, Watched
from e2e.sites import serving
from webtools.cli.sources.installation import SOURCE

PAGE = Path(__file__).parent / "pages" / "takeover.js"
SCRIPTS = re.findall(r"^  (?:(\w+)|\"([\w ]+)\"): \{\n    (?:steps|rejects)", PAGE.read_text(), re.MULTILINE)


@pytest.fixture(scope="module")
def scripts(browsers: Callable[[Mode], Browser], mode: Mode) -> Iterator[Watched]:
    """The page, which works with modules that no page of an author's has to know."""
    context = browsers(mode).new_context()
    watched = Watched(context.new_page())
    with serving(PAGES, library=SOURCE.modules) as url:
        watched.page.goto(f"{url}takeover.html?{mode}")
        watched.page.wait_for_selector("html[data-ready]", timeout=BOOT_MS)
        yield watched
        context.close()
    assert watched.foreign == []
    assert watched.uncaught == []


@pytest.mark.parametrize("script", [word or text for word, text in SCRIPTS])
def test_a_script_ends_well_whenever_python_arrives(scripts: Watched, script: str) -> None:
    scripts.problems.clear()
    outcome = scripts.page.evaluate("(script) => runScript(script)", script)
    assert outcome["problems"] == []
    assert outcome["cases"] >= 4
    told = [each for each in scripts.problems if "of the handler's own" not in each]
    assert told == []


def test_every_script_of_the_page_is_run(scripts: Watched) -> None:
    assert scripts.page.evaluate("scripts") == [word or text for word, text in SCRIPTS]
