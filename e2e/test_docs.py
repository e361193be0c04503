"""The documentation's site: everybody can read it, and its search needs no other host."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page
from starlette.staticfiles import StaticFiles

from docs.making.__main__ import build
from e2e.agents import Mode
from e2e.conftest import Watched
from e2e.shop import AXE
from e2e.sites import serving_app

SITE = Path(__file__).parents[1] / "build" / "site"

LOOKS: tuple[tuple[int, Literal["light", "dark"]], ...] = ((1280, "dark"), (390, "light"))
"""Each once: what axe says of widths hangs on no colour, and of colours on no width."""

SERIOUS = """() => axe.run({resultTypes: ["violations"]}).then(({violations}) => violations
  .filter(({impact}) => ["serious", "critical"].includes(impact))
  .flatMap(({id, nodes}) => nodes.map(({target}) => `${id}: ${target}`)))"""


@pytest.fixture(scope="module")
def page(browsers: Callable[[Mode], Browser]) -> Iterator[Page]:
    """A page for the site as `nox -s docs` has built it, on a plain server."""
    if not SITE.exists():
        build(SITE)
    with serving_app(StaticFiles(directory=SITE)) as url:
        watched = Watched(browsers("polyfill").new_page(base_url=url))
        yield watched.page
        watched.page.close()
    assert watched.foreign == []
    assert watched.problems == []


@pytest.mark.parametrize("name", ["index", "forms", "reference/python"])
def test_everybody_can_read_it(page: Page, name: str) -> None:
    page.goto(f"{name}.html")
    page.evaluate(AXE.read_text("utf-8") + "; true")
    for width, scheme in LOOKS:
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)
        assert (width, scheme, page.evaluate(SERIOUS)) == (width, scheme, [])


def test_a_search_finds_pages_and_names(page: Page) -> None:
    page.goto("search.html?q=confirmWith")
    found = page.locator("ul.search li a")
    found.first.wait_for()
    assert "confirmWith" in found.all_text_contents()
    assert "Asking the person" in found.all_text_contents()
