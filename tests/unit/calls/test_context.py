"""What a handler is given of its call: tool-context.md, §1."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Callable
from typing import Any

import pytest

from tests.unit.calls.caller import error_of, until, verdict
from tests.unit.calls.page_rig import PageRig, play
from webtools import Hold, StaleToolCall, ToolContext, ToolDefinitionError, tool
from webtools.calls.context import ALWAYS
from webtools.calls.facts import BROWSER, Facts, Identity
from webtools.testing.clock import EPOCH_MS
from webtools.tools.tool import tool_of

ALL_FACTS = Facts(
    door="page",
    iteration=3,
    turn_id="t1",
    turn_started_at=17,
    run_id="r1",
    session_id="s1",
    identity=Identity("talk-1", tenant="acme", principal="ada"),
    provider="vendor",
    effort_level="high",
)


def keeping(kept: list[ToolContext], **options: Any) -> Callable[..., Any]:
    """A tool that keeps the context that it is given."""

    @tool(name="look", **options)
    def look(ctx: ToolContext) -> None:
        """Look."""
        kept.append(ctx)

    return look


def context_of(facts: Facts = BROWSER, **held: str) -> ToolContext:
    """What a handler is given in a call with these facts, 2 seconds after the page began."""
    kept: list[ToolContext] = []
    rig = PageRig()
    rig.registry.hold(keeping(kept, timeout=5), **held)
    rig.clock.advance(2)
    rig.call("look", facts=facts)
    (context,) = kept
    return context


def test_a_browsers_call_has_what_every_call_has_and_its_deadline() -> None:
    context = context_of()
    assert (context.call_id, context.tool, context.door, context.iteration) == ("c1", "look", "browser", 0)
    assert context.received_at == EPOCH_MS + 2000
    assert context.deadline_at == EPOCH_MS + 7000
    assert context.present == ALWAYS | {"deadline_at"}


def test_a_fact_that_nobody_stated_is_none_and_not_present() -> None:
    context = context_of()
    absent = {each.name for each in dataclasses.fields(Facts)} - {"door", "iteration", "call_id"}
    assert {getattr(context, name) for name in absent} == {None}
    assert not absent & context.present


@pytest.mark.parametrize("name", [each.name for each in dataclasses.fields(Facts) if each.name != "call_id"])
def test_a_fact_that_the_caller_stated_is_given_as_it_is(name: str) -> None:
    context = context_of(ALL_FACTS)
    assert getattr(context, name) == getattr(ALL_FACTS, name)
    assert name in context.present


def test_no_id_is_made_up_from_another_one() -> None:
    context = context_of(Facts(door="page", run_id="r1"))
    assert (context.session_id, context.turn_id, context.identity) == (None, None, None)
    assert context.present == ALWAYS | {"deadline_at", "run_id"}


def test_a_tool_that_stands_for_the_whole_page_has_neither_generation_nor_resource() -> None:
    context = context_of()
    assert (context.generation, context.resource_id) == (None, None)


@pytest.mark.parametrize("held", [{"resource_id": "doc-1"}, {"owner": "panel"}])
def test_a_tool_that_a_part_of_the_page_holds_has_a_generation(held: dict[str, str]) -> None:
    context = context_of(BROWSER, **held)
    assert context.generation == 0
    assert context.resource_id == held.get("resource_id")
    assert {"generation"} <= context.present
    assert ("resource_id" in context.present) == ("resource_id" in held)


@pytest.mark.parametrize("options", [{"held": True}, {"match": "/cart"}])
def test_a_tool_that_comes_and_goes_has_a_generation(options: dict[str, Any]) -> None:
    kept: list[ToolContext] = []
    rig = PageRig()
    rig.registry.hold(keeping(kept, **options), owner="first")
    rig.call("look")
    rig.registry.hold(keeping(kept, **options), owner="second")
    rig.turn()
    rig.call("look")
    assert [context.generation for context in kept] == [0, 1]


def test_nobody_can_change_a_context() -> None:
    context = context_of()
    with pytest.raises(dataclasses.FrozenInstanceError):
        context.session_id = "mine"  # type: ignore[misc]  # that is what the test is about


def test_a_context_says_of_which_call_it_is_and_no_more() -> None:
    assert repr(context_of(ALL_FACTS)) == "<ToolContext of call 'c1' of 'look', from page>"


def test_received_at_is_when_the_call_came_in_though_its_handler_began_later() -> None:
    kept: list[ToolContext] = []

    async def scene(rig: PageRig) -> None:
        goes_on = asyncio.Event()

        @tool(serial=True, timeout=60)
        async def look(ctx: ToolContext) -> None:
            """Look."""
            kept.append(ctx)
            await goes_on.wait()

        rig.registry.hold(look)
        rig.call("look")
        await until(lambda: len(kept) == 1)
        rig.clock.advance(1)
        second = rig.call("look")
        rig.clock.advance(3)
        goes_on.set()
        await rig.answered(second)

    play(scene)
    assert [each.received_at - EPOCH_MS for each in kept] == [0, 1000]
    assert [(each.deadline_at or 0) - EPOCH_MS for each in kept] == [60_000, 61_000]


def test_the_permission_and_the_handler_are_given_the_same_context() -> None:
    kept: list[ToolContext] = []
    rig = PageRig()

    def permission(ctx: ToolContext) -> bool:
        kept.append(ctx)
        return True

    rig.registry.hold(keeping(kept, permission=permission))
    rig.call("look")
    assert kept[0] is kept[1]


# The parameter


def test_the_contexts_parameter_is_no_part_of_the_schema() -> None:
    @tool
    def rename(ctx: ToolContext, title: str) -> None:
        """Rename.

        Args:
            ctx: Nothing of the agent's.
            title: The new one.
        """

    made = tool_of(rename)
    assert made is not None
    assert list(made.definition.input_schema["properties"]) == ["title"]
    assert "ctx" not in made.definition.text


def test_an_agent_cannot_send_a_context() -> None:
    rig = PageRig()
    rig.registry.hold(keeping([]))
    answer = rig.answers[rig.call("look", {"ctx": {"session_id": "forged"}})]
    assert verdict(answer) == ("INVALID_TOOL_ARGS", "none", True)


def test_two_contexts_are_refused_where_the_tool_is_defined() -> None:
    with pytest.raises(ToolDefinitionError, match="ctx and more ask for the same"):

        @tool
        def look(ctx: ToolContext, more: ToolContext) -> None:
            """Look."""


# The signal


def waiting(kept: list[ToolContext], reasons: list[str | None], **options: Any) -> Callable[..., Any]:
    """A tool that waits for its signal, and goes on when it is cancelled."""

    @tool(name="wait", **options)
    async def wait(ctx: ToolContext) -> None:
        """Wait."""
        kept.append(ctx)
        try:
            await ctx.signal.wait()
        finally:
            reasons.append(ctx.signal.reason)

    return wait


@pytest.mark.parametrize(
    ("end", "reason"),
    [
        (lambda rig: rig.dispatcher.abort("c1"), "CANCELLED"),
        (lambda rig: rig.clock.advance(5), "TOOL_TIMEOUT"),
        (lambda rig: rig.dispatcher.interrupt(), "CANCELLED"),
        (lambda rig: rig.dispatcher.close(), "CANCELLED"),
    ],
    ids=["abort", "timeout", "page is left", "host closes"],
)
def test_the_signal_fires_with_the_reason_when_a_call_is_given_up(
    end: Callable[[PageRig], None], reason: str
) -> None:
    kept: list[ToolContext] = []
    reasons: list[str | None] = []

    async def scene(rig: PageRig) -> None:
        rig.registry.hold(waiting(kept, reasons, timeout=5))
        call_id = rig.call("wait")
        await until(lambda: len(kept) == 1)
        before = kept[0].signal.cancelled
        end(rig)
        assert (before, kept[0].signal.cancelled) == (False, True)
        assert verdict(await rig.answered(call_id)) == (reason, "unknown", False)
        await until(lambda: reasons == [reason])

    play(scene)


def test_whoever_waits_for_the_signal_beside_the_handler_is_told() -> None:
    async def scene(rig: PageRig) -> None:
        told: list[str | None] = []
        helpers: list[asyncio.Task[None]] = []

        @tool
        async def wait(ctx: ToolContext) -> None:
            """Wait."""

            async def watch() -> None:
                await ctx.signal.wait()
                await ctx.signal.wait()  # it has fired: at once
                told.append(ctx.signal.reason)

            helpers.append(asyncio.ensure_future(watch()))
            await asyncio.Event().wait()

        rig.registry.hold(wait)
        call_id = rig.call("wait")
        await until(lambda: len(helpers) == 1)
        await asyncio.sleep(0)
        rig.dispatcher.abort(call_id)
        await until(lambda: told == ["CANCELLED"])

    play(scene)


def test_the_signal_of_a_call_that_ended_by_itself_never_fires() -> None:
    kept: list[ToolContext] = []

    async def scene(rig: PageRig) -> None:
        rig.registry.hold(keeping(kept))
        rig.call("look")
        rig.dispatcher.interrupt()
        rig.clock.advance(100)

    play(scene)
    assert repr(kept[0].signal) == "<CancelSignal>"


# Whether it is current


def test_c1_a_call_of_a_generation_that_is_gone_is_stale_and_writes_nothing() -> None:
    written: list[str] = []

    async def scene(rig: PageRig) -> None:
        goes_on = asyncio.Event()

        @tool(held=True)
        async def write(ctx: ToolContext) -> None:
            """Write."""
            await goes_on.wait()
            ctx.ensure_current()
            written.append("late")

        first = rig.registry.hold(write, owner="first editor")
        call_id = rig.call("write", facts=ALL_FACTS)
        first.release()
        rig.turn()
        rig.registry.hold(write, owner="second editor")
        goes_on.set()
        error = error_of(await rig.answered(call_id))
        assert (error["code"], error["retryable"]) == ("STALE_TOOL_CALL", False)
        assert error["details"] == {"session_id": "s1", "turn_id": "t1"}

    play(scene)
    assert written == []


def test_c1_a_call_that_comes_after_the_release_is_refused_with_session_and_turn() -> None:
    kept: list[ToolContext] = []
    rig = PageRig()
    hold = rig.registry.hold(keeping(kept, held=True))
    slot = rig.registry.named("look")
    assert slot is not None
    hold.release()
    error = error_of(rig.answers[rig.call("look", facts=ALL_FACTS)])
    assert (error["code"], error["effect"]) == ("STALE_TOOL_CALL", "none")
    assert error["details"] == {"session_id": "s1", "turn_id": "t1"}
    assert "details" not in error_of(rig.answers[rig.call("look")])
    assert kept == []


def releasing(holds: list[Hold], kept: list[ToolContext]) -> Callable[..., Any]:
    """A tool that closes its own panel."""

    @tool(held=True)
    async def close(ctx: ToolContext) -> str:
        """Close the panel."""
        kept.append(ctx)
        holds.pop().release()
        await asyncio.sleep(0)
        return "closed"

    return close


def test_a_call_that_released_its_own_tool_may_still_answer() -> None:
    kept: list[ToolContext] = []

    async def scene(rig: PageRig) -> None:
        holds: list[Hold] = []
        holds.append(rig.registry.hold(releasing(holds, kept)))
        call_id = rig.call("close")
        rig.turn()
        assert (await rig.answered(call_id))["content"][0]["text"] == "closed"

    play(scene)
    assert not kept[0].is_current()


def test_c7_a_generation_that_grows_while_the_handler_waits_stops_the_next_write() -> None:
    written: list[str] = []

    async def scene(rig: PageRig) -> None:
        goes_on = asyncio.Event()

        @tool(held=True)
        async def write(ctx: ToolContext) -> str:
            """Write twice."""
            ctx.ensure_current()
            written.append("first")
            await goes_on.wait()
            try:
                ctx.ensure_current()
            except StaleToolCall:
                return "stopped"
            written.append("second")
            return "went on"

        hold = rig.registry.hold(write)
        call_id = rig.call("write")
        await until(lambda: written == ["first"])
        hold.release()
        rig.turn()
        goes_on.set()
        assert (await rig.answered(call_id))["content"][0]["text"] == "stopped"

    play(scene)
    assert written == ["first"]


def test_a_remount_in_one_tick_leaves_a_call_current() -> None:
    kept: list[ToolContext] = []

    async def scene(rig: PageRig) -> None:
        look = keeping(kept, held=True)
        hold = rig.registry.hold(look)
        rig.call("look")
        hold.release()
        rig.registry.hold(look)
        rig.turn()

    play(scene)
    assert kept[0].is_current()
    kept[0].ensure_current()


def test_c6_an_old_hold_that_goes_after_its_replacement_changes_nothing() -> None:
    entered: list[str] = []

    def named(which: str) -> Callable[..., Any]:
        @tool(name="panel", held=True)
        def panel(ctx: ToolContext) -> None:
            """Look into the panel."""
            ctx.ensure_current()
            entered.append(which)

        return panel

    rig = PageRig()
    old = rig.registry.hold(named("old"))
    rig.registry.hold(named("new"))
    old.release()
    rig.turn()
    rig.call("panel")
    assert entered == ["new"]


def test_c6_of_two_holds_of_one_function_the_second_stands_when_the_first_goes() -> None:
    kept: list[ToolContext] = []
    rig = PageRig()
    look = keeping(kept, held=True)
    first, _ = rig.registry.hold(look), rig.registry.hold(look)
    rig.call("look")
    first.release()
    rig.turn()
    rig.call("look")
    assert [context.is_current() for context in kept] == [True, True]


def test_a_page_that_is_left_makes_every_call_stale() -> None:
    kept: list[ToolContext] = []

    async def scene(rig: PageRig) -> None:
        rig.registry.hold(waiting(kept, []))
        rig.call("wait")
        await until(lambda: len(kept) == 1)
        rig.registry.interrupt()
        assert not kept[0].is_current()

    play(scene)
