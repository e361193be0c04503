"""Make the picture of `docs/inspector.md` anew: `python -m docs.images.make_inspector`.

It needs what the demo needs (`nox -s demo` prepares it) and a Chromium with native WebMCP.
"""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from e2e.agents import Agent
from e2e.chromium import ARGS, NATIVE, ensure
from e2e.sites import serving

STOREFRONT = Path(__file__).parents[2] / "static" / "storefront"
PICTURE = Path(__file__).with_name("inspector.png")

BOOT_MS = 60_000

LEAVE = """() => {
  const definition = { name: "zoom_map", description: "Zoom the map that the person sees." };
  const answer = () => new Promise((resolve) => setTimeout(() => resolve("zoomed"), 3000));
  const map = webtools.define(definition, answer, { resourceId: "map-1" });
  setTimeout(() => {
    webtools.call("zoom_map", {});
    setTimeout(() => map.release(), 800);
  }, 1200);
}"""


def main() -> None:
    """Serve the shop, let an agent work and a tool leave in the middle of a call, take the picture."""
    with serving(STOREFRONT) as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=ensure(), args=[*ARGS, *NATIVE])
        page = browser.new_page(
            viewport={"width": 1280, "height": 800}, color_scheme="light", reduced_motion="reduce"
        )
        page.goto(url)
        page.locator(".agent[data-python=ready]").wait_for(timeout=BOOT_MS)
        page.evaluate("webtools.inspect()")
        page.evaluate(LEAVE)
        work(page)
        page.screenshot(path=PICTURE)
        browser.close()


def work(page: Page) -> None:
    """Work in the shop, go to the cart and back, and look at the timeline when the tool is in its grace."""
    agent = Agent(page, "native")
    page.get_by_role("tab", name="Timeline").click()
    page.get_by_label("Last").select_option("10 s")
    agent.call("search_products", {"query": "coffee", "max_price_cents": 6000})
    agent.call("get_reviews", {"sku": "KT-401"})
    agent.call("add_to_cart", {"sku": "KT-401"})
    agent.call("show_page", {"path": "/cart"})
    agent.call("list_cart")
    agent.call("search_products", {"query": "", "limit": 0})
    page.get_by_role("cell", name="grace begins").last.wait_for()
    page.locator(".chart li", has_text="zoom_map").scroll_into_view_if_needed()


if __name__ == "__main__":
    main()
