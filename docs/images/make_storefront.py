"""Make the pictures of the storefront, its chat and a question anew: `python -m docs.images.make_storefront`.

It needs what the demo needs (`nox -s demo` prepares it) and a Chromium with native WebMCP.
"""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from e2e.agents import Agent
from e2e.chromium import ARGS, NATIVE, ensure
from e2e.sites import serving

STOREFRONT = Path(__file__).parents[2] / "static" / "storefront"
PICTURE = Path(__file__).with_name("storefront.png")
CHAT_PICTURE = Path(__file__).with_name("chat.png")
QUESTION_PICTURE = Path(__file__).with_name("confirmation.png")
BOOT_MS = 60_000


def main() -> None:
    """Serve the shop, let an agent work in it, then its chat's, which asks; take a picture of each."""
    with serving(STOREFRONT) as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=ensure(), args=[*ARGS, *NATIVE])
        page = browser.new_page(
            viewport={"width": 1280, "height": 800}, color_scheme="light", reduced_motion="reduce"
        )
        page.goto(url)
        page.locator(".agent[data-python=ready]").wait_for(timeout=BOOT_MS)
        page.get_by_role("button", name="Agent at work").click()
        page.get_by_role("tab", name="Activity").click()
        work(Agent(page, "native"))
        wait_until_shown(page)
        page.screenshot(path=PICTURE)
        page.get_by_role("tab", name="Chat").click()
        chat(page)
        page.screenshot(path=CHAT_PICTURE)
        page.get_by_role("button", name="Agent at work").click()  # then the library's dialog asks
        page.locator("webtools-confirm dialog").wait_for()
        page.screenshot(path=QUESTION_PICTURE)
        browser.close()


def work(agent: Agent) -> None:
    """Buy for coffee as an agent would, with a refusal on the way; what shall be highlighted comes last."""
    agent.call("search_products", {"query": "coffee", "max_price_cents": 6000})
    agent.call("get_reviews", {"sku": "KT-401"})
    agent.call("show_page", {"path": "/?category=kitchen"})
    agent.call("add_to_cart", {"sku": "KT-407"})
    agent.call("add_to_cart", {"sku": "KT-401"})
    agent.call("add_to_cart", {"sku": "KT-402", "quantity": 2})


def chat(page: Page) -> None:
    """Wish for something, and be asked."""
    wish = page.get_by_label("Your wish")
    for said, done in (
        ("Find a headlamp under €60 and put it in my cart", "is in your cart"),
        ("Empty my cart", ""),
    ):
        wish.fill(said)
        wish.press("Enter")
        if done:
            page.get_by_role("log").get_by_text(done).wait_for()
    page.get_by_role("alertdialog").wait_for()


def wait_until_shown(page: Page) -> None:
    """Wait until the panel has seen the last call end, and the two products are highlighted."""
    page.locator(".card[data-sku=KT-401].is-touched").wait_for()
    page.locator(".card[data-sku=KT-402].is-touched").wait_for()
    page.locator(".agent[data-busy=false]").wait_for()


if __name__ == "__main__":
    main()
