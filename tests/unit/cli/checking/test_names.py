"""Names, and how many tools there are."""

from __future__ import annotations

import pytest

from tests.unit.cli.checking.tools import checked, found


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("search_products", []),
        ("search-products", []),
        ("searchProducts", []),
        ("shop.search", []),
        ("search", []),
        ("a" * 30, []),
        ("a" * 31, ["long-name"]),
        ("a" * 129, ["refused-name", "long-name"]),
        ("search products", ["refused-name", "odd-name"]),
        ("Search_Products", ["odd-name"]),
        ("_search", ["odd-name"]),
        ("search__products", ["odd-name"]),
        ("search_Products-new", ["odd-name"]),
        ("run", ["vague-name"]),
        ("get_data", ["vague-name"]),
        ("run_report", []),
    ],
)
def test_a_name_is_small_words_that_say_what(name: str, rules: list[str]) -> None:
    assert found(checked(name)) == rules


@pytest.mark.parametrize(
    ("names", "rules"),
    [
        (["find_products", "show_cart", "pick"], []),
        (["find_products", "show-cart"], ["mixed-styles"]),
        (["findProducts", "show_cart"], ["mixed-styles"]),
        (["find_products", "findProducts"], ["mixed-styles", "alike-names"]),
        (["find_products", "find_products2"], ["alike-names"]),
        (["find_products", "find_products_v2"], ["alike-names"]),
        (["find_products", "products_find"], ["alike-names"]),
        (["find_product", "find_products"], []),
        (["find_products", "find_products_by_tag"], []),
        (["find_products", "find_products"], ["same-name"]),
    ],
)
def test_names_fit_each_other_and_differ(names: list[str], rules: list[str]) -> None:
    tools = [checked(name, f"Find what number {number} is about.") for number, name in enumerate(names)]
    assert found(*tools) == rules


def test_two_tools_may_have_one_name_where_they_come_and_go() -> None:
    assert found(checked(), checked(description="Find those of the panel.", is_always_there=False)) == []


def test_an_app_without_tools_is_told() -> None:
    assert found() == ["no-tools"]


@pytest.mark.parametrize(
    ("always", "held", "rules"), [(40, 0, []), (41, 0, ["many-tools"]), (41, 9, ["many-tools"]), (40, 9, [])]
)
def test_tools_that_come_and_go_are_not_counted_among_the_many(
    always: int, held: int, rules: list[str]
) -> None:
    tools = [
        checked(f"find_{'x' * number}", f"Find what has {number} of it.", is_always_there=number < always)
        for number in range(always + held)
    ]
    assert [each for each in found(*tools) if each == "many-tools"] == rules
