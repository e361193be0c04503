"""What an app owns, as the page's host asks for it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable

import pytest

from tests.unit.browser.border import FakeBorder, host_at
from tests.unit.calls.caller import until, verdict
from webtools import Ownership
from webtools._exceptions import WebtoolsError
from webtools.browser.host import Host

URL = "http://localhost/shop.py"

APP = '''
from webtools import Ownership, tool

cart = Ownership("cart")

@tool(owner=cart)
def pay() -> int:
    """Pay."""
    return cart.epoch

@tool(owner=Ownership("desk", others="read-only"))
def tidy() -> None:
    """Tidy up."""
'''


pytestmark = pytest.mark.usefixtures("forgotten_apps")


def play(scene: Callable[[Host, FakeBorder], None]) -> FakeBorder:
    """Play a scene at a page that has loaded the app."""
    border = FakeBorder()

    async def whole() -> None:
        with host_at(border) as host:
            assert host.load(URL, APP) is None
            scene(host, border)

    asyncio.run(whole())
    return border


def test_loading_an_app_asks_for_what_it_owns_and_closing_lets_it_go() -> None:
    def scene(host: Host, border: FakeBorder) -> None:
        assert border.asked_for == [("ask", "cart"), ("ask", "desk")]
        border.asked_for.clear()

    border = play(scene)
    assert border.asked_for == [("release", "cart"), ("release", "desk")]
    with pytest.raises(WebtoolsError, match="no page"):
        _ = Ownership("cart").epoch


def test_loading_it_again_asks_for_nothing_and_without_it_lets_go() -> None:
    def scene(host: Host, border: FakeBorder) -> None:
        host.load(URL, APP)
        assert border.asked_for == [("ask", "cart"), ("ask", "desk")]
        host.load(URL, "from webtools import tool\n")
        assert border.asked_for[2:] == [("release", "cart"), ("release", "desk")]

    play(scene)


def test_a_call_runs_in_the_tab_that_owns() -> None:
    def scene(host: Host, border: FakeBorder) -> None:
        host.registered(1)
        host.ownership("cart", None, "elsewhere")
        refused = host.call(1, "c1", "{}")
        assert isinstance(refused, str)
        assert verdict(json.loads(refused)) == ("NOT_OWNER", "none", False)
        border.epochs["cart"] = 5
        host.ownership("cart", 5, None)
        answer = host.call(1, "c2", "{}")
        assert isinstance(answer, str)
        assert json.loads(answer)["structuredContent"] == {"result": 5}

    play(scene)


def test_a_number_that_is_gone_is_the_reason_before_the_browser_has_told_of_anything() -> None:
    def scene(host: Host, border: FakeBorder) -> None:
        host.registered(1)
        border.epochs["cart"] = 5
        host.ownership("cart", 5, None)
        border.epochs.clear()
        border.gone.add("cart")
        refused = host.call(1, "c1", "{}")
        assert isinstance(refused, str)
        assert json.loads(refused)["structuredContent"]["error"]["details"]["reason"] == "gone"

    play(scene)


def test_a_question_to_the_person_is_closed_when_another_tab_takes_over() -> None:
    app = APP.replace("@tool(owner=cart)", '@tool(owner=cart, confirm="Pay?")')
    border = FakeBorder()

    async def whole() -> None:
        with host_at(border) as host:
            assert host.load(URL, app) is None
            border.epochs["cart"] = 5
            host.ownership("cart", 5, None)
            assert host.call(1, "c1", "{}") is None
            await until(lambda: bool(border.questions))
            border.epochs.clear()
            host.ownership("cart", None, "elsewhere")
            assert border.withdrawn == list(border.questions)
            await until(lambda: "c1" in border.settled)
            assert verdict(border.settled["c1"]) == ("NOT_OWNER", "none", False)

    asyncio.run(whole())


def test_a_tool_for_the_owner_alone_is_registered_when_this_tab_is_it() -> None:
    def scene(host: Host, border: FakeBorder) -> None:
        assert [each["name"] for each in border.registered.values()] == ["pay"]
        assert json.loads(host.states())[1]["state"] == "waiting"
        host.ownership("desk", 5, None)
        assert [each["name"] for each in border.registered.values()] == ["pay", "tidy"]

    play(scene)


def test_an_app_whose_ownerships_differ_is_refused_before_anything_is_held() -> None:
    async def scene() -> None:
        border = FakeBorder()
        with host_at(border) as host:
            problem = host.load(URL, APP + 'again = Ownership("desk")\n')
            assert "two Ownership('desk')" in json.loads(problem or "{}")["message"]
            assert border.registered == {}
            assert json.loads(host.states()) == []

    asyncio.run(scene())
