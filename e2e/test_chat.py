"""The storefront's chat: a person wishes, its agent works with the tools, asks, and can be stopped."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from e2e.agents import Agent, Mode, begin, end, error_of, wait_for
from e2e.chat_server import ChatServer
from e2e.conftest import Watched, one_mode
from e2e.shop import agent_in, cart_of, faults_by_day_and_night, is_wide, opened, show, version_of
from e2e.test_storefront import TOOLS

KEY = "sk-e2e-very-secret-0123456789"
LONG = "Supercalifragilisticexpialidocious" * 3
RTL = "أريد حقيبة ظهر"

CLICK_AS_IT_COMES = """() => {
  const look = () => {
    const allow = document.querySelector(".chat-question .button:not(.button-quiet)");
    if (!allow) return;
    watching.disconnect();
    allow.click();
    window.sawAt = NaN;
    requestAnimationFrame(() => requestAnimationFrame(() => (window.sawAt = performance.now())));
  };
  const watching = new MutationObserver(look);
  watching.observe(document.querySelector(".agent"), {subtree: true, childList: true});
}"""
"""A click that was meant for what was there before."""

UNTIL_ARMED = """() => new Promise((resolve) => {
  const look = () => (performance.now() - window.sawAt > 500 ? resolve() : requestAnimationFrame(look));
  look();
})"""

SCROLL_UP = """() => {
  document.querySelector(".chat-log").scrollTo(0, 0);
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
}"""
FROM_END = """() => {
  const {scrollHeight, scrollTop, clientHeight} = document.querySelector(".chat-log");
  return scrollHeight - scrollTop - clientHeight;
}"""


@pytest.fixture(scope="module")
def chats() -> ChatServer:
    return ChatServer()


@pytest.fixture(scope="module")
def shop(browsers: Callable[[Mode], Browser], mode: Mode, chats: ChatServer) -> Iterator[Watched]:
    """The shop with a server of models beside it, its tools up; one page for the whole module."""
    with opened(browsers(mode), beside=chats.beside) as watched:
        yield watched


@pytest.fixture
def agent(shop: Watched, mode: Mode) -> Agent:
    """Another agent, in the same shop; the cart is empty."""
    return agent_in(shop, mode)


@pytest.fixture
def page(agent: Agent, chats: ChatServer) -> Page:
    """The page with the chat open, and nothing said; the scripted planner replies."""
    chats.asked.clear()
    chats.keys.clear()
    page = agent.page
    page.set_viewport_size({"width": 1280, "height": 800})
    if toggle(page).get_attribute("aria-expanded") == "false":
        toggle(page).click()
    page.get_by_role("tab", name="Chat").click()
    clear = page.get_by_role("button", name="New conversation")
    if clear.is_visible():
        clear.click()
    choose(page, None)
    return page


def toggle(page: Page) -> Locator:
    return page.get_by_role("button", name="Agent at work")


def field(page: Page) -> Locator:
    return page.get_by_label("Your wish")


def log(page: Page) -> Locator:
    return page.get_by_role("log")


def cards(page: Page) -> Locator:
    return page.locator(".chat-call summary")


def question(page: Page) -> Locator:
    return page.locator(".agent").get_by_role("alertdialog")


def say(page: Page, wish: str) -> None:
    field(page).fill(wish)
    field(page).press("Enter")


def choose(page: Page, model: str | None, key: str = "") -> None:
    """Have a model of the site's own server reply, or the scripted planner."""
    settings = page.locator(".chat-settings")
    if model is None and "Scripted demo, not an AI model" in settings.inner_text():
        return
    settings.locator("summary").click()
    if model is None:
        settings.get_by_role("button", name="Use the scripted demo").click()
        return
    settings.get_by_label("Address").fill("/v1")
    settings.get_by_label("Model").fill(model)
    settings.get_by_label("Key").fill(key)
    settings.get_by_role("button", name="Use this model").click()


def test_a_wish_fills_the_cart_and_each_call_is_a_card(page: Page, agent: Agent) -> None:
    expect(page.locator(".chat-settings")).to_contain_text("Scripted demo, not an AI model")
    page.get_by_role("button", name="Find a headlamp under €60").click()
    expect(log(page)).to_contain_text("Night Ferry Headlamp is in your cart now.")
    expect(cards(page)).to_contain_text(["Search products", "Show page", "Add to cart"])
    expect(page.locator(".chat-call[data-outcome=done]")).to_have_count(3)
    expect(page.get_by_role("heading", level=1)).to_contain_text("headlamp")
    assert cart_of(agent) == {"OD-308": 1}
    cards(page).nth(2).click()
    expect(page.locator(".chat-call").nth(2)).to_contain_text("OD-308")
    expect(field(page)).to_have_value("")


@one_mode
def test_it_goes_on_from_what_was_said_and_says_what_it_does_not_understand(page: Page) -> None:
    say(page, "Compare two backpacks")
    expect(log(page)).to_contain_text("side by side now. Of those in stock, ")
    expect(page.get_by_role("heading", level=1)).to_have_text("Side by side")
    say(page, "Add the second")
    expect(log(page)).to_contain_text("Breakwater Roll-Top is in your cart now.")
    say(page, "Tell me a joke")
    expect(log(page)).to_contain_text("I do not understand that. I am a small script, not an AI")


def test_no_other_agent_is_offered_the_chat(page: Page, agent: Agent) -> None:
    say(page, "help")
    expect(log(page)).to_contain_text("I am a small script")
    wait_for(agent, "open_chat", listed=False)
    assert set(TOOLS) <= set(agent.names())


@one_mode
def test_the_person_is_asked_in_the_chat_and_a_hasty_click_allows_nothing(page: Page, agent: Agent) -> None:
    agent.call("add_to_cart", {"sku": "KT-402", "quantity": 2})
    page.evaluate(CLICK_AS_IT_COMES)
    say(page, "Empty my cart")
    expect(question(page)).to_contain_text("An agent wants to use “Empty the cart”")
    expect(question(page)).to_contain_text("Take all out of the cart: 2 pieces for €36.00?")
    expect(question(page)).to_be_focused()
    expect(page.locator("webtools-confirm")).to_have_count(0)
    expect(cards(page).last).to_contain_text("waits for your answer")
    question(page).get_by_role("button", name="Deny").click()
    expect(log(page)).to_contain_text("All right, I leave it as it is.")
    expect(question(page)).to_have_count(0)
    expect(field(page)).to_be_focused()
    assert cart_of(agent) == {"KT-402": 2}
    page.evaluate(CLICK_AS_IT_COMES)
    say(page, "Empty my cart")
    expect(question(page)).to_be_visible()
    page.evaluate(UNTIL_ARMED)
    allow = question(page).get_by_role("button", name="Allow")
    allow.evaluate("button => button.click()")  # a script's
    expect(allow).to_be_visible()
    allow.click()
    expect(log(page)).to_contain_text("Your cart is empty now.")


def test_it_orders_once_the_person_allows_it(page: Page, agent: Agent) -> None:
    agent.call("add_to_cart", {"sku": "KT-402"})
    page.evaluate(CLICK_AS_IT_COMES)
    say(page, "Check out")
    expect(question(page)).to_contain_text("1 Lighthouse Quay")
    page.evaluate(UNTIL_ARMED)
    question(page).get_by_role("button", name="Allow").click()
    expect(log(page)).to_contain_text("Nothing is charged.")
    say(page, "Where is my order?")
    expect(log(page)).to_contain_text("1 piece for €22.90, to Leiden, by standard delivery.")


@one_mode
def test_where_the_chat_is_closed_the_librarys_dialog_asks_and_back(page: Page, agent: Agent) -> None:
    agent.call("add_to_cart", {"sku": "KT-402"})
    say(page, "Empty my cart")
    expect(question(page)).to_be_visible()
    toggle(page).click()
    dialog = page.locator("webtools-confirm dialog")
    expect(dialog).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    toggle(page).click()
    expect(log(page)).to_contain_text("All right, I leave it as it is.")


def test_another_agents_call_is_asked_about_too_and_listed_as_activity(page: Page, agent: Agent) -> None:
    agent.call("add_to_cart", {"sku": "KT-402"})
    show(agent, "/cart", "clear_cart")
    begin(agent, "x", "clear_cart", {"cart_version": version_of(agent)})
    expect(question(page)).to_contain_text("Empty the cart")
    expect(cards(page)).to_have_count(0)
    question(page).get_by_role("button", name="Deny").click()
    assert error_of(end(agent, "x"))["code"] == "USER_DENIED"
    page.get_by_role("tab", name="Activity").click()
    expect(page.get_by_role("group", name="Details")).to_contain_text("clear_cart")


@one_mode
def test_stop_ends_with_what_there_is(page: Page, agent: Agent) -> None:
    agent.call("add_to_cart", {"sku": "KT-402"})
    say(page, "Check out")
    expect(question(page)).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    expect(question(page)).to_have_count(0)
    expect(log(page)).to_contain_text("Stopped. What was done until then stands.")
    expect(cards(page).last).to_contain_text("stopped")
    expect(page.get_by_role("button", name="Stop")).to_have_count(0)
    expect(field(page)).to_be_focused()
    assert cart_of(agent) == {"KT-402": 1}
    say(page, "What is in my cart?")
    expect(log(page)).to_contain_text("1 × Foam-line Mug")


def test_a_model_of_the_sites_own_server_replies(page: Page, agent: Agent, chats: ChatServer) -> None:
    choose(page, "harbour", KEY)
    expect(page.locator(".chat-settings summary")).to_have_text("Answers: harbour at /v1")
    say(page, "A mug, please")
    expect(log(page)).to_contain_text("Let me look.")
    expect(log(page)).to_contain_text("The mug is in your cart.")
    assert cart_of(agent) == {"KT-402": 1}
    expect(page.locator(".chat-call[data-outcome=failed]")).to_contain_text("is out of stock")
    assert [each["role"] for each in chats.asked[0]["messages"]] == ["system", "user"]
    assert "open_chat" not in str(chats.asked[0]["tools"])
    assert set(chats.keys) == {f"Bearer {KEY}"}
    told = page.content() + page.evaluate("JSON.stringify([{...sessionStorage}, {...localStorage}])")
    assert KEY not in told


@one_mode
def test_what_a_model_has_said_is_there_after_a_stop(page: Page, chats: ChatServer) -> None:
    choose(page, "stuck")
    say(page, "Buy boots")
    expect(log(page)).to_contain_text("Let me")
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".chat-text[data-by=agent]")).to_contain_text("Let meStopped here")
    assert chats.has_lost.wait(10)
    chats.has_lost.clear()


@one_mode
def test_why_a_model_cannot_reply_is_shown_without_the_key(page: Page, shop: Watched) -> None:
    choose(page, "nobody", KEY)
    say(page, "Buy boots")
    expect(page.locator(".chat-note[data-kind=problem]")).to_contain_text("answered 401")
    assert KEY not in page.content()
    assert KEY not in "".join(shop.problems)
    shop.problems[:] = [each for each in shop.problems if "401" not in each]  # the browser's own line
    choose(page, None)
    say(page, "help")
    expect(log(page)).to_contain_text("I am a small script")


@one_mode
def test_it_works_by_keyboard_alone(page: Page, agent: Agent) -> None:
    agent.call("add_to_cart", {"sku": "KT-402"})
    toggle(page).focus()
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Activity")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Chat")).to_be_focused()
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('.chat-form textarea')"):
            break
    page.keyboard.type("Empty my cart")
    page.keyboard.press("Shift+Enter")
    expect(field(page)).to_have_value("Empty my cart\n")
    page.keyboard.press("Enter")
    expect(question(page)).to_be_focused()
    page.keyboard.press("Escape")
    expect(log(page)).to_contain_text("All right, I leave it as it is.")
    expect(field(page)).to_be_focused()
    page.keyboard.type("Empty my cart")
    page.keyboard.press("Enter")
    expect(question(page)).to_be_focused()
    for _ in range(3):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent === 'Deny'"):
            break
    page.keyboard.press("Enter")
    expect(question(page)).to_have_count(0)
    assert cart_of(agent) == {"KT-402": 1}


def test_a_question_takes_no_focus_from_a_person_elsewhere(page: Page, agent: Agent) -> None:
    agent.call("add_to_cart", {"sku": "KT-402"})
    show(agent, "/checkout", "place_order")
    name = page.get_by_label("Name", exact=True)
    name.focus()
    order = {"name": "Ada", "email": "ada@example.org", "street": "1 Quay", "postcode": "AB1"}
    order |= {"city": "Harbour", "order_key": "first"}
    begin(agent, "x", "place_order", {**order, "cart_version": version_of(agent)})
    expect(page.get_by_role("alert")).to_contain_text("Answer in the panel")
    expect(name).to_be_focused()
    question(page).get_by_role("button", name="Deny").click()
    assert error_of(end(agent, "x"))["code"] == "USER_DENIED"


def test_while_a_dialog_covers_the_chat_the_librarys_own_asks(page: Page, agent: Agent) -> None:
    agent.call("add_to_cart", {"sku": "KT-402"})
    show(agent, "/cart", "clear_cart")
    page.get_by_role("banner").get_by_role("button", name="Cart").click()
    begin(agent, "x", "clear_cart", {"cart_version": version_of(agent)})
    dialog = page.locator("webtools-confirm dialog")
    expect(dialog).to_be_visible()
    expect(question(page)).to_have_count(0)
    page.keyboard.press("Escape")
    assert error_of(end(agent, "x"))["code"] == "USER_DENIED"
    page.keyboard.press("Escape")


@one_mode
def test_the_log_follows_unless_the_person_has_scrolled_up(page: Page) -> None:
    for _ in range(6):
        say(page, "help")
        expect(page.get_by_role("button", name="New conversation")).to_be_visible()
    expect(page.locator(".chat-text[data-by=agent]")).to_have_count(6)
    assert page.evaluate(FROM_END) < 2
    choose(page, "stuck")
    page.evaluate(SCROLL_UP)
    say(page, "Buy boots")
    expect(log(page)).to_contain_text("Let me")
    assert page.evaluate(FROM_END) < 2  # one's own wish is always seen
    page.evaluate(SCROLL_UP)
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("button", name="Newest")).to_be_visible()
    assert page.evaluate(FROM_END) > 100
    page.get_by_role("button", name="Newest").click()
    assert page.evaluate(FROM_END) < 2


@one_mode
def test_the_chat_has_no_accessibility_fault_that_axe_finds_and_fits_a_phone(
    page: Page, agent: Agent
) -> None:
    """What it looks like without its settings is among the sights, which `test_visual.py` measures."""
    page.set_viewport_size({"width": 360, "height": 780})
    page.locator(".chat-settings summary").click()
    assert faults_by_day_and_night(page) == []
    page.locator(".chat-settings summary").click()
    agent.call("add_to_cart", {"sku": "KT-402"})
    say(page, f"{RTL} {LONG}")
    expect(log(page)).to_contain_text("I do not understand")
    say(page, "Check out")
    expect(question(page)).to_be_visible()
    page.set_viewport_size({"width": 320, "height": 640})
    assert not is_wide(page)
    panel = page.locator(".agent").bounding_box()
    assert panel
    assert (panel["x"], panel["width"]) == (0, 320)
    assert page.evaluate(
        "[...document.querySelectorAll('.chat-log, .chat-question-what')].every("
        "(each) => each.scrollWidth <= each.clientWidth)"
    )
    page.get_by_role("button", name="Stop").click()
    expect(log(page)).to_contain_text("Stopped.")
