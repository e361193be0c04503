"""The dialog that asks the person, under a strict policy: only a deliberate Allow lets a call go on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from e2e.agents import Agent, Mode, begin, end, error_of, text_of
from e2e.conftest import PAGES, Watched, one_mode, visited
from e2e.shop import PHONE, faults_by_day_and_night
from e2e.sites import STRICT_CSP, serving, with_csp

TOOLS = ["ask", "panel", "pay", "js_pay"]

CLICK_BY_SCRIPT = """() => {
  const allow = document.querySelector("webtools-confirm").shadowRoot.querySelector(".allow");
  allow.click();
  allow.dispatchEvent(new PointerEvent("click", {bubbles: true, detail: 1}));
}"""

BEGIN_TO_ABORT = """async (name) => {
  const tool = (await document.modelContext.getTools()).find((each) => each.name === name);
  const began = new Promise((resolve) => webtools.addEventListener("callend", ({detail}) => resolve(detail),
    {once: true}));
  window.ended = began.then(({answer}) => answer);
  window.controller = new AbortController();
  document.modelContext.executeTool(tool, {message: "?"}, {signal: controller.signal}).catch(() => {});
}"""

WAIT_UNTIL_REGISTERED = """async (names) => {
  const state = (name) => webtools.tools().find((tool) => tool.name === name)?.state;
  for (const began = performance.now(); performance.now() - began < 10_000; )
    if (names.every((name) => state(name) === "registered")) return;
    else await new Promise((resolve) => setTimeout(resolve, 10));
  throw new Error("not registered");
}"""


@pytest.fixture(scope="module")
def page(browsers: Callable[[Mode], Browser], mode: Mode) -> Iterator[Watched]:
    """The page, its tools up; nothing may go wrong in it."""
    with (
        serving(PAGES, with_csp(STRICT_CSP)) as url,
        visited(browsers(mode), f"{url}confirm.html") as watched,
    ):
        yield watched
    assert watched.problems == []


@pytest.fixture
def agent(page: Watched, mode: Mode) -> Iterator[Agent]:
    """An agent in front of the page, where nothing is asked and nothing has run."""
    page.page.evaluate(WAIT_UNTIL_REGISTERED, TOOLS)
    page.page.locator("#before").focus()
    agent = Agent(page.page, mode)
    yield agent
    expect(dialog(page.page)).to_have_count(0)
    ran(agent)


def dialog(page: Page) -> Locator:
    return page.locator("webtools-confirm dialog")


def button(page: Page, name: str) -> Locator:
    return dialog(page).get_by_role("button", name=name, exact=True)


def allow(page: Page) -> None:
    """Wait for the dialog, and click Allow as soon as it takes clicks."""
    until_armed(page)
    button(page, "Allow").click()


def until_armed(page: Page) -> None:
    """Wait for the dialog, and until Allow takes clicks."""
    expect(dialog(page)).to_be_visible()
    now = page.evaluate("performance.now()")
    page.wait_for_function("(since) => performance.now() - since > 600", arg=now)


def ran(agent: Agent) -> list[str]:
    """Which handlers have run since this was asked last."""
    answer = agent.page.evaluate("webtools.call('look')")
    found: list[str] = answer["structuredContent"]["result"]
    found += agent.page.evaluate("paid.splice(0).map(() => 'js_pay')")
    return found


def refused(agent: Agent, key: str) -> tuple[str, str, Any]:
    """The code, effect and reason of a call that was begun."""
    error = error_of(end(agent, key))
    return error["code"], error["effect"], error.get("details", {}).get("reason")


@pytest.mark.parametrize(
    ("name", "arguments", "answer"),
    [
        ("pay", {"amount": 3}, "paid 3"),
        ("ask", {"message": "Really?"}, "asked"),
        ("panel", {}, "opened"),
        ("js_pay", {}, "paid"),
    ],
)
def test_a_call_goes_on_once_the_person_allows_it(
    agent: Agent, name: str, arguments: dict[str, Any], answer: str
) -> None:
    begin(agent, "x", name, arguments)
    expect(dialog(agent.page)).to_be_visible()
    assert ran(agent) == []
    allow(agent.page)
    assert text_of(end(agent, "x")) == answer
    assert ran(agent) == [name]


def test_the_person_reads_what_will_happen(agent: Agent) -> None:
    begin(agent, "x", "pay", {"amount": 3})
    asked = agent.page.get_by_role("alertdialog", name="An agent wants to use “Pay the bill”")
    expect(asked).to_have_accessible_description(
        'Pay the bill now? This cannot be undone. With these arguments { "amount": 3, "note": "" }'
    )
    button(agent.page, "Deny").click()
    begin(agent, "y", "panel", {})
    expect(dialog(agent.page)).to_contain_text("Open panel 7?")
    button(agent.page, "Deny").click()
    assert refused(agent, "y") == ("USER_DENIED", "none", "denied")


@pytest.mark.parametrize(
    ("name", "effect"), [("pay", "none"), ("ask", "unknown"), ("panel", "none"), ("js_pay", "unknown")]
)
def test_deny_and_escape_are_a_no(agent: Agent, name: str, effect: str) -> None:
    arguments = {"message": "?"} if name == "ask" else {}
    begin(agent, "x", name, arguments)
    button(agent.page, "Deny").click()
    assert refused(agent, "x") == ("USER_DENIED", effect, "denied")
    before = agent.page.evaluate("escapes")
    begin(agent, "y", name, arguments)
    expect(dialog(agent.page)).to_be_visible()
    agent.page.keyboard.press("Escape")
    assert refused(agent, "y") == ("USER_DENIED", effect, "dismissed")
    assert ran(agent) == []
    assert agent.page.evaluate("escapes") == before


def test_a_dialog_that_something_else_closes_approves_nothing(agent: Agent) -> None:
    begin(agent, "x", "pay", {})
    expect(dialog(agent.page)).to_be_visible()
    dialog(agent.page).evaluate("(dialog) => dialog.close()")
    assert refused(agent, "x") == ("CONFIRMATION_UNAVAILABLE", "none", "closed")
    assert ran(agent) == []


@pytest.mark.parametrize(
    "taking",
    [
        "document.querySelector('webtools-confirm').remove()",
        "document.body.append(document.querySelector('webtools-confirm'))",
        "document.querySelector('webtools-confirm').shadowRoot.replaceChildren()",
    ],
    ids=["removed", "moved", "emptied"],
)
def test_a_dialog_that_is_taken_out_of_the_page_approves_nothing_and_the_next_question_is_seen(
    agent: Agent, taking: str
) -> None:
    begin(agent, "x", "pay", {"amount": 1})
    begin(agent, "y", "pay", {"amount": 2})
    expect(dialog(agent.page)).to_contain_text('"amount": 1')
    agent.page.evaluate(taking)
    assert refused(agent, "x") == ("CONFIRMATION_UNAVAILABLE", "none", "closed")
    expect(dialog(agent.page)).to_contain_text('"amount": 2')
    allow(agent.page)
    assert text_of(end(agent, "y")) == "paid 2"
    assert ran(agent) == ["pay"]


def test_a_click_that_a_script_makes_does_not_approve(agent: Agent) -> None:
    begin(agent, "x", "pay", {})
    until_armed(agent.page)
    agent.page.evaluate(CLICK_BY_SCRIPT)
    assert ran(agent) == []
    expect(dialog(agent.page)).to_be_visible()
    allow(agent.page)
    assert text_of(end(agent, "x")) == "paid 1"
    assert ran(agent) == ["pay"]


@one_mode
def test_the_focus_is_on_deny_stays_in_the_dialog_and_goes_back(agent: Agent) -> None:
    page = agent.page
    begin(agent, "x", "pay", {})
    expect(button(page, "Deny")).to_be_focused()
    for _ in range(6):
        page.keyboard.press("Tab")
        expect(page.locator("#before")).not_to_be_focused()
    button(page, "Deny").focus()
    page.keyboard.press("Enter")
    assert refused(agent, "x")[0] == "USER_DENIED"
    expect(page.locator("#before")).to_be_focused()


def test_two_questions_are_asked_one_after_the_other(agent: Agent) -> None:
    begin(agent, "x", "ask", {"message": "The first?"})
    begin(agent, "y", "js_pay", {})
    expect(dialog(agent.page)).to_have_count(1)
    expect(dialog(agent.page)).to_contain_text("The first?")
    button(agent.page, "Deny").click()
    expect(dialog(agent.page)).to_contain_text("Pay by JavaScript now?")
    allow(agent.page)
    assert refused(agent, "x")[0] == "USER_DENIED"
    assert text_of(end(agent, "y")) == "paid"
    assert ran(agent) == ["js_pay"]


def test_a_caller_that_gives_up_closes_the_dialog(agent: Agent) -> None:
    agent.page.evaluate(BEGIN_TO_ABORT, "ask")
    expect(dialog(agent.page)).to_be_visible()
    agent.page.evaluate("controller.abort()")
    expect(dialog(agent.page)).to_have_count(0)
    assert error_of(agent.page.evaluate("ended"))["code"] == "CANCELLED"
    expect(agent.page.locator("#before")).to_be_focused()
    assert ran(agent) == []


@pytest.mark.parametrize(("name", "effect"), [("panel", "none"), ("js_pay", "unknown")])
def test_letting_go_of_the_tool_closes_its_dialog_and_refuses(agent: Agent, name: str, effect: str) -> None:
    begin(agent, "x", name, {})
    expect(dialog(agent.page)).to_be_visible()
    agent.page.evaluate("(name) => holds[name].release()", name)
    expect(dialog(agent.page)).to_have_count(0)
    assert refused(agent, "x") == ("UI_CONTEXT_CLOSED", effect, "stale")
    agent.page.evaluate("(name) => holdAgain(name)", name)
    assert ran(agent) == []


@pytest.mark.parametrize(("name", "answer"), [("panel", "opened"), ("js_pay", "paid")])
def test_a_remount_keeps_the_dialog(agent: Agent, name: str, answer: str) -> None:
    begin(agent, "x", name, {})
    expect(dialog(agent.page)).to_be_visible()
    dialog(agent.page).evaluate("(dialog) => { window.first = dialog; }")
    agent.page.evaluate("(name) => holdAgain(name)", name)
    assert ran(agent) == []  # macrotasks have passed
    assert agent.page.evaluate("first.isConnected && first.open")
    allow(agent.page)
    assert text_of(end(agent, "x")) == answer


@one_mode
def test_words_of_an_agent_stay_words(agent: Agent) -> None:
    note = "<img src=x onerror=alert(1)><b>bold</b>\u202eoot emoc"
    told = "<b>bold</b>\\u202eoot emoc"
    begin(agent, "x", "pay", {"note": note})
    begin(agent, "y", "ask", {"message": note})
    expect(dialog(agent.page).locator("pre")).to_contain_text(told)
    expect(dialog(agent.page).locator("img, b")).to_have_count(0)
    button(agent.page, "Deny").click()
    expect(dialog(agent.page).locator("p")).to_contain_text(told)
    expect(dialog(agent.page).locator("img, b")).to_have_count(0)
    button(agent.page, "Deny").click()


def test_the_page_can_ask_in_its_own_way(agent: Agent) -> None:
    page = agent.page
    page.evaluate("""() => webtools.confirmWith(async ({signal, ...question}) => {
      window.question = question;
      return question.arguments.amount < 5;
    })""")
    begin(agent, "x", "pay", {"amount": 4})
    assert text_of(end(agent, "x")) == "paid 4"
    begin(agent, "y", "pay", {"amount": 5})
    assert refused(agent, "y") == ("USER_DENIED", "none", "denied")
    assert page.evaluate("question") == {
        "tool": "pay",
        "title": "Pay the bill",
        "message": "Pay the bill now?\nThis cannot be undone.",
        "arguments": {"amount": 5, "note": ""},
    }
    page.evaluate("webtools.confirmWith(null)")
    begin(agent, "z", "pay", {})
    button(page, "Deny").click()
    assert refused(agent, "z")[0] == "USER_DENIED"


def test_a_way_of_the_pages_that_hangs_can_be_taken_back(agent: Agent) -> None:
    page = agent.page
    page.evaluate("webtools.confirmWith(() => new Promise((resolve) => { window.hanging = resolve; }))")
    begin(agent, "x", "pay", {"amount": 1})
    page.wait_for_function("() => Boolean(window.hanging)")
    page.evaluate("webtools.confirmWith(null)")
    expect(dialog(page)).to_contain_text("Pay the bill now?")
    page.evaluate("hanging(true)")
    expect(dialog(page)).to_be_visible()
    button(page, "Deny").click()
    assert refused(agent, "x") == ("USER_DENIED", "none", "denied")
    assert ran(agent) == []


def test_agents_do_not_see_what_a_person_is_asked(agent: Agent) -> None:
    assert "cannot be undone" not in str(agent.tools())


@one_mode
@pytest.mark.parametrize("viewport", [PHONE, {"width": 1280, "height": 720}], ids=["phone", "desk"])
def test_the_dialog_has_no_accessibility_fault_that_axe_finds_and_fits(
    agent: Agent, viewport: dict[str, int]
) -> None:
    page = agent.page
    page.set_viewport_size({"width": viewport["width"], "height": viewport["height"]})
    page.emulate_media(reduced_motion="reduce")
    begin(agent, "x", "pay", {"note": "word " * 2000})
    expect(dialog(page)).to_be_visible()
    assert faults_by_day_and_night(page) == []
    box = dialog(page).bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= viewport["width"]
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= viewport["height"]
    expect(button(page, "Allow")).to_be_in_viewport(ratio=1)
    button(page, "Deny").click()
    assert refused(agent, "x")[0] == "USER_DENIED"
