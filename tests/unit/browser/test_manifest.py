"""What is written down of an app's tools."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest

from tests.zips import Array, zipped
from webtools.browser.manifest import manifest_of_archive_without_page, manifest_without_page

SHOP = """
from webtools import Ownership, tool

mine = Ownership("cart", others="read-only")
ours = Ownership("orders")

@tool(timeout=5, confirm="Really?")
def pay(cents: int) -> str:
    "Pay, also in €."
    return "paid"

@tool(match=["/cart/*", "#/cart"])
def cart() -> str:
    "Read the cart."
    return "empty"

@tool(held=True, owner=ours)
def edit() -> str:
    "Edit."
    return "edited"

@tool(owner=mine)
def hidden() -> str:
    "Only in the tab that owns the cart."
    return ""
"""


pytestmark = pytest.mark.usefixtures("forgotten_apps")


def answer(source: str) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(manifest_without_page("pages/shop.py", source, "1.2.3"))
    return made


def test_a_manifest_has_what_a_page_needs_of_each_tool() -> None:
    manifest = json.loads(answer(SHOP)["manifest"])
    assert (manifest["webtools"], manifest["app"]) == ("1.2.3", hashlib.sha256(SHOP.encode()).hexdigest())
    pay, cart, edit = manifest["tools"]
    assert (pay["held"], pay["match"], pay["timeout"]) == (False, [], 5)
    definition = json.loads(pay["definition"])
    assert (definition["name"], definition["description"]) == ("pay", "Pay, also in €.")
    assert definition["confirm"] == "Really?"
    assert (cart["held"], cart["match"], cart["timeout"]) == (False, ["/cart/*", "#/cart"], 60)
    assert (edit["held"], edit["match"]) == (True, [])


def test_a_tool_that_only_its_owners_tab_offers_is_not_promised_in_every_tab() -> None:
    assert "hidden" not in answer(SHOP)["manifest"]


def test_the_same_app_gives_the_same_manifest() -> None:
    assert answer(SHOP) == answer(SHOP)


@pytest.mark.parametrize(
    ("source", "said", "needs_page"),
    [
        ("import sys\n\nsys.document.title\n", "pages/shop.py, line 3: AttributeError", True),
        (
            "from sys import document",
            "pages/shop.py, line 1: ImportError: cannot import name 'document'",
            True,
        ),
        ("from webtools import registry\nregistry()", "line 2: WebtoolsError: There is no page here", True),
        ("class JsException(Exception): ...\nraise JsException('no document')", "line 2: ", True),
        ("import numpy_of_js", "line 1: ModuleNotFoundError", False),
        ("def f(:", "pages/shop.py, line 1: SyntaxError", False),
        ("1 / 0", "line 1: ZeroDivisionError", False),
        ("from webtools import tool\n@tool\ndef f(x): ...", "line 2: ToolDefinitionError", False),
    ],
)
def test_what_stops_an_app_is_told_with_its_line(source: str, said: str, needs_page: bool) -> None:
    told = answer(source)
    assert said in told["problem"]
    assert told["needsPage"] is needs_page


def test_two_tools_of_one_name_are_refused() -> None:
    twice = SHOP + SHOP.replace("def edit", "def other").replace("@tool(held=True", '@tool(name="edit"')
    assert "Two tools are called 'edit'" in answer(twice)["problem"]


def test_an_archives_manifest_is_as_that_of_one_file() -> None:
    archive = zipped({"made_up_shop/tools.py": SHOP})
    url, entry = "dist/shop.whl", "made_up_shop.tools"
    told = json.loads(manifest_of_archive_without_page(url, Array(archive), entry, "1.2.3"))
    manifest = json.loads(told["manifest"])
    assert manifest["app"] == hashlib.sha256(archive).hexdigest()
    assert manifest["tools"] == json.loads(answer(SHOP)["manifest"])["tools"]
    assert {each["file"] for each in told["tools"]} == {"dist/shop.whl/made_up_shop/tools.py"}


def test_what_stops_an_archive_is_told_with_its_place() -> None:
    archive = zipped({"made_up_shop.py": "import sys\n\nsys.document.title\n"})
    told = json.loads(manifest_of_archive_without_page("shop.zip", Array(archive), "made_up_shop", "1"))
    assert told["problem"].startswith("shop.zip/made_up_shop.py, line 3: AttributeError")
    assert told["needsPage"] is True
    missing = json.loads(manifest_of_archive_without_page("shop.zip", Array(archive), "shop", "1"))
    assert "has no module shop" in missing["problem"]
    assert missing["needsPage"] is False
