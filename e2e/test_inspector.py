"""The inspector's panel, on a page whose styles and keys are in its way."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from e2e.agents import Agent, Mode, begin, end
from e2e.conftest import PAGES, Watched, one_mode, visited
from e2e.shop import PHONE, faults_by_day_and_night
from e2e.sites import STRICT_CSP, serving, with_csp

KEY = "Control+Shift+F"


@pytest.fixture(scope="module")
def inspected(browsers: Callable[[Mode], Browser], mode: Mode) -> Iterator[Watched]:
    """The page, its tools up, and the panel closed; one for all tests, under a strict policy."""
    with (
        serving(PAGES, with_csp(STRICT_CSP)) as url,
        visited(browsers(mode), f"{url}inspector.html") as watched,
    ):
        yield watched
        assert watched.problems == []


@pytest.fixture
def page(inspected: Watched) -> Iterator[Page]:
    """The page with the panel open and the focus in the page's own field before."""
    page = inspected.page
    page.set_viewport_size({"width": 1280, "height": 720})
    page.locator("#name").focus()
    page.keyboard.press(KEY)
    expect(panel(page)).to_be_visible()
    tab(page, "Tools").click()
    yield page
    page.evaluate("document.querySelector('webtools-inspector')?.remove()")
    page.evaluate("window.panel?.release()")


@pytest.fixture
def agent(page: Page, mode: Mode) -> Agent:
    return Agent(page, mode)


def panel(page: Page) -> Locator:
    return page.get_by_role("region", name="webtools inspector")


def tab(page: Page, name: str) -> Locator:
    return panel(page).get_by_role("tab", name=name)


def row(page: Page, name: str) -> Locator:
    """The newest row of a tool in the view that is shown."""
    return panel(page).locator("li:visible", has=page.get_by_text(name, exact=True)).first


def opened(page: Page, name: str) -> Locator:
    """The row of a tool, its details open."""
    found = row(page, name)
    if found.locator("> details").get_attribute("open") is None:
        found.locator("summary").first.click()
    return found


def form_of(page: Page, name: str) -> Locator:
    """The row of a tool, its form open."""
    found = opened(page, name)
    if not found.locator("form").is_visible():
        found.get_by_role("button", name="Call…").click()
    return found


def events(page: Page, tool: str) -> list[str]:
    """What the timeline lists of a tool, the oldest first."""
    tab(page, "Timeline").click()
    lines = panel(page).locator("tbody tr", has=page.get_by_role("cell", name=tool, exact=True))
    return list(reversed([cells.split("\t")[2] for cells in lines.all_inner_texts()]))


def exported(page: Page) -> dict[str, Any]:
    tab(page, "Export").click()
    with page.expect_download() as download:
        panel(page).get_by_role("button", name="Download").click()
    file: dict[str, Any] = json.loads(download.value.path().read_text("utf-8"))
    return file


def is_too_wide(page: Page) -> bool:
    """Whether a view scrolls sideways."""
    wide: bool = panel(page).evaluate(
        "(panel) => [...panel.querySelectorAll('[role=tabpanel]')]"
        ".some((each) => each.scrollWidth > each.clientWidth)"
    )
    return wide


def test_a_tool_has_its_state_its_holders_and_its_definition(page: Page) -> None:
    greet = opened(page, "greet")
    expect(greet.locator(".state")).to_have_text("registered")
    expect(greet).to_contain_text("app /inspector.py")
    expect(greet).to_contain_text("readOnlyHint")
    greet.get_by_text("Definition").click()
    expect(greet.locator("pre").filter(has_text="inputSchema")).to_be_visible()


def test_a_misspelt_hold_is_seen_to_wait_for_an_app_that_defines_it(page: Page) -> None:
    page.evaluate("window.held = misspell()")
    expect(row(page, "gret")).to_contain_text("waits for an app that defines it")
    page.evaluate("held.release(); webtools.hold('greet').release()")
    expect(panel(page).get_by_text("gret", exact=True)).to_have_count(0)


def test_a_tool_is_called_by_hand_from_a_form_of_its_schema(page: Page) -> None:
    greet = form_of(page, "greet")
    greet.get_by_label("name").fill("Ada")
    greet.get_by_label("times").fill("2")
    greet.get_by_label("language").select_option("fr")
    greet.get_by_label("loud").select_option("true")
    greet.get_by_label("tags").fill('["x"]')
    greet.get_by_role("button", name="Call", exact=True).click()
    expect(greet.get_by_role("status")).to_contain_text("Done")
    expect(greet.get_by_role("region", name="Answer")).to_contain_text("BONJOUR ADA BONJOUR ADA")


@one_mode
def test_a_field_that_cannot_be_read_is_named_and_nothing_is_called(page: Page) -> None:
    before = len(exported(page)["calls"])
    tab(page, "Tools").click()
    greet = form_of(page, "greet")
    greet.get_by_label("tags").fill("[")
    greet.get_by_role("button", name="Call", exact=True).click()
    expect(greet.get_by_role("status")).to_contain_text("tags: this is no JSON")
    expect(greet.get_by_label("tags")).to_be_focused()
    assert len(exported(page)["calls"]) == before
    tab(page, "Tools").click()
    greet.get_by_label("tags").fill("")
    times = greet.get_by_label("times")
    times.fill("")
    times.press_sequentially("1e")  # it has no value, and is not empty
    greet.get_by_role("button", name="Call", exact=True).click()
    expect(greet.get_by_role("status")).to_contain_text("times: this is no number")
    expect(times).to_be_focused()
    assert len(exported(page)["calls"]) == before
    tab(page, "Tools").click()
    times.fill("1")


def test_a_call_by_hand_shows_its_progress_and_can_be_cancelled(page: Page) -> None:
    wait = form_of(page, "wait")
    wait.get_by_role("button", name="Call", exact=True).click()
    expect(wait.get_by_role("status")).to_have_text("waiting at the gate")
    wait.get_by_role("button", name="Cancel").click()
    expect(wait.get_by_role("region", name="Answer")).to_contain_text("CANCELLED")


def test_an_agents_call_is_listed_while_it_runs_and_when_it_has_ended(page: Page, agent: Agent) -> None:
    tab(page, "Calls").click()
    begin(agent, "x", "wait", {})
    expect(row(page, "wait").locator(".state")).to_have_text("in flight")
    call = opened(page, "wait")
    expect(call).to_contain_text("waiting at the gate (1 of 2)")
    agent.call("open_gate")
    end(agent, "x")
    expect(call.locator(".state")).to_have_text("done")
    expect(call).to_contain_text("through")


def test_the_timeline_has_each_step_of_a_tool_that_goes_in_the_middle_of_a_call(
    page: Page, agent: Agent
) -> None:
    page.evaluate("open_panel()")
    expect(row(page, "panel").locator(".state")).to_have_text("registered")
    begin(agent, "x", "panel", {})
    page.evaluate("panel.release()")
    expect(row(page, "panel")).to_contain_text("waits for its calls in flight")
    page.evaluate("answer()")
    end(agent, "x")
    expect(panel(page).get_by_text("panel", exact=True)).to_have_count(0)
    lines = events(page, "panel")
    assert lines == [
        *("hold", "register", "registered", "release", "is to leave", "generation"),
        *("drain begins", "grace begins", "unregister"),
    ]
    expect(panel(page).locator(".chart li", has_text="panel")).to_be_visible()


def test_the_log_begins_with_the_page_before_python_and_has_no_gap_at_its_arrival(page: Page) -> None:
    assert events(page, "greet")[:3] == ["hold", "register", "registered"]
    file = exported(page)
    names = [event["name"] for event in file["events"]]
    assert names.index("python up") < names.index("app loaded")
    greet = next(tool for tool in file["tools"] if tool["name"] == "greet")
    assert (greet["state"], file["format"], file["status"]) == ("registered", 1, "ready")


@one_mode
def test_the_filter_leaves_the_tools_whose_name_has_the_text(page: Page) -> None:
    search = panel(page).get_by_role("searchbox")
    search.fill("GRE")
    expect(panel(page).locator("li:visible .name")).to_have_text(["greet"])
    search.press("Escape")
    expect(panel(page).locator("li:visible .name")).to_have_count(3)


@one_mode
def test_a_key_opens_it_arrow_keys_go_through_the_tabs_and_escape_gives_the_focus_back(page: Page) -> None:
    expect(tab(page, "Tools")).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(tab(page, "Export")).to_be_focused()
    expect(tab(page, "Export")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowRight")
    expect(tab(page, "Tools")).to_be_focused()
    page.keyboard.press("Escape")
    expect(panel(page)).to_have_count(0)
    expect(page.locator("#name")).to_be_focused()


def test_a_modal_dialog_is_not_covered_by_what_cannot_be_used_beside_it(page: Page) -> None:
    page.evaluate("""() => {
      const dialog = document.createElement("dialog");
      dialog.append(Object.assign(document.createElement("button"), {textContent: "Deny"}));
      dialog.firstChild.style.display = "block";
      dialog.style.marginBlock = "auto 0"; // where the panel is
      dialog.onclick = () => dialog.remove();
      document.body.append(dialog);
      dialog.showModal();
    }""")
    page.keyboard.press(KEY)
    expect(panel(page)).to_have_count(0)
    page.keyboard.press(KEY)
    page.get_by_role("button", name="Deny").click()
    expect(page.locator("dialog")).to_have_count(0)
    tab(page, "Calls").click()
    page.keyboard.press(KEY)
    page.keyboard.press(KEY)
    expect(panel(page)).to_be_visible()


@one_mode
def test_the_page_hears_no_key_that_is_pressed_in_the_panel(page: Page) -> None:
    page.evaluate("keys.length = 0")
    panel(page).get_by_role("searchbox").press("a")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    assert page.evaluate("keys") == []


@one_mode
def test_the_pages_styles_stay_outside_and_the_panel_reads_as_ever(page: Page) -> None:
    close = panel(page).get_by_role("button", name="Close")
    expect(close).to_be_visible()
    assert close.evaluate("(button) => getComputedStyle(button).letterSpacing") == "normal"


@one_mode
def test_the_panel_is_made_higher_and_lower_with_the_arrow_keys(page: Page) -> None:
    grip = panel(page).get_by_role("separator")
    before = panel(page).bounding_box()
    grip.press("ArrowUp")
    after = panel(page).bounding_box()
    assert before
    assert after
    assert round(after["height"] - before["height"]) == 36
    grip.press("ArrowDown")


@one_mode
@pytest.mark.parametrize("width", [320, 1280])
def test_no_view_has_an_accessibility_fault_that_axe_finds_or_is_too_wide(
    page: Page, agent: Agent, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": PHONE["height"]})
    agent.call("greet", {"name": "Ada"})
    agent.call("greet", {"times": "many"})
    form_of(page, "greet")
    found = {}
    for name in ("Tools", "Calls", "Timeline", "Export"):
        tab(page, name).click()
        if name == "Calls":
            opened(page, "greet")
        found[name] = [*faults_by_day_and_night(page), *(["too wide"] if is_too_wide(page) else [])]
    assert found == {"Tools": [], "Calls": [], "Timeline": [], "Export": []}


@one_mode
def test_a_hundred_tools_with_long_names_fit_a_phone_from_right_to_left(page: Page) -> None:
    page.set_viewport_size({"width": 320, "height": 640})
    page.evaluate("""() => {
      document.documentElement.dir = "rtl";
      const name = (number) => `tool_${String(number).padStart(3, "0")}_${"x".repeat(100)}`;
      const pair = (_, number) => [{name: name(number), description: "d"}, () => {}];
      const tools = Array.from({length: 100}, pair);
      window.many = webtools.define(tools);
    }""")
    try:
        expect(panel(page).locator("li:visible .name")).to_have_count(103)
        panel(page).get_by_role("searchbox").fill("tool_099")
        expect(panel(page).locator("li:visible .name")).to_have_count(1)
        for name in ("Tools", "Timeline"):
            tab(page, name).click()
            assert not is_too_wide(page)
    finally:
        page.evaluate("many.release(); document.documentElement.dir = ''")
        panel(page).get_by_role("searchbox").fill("")


@one_mode
def test_a_page_without_python_can_show_it_at_once_and_keeps_its_focus(watched: Watched, pages: str) -> None:
    page = watched.page
    page.goto(f"{pages}inspector_open.html")
    expect(row(page, "zoom").locator(".state")).to_have_text("registered")
    expect(page.get_by_role("textbox", name="Name")).to_be_focused()
    assert events(page, "zoom")[0] == "hold"
    assert watched.problems == []


@one_mode
def test_a_page_that_did_not_ask_loads_nothing_of_it_before_a_person_does(booted: Watched) -> None:
    page = booted.page
    loaded = "performance.getEntriesByType('resource').filter(({name}) => /inspector/.test(name)).length"
    assert page.evaluate(loaded) == 0
    page.keyboard.press(KEY)
    assert page.locator("webtools-inspector").count() == 0
    page.evaluate("webtools.inspect()")
    expect(panel(page)).to_be_visible()
    tab(page, "Timeline").click()
    expect(panel(page).get_by_role("cell", name="found").first).to_be_visible()
    panel(page).get_by_role("button", name="Close").click()
    expect(panel(page)).to_have_count(0)
