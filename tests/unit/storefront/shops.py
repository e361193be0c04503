"""The storefront's app as a page loads it, and shops for it to speak to."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from tests.unit.calls.page_rig import PageRig
from tests.unit.calls.tabs import FakeLocks
from webtools import Ownership
from webtools.browser import apps
from webtools.calls.ownership import Owners
from webtools.testing import MemoryArtifacts, fake_page, tool_call
from webtools.tools.tool import Tool

STOREFRONT = Path(__file__).parents[3] / "static" / "storefront"
MOST_PER_LINE = 20
CARD = "PHGC-2500-7731"

Data = dict[str, Any]

READ_CATALOGUE = """
import { openCatalogue } from "./catalogue.js";
import { shopFunctions } from "./page.js";
import { createStorage } from "./storage.js";
import { createStore } from "./store.js";

const catalogue = openCatalogue();
const shop = shopFunctions(createStore({ catalogue, storage: createStorage(null), later: () => {} }));
const skus = catalogue.products.map(({ sku }) => sku);
process.stdout.write(JSON.stringify({
  products: shop.products(),
  details: Object.fromEntries(skus.map((sku) => [sku, shop.product(sku).details])),
  reviews: Object.fromEntries(skus.map((sku) => [sku, shop.reviews(sku)])),
}));
"""


DELIVERIES = {"standard": ("three to five days", 490), "express": ("the next working day", 1290)}


READ_DELIVERY = """
import { deliveries, fields } from "./delivery.js";

process.stdout.write(JSON.stringify([
  Object.fromEntries(fields.map(({ id, most }) => [id, most])),
  deliveries.map(({ id }) => id),
]));
"""


INNER = ("get_order", "add_to_cart")
"""What other tools call."""


class Refusal(Exception):
    """An error of the page's, with its code."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class FakeShop:
    """What `page.js` exposes, as far as the tools can tell.

    Attributes:
        shown: The paths that the person was shown.
        placed: The orders, newest first.
        gift_cents: What a gift card takes off.
        watches: By their ids, the product and the limit of each price that is watched.
        unwatched: The ids of those that are watched no more.
        messages: What the person was shown as it would be sent.
        pause: Awaited in each step on the way to an order.
    """

    def __init__(
        self, products: list[Data], details: Data | None = None, reviews: Data | None = None
    ) -> None:
        self._products = {product["sku"]: product for product in products}
        self._details = details or {}
        self._reviews = reviews or {}
        self._quantities: dict[str, int] = {}
        self._version = 0
        self.shown: list[str] = []
        self.placed: list[Data] = []
        self.messages: list[Data] = []
        self.gift_cents = 0
        self.watches: dict[str, tuple[str, int]] = {}
        self.unwatched: list[str] = []
        self.pause: Callable[[], Awaitable[object]] = lambda: asyncio.sleep(0)

    def products(self) -> list[Data]:
        return list(self._products.values())

    def product(self, sku: str) -> Data | None:
        found = self._products.get(sku.strip().upper())
        return found and {**found, "details": self._details.get(found["sku"], [])}

    def reviews(self, sku: str) -> list[Data] | None:
        found = self.product(sku)
        return None if found is None else self._reviews.get(found["sku"], [])

    def comparison(self, skus: list[str]) -> Data:
        found = {sku: self.product(sku) for sku in skus}
        for sku, each in found.items():
            if each is None:
                raise Refusal("UNKNOWN_SKU", f"There is no product {sku}.")
        if len(found) < 2:
            raise Refusal("BAD_COMPARISON", "Choose 2 to 4 different products.")
        products = [each for each in found.values() if each]
        shown = ("sku", "name", "priceCents", "stock", "rating")
        labels = {detail["label"] for each in products for detail in each["details"]}
        facts = [{detail["label"]: detail["value"] for detail in each["details"]} for each in products]
        return {
            "path": f"/compare?skus={','.join(found)}",
            "columns": [{name: each[name] for name in shown} for each in products],
            "rows": [
                {"label": label, "values": [fact.get(label, "–") for fact in facts]}
                for label in sorted(labels)
            ],
        }

    def showMessage(self, message: Data) -> None:  # noqa: N802  # the page's name
        if "@" not in message["to"]:
            raise Refusal("BAD_ADDRESS", "Enter an email address.")
        self.messages.append(message)

    def giftCents(self) -> int:  # noqa: N802  # the page's name
        return self.gift_cents

    def useCard(self, headers: dict[str, str], most: int | None) -> Data:  # noqa: N802  # the page's name
        if headers["Gift-Card"] != CARD:
            raise Refusal("BAD_GIFT_CARD", "The shop does not know this gift card.")
        cents = self._needed()["totalCents"]
        self.gift_cents = min(2500, most or 2500)
        return {"cardCents": self.gift_cents, "cartCents": cents, "leftCents": cents - self.gift_cents}

    def watch(self, watch: str, sku: str, below: int) -> None:
        if len(self.watches) == 4:
            raise Refusal("TOO_MANY_WATCHES", "4 prices are watched already.")
        self.watches[watch] = (sku, below)

    def unwatch(self, watch: str) -> None:
        self.unwatched.append(watch)

    def cart(self) -> Data:
        lines = [self._line(sku, quantity) for sku, quantity in self._quantities.items()]
        total = sum(line["lineCents"] for line in lines)
        return {"version": self._version, "lines": lines, "totalCents": total}

    def version(self) -> int:
        return self._version

    def add(self, sku: str, pieces: int) -> Data:
        return self.put(sku, self._quantities.get(sku.strip().upper(), 0) + pieces, self._version)

    def put(self, sku: str, quantity: int, version: int) -> Data:
        self._need(version)
        product = self.product(sku)
        if product is None:
            raise Refusal("UNKNOWN_SKU", f"There is no product {sku}.")
        if quantity > MOST_PER_LINE:
            raise Refusal("BAD_QUANTITY", f"At most {MOST_PER_LINE}.")
        if quantity > product["stock"]:
            raise Refusal("OUT_OF_STOCK", f"Only {product['stock']} left.")
        self._quantities[product["sku"]] = quantity
        if quantity == 0:
            del self._quantities[product["sku"]]
        return self._changed()

    def clear(self, version: int) -> Data:
        self._need(version)
        self._quantities.clear()
        return self._changed()

    def checkout(self) -> Data:
        deliveries = [
            {"id": name, "label": name, "days": days, "cents": cents}
            for name, (days, cents) in DELIVERIES.items()
        ]
        cart = self._needed()
        return {"cartVersion": cart["version"], "cartCents": cart["totalCents"], "deliveries": deliveries}

    def check(self, details: Data) -> None:
        self._needed()
        if "@" not in details["email"]:
            raise Refusal("BAD_ADDRESS", "email: Enter an email address.")

    async def reserve(self) -> None:
        await self.pause()

    async def book(self, delivery: str) -> None:
        await self.pause()

    def place(self, details: Data, version: int) -> Data:
        self.check(details)
        self._need(version)
        cart = self.cart()
        cents = DELIVERIES[details["delivery"]][1]
        order = {
            "id": f"PH-{len(self.placed)}",
            "placedAt": "2026-03-01T10:00:00.000Z",
            **details,
            "lines": cart["lines"],
            "deliveryCents": cents,
            "giftCents": self.gift_cents,
            "totalCents": cart["totalCents"] + cents - self.gift_cents,
        }
        self.placed.insert(0, order)
        self.clear(version)
        self.shown.append(f"/order/{order['id']}")
        return order

    def order(self, order_id: str) -> Data | None:
        return next((order for order in self.placed if order["id"] == order_id.strip().upper()), None)

    def orders(self) -> list[Data]:
        return self.placed

    def show(self, path: str) -> str:
        if path.startswith("/nowhere"):
            raise Refusal("BAD_PATH", f"There is no page {path}.")
        self.shown.append(path)
        return path

    def sell_out(self, sku: str) -> None:
        """Let nothing of a product be left."""
        self._products[sku] = {**self._products[sku], "stock": 0}

    def _need(self, version: int) -> None:
        if version != self._version:
            raise Refusal("VERSION_CONFLICT", f"It is {self._version} now.")

    def _needed(self) -> Data:
        cart = self.cart()
        if not cart["lines"]:
            raise Refusal("EMPTY_CART", "The cart is empty.")
        return cart

    def _changed(self) -> Data:
        self._version += 1
        return self.cart()

    def _line(self, sku: str, quantity: int) -> Data:
        product = self._products[sku]
        price = product["priceCents"]
        return {
            "sku": sku,
            "name": product["name"],
            "quantity": quantity,
            "unitPriceCents": price,
            "lineCents": price * quantity,
        }


class Person:
    """Says the same to everything, once they have thought.

    Attributes:
        asked: What they were asked.
        answered: Whom they tell.
    """

    def __init__(self, says: str, think: Callable[[], object]) -> None:
        self._says = says
        self._think = think
        self.asked: list[str] = []
        self.answered: Callable[[int, str], None]

    def ask(self, question: int, text: str) -> None:
        self.asked.append(json.loads(text)["message"])
        self._think()
        self.answered(question, self._says)

    def withdraw(self, question: int) -> None:
        """They have answered."""


def owners_of(ownership: Ownership) -> Owners:
    """Give what a tab owns that owns this."""
    locks = FakeLocks()
    locks.epochs[ownership.name] = 1
    return Owners(locks)


class Agent:
    """Calls the app's tools in a page that exposes a shop.

    Attributes:
        is_allowed: What the person says where they are asked.
        owns: Whether it is in the tab that has the checkout.
        credentials: What the page provides; None: it has no provider.
        run_id: What the caller states.
        asked: What the person was asked in the last `page`.
        artifacts: What the tools have kept in the page.
    """

    is_allowed = True
    owns = True
    credentials: Mapping[str, Mapping[str, str]] | None = None
    run_id: str | None = None

    def __init__(self, app: ModuleType, shop: Any) -> None:
        self._app = app
        self.shop = shop
        self.artifacts = MemoryArtifacts()

    def call(self, name: str, /, **arguments: Any) -> Data:
        """Give the whole answer."""
        with fake_page(shop=self.shop):
            function = getattr(self._app, name)
            return asyncio.run(
                tool_call(
                    function,
                    arguments,
                    confirm=self.is_allowed,
                    owns=self.owns,
                    artifacts=self.artifacts,
                    tools=[getattr(self._app, each) for each in INNER if each != name],
                    credentials=self.credentials,
                    run_id=self.run_id,
                )
            )

    def page(self, name: str, *inputs: Data, think: Callable[[], object] = lambda: None) -> PageRig:
        """Give the page after calls of one tool, each made when the one before was answered.

        Args:
            name: The tool's.
            inputs: Of each call.
            think: What the person does before they answer a question.
        """
        person = Person("allowed" if self.is_allowed else "denied", think)
        rig = PageRig(person=person, owners=owners_of(self._app.checkout), finds=True)
        person.answered = rig.dispatcher.confirmed
        self.asked = person.asked
        for each in {name, *INNER}:
            rig.registry.hold(getattr(self._app, each))

        async def called() -> None:
            for each in inputs:
                await rig.answered(rig.call(name, each))

        with fake_page(shop=self.shop):
            asyncio.run(called())
        return rig

    def read(self, name: str, /, **arguments: Any) -> Any:
        """Give the data of an answer that is no error."""
        answer = self.call(name, **arguments)
        assert "isError" not in answer, answer
        return answer["structuredContent"]

    def error(self, name: str, /, **arguments: Any) -> Data:
        """Give the error of an answer that is one."""
        answer = self.call(name, **arguments)
        assert answer["isError"] is True, answer
        error: Data = answer["structuredContent"]["error"]
        assert answer["content"] == [{"type": "text", "text": error["message"]}]
        return error

    def found(self, query: str = "", **filters: Any) -> list[str]:
        """Give the SKUs that a search lists."""
        return [hit["sku"] for hit in self.read("search_products", query=query, **filters)["products"]]


def tools_in(app: ModuleType) -> list[Tool]:
    return apps.declared_in(vars(app)).tools


@contextmanager
def opened_app(name: str = "shop.py") -> Iterator[ModuleType]:
    """Load an app of the shop as a page does; it does not outlive the block."""
    app = apps.load(f"http://localhost:8000/{name}", (STOREFRONT / name).read_text("utf-8"))
    try:
        yield app
    finally:
        del sys.modules[app.__name__]


def real_shop() -> FakeShop:
    """Give a shop with the real catalogue, as the page hands it to Python."""
    return FakeShop(**_read(READ_CATALOGUE))


def delivery_rules() -> tuple[dict[str, int], list[str]]:
    """Give how long each field of an address may be, and the ids of the deliveries, as the page has them."""
    most, deliveries = _read(READ_DELIVERY)
    return most, deliveries


def _read(script: str) -> Any:
    node = ["node", "--input-type=module", "--eval", script]
    done = subprocess.run(node, cwd=STOREFRONT, check=True, capture_output=True, text=True, encoding="utf-8")
    return json.loads(done.stdout)
