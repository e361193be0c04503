"""What an app declares of the page's forms is held by the page, for as long as the app declares it."""

from __future__ import annotations

import json

import pytest

from tests.unit.browser.border import FakeBorder, host_at

APP = """
from webtools import form_tool
contact = form_tool("#contact", name="contact", description="Write.")
again = contact
"""


@pytest.mark.usefixtures("forgotten_apps")
class TestForms:
    def test_a_form_that_a_global_name_keeps_is_held_once(self) -> None:
        border = FakeBorder()
        with host_at(border) as host:
            assert host.load("/a.py", APP) is None
            ((selector, options),) = border.forms.values()
            assert (selector, options["name"]) == ("#contact", "contact")
            assert border.logged == []
        assert border.forms == {}

    def test_loading_the_app_again_holds_what_it_declares_now(self) -> None:
        border = FakeBorder()
        with host_at(border) as host:
            host.load("/a.py", APP)
            assert host.load("/a.py", APP.replace("#contact", "#other")) is None
            assert [selector for selector, _ in border.forms.values()] == ["#other"]
            host.load("/a.py", "from webtools import tool\n@tool\ndef a() -> None:\n    'A.'")
            assert border.forms == {}

    @pytest.mark.parametrize(
        "other",
        [
            APP,
            "from webtools import tool\n@tool(name='contact')\ndef a() -> None:\n    'A.'",
        ],
    )
    def test_a_name_exists_once(self, other: str) -> None:
        border = FakeBorder()
        with host_at(border) as host:
            host.load("/a.py", APP)
            problem = json.loads(host.load("/b.py", other) or "")
            assert "Two tools are called 'contact' (/a.py and /b.py)" in problem["message"]
            assert len(border.forms) == 1

    def test_a_form_may_not_have_the_name_of_a_tool_of_the_same_app(self) -> None:
        border = FakeBorder()
        app = f"{APP}\nfrom webtools import tool\n@tool(name='contact')\ndef a() -> None:\n    'A.'"
        with host_at(border) as host:
            assert "Two tools are called 'contact'" in (host.load("/a.py", app) or "")
            assert border.forms == {}

    def test_what_the_page_takes_for_no_selector_leaves_the_app_as_it_was(self) -> None:
        border = FakeBorder()
        with host_at(border) as host:
            host.load("/a.py", APP)
            problem = json.loads(host.load("/a.py", APP.replace("#contact", "#")) or "")
            assert problem["message"] == '"#" is no selector'
            assert [selector for selector, _ in border.forms.values()] == ["#contact"]
