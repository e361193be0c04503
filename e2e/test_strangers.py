"""Whatever a page does, the tests' browsers ask no other machine, and that it wanted to is known."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic

import pytest
from playwright.sync_api import Browser, Page, Playwright
from starlette.staticfiles import StaticFiles

from e2e.agents import Mode
from e2e.sites import serving_app
from e2e.strangers import Strangers
from webtools.testing import browsers as browsers_of_authors

ASK = """async () => {
  const over = (made, event = "error") => new Promise((resolve) => made.addEventListener(event, resolve));
  const ask = (url) => fetch(url, {mode: "no-cors"}).catch(() => {});
  const frame = Object.assign(document.createElement("iframe"), {src: "http://frame.example/"});
  document.body.append(frame);
  await over(frame, "load");
  await ask("http://fetch.example/");
  await ask("https://tls.example/");
  await over(new WebSocket("ws://socket.example/"));
  await over(Object.assign(new Image(), {src: "http://image.example/"}));
  await over(new Worker("/worker.js"), "message");
  navigator.sendBeacon("http://beacon.example/", "x");
  await navigator.serviceWorker.register("/service.js").then(() => navigator.serviceWorker.ready);
}"""

ASKED = {
    "GET http://frame.example/",
    "GET http://fetch.example/",
    "CONNECT tls.example:443",
    "CONNECT socket.example:80",
    "GET http://image.example/",
    "GET http://worker.example/",
    "POST http://beacon.example/",
    "GET http://service.example/",
}


@pytest.fixture
def page(browsers: Callable[[Mode], Browser], mode: Mode, tmp_path: Path) -> Iterator[Page]:
    """A page of a site that asks everybody."""
    asking = "fetch('http://{0}.example/', {{mode: 'no-cors'}}).catch(() => {{}})"
    (tmp_path / "index.html").write_text("<!doctype html><title>Asks</title><link rel=icon href='data:,'>")
    (tmp_path / "worker.js").write_text(f"{asking.format('worker')}.then(() => postMessage(1))")
    (tmp_path / "service.js").write_text(
        f"oninstall = (event) => event.waitUntil({asking.format('service')})"
    )
    with serving_app(StaticFiles(directory=tmp_path, html=True)) as url, browsers(mode).new_context() as each:
        page = each.new_page()
        page.goto(url)
        yield page


def test_who_would_have_been_asked_is_known_of_pages_frames_workers_and_sockets(
    page: Page, strangers: Strangers
) -> None:
    page.evaluate(ASK)
    asked, end = set(strangers.take()), monotonic() + 10
    while not asked >= ASKED and monotonic() < end:
        page.wait_for_timeout(10)  # a beacon tells nobody that it has been sent
        asked |= set(strangers.take())
    assert asked == ASKED


def test_a_browser_that_is_started_as_an_author_would_asks_no_stranger_either(
    playwright: Playwright, strangers: Strangers
) -> None:
    with browsers_of_authors.launch(playwright, "native") as browser:
        browser.new_page().evaluate("fetch('http://own.example/', {mode: 'no-cors'}).catch(() => {})")
    assert strangers.take() == ["GET http://own.example/"]


def test_another_port_of_this_machine_can_be_asked(page: Page, pages: str) -> None:
    assert page.evaluate("(url) => fetch(url, {mode: 'no-cors'}).then(({type}) => type)", pages) == "opaque"
