from __future__ import annotations

from tests.unit.lifecycle.rig import Rig, renewed, tool_called
from webtools.browser.wishes import Wishes
from webtools.tools.page_tool import PageTool

A = tool_called("a")
TEXT = '{"name":"a","description":"d"}'


def test_a_wish_for_a_known_tool_is_a_hold_until_its_release() -> None:
    rig = Rig()
    wishes = Wishes(rig.registry)
    wishes.know([A])
    wishes.hold(1, "a", None, None, None)
    rig.turn()
    assert rig.asked == ["register a"]
    wishes.release(1)
    wishes.release(1)
    rig.turn()
    assert rig.asked == ["register a", "unregister a"]


def test_a_wish_waits_for_the_app_that_defines_the_tool() -> None:
    rig = Rig()
    wishes = Wishes(rig.registry)
    wishes.hold(1, "a", None, None, None)
    wishes.hold(2, "a", None, None, None)
    wishes.release(2)
    assert rig.asked == []
    wishes.know([tool_called("b"), A])
    assert rig.asked == ["register a"]


def test_a_wish_that_is_released_while_it_waits_is_never_registered() -> None:
    rig = Rig()
    wishes = Wishes(rig.registry)
    wishes.hold(1, "a", None, None, None)
    wishes.release(1)
    wishes.know([A])
    rig.clock.advance(60)
    assert rig.asked == []


def test_an_app_that_is_loaded_again_renews_what_is_wished_without_traffic() -> None:
    rig = Rig()
    wishes = Wishes(rig.registry)
    wishes.know([A])
    wishes.hold(1, "a", None, "doc-1", 7)
    rig.turn()
    newer = renewed(A)
    call = rig.call("a")
    wishes.know([newer])
    rig.turn()
    assert rig.asked == ["register a"]
    assert rig.call("a").ticket.tool is newer
    assert rig.is_current(call)


def test_an_app_that_is_loaded_again_leaves_which_hold_is_the_newest() -> None:
    rig = Rig()
    wishes = Wishes(rig.registry)
    wishes.know([A])
    wishes.hold(1, "a", None, None, None)
    wishes.hold(2, "a", '{"name":"a","description":"newer"}', None, None)
    rig.clock.advance(1)
    before = list(rig.asked)
    changed = tool_called("a", "changed")
    wishes.know([changed])
    rig.clock.advance(1)
    assert rig.asked == before
    wishes.release(2)
    rig.clock.advance(1)
    assert rig.asked == [*before, "unregister a", "register a"]
    assert rig.call("a").ticket.tool is changed


def test_an_app_that_is_loaded_again_tries_a_tool_that_had_failed() -> None:
    rig = Rig()
    rig.refusals = {1: "SecurityError"}
    wishes = Wishes(rig.registry)
    wishes.know([A])
    wishes.hold(1, "a", None, None, None)
    rig.clock.advance(1)
    wishes.know([renewed(A)])
    rig.clock.advance(1)
    assert rig.asked == ["register a", "register a"]


def test_the_same_owner_keeps_a_call_current_and_another_makes_it_stale() -> None:
    rig = Rig()
    wishes = Wishes(rig.registry)
    wishes.know([A])
    wishes.hold(1, "a", None, None, 1000)
    rig.turn()
    call = rig.call("a")
    wishes.release(1)
    wishes.hold(2, "a", None, None, int("1000"))
    rig.turn()
    assert rig.is_current(call)
    wishes.hold(3, "a", None, None, 1001)
    rig.turn()
    assert not rig.is_current(call)


def test_a_tool_that_the_page_defines_is_held_at_once_with_its_handlers_number() -> None:
    rig = Rig()
    wishes = Wishes(rig.registry)
    wishes.hold(7, "a", TEXT, "doc-1", 1000)
    rig.turn()
    ticket = rig.call("a").ticket
    assert isinstance(ticket.tool, PageTool)
    assert ticket.tool.number == 7
    assert ticket.key == (TEXT, "doc-1", 1000)
    wishes.release(7)
    rig.turn()
    assert not ticket.is_current


def test_an_app_that_defines_the_same_name_leaves_the_pages_own_hold_as_it_is() -> None:
    rig = Rig()
    wishes = Wishes(rig.registry)
    wishes.hold(1, "a", TEXT, None, None)
    wishes.hold(2, "a", None, None, None)
    wishes.know([A])
    wishes.release(2)
    rig.turn()
    tool = rig.call("a").ticket.tool
    assert isinstance(tool, PageTool)
    assert tool.number == 1
