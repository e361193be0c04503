import json
from typing import Any

import pytest

from webtools import ToolDefinitionError, form_tool


def test_a_declaration_is_what_the_page_is_given() -> None:
    contact = form_tool(
        "#contact",
        name="contact",
        description=" Write to the shop. ",
        title="Contact",
        submit="agent",
        consequential=True,
        untrusted_content=True,
    )
    assert (contact.selector, contact.name) == ("#contact", "contact")
    assert json.loads(contact.options) == {
        "name": "contact",
        "description": "Write to the shop.",
        "title": "Contact",
        "annotations": {"consequentialHint": True, "untrustedContentHint": True},
        "submit": "agent",
    }


def test_the_person_submits_unless_it_says_otherwise() -> None:
    options = json.loads(form_tool("form", name="search", description="Search.").options)
    assert options == {"name": "search", "description": "Search.", "submit": "person"}


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"name": "no name"}, "cannot be a tool's name"),
        ({"description": " "}, "'contact' has no description. Agents choose by it"),
        ({"title": ""}, "'contact' has no title"),
        ({"selector": ""}, "'' is no selector of a form such as \"#contact\""),
        ({"selector": 5}, "5 is no selector"),
        ({"submit": "both"}, 'submit=\'both\' must be "person" or "agent"'),
        ({"read_only": 1}, "read_only=1 must be True or False"),
        ({"read_only": True, "consequential": True}, "both read_only and consequential"),
    ],
)
def test_what_means_nothing_is_refused_with_the_cure(wrong: dict[str, Any], said: str) -> None:
    options: dict[str, Any] = {"name": "contact", "description": "Write.", **wrong}
    selector = options.pop("selector", "#contact")
    with pytest.raises(ToolDefinitionError) as refused:
        form_tool(selector, **options)
    assert said in str(refused.value)
