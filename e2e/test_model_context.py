"""The table of requirements on native WebMCP and on the polyfill; the fake has its run in `tests/`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from e2e.agents import Mode
from e2e.conftest import PAGES
from e2e.sites import serving

TESTS = Path(__file__).parents[1] / "tests"
TABLE: list[dict[str, Any]] = json.loads((TESTS / "model_context.json").read_text())
RUNNER = TESTS / "js" / "model_context_table.mjs"


@pytest.fixture(scope="module")
def page(browsers: Any, mode: Mode) -> Iterator[Page]:
    """A page without tools, whose context is native or the polyfill's."""
    with serving(PAGES) as url:
        browser: Browser = browsers(mode)
        page = browser.new_page()
        page.route("**/runner.mjs", lambda route: route.fulfill(path=RUNNER, content_type="text/javascript"))
        page.goto(f"{url}empty.html")
        assert page.evaluate("'modelContext' in document") is (mode == "native")
        page.evaluate("import('/webtools/polyfill.js').then(({apply}) => { apply(); })")
        is_ours = page.evaluate("import('/webtools/polyfill.js').then(({isPolyfilled}) => isPolyfilled())")
        assert is_ours is (mode == "polyfill")
        yield page
        page.close()


@pytest.mark.parametrize("requirement", TABLE, ids=[each["id"] for each in TABLE])
def test_requirement_holds(page: Page, requirement: dict[str, Any]) -> None:
    page.evaluate(
        "async (each) => (await import('/runner.mjs')).runRequirement(each, document.modelContext)",
        requirement,
    )
