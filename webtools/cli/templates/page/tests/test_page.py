"""The page in a browser, on native WebMCP and on the polyfill."""

import pytest

from webtools.testing import ToolPage, expect_tool

pytest.importorskip("playwright", reason="needs a browser: python -m pip install playwright")


def test_what_an_agent_adds_the_person_sees(tool_page: ToolPage) -> None:
    tool_page.goto("/")
    expect_tool(tool_page, "add_task").to_answer({"text": "Call Ada"}, data={"result": ["Call Ada"]})
    assert tool_page.page.get_by_role("listitem").all_inner_texts() == ["Call Ada"]
    assert tool_page.problems == []


def test_what_the_person_adds_an_agent_finds(tool_page: ToolPage) -> None:
    tool_page.goto("/")
    tool_page.page.get_by_label("What is to be done?").fill("Buy milk")
    tool_page.page.get_by_role("button", name="Add").click()
    expect_tool(tool_page, "list_tasks").to_answer(data={"result": ["Buy milk"]})
