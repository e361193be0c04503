"""The demo storefront's checkout: its tools come and go with its pages, and no call of theirs is lost.

Agents shop on native, on the polyfill, and on the polyfill in its cancelling mode, which stands for Chromium
up to 152; people shop without Python.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from e2e.agents import Agent, Host, Mode, begin, end, error_of, mode_of
from e2e.conftest import Watched
from e2e.shop import (
    HINT,
    PHONE,
    agent_in,
    cart_of,
    faults_by_day_and_night,
    is_wide,
    opened,
    show,
    version_of,
    wait_for,
    without_tools,
)

DETAILS = {
    "name": "Ada Quay",
    "email": "ada@harbour.example",
    "street": "Quay 1",
    "postcode": "2333 AB",
    "city": "Leiden",
}
LABELS = {
    "Name": "Ada Quay",
    "Email": "ada@harbour.example",
    "Street and number": "Quay 1",
    "Postcode": "2333 AB",
    "City": "Leiden",
}
CART_TOOLS = ["set_quantity", "clear_cart", "start_checkout"]
CHECKOUT_TOOLS = ["place_order"]
ORDER_TOOLS = ["get_order"]

GRACE = """async ([name, input]) => {
  const tools = () => document.modelContext.getTools();
  const settled = new Promise((resolve) => webtools.addEventListener("callend", ({detail}) =>
    detail.tool === name && resolve(performance.now())));
  await document.modelContext.executeTool((await tools()).find((tool) => tool.name === name), input);
  webtools.call("show_page", {path: "/product/KT-401"});
  const began = await settled;
  while (performance.now() - began < 10_000) {
    if (!(await tools()).some((tool) => tool.name === name)) return performance.now() - began;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`${name} is still listed`);
}"""

ALLOW_ALL = "webtools.confirmWith(() => true)"
"""The person says yes at once; the dialog has tests of its own."""

LET_THEM_THINK = """() => {
  window.asked = {};
  asked.promise = new Promise((resolve) => (asked.resolve = resolve));
  webtools.confirmWith(({message}) => new Promise((resolve) => {
    window.say = resolve;
    asked.resolve(message);
  }));
}"""
"""The person says what `say` is called with."""

NOTE_BARS = """() => {
  window.bars = [];
  const panel = document.querySelector(".agent");
  const note = () => {
    const bar = panel.querySelector("progress");
    const seen = bar && [bar.getAttribute("aria-label"), bar.value, bar.max,
      panel.querySelector(".agent-line").textContent];
    if (seen && JSON.stringify(seen) !== JSON.stringify(bars.at(-1))) bars.push(seen);
  };
  new MutationObserver(note).observe(panel,
    {subtree: true, childList: true, attributes: true, characterData: true});
}"""
"""Keeps what the closed panel's bar has shown; each of it is gone in a moment."""

CLICK_MEANWHILE = """(selector) => {
  const listening = new AbortController();
  webtools.addEventListener("callprogress", ({detail}) => {
    if (detail.message !== "Reserving the pieces") return;
    listening.abort();
    document.querySelector(selector).click();
  }, {signal: listening.signal});
}"""
"""The person clicks while an order is prepared."""

CALL_AND_GO_BACK = """async ([name, input]) => {
  const tool = (await document.modelContext.getTools()).find((each) => each.name === name);
  const answer = document.modelContext.executeTool(tool, input);
  history.back();
  return answer;
}"""


@pytest.fixture(scope="module")
def shop(browsers: Callable[[Mode], Browser], host: Host) -> Iterator[Watched]:
    """The shop, its tools up; one page for the whole module, as one long visit."""
    browser = browsers(mode_of(host))
    with opened(browser, cancels=host == "cancelling") as watched:
        watched.page.add_init_script(f"addEventListener('webtools', () => {ALLOW_ALL})")
        watched.page.evaluate(ALLOW_ALL)
        yield watched


@pytest.fixture
def agent(shop: Watched, host: Host) -> Agent:
    """An agent in the shop, with an empty cart and only the tools of every page."""
    agent = agent_in(shop, mode_of(host))
    for name in CART_TOOLS + CHECKOUT_TOOLS + ORDER_TOOLS:
        wait_for(agent, name, listed=False)
    return agent


@pytest.fixture
def buyer(agent: Agent) -> Agent:
    """An agent at the checkout, with one thing in the cart."""
    agent.call("add_to_cart", {"sku": "KT-401"})
    show(agent, "/checkout", "place_order")
    return agent


def heading(page: Page) -> Locator:
    """What the page calls itself."""
    return page.get_by_role("heading", level=1)


def read(answer: dict[str, Any]) -> dict[str, Any]:
    """Give the data of an answer that is no error."""
    assert not answer.get("isError"), answer
    data: dict[str, Any] = answer["structuredContent"]
    return data


def order(agent: Agent, **details: Any) -> dict[str, Any]:
    """Give what a new order of the cart as it is takes."""
    return {**DETAILS, "cart_version": version_of(agent), "order_key": str(uuid.uuid4()), **details}


def clear(agent: Agent) -> dict[str, Any]:
    """Empty the cart as it is."""
    return agent.call("clear_cart", {"cart_version": version_of(agent)})


def test_an_agent_shops_through(agent: Agent) -> None:
    found = read(agent.call("search_products", {"query": "moka"}))["products"][0]["sku"]
    agent.call("add_to_cart", {"sku": found, "quantity": 2})
    shown = agent.call("show_page", {"path": "/cart"})["content"][0]["text"]
    assert all(name in shown for name in CART_TOOLS)
    wait_for(agent, "clear_cart", listed=True)
    assert read(clear(agent))["lines"] == []
    wait_for(agent, "clear_cart", listed=False)
    wait_for(agent, "start_checkout", listed=False)
    assert "set_quantity" in agent.names()

    agent.call("add_to_cart", {"sku": found})
    wait_for(agent, "start_checkout", listed=True)
    assert read(agent.call("start_checkout"))["cart_cents"] == 3600
    wait_for(agent, "place_order", listed=True)
    expect(heading(agent.page)).to_have_text("Check out")

    placed = read(agent.call("place_order", order(agent, delivery="express")))
    assert placed["total_cents"] == 3600 + 1290
    expect(heading(agent.page)).to_have_text("Thank you, Ada Quay")
    wait_for(agent, "get_order", listed=True)
    assert read(agent.call("get_order", {"order_id": placed["id"]})) == placed
    assert cart_of(agent) == {}
    wait_for(agent, "place_order", listed=False)


def test_the_carts_tools_live_with_its_drawer(agent: Agent) -> None:
    page = agent.page
    page.get_by_role("banner").get_by_role("button", name="Cart").click()
    wait_for(agent, "set_quantity", listed=True)
    assert "clear_cart" not in agent.names()
    agent.call("add_to_cart", {"sku": "KT-401"})
    wait_for(agent, "clear_cart", listed=True)
    assert read(agent.call("start_checkout"))["cart_cents"] == 3600
    expect(page.get_by_role("dialog")).to_be_hidden()
    for name in CART_TOOLS:
        wait_for(agent, name, listed=False)
    assert "place_order" in agent.names()


def test_emptying_the_cart_in_the_drawer_is_answered_and_takes_its_tool_away(agent: Agent) -> None:
    agent.call("add_to_cart", {"sku": "KT-401"})
    agent.page.get_by_role("banner").get_by_role("button", name="Cart").click()
    wait_for(agent, "clear_cart", listed=True)
    assert read(clear(agent))["lines"] == []
    expect(agent.page.get_by_role("dialog")).to_contain_text("Your cart is empty.")
    wait_for(agent, "clear_cart", listed=False)
    agent.page.get_by_role("button", name="Close the cart").click()


def test_nothing_is_ordered_that_the_person_does_not_allow(buyer: Agent) -> None:
    page = buyer.page
    page.evaluate("webtools.confirmWith(null)")
    begin(buyer, "x", "place_order", order(buyer))
    asked = page.get_by_role("alertdialog", name="An agent wants to use “Place the order”")
    expect(asked).to_contain_text('"street": "Quay 1"')
    asked.get_by_role("button", name="Deny").click()
    error = error_of(end(buyer, "x"))
    page.evaluate(ALLOW_ALL)
    assert (error["code"], error["effect"]) == ("USER_DENIED", "none")
    assert cart_of(buyer) == {"KT-401": 1}


def test_a_tab_without_the_checkout_says_so_and_can_have_it(buyer: Agent, host: Host) -> None:
    page = buyer.page.context.new_page()
    watched = Watched(page)
    page.goto("/checkout")
    assert watched.ready() == "ready"
    second = Agent(page, mode_of(host))
    for name in ("place_order", "use_checkout_here"):
        wait_for(second, name, listed=True)
    here, there = (each.get_by_role("region", name="Another tab") for each in (page, buyer.page))
    expect(here).to_contain_text("The checkout is open in another tab")
    expect(there).to_be_hidden()
    error = error_of(second.call("place_order", order(second)))
    assert (error["code"], error["effect"]) == ("NOT_OWNER", "none")
    assert cart_of(second) == {"KT-401": 1}

    page.get_by_role("button", name="Use it here").click()
    expect(here).to_be_hidden()
    expect(there).to_be_visible()
    assert error_of(buyer.call("place_order", order(buyer)))["code"] == "NOT_OWNER"

    fill_in(page)
    buyer.call("use_checkout_here")
    expect(here).to_be_visible()
    page.get_by_role("button", name="Place the order").click()
    expect(heading(page)).to_have_text("Thank you, Ada Quay")
    assert [problem for problem in watched.problems if HINT not in problem] == []
    assert watched.uncaught == []
    page.close()


def test_leaving_the_checkout_lets_its_tool_go_half_a_second_after_the_last_answer(buyer: Agent) -> None:
    elapsed = buyer.page.evaluate(GRACE, ["place_order", order(buyer, email="nobody")])
    assert elapsed >= 400  # what has settled is heard of a moment later, on a busy machine
    assert "place_order" not in buyer.names()


def test_a_person_who_goes_back_in_the_middle_leaves_the_agent_with_a_true_answer(buyer: Agent) -> None:
    answer = json.loads(buyer.page.evaluate(CALL_AND_GO_BACK, ["place_order", order(buyer)]))
    if answer.get("isError"):  # the browser was back before it entered the call, or before the person's yes
        error = error_of(answer)
        assert error["code"] in ("STALE_TOOL_CALL", "UI_CONTEXT_CLOSED")
        assert error["effect"] == "none"
        assert cart_of(buyer) == {"KT-401": 1}
        return
    assert cart_of(buyer) == {}
    show(buyer, "/orders", "get_order")
    assert read(buyer.call("get_order", {"order_id": read(answer)["id"]})) == read(answer)


def test_back_and_forward_bring_the_tools_of_each_page(buyer: Agent) -> None:
    page = buyer.page
    show(buyer, "/cart", "clear_cart")
    page.go_back()
    wait_for(buyer, "place_order", listed=True)
    wait_for(buyer, "clear_cart", listed=False)
    page.go_forward()
    wait_for(buyer, "start_checkout", listed=True)
    wait_for(buyer, "place_order", listed=False)
    page.go_back()
    wait_for(buyer, "place_order", listed=True)
    placed = read(buyer.call("place_order", order(buyer)))
    page.go_back()
    expect(page.get_by_role("main")).to_contain_text("Your cart is empty.")
    wait_for(buyer, "place_order", listed=False)
    page.go_forward()
    wait_for(buyer, "get_order", listed=True)
    expect(heading(page)).to_have_text(f"Order {placed['id']}")


def test_each_page_survives_a_reload_with_its_tools(buyer: Agent, shop: Watched) -> None:
    page = buyer.page
    placed = read(buyer.call("place_order", order(buyer)))
    for path, title in (
        (f"/order/{placed['id']}", f"Order {placed['id']}"),
        ("/orders", "Your orders"),
    ):
        buyer.call("show_page", {"path": path})
        reload(shop)
        expect(heading(page)).to_have_text(title)
        wait_for(buyer, "get_order", listed=True)
        assert read(buyer.call("get_order", {"order_id": placed["id"]})) == placed
    buyer.call("add_to_cart", {"sku": "KT-401"})
    show(buyer, "/cart", "clear_cart")
    reload(shop)
    for name in CART_TOOLS:
        wait_for(buyer, name, listed=True)


def test_what_a_person_changed_meanwhile_is_neither_overwritten_nor_ordered(buyer: Agent) -> None:
    page = buyer.page
    page.evaluate(LET_THEM_THINK)
    begin(buyer, "x", "place_order", order(buyer))
    asked = page.evaluate("asked.promise")
    assert asked == "Order 1 piece for €36.00, and the delivery? A demo: nothing is charged."
    other = page.context.new_page()
    other.route("**/webtools/**", lambda route: route.abort())
    other.goto("/product/KT-402")
    other.get_by_role("main").get_by_role("button", name="Add").first.dispatch_event("click")
    expect(other.get_by_role("banner").get_by_role("button", name="Cart")).to_contain_text("2")
    other.close()
    page.evaluate("say(true)")
    error = error_of(end(buyer, "x"))
    page.evaluate(ALLOW_ALL)
    assert (error["code"], error["effect"]) == ("VERSION_CONFLICT", "none")
    assert cart_of(buyer) == {"KT-401": 1, "KT-402": 1}
    again = order(buyer, cart_version=error["details"]["current"])
    assert len(read(buyer.call("place_order", again))["lines"]) == 2


def test_an_order_that_is_placed_again_is_the_same_order(buyer: Agent, shop: Watched) -> None:
    arguments = order(buyer)
    placed = read(buyer.call("place_order", arguments))
    buyer.call("add_to_cart", {"sku": "KT-401"})
    show(buyer, "/checkout", "place_order")
    reload(shop)
    wait_for(buyer, "place_order", listed=True)
    assert read(buyer.call("place_order", arguments)) == placed
    assert cart_of(buyer) == {"KT-401": 1}


def test_the_panel_shows_how_far_an_order_is(buyer: Agent) -> None:
    page = buyer.page
    panel = page.locator(".agent")
    toggle = panel.get_by_role("button")
    if toggle.get_attribute("aria-expanded") == "true":
        toggle.click()
    page.evaluate(NOTE_BARS)
    placed = read(buyer.call("place_order", order(buyer)))
    assert placed["total_cents"] == 3600 + 490
    assert page.evaluate("bars.slice(-2)") == [
        ["Reserving the pieces", 1, 3, "Reserving the pieces"],
        ["Booking the boat", 2, 3, "Booking the boat"],
    ]
    expect(panel.get_by_role("progressbar")).to_have_count(0)


def test_a_person_who_leaves_the_checkout_stops_the_order(buyer: Agent) -> None:
    page = buyer.page
    page.evaluate(CLICK_MEANWHILE, "main a[href='/cart']")
    error = error_of(buyer.call("place_order", order(buyer)))
    assert (error["code"], error["effect"]) == ("STALE_TOOL_CALL", "none")
    expect(heading(page)).to_have_text("Your cart")
    assert cart_of(buyer) == {"KT-401": 1}


def test_a_person_who_orders_meanwhile_is_the_one_who_orders(buyer: Agent) -> None:
    page = buyer.page
    fill_in(page)
    page.evaluate(CLICK_MEANWHILE, "main button[type=submit]")
    error = error_of(buyer.call("place_order", order(buyer)))
    assert (error["code"], error["effect"]) == ("STALE_TOOL_CALL", "none")
    expect(heading(page)).to_have_text("Thank you, Ada Quay")
    assert cart_of(buyer) == {}


def reload(shop: Watched) -> None:
    shop.page.reload()
    assert shop.ready() == "ready"


def put_in_the_cart(page: Page) -> None:
    """As a person does, and go on to the checkout through the drawer."""
    page.goto("/product/KT-401")
    page.get_by_role("main").get_by_role("button", name="Add").first.click()
    page.get_by_role("banner").get_by_role("button", name="Cart").click()
    page.get_by_role("dialog").get_by_role("link", name="Check out").click()
    expect(heading(page)).to_have_text("Check out")


def fill_in(page: Page) -> None:
    for label, text in LABELS.items():
        page.get_by_label(label, exact=True).fill(text)


def focused(page: Page) -> Any:
    """What has the focus, by its label or its text."""
    return page.evaluate("(document.activeElement.labels?.[0] ?? document.activeElement).textContent")


def test_a_person_checks_out_by_mouse_where_there_is_no_webtools(browsers: Callable[[Mode], Browser]) -> None:
    with without_tools(browsers("polyfill"), "**/webtools/**") as page:
        put_in_the_cart(page)
        expect(page.get_by_role("main")).to_contain_text("nothing is charged")
        fill_in(page)
        page.get_by_role("radio", name="Speedboat").check()
        page.get_by_role("button", name="Place the order, €48.90").click()
        expect(heading(page)).to_have_text("Thank you, Ada Quay")
        expect(heading(page)).to_be_focused()
        expect(page.get_by_role("banner").get_by_role("button", name="Cart")).to_contain_text("0")
        expect(page.get_by_role("main")).to_contain_text("2333 AB Leiden")
        page.reload()
        expect(heading(page)).to_contain_text("Order PH-")
        page.get_by_role("link", name="All your orders").click()
        page.get_by_role("main").get_by_role("link", name="PH-").click()
        expect(page.get_by_role("main")).to_contain_text("Café Moka Pot")


def test_a_person_checks_out_by_keyboard_alone(browsers: Callable[[Mode], Browser]) -> None:
    with without_tools(browsers("polyfill")) as page:
        put_in_the_cart(page)
        for label, text in LABELS.items():
            tab_to(page, label)
            page.keyboard.type(text)
        tab_to(page, "Mail boat")
        page.keyboard.press("ArrowDown")
        expect(page.get_by_role("radio", name="Speedboat")).to_be_checked()
        tab_to(page, "Place the order")
        page.keyboard.press("Enter")
        expect(heading(page)).to_have_text("Thank you, Ada Quay")
        tab_to(page, "All your orders")
        page.keyboard.press("Enter")
        expect(heading(page)).to_have_text("Your orders")


def tab_to(page: Page, label: str) -> None:
    for _ in range(40):
        page.keyboard.press("Tab")
        if label in focused(page):
            return
    raise AssertionError(f"Tab does not come to {label}")


def test_a_form_that_is_not_complete_says_what_to_do_and_leads_there(
    browsers: Callable[[Mode], Browser],
) -> None:
    with without_tools(browsers("polyfill")) as page:
        put_in_the_cart(page)
        page.get_by_role("button", name="Place the order").click()
        name, email = page.get_by_label("Name", exact=True), page.get_by_label("Email")
        expect(name).to_be_focused()
        expect(name).to_have_accessible_description("Enter a name.")
        fill_in(page)
        expect(name).to_have_accessible_description("")
        email.fill("ada")
        page.get_by_role("button", name="Place the order").click()
        expect(email).to_be_focused()
        expect(email).to_have_attribute("aria-invalid", "true")
        expect(email).to_have_accessible_description("Enter an email address like ada@harbour.example.")
        expect(heading(page)).to_have_text("Check out")
        email.fill("ada@harbour.example")
        page.keyboard.press("Enter")
        expect(heading(page)).to_have_text("Thank you, Ada Quay")


def test_what_was_typed_outlives_a_look_at_the_cart(browsers: Callable[[Mode], Browser]) -> None:
    with without_tools(browsers("polyfill")) as page:
        put_in_the_cart(page)
        fill_in(page)
        page.get_by_role("link", name="Change the cart").click()
        expect(heading(page)).to_have_text("Your cart")
        page.go_back()
        expect(page.get_by_label("Name", exact=True)).to_have_value("Ada Quay")


def test_the_checkout_of_nothing_and_the_thanks_have_no_fault_that_axe_finds(
    browsers: Callable[[Mode], Browser],
) -> None:
    """The other pages of the checkout are sights, which `test_visual.py` measures."""
    with without_tools(browsers("polyfill"), viewport=PHONE) as page:
        page.goto("/checkout")
        heading(page).wait_for()
        assert (faults_by_day_and_night(page), is_wide(page)) == ([], False)
        put_in_the_cart(page)
        fill_in(page)
        page.get_by_role("button", name="Place the order").click()
        expect(heading(page)).to_have_text("Thank you, Ada Quay")
        assert (faults_by_day_and_night(page), is_wide(page)) == ([], False)
