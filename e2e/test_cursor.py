"""The pointer that shows a person where a tool works, and the fields that fill, under a strict policy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from e2e.agents import Agent, Mode, begin, end, text_of, until_in_flight
from e2e.conftest import PAGES, Watched, one_mode, visited
from e2e.shop import axe_violations
from e2e.sites import STRICT_CSP, serving, with_csp

UNTIL_POINTING = """async (selector) => {
  const isOn = (tip, {left, top, right, bottom}) =>
    tip.left >= left - 2 && tip.left <= right + 2 && tip.top >= top - 2 && tip.top <= bottom + 2;
  for (const began = performance.now(); performance.now() - began < 10_000; ) {
    const arrow = document.querySelector("webtools-cursor")?.shadowRoot.querySelector("svg");
    const target = document.querySelector(selector);
    if (arrow && isOn(arrow.getBoundingClientRect(), target.getBoundingClientRect())) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`no pointer is on ${selector}`);
}"""

VALUES = """() => ({
  ...Object.fromEntries(["query", "price", "department", "notes", "password", "token", "name"].map(
    (id) => [id, document.getElementById(id).value])),
  stock: document.querySelector("#stock").checked,
  order: document.querySelector("[name=order]:checked").value,
})"""


@pytest.fixture(scope="module")
def page(browsers: Callable[[Mode], Browser], mode: Mode) -> Iterator[Watched]:
    """The page, its tools up; nothing may go wrong in it."""
    with serving(PAGES, with_csp(STRICT_CSP)) as url, visited(browsers(mode), f"{url}cursor.html") as watched:
        yield watched
    assert watched.problems == []


@pytest.fixture
def agent(page: Watched, mode: Mode) -> Iterator[Agent]:
    """An agent in front of a page where nothing has been done; in the end no pointer is left."""
    page.page.emulate_media(reduced_motion="no-preference")
    page.page.set_viewport_size({"width": 900, "height": 700})
    page.page.evaluate("""() => {
      document.querySelector("#filter").reset();
      document.activeElement.blur();
      scrollTo(0, 0);
      heard.length = 0;
    }""")
    expect(cursor(page.page)).to_have_count(0)
    yield Agent(page.page, mode)
    expect(cursor(page.page)).to_have_count(0)


def cursor(page: Page) -> Locator:
    """What the pointers are drawn in, while there is one."""
    return page.locator("webtools-cursor")


def pointers(page: Page) -> Locator:
    return cursor(page).locator(".pointer")


def until_pointing(page: Page, selector: str) -> None:
    page.evaluate(UNTIL_POINTING, selector)


def call_and_end(agent: Agent) -> None:
    """Let the call go on that waits as "k"."""
    assert text_of(agent.call("let_go")) == "gone"
    assert "lost" not in end(agent, "k")


def test_a_pointer_glides_to_the_target_and_says_title_and_progress_until_the_call_is_over(
    agent: Agent,
) -> None:
    page = agent.page
    begin(agent, "k", "press", {})
    until_pointing(page, "#go")
    expect(pointers(page)).to_have_count(1)
    expect(cursor(page).locator(".title")).to_have_text("Press Go")
    expect(cursor(page).locator(".message")).to_have_text("Half way")
    assert cursor(page).locator(".share").evaluate("(it) => it.style.scale") == "0.5 1"
    call_and_end(agent)


@one_mode
def test_a_call_that_is_over_at_once_is_seen_all_the_same(agent: Agent) -> None:
    assert text_of(agent.call("glance")) == "seen 1"
    until_pointing(agent.page, "#go")
    expect(cursor(agent.page).locator(".title")).to_have_text("Look at Go")


def test_a_call_that_is_refused_shows_no_pointer(agent: Agent) -> None:
    assert agent.call("glance", {"count": "many"})["isError"]
    assert cursor(agent.page).count() == 0
    assert text_of(agent.call("glance")) == "seen 1"
    assert cursor(agent.page).count() == 1  # where it is not refused, it stays for a moment


@one_mode
def test_a_function_of_the_arguments_finds_the_target_and_what_is_not_there_shows_nothing(
    agent: Agent,
) -> None:
    begin(agent, "k", "at", {"where": "stock"})
    until_pointing(agent.page, "#stock")
    call_and_end(agent)
    expect(cursor(agent.page)).to_have_count(0)
    begin(agent, "k", "at", {"where": "nowhere"})
    until_in_flight(agent.page, "at")
    call_and_end(agent)
    assert cursor(agent.page).count() == 0


def test_fields_fill_with_events_before_the_handler_and_what_nobody_may_fill_is_left_alone(
    agent: Agent,
) -> None:
    wanted = {
        "query": "rain boots",
        "cents": 1250,
        "department": "shoes",
        "in_stock": True,
        "order": "price",
        "notes": "two\nlines",
        "secret": "x",
        "token": "x",
    }
    assert text_of(agent.call("search", wanted)) == "found rain boots"
    assert agent.page.evaluate(VALUES) == {
        "query": "rain boots",
        "price": "12.50",
        "department": "shoes",
        "stock": True,
        "order": "price",
        "notes": "two\nlines",
        "password": "",
        "token": "kept",
        "name": "",
    }
    heard = agent.page.evaluate("heard")
    assert heard.count(["input", "query"]) >= 2  # piece by piece
    assert heard.count(["change", "query"]) == 1
    assert ["click", "stock"] in heard
    until_pointing(agent.page, "#go")


@one_mode
def test_a_field_that_the_person_is_in_stays_the_persons(agent: Agent) -> None:
    agent.page.locator("#query").press_sequentially("mine")
    assert text_of(agent.call("search", {"query": "boots", "name": "Ada"})) == "found boots"
    assert agent.page.evaluate(VALUES)["query"] == "mine"
    assert agent.page.evaluate(VALUES)["name"] == "Ada"
    expect(agent.page.locator("#query")).to_be_focused()


def test_a_tool_in_javascript_points_by_its_input_and_fills_before_its_handler(agent: Agent) -> None:
    shown = agent.call("js_search", {"query": "jackets"})["structuredContent"]
    assert shown == {"query": "jackets", "shown": "jackets"}
    until_pointing(agent.page, "#go")
    expect(cursor(agent.page).locator(".title")).to_have_text("Search by JavaScript")
    agent.call("js_search", {"query": "far"})
    until_pointing(agent.page, "#far")


def test_the_newest_hold_says_where_a_tool_of_pythons_is(agent: Agent) -> None:
    assert text_of(agent.call("panel")) == "shown"
    until_pointing(agent.page, "#go")
    agent.page.evaluate("""() => (window.mine = webtools.hold("panel", {target: () => "#stock"}))""")
    assert text_of(agent.call("panel")) == "shown"
    until_pointing(agent.page, "#stock")
    agent.page.evaluate("mine.release()")
    assert text_of(agent.call("panel")) == "shown"
    until_pointing(agent.page, "#go")


@one_mode
def test_a_target_that_is_out_of_sight_is_scrolled_to_and_one_in_sight_moves_nothing(agent: Agent) -> None:
    assert text_of(agent.call("glance")) == "seen 1"
    until_pointing(agent.page, "#go")
    assert agent.page.evaluate("scrollY") == 0
    assert text_of(agent.call("far")) == "seen"
    agent.page.wait_for_function("() => scrollY > 100")
    until_pointing(agent.page, "#far")


def test_a_target_that_a_list_has_scrolled_away_is_scrolled_to_and_pointed_at_where_it_is_seen(
    agent: Agent,
) -> None:
    page = agent.page
    page.evaluate("""() => {
      const list = document.createElement("div");
      const row = document.createElement("p");
      list.id = "list";
      row.id = "row";
      list.append(document.createElement("p"), row);
      Object.assign(list.style, { blockSize: "100px", overflow: "auto", scrollBehavior: "auto" });
      list.firstChild.style.blockSize = "300px";
      row.style.blockSize = "400px"; // more than the list shows
      document.querySelector("h1").after(list);
    }""")
    begin(agent, "k", "at", {"where": "row"})
    page.wait_for_function("() => document.querySelector('#list').scrollTop > 0")
    until_pointing(page, "#row")
    until_pointing(page, "#list")
    call_and_end(agent)
    page.evaluate("document.querySelector('#list').remove()")


def test_what_is_there_but_cannot_be_seen_is_no_target(agent: Agent) -> None:
    agent.page.evaluate("document.querySelector('#stock').style.visibility = 'hidden'")
    begin(agent, "k", "at", {"where": "stock"})
    until_in_flight(agent.page, "at")
    call_and_end(agent)
    assert cursor(agent.page).count() == 0
    agent.page.evaluate("document.querySelector('#stock').style.visibility = ''")


@one_mode
def test_the_pointer_takes_no_focus_and_no_click_and_a_screen_reader_hears_nothing(agent: Agent) -> None:
    page = agent.page
    page.locator("#name").focus()
    begin(agent, "k", "press", {})
    until_pointing(page, "#go")
    expect(page.locator("#name")).to_be_focused()
    page.locator("#go").click()  # its middle is below the pointer's tip
    assert page.evaluate("heard").count(["click", "go"]) == 1
    assert cursor(page).evaluate("(it) => [it.inert, it.ariaHidden]") == [True, "true"]
    assert axe_violations(page) == []
    call_and_end(agent)


@one_mode
def test_the_pointer_follows_what_moves_and_goes_when_that_is_removed(agent: Agent) -> None:
    page = agent.page
    begin(agent, "k", "press", {})
    until_pointing(page, "#go")
    page.evaluate("document.querySelector('h1').after(document.querySelector('#go'))")
    until_pointing(page, "#go")
    page.evaluate("window.go = document.querySelector('#go'); go.remove()")
    expect(cursor(page)).to_have_count(0)
    page.evaluate("document.querySelector('#filter').after(go)")
    call_and_end(agent)


@one_mode
def test_the_pointer_is_above_a_dialog_of_the_pages(agent: Agent) -> None:
    page = agent.page
    page.evaluate("dialog.showModal()")
    begin(agent, "k", "at", {"where": "inside"})
    until_pointing(page, "#inside")
    assert pointers(page).evaluate("(it) => it.matches(':popover-open')")
    page.evaluate("dialog.close()")  # what it points at cannot be seen any more
    expect(cursor(page)).to_have_count(0)
    call_and_end(agent)


@one_mode
def test_of_many_calls_at_once_the_newest_three_have_a_pointer(agent: Agent) -> None:
    page = agent.page
    for key in "abcde":
        begin(agent, key, "press", {})
    until_pointing(page, "#go")
    expect(pointers(page)).to_have_count(3)
    for key in "abcde":
        assert text_of(agent.call("let_go")) == "gone"
        assert "lost" not in end(agent, key)


@one_mode
def test_nothing_moves_where_the_person_wants_that_and_fields_fill_at_once(agent: Agent) -> None:
    page = agent.page
    page.emulate_media(reduced_motion="reduce")
    begin(agent, "k", "press", {})
    page.wait_for_function("() => document.querySelector('webtools-cursor')")
    assert page.evaluate(AT_ONCE)
    call_and_end(agent)
    page.evaluate("heard.length = 0")
    assert text_of(agent.call("search", {"query": "rain boots"})) == "found rain boots"
    assert page.evaluate("heard").count(["input", "query"]) == 1


AT_ONCE = """() => {
  const {shadowRoot} = document.querySelector("webtools-cursor");
  const tip = shadowRoot.querySelector("svg").getBoundingClientRect();
  const {left, right, top, bottom} = document.querySelector("#go").getBoundingClientRect();
  return tip.left > left && tip.left < right && tip.top > top && tip.top < bottom;
}"""


@one_mode
@pytest.mark.parametrize("title", ["A very long name " * 20, "بحث في كل المنتجات " * 10])
def test_long_words_stay_in_a_narrow_window(agent: Agent, title: str) -> None:
    page = agent.page
    page.set_viewport_size({"width": 320, "height": 500})
    page.evaluate("document.documentElement.dir = 'rtl'")
    page.evaluate(
        """(title) => (window.long = webtools.define({name: "long", title, description: "d"},
          (_, {progress}) => progress({message: title}), {target: "#stock"}))""",
        title,
    )
    page.wait_for_function("() => long.status === 'registered'")
    agent.call("long")
    until_pointing(page, "#stock")
    words = cursor(page).locator(".words").bounding_box()
    assert words
    assert words["x"] >= 0
    assert words["x"] + words["width"] <= 320
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    page.evaluate("long.release(); document.documentElement.removeAttribute('dir')")
    page.wait_for_function("() => !webtools.tools().some(({name}) => name === 'long')")


@one_mode
def test_a_page_may_want_no_cursor(browsers: Callable[[Mode], Browser], mode: Mode) -> None:
    page = browsers(mode).new_page()
    with serving(PAGES) as url:
        page.route("**/cursor.html", lambda route: _without_cursor(route))
        page.goto(f"{url}cursor.html")
        page.evaluate("webtools.ready")
        agent = Agent(page, mode)
        assert text_of(agent.call("search", {"query": "boots"})) == "found boots"
        assert page.evaluate(VALUES)["query"] == ""
        loaded = page.evaluate("performance.getEntriesByType('resource').map(({name}) => name)")
        assert not [each for each in loaded if each.endswith(("/webtools/cursor.js", "/pointer.js"))]
    page.close()


def _without_cursor(route: Any) -> None:
    response = route.fetch()
    text = response.text().replace("data-app=", 'data-cursor="off" data-app=')
    route.fulfill(response=response, body=text)
