"""Browsers for tests, launched by Playwright."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from webtools.cli.programs.chromium import ARGS, HOW_TO_INSTALL, NATIVE, OLDEST, ChromiumMissing, find
from webtools.testing.profiles import Profile
from webtools.testing.tool_page import Mode

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Playwright

POLYFILL = ["--disable-features=WebMCP"]
"""Added to `ARGS`: the browser has no model context, also where it is to have one by default."""

_AHEAD = """import { apply } from "/webtools/polyfill.js";
apply(document, %s);
export * from "/webtools/webtools.js?after";
"""
"""Comes in the place of webtools.js, so that the polyfill is there first."""


def arguments_of(mode: Mode) -> list[str]:
    """How a browser of that kind is launched.

    Each test's page lives for seconds, so WebAssembly is compiled the quick way only: a boot takes a third
    less of the processor.
    """
    return [*ARGS, "--js-flags=--liftoff-only", *(NATIVE if mode == "native" else POLYFILL)]


def launch(playwright: Playwright, mode: Mode) -> Browser:
    """Launch the Chromium that is there; whoever asks closes it.

    Raises:
        ChromiumMissing: There is none that is new enough.
    """
    path = find()
    if path is None:
        raise ChromiumMissing(
            f"Chromium {OLDEST} or newer is missing; run: playwright install chromium; or {HOW_TO_INSTALL}"
        )
    return playwright.chromium.launch(executable_path=path, args=arguments_of(mode))


def stand_for(context: BrowserContext, profile: Profile) -> None:
    """Let the polyfill of these pages be like a browser of old, before webtools comes."""
    body = _AHEAD % json.dumps({**profile, "force": True})
    context.route(
        "**/webtools/webtools.js",
        lambda route: route.fulfill(body=body, content_type="text/javascript"),
    )
