"""Every page and panel that a person may see in the storefront, and how to get there.

Python is kept out, so that it is quick.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

from playwright.sync_api import Browser, BrowserContext, Page, Route
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from e2e.shop import STOREFRONT
from e2e.sites import STRICT_CSP, serving, with_csp

__all__ = ["SIGHTS", "Shop", "Sight", "opened_shop"]

NOW = "2026-05-04T09:30:00Z"
"""When all of it is seen; the deal of this hour is a product of the kitchen."""

CATALOGUE = "/catalogue/"
DEPARTMENTS = ("shoes", "bags", "outdoor", "kitchen", "desk", "audio")
FULL_DEPARTMENT = "kitchen"
"""The only one with products, except where they are the sight: some are sold out, or without reviews."""

LONG = "Donaudampfschifffahrtsgesellschaftskapitänskajüte" * 4
"""About 200 characters without a space."""

STAND_IN = """
  window.given = {exposed: {}};
  const get = window.fetch;
  window.fetch = async (what, ...rest) => {
    if (!String(what).includes("/webtools/runtime/")) return get(what, ...rest);
    if (RUNTIME === "missing") throw new TypeError("Failed to fetch");
    return new Promise(() => {});
  };
  addEventListener("webtools", () => {
    const { expose, credentialsWith, start, call } = webtools;
    webtools.expose = (name, functions) => {
      given.exposed[name] = functions;
      return expose(name, functions);
    };
    webtools.credentialsWith = (provide) => {
      given.provide = provide;
      return credentialsWith(provide);
    };
    webtools.start = async (options) => options.app === "/assistant.py" ? undefined : start(options);
    webtools.call = async (name, ...rest) => name === "open_chat" ? {content: []} : call(name, ...rest);
  });
"""
"""Keeps Python out, and lets a test do with the page what Python does."""

SHOP = "const { exposed: { shop, chat }, provide } = given;"

ADDRESS = {
    "name": "Ada Anker",
    "email": "ada@harbour.example",
    "street": "Quay 7",
    "extra": "",
    "postcode": "2333 AB",
    "city": "Leiden",
    "delivery": "standard",
}

BUY = """(address) => {
  shop.add("KT-401", 2);
  shop.add("KT-402", 1);
  shop.place(address, shop.version());
  shop.add("KT-401", 2);
  shop.add("KT-402", 1);
  shop.add("KT-405", 1);
}"""

Runtime = Literal["waits", "missing"]


def stay(page: Page) -> None:
    """The sight is what the path shows."""


def until(page: Page, condition: str) -> None:
    """Wait until an expression of JavaScript is true.

    `Page.wait_for_function` looks once; when it looks again, it is told that the policy forbids `eval`.
    """
    turn = "new Promise((resolve) => setTimeout(resolve, 10))"
    page.evaluate(f"""(async () => {{
      for (let count = 0; count < 3000; count += 1) if ({condition}) return; else await {turn};
      throw new Error("waited in vain for " + {json.dumps(condition)});
    }})()""")


def do(script: str, argument: Any = None) -> Callable[[Page], None]:
    """Run a function in the page, which knows `shop`, `chat` and `provide`."""

    def reach(page: Page) -> None:
        until(page, "window.given?.exposed.chat")
        page.evaluate(f"(argument) => {{ {SHOP} return void ({script})(argument); }}", argument)

    return reach


def click(name: str) -> Callable[[Page], None]:
    """Press the button whose name begins so."""

    def reach(page: Page) -> None:
        page.get_by_role("button", name=name).first.click()

    return reach


def after(*steps: Callable[[Page], None], shows: str) -> Callable[[Page], None]:
    """Take steps, until this selector shows something."""

    def reach(page: Page) -> None:
        for step in steps:
            step(page)
        page.locator(shows).first.wait_for()

    return reach


OPEN_PANEL = click("Agent at work")
OPEN_ACTIVITY = after(
    OPEN_PANEL, lambda page: page.get_by_role("tab", name="Activity").click(), shows=".agent-details"
)


def inspect(view: str, tool: str = "") -> Callable[[Page], None]:
    """Open the inspector, and of a tool its form."""

    def reach(page: Page) -> None:
        page.evaluate("() => webtools.inspect()")
        panel = page.get_by_role("region", name="webtools inspector")
        panel.get_by_role("tab", name=view).click()
        if tool:
            panel.locator("summary", has_text=tool).click()
            panel.get_by_role("button", name="Call…").click()

    return reach


def send_wish(page: Page) -> None:
    """Have the person ask for something long."""
    page.locator(".chat-form textarea").fill(f"Find {LONG}, שלום.")
    page.locator(".chat-send").click()


CHAT = """(long) => void chat.next().then(() => {
  const call = (id, tool, input) =>
    chat.show({event: "call", id, iteration: 1, tool, arguments: JSON.stringify(input)});
  const answer = (id, tool, answer) => chat.show({event: "answer", id, iteration: 1, tool, answer});
  const text = [{type: "text", text: long}];
  chat.show({event: "text", text: `Let me look for ${long}.`});
  call("1", "search_products", {query: long, limit: 3});
  answer("1", "search_products", {content: text, structuredContent: {total: 1, products: [{name: long}]}});
  call("2", "add_to_cart", {sku: long});
  answer("2", "add_to_cart", {
    content: text, isError: true, structuredContent: {error: {code: "SOLD_OUT", message: long}}});
  call("3", "tool_1_of_many", {});
  webtools.call("tool_1_of_many");
})"""

ASK = """() => {
  const definition = {name: "place_order", title: "Place the order", description: "Order it."};
  webtools.define(definition, (input, {confirm}) => confirm("Order two Café Moka Pots for €72.00?"));
  return void webtools.call("place_order", {name: "Ada Anker", note: "x".repeat(200)});
}"""

WORK = """(long) => {
  const definition = (name) => ({name, description: "Do it."});
  const hold = (input, {progress}) => {
    progress({message: `Looking for ${long}`, done: 2, total: 5});
    return new Promise(() => {});
  };
  for (let count = 1; count <= 100; count += 1)
    webtools.define(definition(`tool_${count}_${"of_many".repeat(count % 17)}`), hold);
  webtools.define(definition("break_it"), () => { throw new Error("broken"); });
  webtools.define(definition("look"), () => "seen");
  shop.watch("one", "KT-402", 1000);
  setInterval(() => ["KT-401", "KT-402"].forEach(shop.product), 1000);
  ["KT-401", "KT-402"].forEach(shop.product);
  for (const name of ["look", "break_it", "tool_1_of_many"]) webtools.call(name);
}"""

MESSAGE = """(text) => shop.showMessage(
  {to: "ada@harbour.example", subject: "Two pots", text, path: "/compare?skus=KT-401,KT-402"})"""


@dataclass(frozen=True)
class Sight:
    """What a person may see.

    Attributes:
        name: What it is called in a test's name and a picture's.
        path: Where it begins.
        reach: What to do there.
        is_new: Whether the person has neither a cart nor orders.
        runtime: What becomes of Python: it is still being fetched, or it is not there.
        is_stocked: Whether all departments have their products.
    """

    name: str
    path: str = "/"
    reach: Callable[[Page], None] = stay
    is_new: bool = False
    runtime: Runtime = "waits"
    is_stocked: bool = False


SIGHTS = (
    Sight("start", "/", is_stocked=True),
    Sight("search", "/?q=pot"),
    Sight("nothing-found", f"/?q=not-{LONG}&category=kitchen"),
    Sight("category", "/?category=kitchen"),
    Sight("product", "/product/KT-401"),
    Sight("product-long", "/product/KT-402"),
    Sight("product-unknown", f"/product/{LONG}"),
    Sight("compare", "/compare?skus=KT-401,KT-402,KT-403,KT-404"),
    Sight("compare-unknown", f"/compare?skus={LONG},KT-402"),
    Sight("cart", "/cart"),
    Sight("cart-empty", "/cart", is_new=True),
    Sight("cart-drawer", "/product/KT-401", after(click("Cart"), shows=".drawer[open] .line")),
    Sight("checkout", "/checkout"),
    Sight("checkout-refused", "/checkout", after(click("Place the order"), shows=".field-problem")),
    Sight("checkout-elsewhere", "/checkout", after(do("() => shop.showOwner(false)"), shows=".other-tab")),
    Sight("order", "/orders", after(lambda page: page.locator("main h2 a").click(), shows=".bill")),
    Sight("order-unknown", f"/order/{LONG}"),
    Sight("orders", "/orders"),
    Sight("orders-none", "/orders", is_new=True),
    Sight("message", "/", after(do(MESSAGE, f"{LONG}\n\nYours"), shows=".message-text")),
    Sight("missing", "/nowhere"),
    Sight("agent-closed", "/?category=kitchen", after(do(WORK, LONG), shows=".agent-line progress")),
    Sight("agent", "/?category=kitchen", after(do(WORK, LONG), OPEN_ACTIVITY, shows=".call-bar")),
    Sight("python-failed", "/", after(OPEN_ACTIVITY, shows="p[data-python=failed]"), runtime="missing"),
    Sight("chat", "/", after(OPEN_PANEL, shows=".chat-suggestions")),
    Sight(
        "chat-working",
        "/",
        after(do(WORK, LONG), OPEN_PANEL, do(CHAT, LONG), send_wish, shows=".chat-call-report"),
    ),
    Sight("chat-asking", "/cart", after(OPEN_PANEL, do(ASK), shows=".chat-question")),
    Sight("confirm", "/cart", after(do(ASK), shows="webtools-confirm dialog")),
    Sight(
        "gift-card",
        "/checkout",
        after(
            do("() => provide({service: 'gift-cards', signal: new AbortController().signal})"),
            shows=".card-dialog[open]",
        ),
    ),
    Sight("inspector", "/cart", after(do(WORK, LONG), inspect("Tools", "search_products"), shows=".fields")),
    Sight("inspector-timeline", "/cart", after(do(WORK, LONG), inspect("Timeline"), shows=".chart li")),
)


class Shop:
    """The storefront in a browser: a person who has bought something, and one who has not."""

    def __init__(self, url: str, known: BrowserContext, new: BrowserContext) -> None:
        self._url = url
        self._contexts = {False: known, True: new}

    @contextmanager
    def showing(self, sight: Sight) -> Iterator[Page]:
        """Give a page that shows it."""
        page = self._contexts[sight.is_new].new_page()
        page.add_init_script(STAND_IN.replace("RUNTIME", f'"{sight.runtime}"'))
        page.clock.set_fixed_time(NOW)
        if sight.is_stocked:
            page.route(f"**{CATALOGUE}*.js", stock)
        page.goto(self._url.rstrip("/") + sight.path)
        page.get_by_role("heading", level=1).first.wait_for()
        until(page, "window.given?.exposed.chat")
        sight.reach(page)
        yield page
        page.close()

    def fill(self) -> None:
        """Have the person who is known buy something."""
        with self.showing(Sight("filling")) as page:
            do(BUY, ADDRESS)(page)
            until(page, "localStorage['pocket-harbour.cart']?.includes('KT-405')")


def department(name: str) -> str:
    """A module of the catalogue, in which one product of the kitchen has a name that no line can hold."""
    text = (STOREFRONT / "catalogue" / f"{name}.js").read_text("utf-8")
    assert name != FULL_DEPARTMENT or '"Foam-line Mug"' in text
    return text.replace('"Foam-line Mug"', f'"{LONG}"')


def stock(route: Route) -> None:
    """Give a department what it has."""
    name = route.request.url.rpartition("/")[2].removesuffix(".js")
    route.fulfill(body=department(name), content_type="text/javascript")


def sold_out(app: ASGIApp) -> ASGIApp:
    """Serve the catalogue with products in one department: pages are measured many times."""

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        before, _, name = str(scope.get("path")).removesuffix(".js").rpartition(CATALOGUE)
        if before or name not in DEPARTMENTS:
            return await app(scope, receive, send)
        text = department(name) if name == FULL_DEPARTMENT else f"export const {name} = [];"
        return await Response(text, media_type="text/javascript")(scope, receive, send)

    return wrapped


@contextmanager
def opened_shop(browser: Browser) -> Iterator[Shop]:
    """Serve the storefront under a strict policy, and give it."""
    with serving(STOREFRONT, lambda app: with_csp(STRICT_CSP)(sold_out(app))) as url:
        known, new = (browser.new_context(reduced_motion="reduce") for _ in range(2))
        shop = Shop(url, known, new)
        shop.fill()
        yield shop
        known.close()
        new.close()
