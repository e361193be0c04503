"""The demo storefront's tools that hand things on: comparisons, gift cards, watches, orders bought again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from e2e.agents import Agent, Mode, begin, end, error_of, text_of
from e2e.conftest import Watched
from e2e.shop import (
    PHONE,
    axe_violations,
    cart_of,
    empty_the_cart,
    faults_by_day_and_night,
    is_wide,
    opened,
    show,
    version_of,
    without_tools,
)

CARD = "PHGC-2500-7731"
DETAILS = {
    "name": "Ada Quay",
    "email": "ada@harbour.example",
    "street": "Quay 1",
    "postcode": "2333 AB",
    "city": "Leiden",
}
WATCH = "webtools.call('watch_price', {sku: 'KT-401', below_cents: 9900}, {runId: 'r1'})"


@pytest.fixture(scope="module")
def shop(browsers: Callable[[Mode], Browser], mode: Mode) -> Iterator[Watched]:
    """The shop, its tools up; one page for the whole module, as one long visit."""
    with opened(browsers(mode)) as watched:
        yield watched


@pytest.fixture
def agent(shop: Watched, mode: Mode) -> Agent:
    """An agent in the shop, whose cart is empty."""
    agent = Agent(shop.page, mode)
    empty_the_cart(agent)
    return agent


@pytest.fixture
def buyer(agent: Agent) -> Agent:
    """An agent at the checkout, with one thing in the cart."""
    agent.call("add_to_cart", {"sku": "KT-401"})
    show(agent, "/checkout", "apply_gift_card")
    return agent


def read(answer: dict[str, Any]) -> dict[str, Any]:
    """Give the data of an answer that is no error."""
    assert not answer.get("isError"), answer
    data: dict[str, Any] = answer["structuredContent"]
    return data


def test_a_comparison_is_seen_and_handed_on_by_its_ref(agent: Agent) -> None:
    page = agent.page
    compared = read(agent.call("compare_products", {"skus": ["AU-601", "AU-602"]}))
    agent.call("show_page", {"path": compared["path"]})
    table = page.get_by_role("region", name="Comparison")
    expect(table.get_by_role("row", name="Battery 38 h")).to_contain_text("7 h")

    email = {"comparison": compared["comparison"], "to": "ada@harbour.example"}
    agent.call("email_comparison", email)
    message = page.get_by_role("region", name="Message")
    expect(message).to_contain_text("the message was not sent")
    expect(message).to_contain_text("Sandpiper Earbuds, €129.00, in stock")
    message.get_by_role("link", name="Close the message").click()
    expect(table).to_be_visible()


def test_an_agent_uses_a_gift_card_whose_number_only_the_person_sees(buyer: Agent) -> None:
    page = buyer.page
    dialog = page.get_by_role("dialog", name="Use your gift card?")
    number = dialog.get_by_label("Number of the gift card")
    begin(buyer, "refused", "apply_gift_card", {})
    number.fill("1234")
    dialog.get_by_role("button", name="Use the card").click()
    expect(dialog.get_by_role("alert")).to_contain_text("does not know this gift card")
    assert axe_violations(page) == []
    dialog.get_by_role("button", name="Not now").click()
    error = error_of(end(buyer, "refused"))
    assert (error["code"], error["effect"]) == ("CREDENTIAL_UNAVAILABLE", "none")
    expect(dialog).to_be_hidden()

    begin(buyer, "given", "apply_gift_card", {})
    assert number.get_attribute("type") == "password"
    number.fill(CARD)
    number.press("Enter")
    answer = end(buyer, "given")
    assert read(answer) == {"card_cents": 2500, "cart_cents": 3600, "left_cents": 1100}
    assert CARD not in text_of(answer)
    expect(page.get_by_role("main")).to_contain_text("Gift card-€25.00")
    page.get_by_role("button", name="Take it off").click()
    expect(page.get_by_role("main")).not_to_contain_text("Gift card-€25.00")


def test_a_price_is_watched_for_the_person_while_a_run_lasts(agent: Agent) -> None:
    page = agent.page
    line = page.get_by_role("complementary").get_by_text("Café Moka Pot costs €36.00 now, below €99.00.")
    page.evaluate(WATCH)
    expect(line).to_be_visible()
    assert axe_violations(page) == []
    page.evaluate("webtools.endRun('r1')")
    expect(line).to_be_hidden()

    said = text_of(agent.call("watch_price", {"sku": "KT-401", "below_cents": 9900}))
    assert "until the page is left" in said
    page.get_by_role("button", name="Stop watching Café Moka Pot").click()
    expect(line).to_be_hidden()


def test_an_order_is_bought_again(buyer: Agent) -> None:
    buyer.call("add_to_cart", {"sku": "KT-402", "quantity": 3})
    buyer.page.evaluate("webtools.confirmWith(() => true)")
    order = {**DETAILS, "cart_version": version_of(buyer), "order_key": "again"}
    placed = read(buyer.call("place_order", order))
    buyer.page.evaluate("webtools.confirmWith(null)")
    show(buyer, "/orders", "rebuy_order")
    again = read(buyer.call("rebuy_order", {"order_id": placed["id"]}))
    assert (again["added"], again["not_added"]) == (2, [])
    assert cart_of(buyer) == {"KT-401": 1, "KT-402": 3}


def test_a_person_compares_and_uses_a_card_by_themselves_and_axe_finds_no_fault(
    browsers: Callable[[Mode], Browser],
) -> None:
    with without_tools(browsers("polyfill"), viewport=PHONE) as page:
        page.goto("/product/AU-601")
        page.get_by_role("link", name="Compare them side by side").click()
        expect(page.get_by_role("region", name="Comparison").get_by_role("columnheader")).to_have_count(4)
        assert (faults_by_day_and_night(page), is_wide(page)) == ([], False)
        for path in ("/compare", "/message"):
            page.goto(path)
            page.get_by_role("heading", level=1).wait_for()
            assert (faults_by_day_and_night(page), is_wide(page)) == ([], False)
        page.goto("/product/DK-502")
        page.get_by_role("main").get_by_role("button", name="Add").first.click()
        page.goto("/checkout")
        card = page.get_by_role("region", name="Gift card")
        card.get_by_label("Number of the gift card").fill(CARD)
        assert (faults_by_day_and_night(page), is_wide(page)) == ([], False)
        card.get_by_role("button", name="Use the card").click()
        expect(card).to_contain_text("ending in 7731")
        expect(card).to_be_focused()
        assert (faults_by_day_and_night(page), is_wide(page)) == ([], False)
