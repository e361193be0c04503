"""What a tab may do that owns, and what one that does not: tool-context.md, §4, "Tabs"."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any

import pytest

from tests.unit.calls.caller import error_of, until, verdict
from tests.unit.calls.tabs import TabRig, play_tab
from webtools import Ownership, ToolContext, ToolDefinitionError, ToolError, tool
from webtools._exceptions import WebtoolsError
from webtools.calls.ownership import Owners
from webtools.testing import tool_call


class Writing:
    """A tool that writes for as long as its tab owns the cart.

    Attributes:
        cart: What has to be owned.
        door: Lets it go on, after its first write.
        written: ``"<number>"`` of each write.
    """

    def __init__(self, **options: Any) -> None:
        self.cart = Ownership("cart")
        self.door = asyncio.Event()
        self.written: list[int | None] = []

        @tool(name="write", owner=self.cart, **options)
        async def write(ctx: ToolContext) -> None:
            """Write twice, and wait in between."""
            self.written.append(ctx.epoch)
            await self.door.wait()
            ctx.ensure_current()
            self.written.append(ctx.epoch)

        self.tool = write


def scene_of(scene: Callable[[TabRig, Writing], Any], **options: Any) -> tuple[Writing, TabRig]:
    """Play a scene in a tab that holds the tool."""
    writing: list[Writing] = []

    async def whole(rig: TabRig) -> None:
        writing.append(Writing(**options))
        rig.owners.declare("app", [writing[0].cart])
        rig.registry.hold(writing[0].tool)
        await scene(rig, writing[0])

    rig = play_tab(whole)
    return writing[0], rig


# A call


def test_the_owners_call_runs_and_is_given_the_number() -> None:
    async def scene(rig: TabRig, writing: Writing) -> None:
        rig.own("cart", 7)
        call = rig.call("write")
        writing.door.set()
        assert not (await rig.answered(call)).get("isError")

    writing, _ = scene_of(scene)
    assert writing.written == [7, 7]


def test_another_tabs_call_is_refused_with_what_to_do_and_has_done_nothing() -> None:
    async def scene(rig: TabRig, writing: Writing) -> None:
        rig.own("cart", None)
        error = error_of(await rig.answered(rig.call("write")))
        assert verdict(rig.answers["c1"]) == ("NOT_OWNER", "none", False)
        assert error["details"] == {"ownership": "cart", "reason": "elsewhere"}
        assert "Ask the person to go on in that tab" in error["message"]

    writing, _ = scene_of(scene)
    assert writing.written == []


def test_the_owner_is_asked_before_permission_and_input() -> None:
    asked: list[str] = []

    async def scene(rig: TabRig, writing: Writing) -> None:
        rig.own("cart", None)
        assert verdict(await rig.answered(rig.call("write", {"wrong": 1})))[0] == "NOT_OWNER"

    def permission(_: ToolContext) -> bool:
        asked.append("permission")
        return True

    scene_of(scene, permission=permission)
    assert asked == []


@pytest.mark.parametrize(("epoch", "written"), [(7, [7]), (None, [])])
def test_a_call_waits_for_the_browser_to_say_who_owns(epoch: int | None, written: list[int]) -> None:
    async def scene(rig: TabRig, writing: Writing) -> None:
        call = rig.call("write")
        await asyncio.sleep(0)
        assert call not in rig.answers
        rig.own("cart", epoch)
        if epoch is None:
            assert verdict(await rig.answered(call)) == ("NOT_OWNER", "none", False)
        else:
            await until(lambda: bool(writing.written))

    writing, _ = scene_of(scene)
    assert writing.written == written


def test_a_call_that_is_aborted_while_it_waits_for_that_is_cancelled() -> None:
    async def scene(rig: TabRig, writing: Writing) -> None:
        call = rig.call("write")
        rig.dispatcher.abort(call)
        assert verdict(rig.answers[call]) == ("CANCELLED", "none", False)
        rig.own("cart", 7)

    writing, _ = scene_of(scene)
    assert writing.written == []


@pytest.mark.parametrize(("then", "reason"), [(None, "elsewhere"), (8, "meanwhile")])
def test_a_call_that_another_tab_has_taken_over_from_writes_no_more(then: int | None, reason: str) -> None:
    async def scene(rig: TabRig, writing: Writing) -> None:
        rig.own("cart", 7)
        call = rig.call("write")
        await until(lambda: bool(writing.written))
        rig.own("cart", None)
        if then:
            rig.own("cart", then)
        writing.door.set()
        assert verdict(await rig.answered(call)) == ("NOT_OWNER", "unknown", False)
        assert error_of(rig.answers[call])["details"]["reason"] == reason

    writing, _ = scene_of(scene)
    assert writing.written == [7]


def test_a_number_that_is_another_one_counts_before_the_browser_has_told_of_it() -> None:
    async def scene(rig: TabRig, writing: Writing) -> None:
        rig.own("cart", 7)
        call = rig.call("write")
        await until(lambda: bool(writing.written))
        del rig.locks.epochs["cart"]  # a tab that was frozen: nothing was told
        writing.door.set()
        assert verdict(await rig.answered(call))[0] == "NOT_OWNER"

    writing, _ = scene_of(scene)
    assert writing.written == [7]


def test_a_call_whose_number_is_gone_is_not_told_that_another_tab_has_it() -> None:
    async def scene(rig: TabRig, writing: Writing) -> None:
        rig.own("cart", 7)
        call = rig.call("write")
        await until(lambda: bool(writing.written))
        del rig.locks.epochs["cart"]
        rig.locks.gone.add("cart")
        writing.door.set()
        error = error_of(await rig.answered(call))
        assert verdict(rig.answers[call]) == ("NOT_OWNER", "unknown", False)
        assert error["details"] == {"ownership": "cart", "reason": "gone"}
        assert "gone from the page's localStorage" in error["message"]
        assert "tab of this page" not in error["message"]

    writing, _ = scene_of(scene)
    assert writing.written == [7]


def test_the_owner_is_looked_at_again_right_before_the_handler() -> None:
    async def scene(rig: TabRig, writing: Writing) -> None:
        rig.own("cart", 7)
        first, second = rig.call("write"), rig.call("write")
        await until(lambda: bool(writing.written))
        rig.dispatcher.abort(first)
        rig.own("cart", None)
        assert verdict(await rig.answered(second)) == ("NOT_OWNER", "none", False)

    writing, _ = scene_of(scene, serial=True)
    assert writing.written == [7]


def test_a_context_tells_what_the_tab_owns_whatever_its_tool_declares() -> None:
    seen: list[Any] = []

    @tool
    def look(ctx: ToolContext) -> None:
        """Look."""
        seen.append((ctx.owns("cart"), ctx.owns("desk"), ctx.epoch, "epoch" in ctx.present))

    async def scene(rig: TabRig) -> None:
        rig.registry.hold(look)
        rig.own("cart", 7)
        rig.call("look")

    play_tab(scene, Ownership("cart"))
    assert seen == [(True, False, None, False)]


# Tools that only the owner offers


def tidying() -> tuple[Ownership, Callable[..., None]]:
    desk = Ownership("desk", others="read-only")

    @tool(owner=desk)
    def tidy() -> None:
        """Tidy up."""

    return desk, tidy


def test_a_tool_for_the_owner_alone_comes_and_goes_with_the_ownership() -> None:
    desk, tidy = tidying()

    async def scene(rig: TabRig) -> None:
        context = Registered()
        rig.registry.attach(context)
        hold = rig.registry.hold(tidy)
        assert hold.status == "waiting"
        rig.own("desk", None)
        rig.turn()
        assert context.traffic == []
        rig.own("desk", 1)
        assert context.traffic == ["register 1"]
        rig.turn()
        rig.own("desk", None)
        assert hold.status == "leaving"
        rig.turn()
        assert context.traffic == ["register 1", "unregister 1"]
        assert hold.status == "waiting"
        rig.own("desk", 2)
        assert context.traffic[2:] == ["register 2"]
        hold.release()
        rig.turn()
        assert context.traffic[3:] == ["unregister 2"]

    play_tab(scene, desk)


def test_an_ownership_that_is_back_within_a_tick_causes_no_traffic() -> None:
    desk, tidy = tidying()

    async def scene(rig: TabRig) -> None:
        context = Registered()
        rig.registry.attach(context)
        rig.registry.hold(tidy)
        rig.own("desk", 1)
        rig.turn()
        rig.own("desk", None)
        rig.own("desk", 2)
        rig.turn()
        assert context.traffic == ["register 1"]

    play_tab(scene, desk)


def test_a_call_of_a_tool_that_leaves_with_its_ownership_learns_the_reason() -> None:
    desk, tidy = tidying()

    async def scene(rig: TabRig) -> None:
        rig.registry.hold(tidy)
        rig.own("desk", 1)
        rig.turn()
        rig.own("desk", None)
        assert verdict(await rig.answered(rig.call("tidy"))) == ("NOT_OWNER", "none", False)

    play_tab(scene, desk)


class Registered:
    """A model context that notes what it is asked."""

    def __init__(self) -> None:
        self.traffic: list[str] = []

    def register(self, registration: int, definition: object) -> None:
        self.traffic.append(f"register {registration}")

    def unregister(self, registration: int) -> None:
        self.traffic.append(f"unregister {registration}")


# The ownership itself


def test_declaring_asks_for_it_and_loading_the_app_without_it_lets_it_go() -> None:
    cart, desk = Ownership("cart"), Ownership("desk")

    async def scene(rig: TabRig) -> None:
        rig.owners.declare("app", [Ownership("cart"), desk])
        rig.owners.declare("app", [Ownership("cart")])
        assert rig.locks.asked == [("ask", "cart"), ("ask", "desk"), ("release", "desk")]

    play_tab(scene, cart)


def test_closing_lets_everything_go() -> None:
    async def scene(rig: TabRig) -> None:
        rig.owners.close()
        rig.owners.close()
        assert rig.locks.asked == [("ask", "cart"), ("release", "cart")]

    play_tab(scene, Ownership("cart"))


def test_taking_over_waits_until_it_is_done_and_does_nothing_for_the_owner() -> None:
    cart = Ownership("cart")

    async def scene(rig: TabRig) -> None:
        rig.own("cart", None)
        taking = asyncio.ensure_future(cart.take_over())
        await asyncio.sleep(0)
        assert not taking.done()
        rig.own("cart", 3)
        await taking
        assert (cart.is_owner, cart.epoch) == (True, 3)
        await cart.take_over()
        assert rig.locks.asked == [("ask", "cart"), ("take over", "cart")]

    play_tab(scene, cart)


def test_taking_over_that_fails_says_why() -> None:
    cart = Ownership("cart")

    async def scene(rig: TabRig) -> None:
        rig.own("cart", None)
        taking = asyncio.ensure_future(cart.take_over())
        await asyncio.sleep(0)
        rig.owners.told("cart", None, "no storage")
        with pytest.raises(ToolError, match="localStorage") as failed:
            await taking
        assert failed.value.code == "NOT_OWNER"

    play_tab(scene, cart)


def test_changes_are_told_once_each_also_to_coroutines_until_that_is_undone() -> None:
    cart = Ownership("cart")
    told: list[tuple[str, bool]] = []

    async def later(is_owner: bool) -> None:
        await asyncio.sleep(0)
        told.append(("async", is_owner))

    async def scene(rig: TabRig) -> None:
        undo = cart.on_change(lambda is_owner: told.append(("sync", is_owner)))
        cart.on_change(later)
        rig.own("cart", 1)
        rig.own("cart", 1)
        rig.owners.told("cart", None, None)
        rig.own("cart", 2)
        undo()
        undo()
        rig.own("cart", None)
        await until(lambda: len(told) == 3)

    play_tab(scene, cart)
    assert told == [("sync", True), ("async", True), ("async", False)]


def test_an_app_that_is_loaded_again_is_told_how_it_stands() -> None:
    told: list[bool] = []

    async def scene(rig: TabRig) -> None:
        rig.own("cart", 1)
        again = Ownership("cart")
        again.on_change(told.append)
        rig.owners.declare("app", [again])

    play_tab(scene, Ownership("cart"))
    assert told == [True]


def test_a_callback_that_fails_is_the_consoles_and_no_other_ones(caplog: pytest.LogCaptureFixture) -> None:
    cart = Ownership("cart")
    told: list[bool] = []

    def fail(_: bool) -> None:
        raise LookupError("broken")

    async def fail_later(_: bool) -> None:
        raise LookupError("broken later")

    async def scene(rig: TabRig) -> None:
        for callback in (fail, fail_later, told.append):
            cart.on_change(callback)
        rig.own("cart", 1)
        await until(lambda: len(caplog.records) == 2)

    play_tab(scene, cart)
    assert told == [True]
    assert {record.message for record in caplog.records} == {
        "<Ownership of 'cart', others are refused>: a callback of its changes failed"
    }


def test_a_browser_that_refuses_is_warned_of_once(caplog: pytest.LogCaptureFixture) -> None:
    async def scene(rig: TabRig) -> None:
        for _ in range(2):
            rig.owners.told("cart", None, "no locks")

    with caplog.at_level(logging.WARNING):
        play_tab(scene, Ownership("cart"))
    (record,) = caplog.records
    assert "Web Locks" in record.message


def test_a_page_without_locks_owns_nothing() -> None:
    owners = Owners()
    owners.declare("app", [Ownership("cart")])
    assert owners.epoch("cart") is None
    with pytest.raises(ToolError, match="Web Locks"):
        asyncio.run(owners.take_over("cart"))
    owners.close()


def test_without_a_page_an_ownership_says_how_to_test_it() -> None:
    with pytest.raises(WebtoolsError, match="owns=True"):
        _ = Ownership("cart").is_owner


@pytest.mark.parametrize("wrong", [{"name": ""}, {"name": "cart", "others": "hidden"}])
def test_an_ownership_that_cannot_work_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="Ownership"):
        Ownership(**wrong)


@pytest.mark.parametrize("name", [3, None, b"cart"])
def test_an_ownership_has_a_text_for_a_name(name: Any) -> None:
    with pytest.raises(TypeError, match="the name is a text"):
        Ownership(name)


@pytest.mark.parametrize("wrong", [None, "read-only", lambda: None, lambda owns, more: None])
def test_a_change_is_told_to_a_function_of_one_parameter(wrong: Any) -> None:
    with pytest.raises(TypeError, match="a function of one parameter"):
        Ownership("cart").on_change(wrong)


@pytest.mark.parametrize("app", ["app", "other"])
def test_two_of_one_name_want_the_same_of_the_other_tabs(app: str) -> None:
    owners = Owners()
    one, other = Ownership("cart"), Ownership("cart", others="read-only")
    owners.declare("app", [one])
    with pytest.raises(ToolDefinitionError, match=r"two Ownership\('cart'\).*'refused'.*'read-only'"):
        owners.check(app, [one, other] if app == "app" else [other])
    owners.check("app", [other])
    owners.close()


# What an author declares


def declare(**options: Any) -> None:
    @tool(**options)
    def pay() -> None:
        """Pay."""


def test_a_tool_that_only_reads_has_no_owner() -> None:
    with pytest.raises(ToolDefinitionError, match=r"both owner and read_only=True.*drop"):
        declare(owner=Ownership("cart"), read_only=True)


def test_an_owner_is_an_ownership() -> None:
    with pytest.raises(ToolDefinitionError, match="must be an Ownership"):
        declare(owner="cart")


# In a test of the author's


def test_a_tool_call_is_the_owners_unless_the_test_says_otherwise() -> None:
    @tool(owner=Ownership("cart"))
    def pay(ctx: ToolContext) -> int | None:
        """Pay."""
        return ctx.epoch

    assert asyncio.run(tool_call(pay))["structuredContent"] == {"result": 1}
    answer = asyncio.run(tool_call(pay, owns=False))
    assert verdict(answer) == ("NOT_OWNER", "none", False)
    assert error_of(answer)["details"]["reason"] == "elsewhere"


def test_a_tool_that_takes_over_and_lets_go_can_be_called_in_a_test() -> None:
    cart = Ownership("cart")

    @tool
    async def take_over(ctx: ToolContext) -> list[bool]:
        """Use the cart here."""
        stands = [ctx.owns("cart")]
        await cart.take_over()
        stands.append(cart.is_owner)
        cart.release()
        return [*stands, cart.is_owner]

    answer = asyncio.run(tool_call(take_over, owns=False))
    assert answer["structuredContent"] == {"result": [False, True, False]}
