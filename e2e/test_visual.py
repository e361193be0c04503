"""How every page and panel looks, measured: on phone and desk, light and dark, by keyboard, right to left.

`python -m e2e.screenshots` takes pictures of the same, to be looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page, ViewportSize

from e2e.agents import Mode
from e2e.shop import AXE
from e2e.sights import SIGHTS, Shop, opened_shop

Size = Literal["phone", "desk"]
Scheme = Literal["light", "dark"]

SIZES: dict[Size, ViewportSize] = {
    "phone": {"width": 320, "height": 680},
    "desk": {"width": 1280, "height": 800},
}
SCHEMES: tuple[Scheme, ...] = ("light", "dark")
LOOKS: tuple[tuple[Size, Scheme], ...] = (("phone", "light"), ("desk", "dark"))
"""Each size and each scheme once: what axe says of sizes hangs on no colour, and of colours on no size."""

MOST_STOPS = 40
"""A shelf has two for each product, all alike."""

MEASURES = (Path(__file__).parent / "measures.js").read_text("utf-8")

RUN_AXE = """() => axe.run({resultTypes: ["violations"], rules: {"target-size": {enabled: true}}})
  .then(({violations}) => violations.flatMap(({id, help, nodes}) =>
    nodes.map(({target}) => `${id}: ${help}: ${target}`)))"""


@pytest.fixture(scope="module")
def shop(browsers: Callable[[Mode], Browser]) -> Iterator[Shop]:
    """The storefront without Python, once for all."""
    with opened_shop(browsers("polyfill")) as shop:
        yield shop


@pytest.fixture(scope="module", params=SIGHTS, ids=lambda sight: sight.name)
def page(shop: Shop, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A page that shows one sight, for all tests of it."""
    with shop.showing(request.param) as page:
        page.evaluate(AXE.read_text("utf-8") + "; true")
        page.evaluate(MEASURES + "; true")
        yield page


def show_as(page: Page, size: Size, scheme: Scheme = "light") -> None:
    """Let the person have this screen, and these wishes."""
    page.set_viewport_size(SIZES[size])
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce", forced_colors="none")
    page.evaluate("document.documentElement.dir = ''; scrollTo(0, 0)")


def measured(page: Page, measure: str) -> list[str]:
    problems: list[str] = page.evaluate(f"measures.{measure}()")
    return problems


@pytest.mark.parametrize(("size", "scheme"), LOOKS)
def test_axe_finds_no_fault(page: Page, size: Size, scheme: Scheme) -> None:
    show_as(page, size, scheme)
    assert page.evaluate(RUN_AXE) == []


@pytest.mark.parametrize("direction", ["ltr", "rtl"])
@pytest.mark.parametrize("size", SIZES)
def test_no_text_is_cut_off_or_lies_over_another(page: Page, size: Size, direction: str) -> None:
    show_as(page, size)
    page.evaluate("(dir) => { document.documentElement.dir = dir; }", direction)
    assert measured(page, "cut") == []
    assert measured(page, "overlapping") == []


@pytest.mark.parametrize("size", SIZES)
def test_from_right_to_left_all_of_it_is_mirrored(page: Page, size: Size) -> None:
    show_as(page, size)
    assert measured(page, "notMirrored") == []


def test_tab_reaches_everything_in_reading_order_and_shows_where_it_is(page: Page) -> None:
    show_as(page, "phone")
    count = page.evaluate("measures.startTabbing()")
    page.keyboard.press("Shift+Tab")
    problems: list[str] = []
    for number in range(min(count, MOST_STOPS)):
        stop: dict[str, Any] = page.evaluate("measures.atStop()")
        assert stop["number"] == number
        problems += stop["problems"]
        page.keyboard.press("Tab")
    assert problems == []


def test_on_a_desk_what_tab_reaches_is_in_reading_order_and_shows_where_it_is_too(page: Page) -> None:
    show_as(page, "desk")
    page.evaluate("measures.startTabbing()")
    page.keyboard.press("Shift+Tab")  # from a key on, the focus is shown
    assert measured(page, "atEachStop") == []


def test_nothing_moves_for_who_wants_no_motion(page: Page) -> None:
    show_as(page, "phone")
    assert measured(page, "moving") == []


MARKS = """() => {
  const looks = (selector) => {
    const {outlineStyle, borderBottomWidth} = getComputedStyle(document.querySelector(selector));
    return [outlineStyle, borderBottomWidth];
  };
  const cards = [".card.is-touched", ".card:not(.is-touched)"];
  return [...cards, "[aria-current]", ".departments a:not([aria-current])"].map(looks);
}"""


def test_where_colours_are_forced_what_is_marked_is_told_from_what_is_not(shop: Shop) -> None:
    (sight,) = (each for each in SIGHTS if each.name == "agent-closed")
    with shop.showing(sight) as page:
        page.emulate_media(forced_colors="active")
        touched, card, current, department = page.evaluate(MARKS)
        assert touched != card
        assert current != department


@pytest.mark.parametrize("name", ["agent", "inspector"])
def test_where_colours_are_forced_only_the_tab_that_is_chosen_is_underlined(shop: Shop, name: str) -> None:
    (sight,) = (each for each in SIGHTS if each.name == name)
    with shop.showing(sight) as page:
        page.emulate_media(forced_colors="active")
        line = "(tab) => getComputedStyle(tab).borderBottomColor"
        chosen, other = (page.get_by_role("tab", selected=each).last.evaluate(line) for each in (True, False))
        assert other == page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert chosen != other
