"""Descriptions, of tools and of parameters."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.cli.checking.tools import TEXT, checked, found


@pytest.mark.parametrize(
    ("description", "rules"),
    [
        (TEXT, []),
        ("", ["no-description"]),
        (" \n", ["no-description"]),
        ("Products.", ["thin-description"]),
        ("Find products.", ["thin-description"]),
        ("Find the products of a product", ["thin-description"]),
        ("商品を名前の言葉で探します。", []),
        ("Find " + "x" * 495, ["thin-description"]),
        ("Find some more " + "x" * 485, []),
        ("Find some more " + "x" * 486, ["long-description"]),
    ],
)
def test_a_description_says_what_the_name_does_not(description: str, rules: list[str]) -> None:
    assert found(checked(description=description)) == rules


def test_two_tools_do_not_share_a_description() -> None:
    assert found(checked("find_products", TEXT), checked("find_bags", TEXT.upper())) == ["same-description"]
    assert found(checked("find_products", ""), checked("find_bags", "")) == ["no-description"] * 2


@pytest.mark.parametrize(
    ("schema", "rules"),
    [
        ({"type": "string", "description": "Words to look for"}, []),
        ({"type": "string"}, ["no-parameter-description query"]),
        ({"type": "string", "description": " "}, ["no-parameter-description query"]),
        ({"type": "string", "description": 5}, ["no-parameter-description query"]),
        ({"type": "string", "description": "The query"}, ["thin-parameter-description query"]),
        ({"type": "string", "description": "検索語"}, []),
        ({"type": "string", "description": "x" * 150}, []),
        ({"type": "string", "description": "x" * 151}, ["long-parameter-description query"]),
    ],
)
def test_a_parameters_text_says_what_its_name_does_not(schema: dict[str, Any], rules: list[str]) -> None:
    assert found(checked(properties={"query": schema})) == rules


def test_what_a_parameter_holds_may_go_without_a_text_but_not_have_a_long_one() -> None:
    fields = {"sku": {"type": "string"}, "note": {"type": "string", "description": "x" * 151}}
    lines = {"type": "array", "description": "Wanted", "items": {"type": "object", "properties": fields}}
    assert found(checked(properties={"lines": lines})) == ["long-parameter-description lines[].note"]
