"""The tools on the real catalogue, which Node reads."""

from __future__ import annotations

from types import ModuleType
from typing import Any, get_args

import pytest

from tests.unit.storefront.shops import Agent, delivery_rules, real_shop, tools_in

ADVISED = 1500
"""Characters of an answer. Source: ../shared/spec/tool-context.md, §3"""


@pytest.fixture(scope="module")
def agent(app: ModuleType) -> Agent:
    return Agent(app, real_shop())


@pytest.fixture(scope="module")
def skus(agent: Agent) -> list[str]:
    return [product["sku"] for product in agent.shop.products()]


def size(agent: Agent, name: str, **arguments: Any) -> int:
    (part,) = agent.call(name, **arguments)["content"]
    return len(part["text"])


def test_every_product_of_the_catalogue_can_be_read(agent: Agent, skus: list[str]) -> None:
    assert len(skus) == 48
    for sku in skus:
        product = agent.read("get_product", sku=sku)
        reviews = agent.read("get_reviews", sku=sku)["result"]
        assert (product["sku"], product["review_count"]) == (sku, len(reviews))
        assert len(product["details"]) >= 3


def test_the_departments_are_those_of_the_catalogue(agent: Agent, app: ModuleType) -> None:
    departments = [product["category"] for product in agent.shop.products()]
    assert list(dict.fromkeys(departments)) == list(get_args(app.Category))


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("cafe", "KT-401"),
        ("tokyo runner", "SH-101"),
        ("tents", "OD-301"),
        ("waterproof backpack", "BG-202"),
        ("hiking boots", "SH-103"),
        ("chef's knife", "KT-403"),
        ("chefs knife", "KT-403"),
        ("noise-cancelling headphones", "AU-601"),
        ("kitchen knives", "KT-403"),
        ("a lamp for the desk", "DK-501"),
        ("dk-502", "DK-502"),
        ("teapot", "KT-407"),
    ],
)
def test_a_search_finds_what_it_should_first(agent: Agent, query: str, first: str) -> None:
    assert agent.found(query)[0] == first


def test_filters_narrow_the_real_catalogue(agent: Agent) -> None:
    products = {product["sku"]: product for product in agent.shop.products()}
    cheap = agent.found("gift", category="kitchen", max_price_cents=5000, in_stock=True, limit=50)
    assert cheap
    for sku in cheap:
        assert products[sku]["category"] == "kitchen"
        assert products[sku]["priceCents"] <= 5000
        assert products[sku]["stock"] > 0


def test_an_empty_query_lists_everything_up_to_the_limit(agent: Agent, skus: list[str]) -> None:
    found = agent.read("search_products")
    assert (found["total"], len(found["products"])) == (48, 10)
    assert sorted(agent.found(limit=50)) == sorted(skus)


def test_answers_stay_within_what_chrome_advises(agent: Agent, app: ModuleType, skus: list[str]) -> None:
    for category in (None, *get_args(app.Category)):
        assert size(agent, "search_products", category=category) <= ADVISED
    for sku in skus:
        assert size(agent, "get_product", sku=sku) <= ADVISED
        assert size(agent, "get_reviews", sku=sku) <= ADVISED


def test_a_comparison_of_the_longest_names_stays_within_what_chrome_advises(agent: Agent) -> None:
    longest = sorted(agent.shop.products(), key=lambda product: -len(product["name"]))[:4]
    assert size(agent, "compare_products", skus=[product["sku"] for product in longest]) <= ADVISED


def test_a_cart_full_of_everything_stays_within_what_chrome_advises(agent: Agent) -> None:
    for product in agent.shop.products():
        if product["stock"]:
            agent.shop.put(product["sku"], min(product["stock"], 20), agent.shop.version())
    for skip in range(0, 48, 8):
        assert size(agent, "list_cart", skip=skip) <= ADVISED
    for line in agent.shop.cart()["lines"]:
        put = {"quantity": line["quantity"], "cart_version": agent.shop.version()}
        assert size(agent, "set_quantity", sku=line["sku"], **put) <= ADVISED


def test_an_order_of_everything_to_the_longest_address_stays_within_what_chrome_advises(
    agent: Agent, app: ModuleType
) -> None:
    for product in agent.shop.products():
        if product["stock"]:
            agent.shop.put(product["sku"], min(product["stock"], 20), agent.shop.version())
    bounds = {tool.name: tool.definition.input_schema for tool in tools_in(app)}["place_order"]["properties"]
    details = {name: "@" * field["maxLength"] for name, field in bounds.items() if "maxLength" in field}
    order = agent.read("place_order", **details, cart_version=agent.shop.version())
    for skip in range(0, order["line_count"], 8):
        assert size(agent, "get_order", order_id=order["id"], skip=skip) <= ADVISED


def test_the_bounds_of_an_address_are_those_of_the_page(agent: Agent, app: ModuleType) -> None:
    bounds = {tool.name: tool.definition.input_schema for tool in tools_in(app)}["place_order"]["properties"]
    fields, deliveries = delivery_rules()
    others = {"delivery", "cart_version", "order_key"}
    assert {name: bound.get("maxLength") for name, bound in bounds.items() if name not in others} == fields
    assert bounds["delivery"]["enum"] == deliveries
