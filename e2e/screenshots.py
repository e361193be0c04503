"""Take pictures of every page and panel into `e2e/screenshots/`: `python -m e2e.screenshots [NAME…]`.

They are for eyes, and compared with nothing: fonts differ from machine to machine. What can be measured is
in `test_visual.py`.
"""

from __future__ import annotations

import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

from e2e.chromium import ARGS, ensure_light
from e2e.sights import SIGHTS, opened_shop
from e2e.test_visual import SCHEMES, SIZES, show_as

FOLDER = Path(__file__).parent / "screenshots"


def main(names: list[str]) -> None:
    """Take them."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=ensure_light(), args=ARGS)
        with opened_shop(browser) as shop:
            for sight in SIGHTS:
                if names and sight.name not in names:
                    continue
                with shop.showing(sight) as page:
                    for size in SIZES:
                        for scheme in SCHEMES:
                            show_as(page, size, scheme)
                            page.screenshot(path=FOLDER / f"{sight.name}-{size}-{scheme}.png")
                    show_as(page, "phone", "light")
                    page.evaluate("document.documentElement.dir = 'rtl'")
                    page.screenshot(path=FOLDER / f"{sight.name}-phone-rtl.png")
                    page.evaluate("document.documentElement.dir = ''")
                    page.emulate_media(forced_colors="active")
                    page.screenshot(path=FOLDER / f"{sight.name}-phone-forced.png")
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
