"""Make the picture of docs/forms.md anew: `python -m docs.images.make_forms`.

It needs a Chromium with native WebMCP.
"""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import sync_playwright

from e2e.chromium import ARGS, NATIVE, ensure
from e2e.sites import serving

FOLDER = Path(__file__).with_name("forms")
PICTURE = Path(__file__).with_name("forms.png")

WRONG = {"name": "Ada Lovelace", "guests": 12, "room": "roof"}
RIGHT = {
    "name": "Ada Lovelace",
    "day": "2026-12-24",
    "guests": 4,
    "room": "sea",
    "wishes": "One of us is in a wheelchair.",
}


def main() -> None:
    """Serve the page, let an agent call twice, take the picture."""
    with serving(FOLDER) as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=ensure(), args=[*ARGS, *NATIVE])
        page = browser.new_page(viewport={"width": 1040, "height": 640}, color_scheme="light")
        page.goto(url)
        page.wait_for_function("() => window.webtools?.tools().some(({state}) => state === 'registered')")
        page.evaluate("(input) => show('The agent calls, and is told what is wrong', input)", WRONG)
        page.evaluate("(input) => show('It calls again', input)", RIGHT)
        page.screenshot(path=PICTURE, full_page=True)
        browser.close()


if __name__ == "__main__":
    main()
