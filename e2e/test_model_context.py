"""The table of requirements on native WebMCP and on the polyfill; the fake has its run in `tests/`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Error, Page, Route

from e2e.agents import Mode
from e2e.conftest import PAGES, Launch, kept_running
from e2e.sites import serving

TESTS = Path(__file__).parents[1] / "tests"
TABLE: list[dict[str, Any]] = json.loads((TESTS / "model_context.json").read_text())

PREPARE = {
    "native": "undefined",
    "polyfill": "(view) => view.eval(`import('/webtools/polyfill.js').then(({apply}) => { apply(); })`)",
}
RUN = """async (each) => {{
  const {{runRequirement}} = await import("/requirements/model_context_table.mjs");
  await runRequirement(each, document.modelContext, {prepare});
}}"""


@pytest.fixture(scope="module")
def browsers(launch: Launch) -> Iterator[Callable[[Mode], Browser]]:
    """The browser that people have, whole: what it does is what all other tests build on."""
    with kept_running(launch, whole=True) as browser:
        yield browser


@pytest.fixture(scope="module")
def page(browsers: Callable[[Mode], Browser], mode: Mode) -> Iterator[Page]:
    """A page without tools, whose context is native or the polyfill's."""
    with serving(PAGES) as url:
        page = browsers(mode).new_page()
        page.context.route("**/requirements/*", serve_module)
        page.goto(f"{url}empty.html")
        assert page.evaluate("'modelContext' in document") is (mode == "native")
        page.evaluate("import('/webtools/polyfill.js').then(({apply}) => { apply(); })")
        is_ours = page.evaluate("import('/webtools/polyfill.js').then(({isPolyfilled}) => isPolyfilled())")
        assert is_ours is (mode == "polyfill")
        yield page
        page.close()


def serve_module(route: Route) -> None:
    """Give a page the table's own JavaScript."""
    name = route.request.url.rpartition("/")[2]
    route.fulfill(path=TESTS / "js" / name, content_type="text/javascript")


@pytest.mark.parametrize("requirement", TABLE, ids=[each["id"] for each in TABLE])
def test_requirement_holds(
    page: Page, requirement: dict[str, Any], mode: Mode, record_property: Callable[[str, str], None]
) -> None:
    browser = page.context.browser
    record_property("browser", f"Chromium {browser.version}" if browser else "")
    differs = requirement.get("native", "") if mode == "native" else ""
    if differs.startswith("crash: "):
        pytest.skip(differs)
    run = RUN.format(prepare=PREPARE[mode])
    if differs:  # a native context that has learnt it is to lose the mark, here and in docs/polyfill.md
        with pytest.raises(Error, match=requirement["id"]):
            page.evaluate(run, requirement)
    else:
        page.evaluate(run, requirement)
