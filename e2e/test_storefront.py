"""The demo storefront under a strict policy: what a person sees, what an agent does, and that both agree."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from e2e.agents import Agent, Mode, error_of, text_of
from e2e.conftest import BOOT_MS, Watched
from e2e.shop import (
    HINT,
    STOREFRONT,
    agent_in,
    cart_of,
    is_wide,
    opened,
    set_quantity,
    show,
    version_of,
    wait_for,
    without_tools,
)
from e2e.sites import serving

TOOLS = [
    "add_to_cart",
    "compare_products",
    "email_comparison",
    "get_product",
    "get_reviews",
    "list_cart",
    "search_products",
    "show_page",
    "watch_price",
]
"""Those that are there on every page."""

IS_ON_ADD = "document.activeElement.matches('main button') && /Add/.test(document.activeElement.textContent)"


@pytest.fixture(scope="module")
def shop(browsers: Callable[[Mode], Browser], mode: Mode) -> Iterator[Watched]:
    """The shop, its tools up; one page for the whole module, as one long visit."""
    with opened(browsers(mode)) as watched:
        yield watched


@pytest.fixture
def agent(shop: Watched, mode: Mode) -> Agent:
    """An agent in the shop, whose cart is empty, on the front page."""
    return agent_in(shop, mode)


def cart_button(page: Page) -> Any:
    """The button that tells how much is in the cart."""
    return page.get_by_role("banner").get_by_role("button", name="Cart")


def test_an_agent_finds_the_tools(agent: Agent) -> None:
    wait_for(agent, "set_quantity", listed=False)
    assert agent.names() == TOOLS
    hints = {tool["name"]: tool["annotations"] for tool in agent.tools()}
    assert hints["get_reviews"]["untrustedContentHint"] is True
    assert hints["search_products"]["readOnlyHint"] is True
    assert hints["add_to_cart"] is None or hints["add_to_cart"]["readOnlyHint"] is False


def test_an_agent_searches_reads_and_buys(agent: Agent) -> None:
    found = agent.call("search_products", {"query": "cafe", "category": "kitchen"})["structuredContent"]
    assert "Café Moka Pot" in [each["name"] for each in found["products"]]
    sku = next(each["sku"] for each in found["products"] if each["name"] == "Café Moka Pot")
    product = agent.call("get_product", {"sku": sku})["structuredContent"]
    assert product["name"] == "Café Moka Pot"
    assert (
        len(agent.call("get_reviews", {"sku": sku})["structuredContent"]["result"]) == product["review_count"]
    )
    agent.call("add_to_cart", {"sku": sku})
    agent.call("add_to_cart", {"sku": sku, "quantity": 2})
    assert cart_of(agent) == {sku: 3}
    show(agent, "/cart", "set_quantity")
    set_quantity(agent, sku, 1)
    assert cart_of(agent) == {sku: 1}


def test_a_person_sees_what_the_agent_did(agent: Agent) -> None:
    page = agent.page
    agent.call("show_page", {"path": "/?category=kitchen"})
    agent.call("add_to_cart", {"sku": "KT-401", "quantity": 2})
    expect(page.get_by_role("heading", level=1)).to_have_text("Kitchen")
    expect(cart_button(page)).to_contain_text("2")
    panel = page.get_by_role("button", name="Agent at work")
    if panel.get_attribute("aria-expanded") == "false":
        panel.click()
    page.get_by_role("tab", name="Activity").click()
    expect(page.locator(".agent")).to_contain_text("add_to_cart")


def test_the_agent_sees_what_a_person_did(agent: Agent) -> None:
    page = agent.page
    agent.call("show_page", {"path": "/product/KT-401"})
    page.get_by_role("main").get_by_role("button", name="Add").first.click()
    expect(cart_button(page)).to_contain_text("1")
    assert cart_of(agent) == {"KT-401": 1}


@pytest.mark.parametrize(
    ("name", "arguments", "code"),
    [
        ("get_product", {"sku": "42"}, "UNKNOWN_SKU"),
        ("add_to_cart", {"sku": "42"}, "UNKNOWN_SKU"),
        ("add_to_cart", {"sku": "KT-407"}, "OUT_OF_STOCK"),
        ("add_to_cart", {"sku": "KT-401", "quantity": 0}, "INVALID_TOOL_ARGS"),
        ("set_quantity", {"sku": "KT-401", "quantity": 21}, "INVALID_TOOL_ARGS"),
        ("show_page", {"path": "https://elsewhere.example/"}, "BAD_PATH"),
    ],
)
def test_a_refusal_tells_the_agent_why_and_changes_nothing(
    agent: Agent, name: str, arguments: dict[str, Any], code: str
) -> None:
    if name == "set_quantity":
        show(agent, "/cart", name)
        arguments = {**arguments, "cart_version": version_of(agent)}
    error = error_of(agent.call(name, arguments))
    assert error["code"] == code
    assert error["effect"] == "none"
    assert cart_of(agent) == {}


def test_words_of_a_customer_stay_words(agent: Agent) -> None:
    answer = agent.call("get_reviews", {"sku": "KT-401"})
    assert "Ignore" in text_of(answer)
    assert cart_of(agent) == {}


def test_a_route_survives_a_reload_and_the_way_back(agent: Agent, shop: Watched) -> None:
    page = agent.page
    agent.call("add_to_cart", {"sku": "KT-401"})
    agent.call("show_page", {"path": "/product/KT-402"})
    page.reload()
    assert shop.ready() == "ready"
    expect(page.get_by_role("heading", level=1)).to_have_text("Foam-line Mug")
    assert cart_of(agent) == {"KT-401": 1}
    page.go_back()
    expect(page.get_by_role("heading", level=1)).not_to_have_text("Foam-line Mug")


LONG = "Supercalifragilisticexpialidocious"
WIDE_FONT = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("* { font-family: monospace !important; letter-spacing: 0.06em }");
  document.adoptedStyleSheets = [sheet];
}"""


def lengthen(route: Route) -> None:
    """Give the products names that have a word wider than a phone."""
    response = route.fetch()
    route.fulfill(response=response, body=response.text().replace('name: "', f'name: "{LONG} '))


def test_no_page_is_wider_than_the_smallest_phone_whatever_the_names_and_the_font(
    browsers: Callable[[Mode], Browser],
) -> None:
    paths = ["/", f"/?q={LONG * 2}", "/product/AU-601", "/cart", "/checkout", "/orders", f"/order/{LONG}"]
    paths += ["/compare?skus=AU-601,AU-602,AU-603,AU-604", f"/compare?skus={LONG},AU-602", f"/{LONG}"]
    with without_tools(browsers("polyfill"), viewport={"width": 320, "height": 780}) as page:
        page.route("**/catalogue/*.js", lengthen)
        page.goto("/product/DK-502")
        page.get_by_role("main").get_by_role("button", name="Add").first.click()
        wide = []
        for path in paths:
            page.goto(path)
            page.get_by_role("heading", level=1).wait_for()
            wide += [path] if is_wide(page) else []
            page.evaluate(WIDE_FONT)
            wide += [f"{path}, in a wide font"] if is_wide(page) else []
        assert wide == []


def test_the_shop_works_by_keyboard_alone(browsers: Callable[[Mode], Browser]) -> None:
    with without_tools(browsers("polyfill")) as page:
        page.goto("/product/KT-401")
        page.get_by_role("heading", level=1, name="Café Moka Pot").wait_for()
        for _ in range(60):
            page.keyboard.press("Tab")
            if page.evaluate(IS_ON_ADD):
                break
        page.keyboard.press("Enter")
        expect(cart_button(page)).to_contain_text("1")
        cart_button(page).focus()
        page.keyboard.press("Enter")
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text("Café Moka Pot")
        page.keyboard.press("Escape")
        expect(dialog).to_be_hidden()


def test_python_may_be_up_before_the_pages_own_modules(
    browsers: Callable[[Mode], Browser], mode: Mode
) -> None:
    with serving(STOREFRONT) as url:
        context = browsers(mode).new_context()
        watched = Watched(context.new_page())
        held: list[Route] = []
        watched.page.route("**/vendor/react.js", lambda route: held.append(route))
        watched.page.goto(url, wait_until="commit")
        watched.page.wait_for_function("window.webtools?.status === 'ready'", timeout=BOOT_MS)
        said = watched.page.evaluate("webtools.call('list_cart', {})")
        assert said["structuredContent"]["error"]["code"] == "PAGE_NOT_READY"
        held[0].continue_()
        watched.page.locator(".agent[data-python=ready]").wait_for()
        assert not watched.page.evaluate("webtools.call('list_cart', {})").get("isError")
        context.close()
    assert [problem for problem in watched.problems if HINT not in problem] == []
