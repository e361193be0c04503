"""The app in a browser, on native WebMCP and on the polyfill."""

import pytest

from webtools.testing import ToolPage, assert_kept, assert_no_call_lost, expect_tool

pytest.importorskip("playwright", reason="needs a browser: python -m pip install playwright")


def test_a_notes_tools_come_and_go_with_its_component(tool_page: ToolPage) -> None:
    tool_page.goto("/")
    expect_tool(tool_page, "read_note").not_to_be_listed()
    expect_tool(tool_page, "open_note").to_answer({"title": "Travel"})
    expect_tool(tool_page, "read_note").to_answer(text="Train at 9:40, platform 3")
    with assert_kept(tool_page, "read_note", "close_note"):
        tool_page.page.get_by_role("button", name="Groceries").click()
    expect_tool(tool_page, "read_note").to_answer(text="Milk, bread, apples")
    with assert_no_call_lost(tool_page):
        tool_page.begin("close_note")
    expect_tool(tool_page, "read_note").not_to_be_listed()
    assert tool_page.problems == []


def test_a_note_that_there_is_not_is_an_error(tool_page: ToolPage) -> None:
    tool_page.goto("/")
    expect_tool(tool_page, "open_note").to_answer({"title": "Poems"}, error="NO_SUCH_NOTE")
