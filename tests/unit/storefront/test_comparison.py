"""Comparisons: stored in the page, handed on by their refs."""

from __future__ import annotations

import asyncio
import json
from types import ModuleType

import pytest

from tests.unit.storefront.shops import Agent, FakeShop
from tests.unit.storefront.test_shop import PRODUCTS, product


@pytest.fixture
def agent(app: ModuleType) -> Agent:
    details = {
        "BG-1": [{"label": "Weight", "value": "300 g"}],
        "BG-3": [{"label": "Weight", "value": "900 g"}, {"label": "Volume", "value": "12 l"}],
    }
    return Agent(app, FakeShop([*PRODUCTS, product("AU-6", "Drum", stock=0)], details))


def compared(agent: Agent, *skus: str) -> dict[str, object]:
    answer: dict[str, object] = agent.read("compare_products", skus=list(skus))
    return answer


def test_a_comparison_is_kept_and_its_answer_is_short(agent: Agent) -> None:
    answer = compared(agent, "BG-1", "BG-3")
    assert answer["path"] == "/compare?skus=BG-1,BG-3"
    assert answer["summary"] == (
        "Of those in stock, Canvas Tote costs least, €50.00; Messenger is rated best, 3.0 of 5."
    )
    assert "rows" not in answer
    (kept,) = asyncio.run(agent.artifacts.of().list()).items
    assert (kept.ref, kept.kind, kept.label) == (answer["comparison"], "comparison", "BG-1 and BG-3")


def test_what_is_sold_out_is_no_advice(agent: Agent) -> None:
    assert "Messenger costs least" in str(compared(agent, "BG-2", "BG-3")["summary"])
    assert compared(agent, "BG-2", "AU-6")["summary"] == "All of them are sold out."


@pytest.mark.parametrize(
    ("skus", "code"), [(["BG-1", "XX-1"], "UNKNOWN_SKU"), (["BG-1", "BG-1"], "BAD_COMPARISON")]
)
def test_what_cannot_be_compared_is_refused_and_nothing_kept(
    agent: Agent, skus: list[str], code: str
) -> None:
    error = agent.error("compare_products", skus=skus)
    assert (error["code"], error["effect"]) == (code, "none")
    assert asyncio.run(agent.artifacts.of().list()).items == ()


def test_a_comparison_is_written_by_its_ref_and_shown(agent: Agent) -> None:
    ref = compared(agent, "BG-1", "BG-3")["comparison"]
    answer = agent.call("email_comparison", comparison=ref, to="ada@harbour.example")
    assert "was not sent" in answer["content"][0]["text"]
    assert agent.shop.messages == [
        {
            "to": "ada@harbour.example",
            "subject": "Side by side: Canvas Tote, Messenger",
            "text": "Canvas Tote, €50.00, in stock\nWeight: 300 g\n\n"
            "Messenger, €134.00, in stock\nVolume: 12 l\nWeight: 900 g",
            "path": "/compare?skus=BG-1,BG-3",
        }
    ]


def test_no_message_is_shown_for_a_ref_that_stands_for_nothing(agent: Agent) -> None:
    error = agent.error("email_comparison", comparison="art_0000000000000000000000", to="ada@harbour.example")
    assert error["effect"] == "none"
    assert json.dumps(agent.shop.messages) == "[]"


def test_no_message_is_shown_to_what_is_no_address(agent: Agent) -> None:
    ref = compared(agent, "BG-1", "BG-3")["comparison"]
    assert agent.error("email_comparison", comparison=ref, to="nobody")["code"] == "BAD_ADDRESS"
    assert agent.shop.messages == []
