"""The demo storefront's tools that hand things on: comparisons, gift cards, watches, orders bought again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from e2e.agents import Agent, Mode
from e2e.conftest import Watched
from e2e.shop import PHONE, axe_violations, opened, without_tools


@pytest.fixture(scope="module")
def shop(browsers: Callable[[Mode], Browser], mode: Mode) -> Iterator[Watched]:
    """The shop, its tools up; one page for the whole module, as one long visit."""
    with opened(browsers(mode)) as watched:
        yield watched


@pytest.fixture
def agent(shop: Watched, mode: Mode) -> Agent:
    """An agent in the shop."""
    return Agent(shop.page, mode)


def read(answer: dict[str, Any]) -> dict[str, Any]:
    """Give the data of an answer that is no error."""
    assert not answer.get("isError"), answer
    data: dict[str, Any] = answer["structuredContent"]
    return data


def is_wide(page: Page) -> bool:
    """Whether the page itself scrolls sideways."""
    wide: bool = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    return wide


def test_a_comparison_is_seen_and_handed_on_by_its_ref(agent: Agent) -> None:
    page = agent.page
    compared = read(agent.call("compare_products", {"skus": ["AU-601", "AU-602"]}))
    agent.call("show_page", {"path": compared["path"]})
    table = page.get_by_role("region", name="Comparison")
    expect(table.get_by_role("row", name="Battery 38 h")).to_contain_text("7 h")

    email = {"comparison": compared["comparison"], "to": "ada@harbour.example"}
    agent.call("email_comparison", email)
    message = page.get_by_role("region", name="Message")
    expect(message).to_contain_text("the message was not sent")
    expect(message).to_contain_text("Sandpiper Earbuds, €129.00, in stock")
    message.get_by_role("link", name="Close the message").click()
    expect(table).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_person_compares_by_themselves_and_axe_finds_no_fault(
    browsers: Callable[[Mode], Browser], scheme: Literal["light", "dark"]
) -> None:
    with without_tools(browsers("polyfill"), color_scheme=scheme, viewport=PHONE) as page:
        page.goto("/product/AU-601")
        page.get_by_role("link", name="Compare them side by side").click()
        expect(page.get_by_role("region", name="Comparison").get_by_role("columnheader")).to_have_count(4)
        assert (axe_violations(page), is_wide(page)) == ([], False)
        for path in ("/compare", "/message"):
            page.goto(path)
            page.get_by_role("heading", level=1).wait_for()
            assert (axe_violations(page), is_wide(page)) == ([], False)
