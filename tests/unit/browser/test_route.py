"""A change of route at the host, begun by the page's JavaScript or by Python."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from tests.unit.browser.border import FakeBorder, host_at
from tests.unit.calls.caller import verdict
from webtools import ToolContext, registry, tool
from webtools.lifecycle.slot import MAX_LEAVING, RESPONSE_GRACE

ONE = '{"name":"one","description":"d"}'
TWO = '{"name":"two","description":"d"}'


def states(host: Any) -> dict[str, str]:
    return {each["name"]: each["state"] for each in json.loads(host.states())}


def test_javascripts_change_lets_its_own_go_and_holds_what_comes() -> None:
    async def scene() -> None:
        border = FakeBorder()
        with host_at(border) as host:
            host.hold(7, "one", ONE, None, None)
            host.registered(1)
            assert host.call(1, "c1", "{}") == 7
            host.retire(7)
            host.begin_route()
            assert not host.is_current("c1")
            assert states(host) == {"one": "leaving"}
            refused = host.call(1, "c2", "{}")
            assert isinstance(refused, str)
            assert verdict(json.loads(refused))[0] == "STALE_TOOL_CALL"
            host.count_out("c1")
            (delay_ms,) = border.timers.values()
            assert RESPONSE_GRACE * 1000 < delay_ms <= MAX_LEAVING * 1000
            host.hold(8, "two", TWO, None, None)
            host.hold(9, "one", ONE, None, None)
            host.end_route()
            assert not host.is_current("c1")
            assert border.timers == {}
            assert (list(border.registered), border.unregistered) == ([1, 2], [])

    asyncio.run(scene())


def test_pythons_change_has_javascript_let_go_of_its_own_first() -> None:
    async def scene() -> None:
        border = FakeBorder()
        with host_at(border) as host:
            host.hold(7, "one", ONE, None, None)
            host.registered(1)
            assert host.call(1, "c1", "{}") == 7
            border.on_route = lambda: host.retire(7)
            async with registry().route_change():
                assert not host.is_current("c1")
                host.retire(7)
            host.count_out("c1")

    asyncio.run(scene())


def test_a_change_of_javascripts_beats_one_of_pythons_and_holds_back_tools_of_a_path() -> None:
    source = "from webtools import tool\n@tool(match='/b')\ndef pay() -> None:\n    'Pay.'"

    async def scene() -> None:
        border = FakeBorder()
        with host_at(border) as host:
            host.moved("/a", "")
            async with registry().route_change() as route:
                host.begin_route()
                assert not route.is_current()
                assert host.load("http://localhost/routes.py", source) is None
                host.moved("/b", "")
            assert border.registered == {}
            host.end_route()
            assert [each["name"] for each in border.registered.values()] == ["pay"]

    asyncio.run(scene())


def test_a_wish_for_a_tool_that_no_app_defines_is_given_up_quietly() -> None:
    border = FakeBorder()

    async def scene() -> None:
        with host_at(border) as host:
            host.hold(7, "unknown", None, None, None)
            host.retire(7)
            host.retire(7)

    asyncio.run(scene())
    assert border.registered == {}


def test_a_call_waits_until_the_browser_has_accepted_a_tool() -> None:
    @tool
    async def see(ctx: ToolContext) -> bool:
        """See."""
        return await ctx.until_listed("one")

    async def scene() -> None:
        border = FakeBorder()
        with host_at(border) as host:
            registry().hold(see)
            assert host.call(1, "c1", "{}") is None
            await asyncio.sleep(0)
            host.hold(7, "one", ONE, None, None)
            await asyncio.sleep(0)
            assert border.settled == {}
            host.registered(2)
            for _ in range(3):
                await asyncio.sleep(0)
            assert border.settled["c1"]["structuredContent"] == {"result": True}

    asyncio.run(scene())
