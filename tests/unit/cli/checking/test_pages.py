"""What the apps of one page break together."""

from __future__ import annotations

from tests.unit.cli.checking.tools import checked, found_of_page

MANY = [checked(f"find_{'x' * number}", f"Find {number} products.") for number in range(1, 26)]
MORE = [checked(f"show_{'x' * number}", f"Show {number} products.") for number in range(1, 26)]


def test_a_name_that_two_apps_have_is_told_with_the_second_tool() -> None:
    twice = [checked("find", "Find products."), checked("find", "Find orders.")]
    assert found_of_page([twice[0]], [twice[1]]) == ["same-name find"]
    assert found_of_page([twice[0]], [checked("find", "Find.", is_always_there=False)]) == []
    assert found_of_page([twice[0]], [twice[1]], ignored=("same-name:find",)) == []


def test_too_many_tools_on_a_page_are_told_though_no_app_has_them() -> None:
    assert found_of_page(MANY, MORE) == ["many-tools"]
    assert found_of_page(MANY) == []


def test_what_an_app_breaks_alone_is_not_told_of_its_page_again() -> None:
    assert found_of_page([*MANY, *MORE], [checked("pay")]) == []
    twice = [checked("find", "Find products."), checked("find", "Find orders.")]
    assert found_of_page(twice, [checked("pay")]) == []


def test_names_and_texts_that_an_agent_takes_for_each_other_are_told_across_apps() -> None:
    assert found_of_page([checked("find_bag", "Find a bag.")], [checked("find_bag2", "Find another.")]) == [
        "alike-names find_bag2"
    ]
    assert found_of_page([checked("find_bag")], [checked("show_cart")]) == ["same-description show_cart"]
