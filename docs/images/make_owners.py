"""Make the picture of docs/owners.md anew: `python -m docs.images.make_owners`.

It needs a Chromium with native WebMCP.
"""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import sync_playwright

from e2e.chromium import ARGS, NATIVE, ensure
from e2e.sites import serving

FOLDER = Path(__file__).with_name("owners")
PICTURE = Path(__file__).with_name("owners.png")


def main() -> None:
    """Serve the page, let its panels come and go, take the picture of the inspector's timeline."""
    with serving(FOLDER) as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=ensure(), args=[*ARGS, *NATIVE])
        page = browser.new_page(
            viewport={"width": 1040, "height": 460}, color_scheme="light", reduced_motion="reduce"
        )
        page.goto(url)
        page.get_by_role("tab", name="Timeline").click()
        page.get_by_label("Last").select_option("10 s")
        page.wait_for_selector("[data-done]")
        page.screenshot(path=PICTURE)
        browser.close()


if __name__ == "__main__":
    main()
