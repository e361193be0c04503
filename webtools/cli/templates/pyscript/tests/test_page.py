"""The page in a browser, on native WebMCP and on the polyfill."""

from pathlib import Path
from urllib.parse import urlsplit

import pytest

from webtools.testing import ToolPage, expect_tool

SITE = Path(__file__).parents[1] / "site"

if not all((SITE / path).is_file() for path in ("pyodide/pyodide.mjs", "pyscript/core.js")):
    pytest.skip("needs PyScript in site/: npm install, then npm run vendor", allow_module_level=True)
pytest.importorskip("playwright", reason="needs a browser: python -m pip install playwright")


def test_agent_and_person_share_the_list_and_no_other_host_is_asked(tool_page: ToolPage) -> None:
    asked = set()
    tool_page.page.on("request", lambda request: asked.add(urlsplit(request.url).netloc))
    tool_page.goto("/")
    expect_tool(tool_page, "add_item").to_be_listed()  # main.py has imported it
    expect_tool(tool_page, "add_item").to_answer({"item": "Milk"}, data={"result": ["Milk"]})
    tool_page.page.get_by_label("What is to be bought?").fill("Bread")
    tool_page.page.get_by_role("button", name="Add").click()
    expect_tool(tool_page, "list_items").to_answer(data={"result": ["Milk", "Bread"]})
    assert tool_page.page.get_by_role("listitem").all_inner_texts() == ["Milk", "Bread"]
    assert asked - {""} == {urlsplit(tool_page.page.url).netloc}  # "": data: and blob:
    assert tool_page.problems == []
