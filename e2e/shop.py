"""Open the demo storefront for a test, and wait for its tools to come and go."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, Route

from e2e.agents import Agent, Mode
from e2e.conftest import Watched
from e2e.places import CHECKOUT
from e2e.sites import STRICT_CSP, Wrapper, serving, with_csp

STOREFRONT = CHECKOUT / "static" / "storefront"
AXE = CHECKOUT / "node_modules" / "axe-core" / "axe.min.js"
PHONE = {"width": 360, "height": 780}
HINT = "Download the React DevTools"
"""What React's development build says at each start; it is no problem of ours."""

QUIET = "/product/KT-401"
"""A page with the tools of every page and no others, which is drawn ten times as fast as the front page."""

FIRST_SCRIPT = '<script\n      type="module"\n      src="/webtools/webtools.js"'
CANCELS = """import { apply } from "/webtools/polyfill.js";
apply(document, { force: true, cancelsCalls: "onUnregister", postbackMs: 50 });
"""

UNTIL_LISTED = """async ([name, wanted]) => {
  const isListed = async () => (await document.modelContext.getTools()).some((tool) => tool.name === name);
  const state = () => webtools.tools().find((tool) => tool.name === name)?.state;
  const isSo = async () => (await isListed()) === wanted && state() === (wanted ? "registered" : undefined);
  for (const began = performance.now(); performance.now() - began < 10_000; )
    if (await isSo()) return;
    else await new Promise((resolve) => setTimeout(resolve, 10));
  throw new Error(`${name} is ${wanted ? "not" : "still"} there`);
}"""


@contextmanager
def opened(
    browser: Browser, *, cancels: bool = False, beside: Wrapper = lambda app: app
) -> Iterator[Watched]:
    """Give the shop under a strict policy, its tools up; nothing may go wrong in it.

    Args:
        browser: Where.
        cancels: Behave as Chromium up to 152, which loses the calls of a tool that goes.
        beside: Puts more on the shop's origin.
    """
    with serving(STOREFRONT, lambda app: with_csp(STRICT_CSP)(beside(app))) as url:
        context = browser.new_context(base_url=url, reduced_motion="reduce")
        if cancels:
            make_cancelling(context)
        watched = Watched(context.new_page())
        watched.page.goto(QUIET)
        assert watched.ready() == "ready"
        watched.page.locator(".agent[data-python=ready]").wait_for()  # the page's own modules are
        yield watched
        context.close()
    assert watched.foreign == []
    assert watched.uncaught == []
    problems = [problem for problem in watched.problems if HINT not in problem]
    assert problems == [], problems


@contextmanager
def without_tools(
    browser: Browser, missing: str = "**/webtools/runtime/**", **options: Any
) -> Iterator[Page]:
    """Give an empty tab to a person alone: of the shop, what fits `missing` does not load."""
    with serving(STOREFRONT, with_csp(STRICT_CSP)) as url:
        context = browser.new_context(base_url=url, reduced_motion="reduce", **options)
        page = context.new_page()
        page.route(missing, lambda route: route.abort())
        yield page
        context.close()


def make_cancelling(context: BrowserContext) -> None:
    """Put the polyfill's cancelling mode in front of the page's first script."""

    def add_script(route: Route) -> None:
        if route.request.resource_type != "document":
            return route.fallback()
        response = route.fetch()
        body = response.text()
        assert FIRST_SCRIPT in body
        script = '<script type="module" src="/cancels.js"></script>'
        return route.fulfill(response=response, body=body.replace(FIRST_SCRIPT, script + FIRST_SCRIPT))

    context.route("**", add_script)
    context.route("**/cancels.js", lambda route: route.fulfill(body=CANCELS, content_type="text/javascript"))


def wait_for(agent: Agent, name: str, *, listed: bool) -> None:
    """Wait until the tool is registered, or wholly gone."""
    agent.page.evaluate(UNTIL_LISTED, [name, listed])


def show(agent: Agent, path: str, tool: str) -> None:
    """Show a page, and wait for a tool that comes with it."""
    agent.call("show_page", {"path": path})
    wait_for(agent, tool, listed=True)


def cart_of(agent: Agent) -> dict[str, int]:
    """Pieces by sku."""
    lines = agent.call("list_cart")["structuredContent"]["lines"]
    return {line["sku"]: line["quantity"] for line in lines}


def version_of(agent: Agent) -> int:
    """The cart's version, which calls that overwrite or order have to name."""
    version: int = agent.call("list_cart")["structuredContent"]["version"]
    return version


def set_quantity(agent: Agent, sku: str, quantity: int) -> dict[str, Any]:
    """Set how many pieces of a product are in the cart as it is."""
    arguments = {"sku": sku, "quantity": quantity, "cart_version": version_of(agent)}
    return agent.call("set_quantity", arguments)


def agent_in(shop: Watched, mode: Mode) -> Agent:
    """Give an agent in the shop, whose cart is empty, on the page of a product."""
    agent = Agent(shop.page, mode)
    empty_the_cart(agent)
    agent.call("show_page", {"path": QUIET})
    return agent


def empty_the_cart(agent: Agent) -> None:
    """Leave the agent on the cart's page with nothing in it."""
    show(agent, "/cart", "set_quantity")
    for sku in cart_of(agent):
        set_quantity(agent, sku, 0)


def axe_violations(page: Page, *rules: str) -> list[list[str]]:
    """Accessibility faults that axe finds in the page as it is, by these rules or by all."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text("utf-8") + "; true")
    script = """(rules) => axe.run(rules.length ? {runOnly: rules} : {})
      .then(({violations}) => violations.map(({id, help}) => [id, help]))"""
    found: list[list[str]] = page.evaluate(script, rules)
    return found


def faults_by_day_and_night(page: Page) -> list[list[str]]:
    """What axe finds in the page in both schemes, which differ in colours alone; it is left in light."""
    page.emulate_media(color_scheme="dark")
    dark = axe_violations(page, "color-contrast")
    page.emulate_media(color_scheme="light")
    return dark + axe_violations(page)


def is_wide(page: Page) -> bool:
    """Whether the page itself scrolls sideways."""
    wide: bool = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    return wide
