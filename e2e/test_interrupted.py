"""A call that a full page load interrupts is shown on the next page."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Browser, expect

from e2e.agents import Agent, Mode, begin
from e2e.shop import opened, version_of, wait_for


def test_the_shop_shows_what_a_page_load_has_interrupted(
    browsers: Callable[[Mode], Browser], mode: Mode
) -> None:
    with opened(browsers(mode)) as shop:
        page, agent = shop.page, Agent(shop.page, mode)
        agent.call("add_to_cart", {"sku": "SH-101"})
        agent.call("show_page", {"path": "/checkout"})
        wait_for(agent, "place_order", listed=True)
        details = {"name": "Ada", "email": "ada@example.org", "street": "1 Quay", "postcode": "AB1"}
        order = {**details, "city": "Harbour", "cart_version": version_of(agent), "order_key": "first"}
        begin(agent, "x", "place_order", order)
        expect(page.locator("webtools-confirm dialog")).to_be_visible()
        page.reload()
        assert shop.ready() == "ready"
        (call,) = page.evaluate("webtools.interrupted")
        assert call.keys() == {"tool", "callId", "startedAt"}
        assert call["tool"] == "place_order"
        page.get_by_role("button", name="Agent at work").click()
        page.get_by_role("tab", name="Activity").click()
        items = page.get_by_role("group", name="Details").get_by_role("listitem")
        interrupted = items.filter(has_text="interrupted")
        expect(interrupted).to_have_count(1)
        expect(interrupted).to_contain_text("place_order")
        page.reload()
        assert shop.ready() == "ready"
        assert page.evaluate("webtools.interrupted") == []
