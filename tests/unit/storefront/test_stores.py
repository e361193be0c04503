"""Gift cards, watched prices, and orders that are bought again."""

from __future__ import annotations

import json
from types import ModuleType

import pytest

from tests.unit.storefront.shops import CARD, Agent, FakeShop
from tests.unit.storefront.test_shop import PRODUCTS, order, product, put

GIVEN = {"gift-cards": {"Gift-Card": CARD}}


@pytest.fixture
def agent(app: ModuleType) -> Agent:
    return Agent(app, FakeShop(PRODUCTS))


class TestGiftCards:
    def test_the_pages_card_lowers_what_is_to_pay(self, agent: Agent) -> None:
        agent.read("add_to_cart", sku="BG-1")
        agent.credentials = GIVEN
        applied = agent.read("apply_gift_card")
        assert applied == {"card_cents": 2500, "cart_cents": 5000, "left_cents": 2500}
        assert agent.read("apply_gift_card", amount_cents=1000)["left_cents"] == 4000

    @pytest.mark.parametrize("credentials", [None, {}])
    def test_without_a_card_the_tool_does_not_run(
        self, agent: Agent, credentials: dict[str, dict[str, str]] | None
    ) -> None:
        agent.read("add_to_cart", sku="BG-1")
        agent.credentials = credentials
        error = agent.error("apply_gift_card")
        assert (error["code"], error["effect"]) == ("CREDENTIAL_UNAVAILABLE", "none")
        assert agent.shop.gift_cents == 0

    def test_an_unknown_card_is_refused_without_its_number(self, agent: Agent) -> None:
        agent.read("add_to_cart", sku="BG-1")
        agent.credentials = {"gift-cards": {"Gift-Card": "PHGC-0000-0000"}}
        error = agent.error("apply_gift_card")
        assert (error["code"], error["effect"]) == ("BAD_GIFT_CARD", "none")
        assert "0000" not in json.dumps(error)

    def test_the_person_reads_of_the_card_before_they_order(self, agent: Agent) -> None:
        agent.read("add_to_cart", sku="BG-1")
        agent.shop.gift_cents = 2500
        agent.page("place_order", order(agent))
        (asked,) = agent.asked
        assert "and the delivery, less up to €25.00 of the gift card?" in asked
        assert agent.read("get_order", order_id="PH-0")["gift_cents"] == 2500


class TestWatches:
    def test_a_price_is_watched_until_the_run_ends(self, agent: Agent) -> None:
        agent.run_id = "r1"
        said = agent.call("watch_price", sku="kt-4", below_cents=3000)["content"][0]["text"]
        assert "Café Press costs €36.00 now." in said
        assert "until this run ends or they stop it" in said
        (watch,) = agent.shop.watches
        assert agent.shop.watches[watch] == ("KT-4", 3000)
        assert agent.shop.unwatched == [watch]  # `tool_call` ends the page, and with it the run

    def test_without_a_run_it_is_watched_until_the_page_is_left_and_the_agent_knows(
        self, agent: Agent
    ) -> None:
        said = agent.call("watch_price", sku="KT-4", below_cents=3000)["content"][0]["text"]
        assert "until the page is left, since your call states no run" in said
        assert agent.shop.unwatched == list(agent.shop.watches)

    def test_each_run_has_a_watch_of_its_own(self, agent: Agent) -> None:
        for run_id in ("r1", "r1", "r2", None):
            agent.run_id = run_id
            agent.call("watch_price", sku="KT-4", below_cents=3000)
        assert len(agent.shop.watches) == 3

    @pytest.mark.parametrize(("sku", "code"), [("XX-1", "UNKNOWN_SKU"), ("KT-4", "TOO_MANY_WATCHES")])
    def test_what_cannot_be_watched_is_refused(self, agent: Agent, sku: str, code: str) -> None:
        agent.shop.watches = dict.fromkeys("abcd", ("BG-1", 100))
        error = agent.error("watch_price", sku=sku, below_cents=100)
        assert (error["code"], error["effect"]) == (code, "none")


class TestRebuying:
    def test_every_line_is_added_with_its_quantity_on_top_of_what_is_there(self, agent: Agent) -> None:
        agent.read("set_quantity", **put(agent, "BG-1", 2))
        agent.read("set_quantity", **put(agent, "SH-5", 1))
        placed = agent.read("place_order", **order(agent))
        agent.read("add_to_cart", sku="BG-1")
        again = agent.read("rebuy_order", order_id=placed["id"])
        lines = {line["sku"]: line["quantity"] for line in agent.shop.cart()["lines"]}
        assert lines == {"BG-1": 3, "SH-5": 1}
        assert again == {
            "added": 2,
            "not_added_count": 0,
            "not_added": [],
            "cart_version": agent.shop.version(),
            "cart_cents": 3 * 5000 + 18900,
        }

    def test_what_is_sold_out_is_told_and_the_rest_is_added(self, agent: Agent) -> None:
        agent.read("add_to_cart", sku="KT-4", quantity=2)
        agent.read("add_to_cart", sku="BG-1")
        placed = agent.read("place_order", **order(agent))
        agent.shop.sell_out("KT-4")
        again = agent.read("rebuy_order", order_id=placed["id"])
        assert (again["added"], again["not_added_count"]) == (1, 1)
        (left,) = again["not_added"]
        assert left["sku"] == "KT-4"
        assert "Only 0 left." in left["reason"]

    def test_an_order_longer_than_what_is_read_at_a_time_is_added_whole(self, app: ModuleType) -> None:
        many = [product(f"BG-{number}", f"Bag {number}") for number in range(19)]
        agent = Agent(app, FakeShop(many))
        for each in many:
            agent.shop.add(each["sku"], 1)
        placed = agent.read("place_order", **order(agent))
        assert agent.read("rebuy_order", order_id=placed["id"])["added"] == 19
        assert len(agent.shop.cart()["lines"]) == 19

    def test_how_far_it_is_can_be_seen(self, agent: Agent) -> None:
        agent.read("add_to_cart", sku="BG-1")
        agent.read("add_to_cart", sku="SH-5")
        agent.read("place_order", **order(agent))
        rig = agent.page("rebuy_order", {"order_id": "PH-0"})
        reports = [detail for tool, _, detail in rig.reports if tool == "rebuy_order"]
        assert [(each["message"], each["done"], each["total"]) for each in reports] == [
            ("Adding Canvas Tote", 0, 2),
            ("Adding Walking Boot", 1, 2),
        ]

    def test_an_unknown_order_adds_nothing(self, agent: Agent) -> None:
        assert agent.error("rebuy_order", order_id="PH-9")["code"] == "UNKNOWN_ORDER"
        assert agent.shop.cart()["lines"] == []
