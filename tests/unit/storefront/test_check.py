"""The storefront's tools keep to what `webtools check` says."""

from __future__ import annotations

import pytest

from tests.unit.storefront.shops import opened_app
from webtools.browser.apps import declared_in
from webtools.browser.manifest import checkable
from webtools.cli.checking.rules import findings
from webtools.cli.checking.sources import checked_tools


@pytest.mark.parametrize(("name", "count"), [("shop.py", 17), ("assistant.py", 1)])
def test_nothing_is_found_in_the_storefront(name: str, count: int) -> None:
    with opened_app(name) as app:
        tools = checked_tools(checkable(declared_in(vars(app)), lambda _: None))
    assert len(tools) == count
    assert [(each.rule.id, each.hit) for each in findings(name, tools)] == []
