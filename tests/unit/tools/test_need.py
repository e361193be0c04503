from __future__ import annotations

from typing import Any

import pytest

from webtools import Need, ToolDefinitionError, tool
from webtools.tools.tool import tool_of


def test_two_needs_are_equal_where_they_ask_for_the_same() -> None:
    one = Need("payments", scopes=["refund", "charge", "charge"])
    assert one == Need("payments", scopes=("charge", "refund"))
    assert hash(one) == hash(Need("payments", scopes=["charge", "refund"]))
    assert one not in (Need("payments"), Need("mail", scopes=["charge", "refund"]), "payments")
    assert repr(one) == "Need('payments', scopes=['charge', 'refund'])"
    assert repr(Need("payments")) == "Need('payments')"


@pytest.mark.parametrize("service", ["", " ", None, 5])
def test_a_service_without_a_name_is_refused(service: Any) -> None:
    with pytest.raises(ToolDefinitionError, match="name the service"):
        Need(service)


@pytest.mark.parametrize("scopes", ["charge", [""], [5], 5, None])
def test_scopes_that_are_no_list_of_texts_are_refused(scopes: Any) -> None:
    with pytest.raises(ToolDefinitionError, match=r'must be a list of texts, such as \["charge"\]'):
        Need("payments", scopes=scopes)


@pytest.mark.parametrize("needs", ["payments", [Need("payments")], True])
def test_a_tool_needs_one_need(needs: Any) -> None:
    with pytest.raises(ToolDefinitionError, match=r'must be one Need, such as Need\("payments"\)'):

        @tool(needs=needs)
        def pay() -> None:
            """Pay."""


def test_an_agent_does_not_see_it() -> None:
    @tool(needs=Need("payments"))
    def pay(amount: int) -> None:
        """Pay."""

    made = tool_of(pay)
    assert made
    assert "payments" not in made.definition.text
    assert list(made.definition.input_schema["properties"]) == ["amount"]
