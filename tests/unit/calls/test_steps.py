"""The order of one call before its handler: tool-context.md, §2."""

# without `from __future__ import annotations`: one test annotates with a class of its own

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import Any

import pytest

from tests.unit.calls.caller import error_of, until, verdict
from tests.unit.calls.page_rig import PageRig, play
from webtools import Need, Ownership, ToolContext, tool
from webtools.calls.dispatcher import Dispatcher
from webtools.calls.steps import ORDER, Steps
from webtools.testing import FakeClock
from webtools.tools.tool import make_tool

DECLARATIONS: dict[str, dict[str, Any]] = {
    "owner": {"owner": Ownership("page")},
    "permission": {"permission": lambda _: True},
    "idempotency": {"idempotency": True},
    "serial": {"serial": True},
    "confirm": {"confirm": "Edit it?"},
    "wants": {"wants": {"picture": "picture"}},
    "needs": {"needs": Need("documents")},
    "show": {"fields": {"picture": "#picture"}},
    "expected_version": {"expected_version": "expected", "version": lambda: 1},
    "active": {"active": lambda: "A"},
}


def edit(expected: int = 1, picture: str = "") -> str:
    """Edit."""
    return f"{expected}{picture}"


def new_steps() -> Steps:
    """Steps where nobody can be asked."""
    return Dispatcher(FakeClock(), lambda *_: None, shower=lambda *_: None)._steps


def plan_of(*declared: str) -> list[str]:
    """The names of the steps that a tool with these declarations takes."""
    options = {name: value for each in declared for name, value in DECLARATIONS[each].items()}
    names = {
        "_owner": "owner",
        "_permission": "permission",
        "_input": "input",
        "_idempotency": "idempotency",
        "enter": "serial",
        "_confirm": "confirm",
        "_wants": "wants",
        "_needs": "needs",
        "_show": "show",
        "_now": "last look",
    }
    steps = new_steps().plan(make_tool(edit, **options))
    return [names[step.__name__] for step in steps]


def test_a_plain_tools_input_is_judged_and_that_is_all() -> None:
    assert plan_of() == ["input"]


@pytest.mark.parametrize("is_declared", list(product([False, True], repeat=len(DECLARATIONS))))
def test_a_plan_has_what_is_declared_in_the_order(is_declared: tuple[bool, ...]) -> None:
    declared = [name for name, yes in zip(DECLARATIONS, is_declared, strict=True) if yes]
    looks = {"last look"} if {"expected_version", "active"} & set(declared) else set()
    wanted = {"input"} | looks | ({*ORDER} - {"last look"}) & set(declared)
    assert plan_of(*declared) == [name for name in ORDER if name in wanted]


def test_a_tools_plan_is_made_once() -> None:
    steps, made = new_steps(), make_tool(edit, serial=True)
    assert steps.plan(made) is steps.plan(made)


# Between a wait and the handler


class Queued:
    """A call that waits for its turn behind another one.

    Attributes:
        entered: ``"<handler> <call id>"`` of each handler that was entered.
    """

    def __init__(self) -> None:
        self.entered: list[str] = []

    def handler(self, which: str, goes_on: asyncio.Event, **options: Any) -> Callable[..., Any]:
        @tool(name="edit", description="Edit.", held=True, serial=True, **options)
        async def edit(ctx: ToolContext, expected: int = 1) -> str:
            self.entered.append(f"{which} {ctx.call_id}")
            await goes_on.wait()
            return f"{which} {expected}"

        return edit


def after_a_wait(
    change: Callable[[PageRig, Queued, asyncio.Event], None],
    arguments: dict[str, Any] | None = None,
    **options: Any,
) -> tuple[dict[str, Any], list[str]]:
    """The answer of a call that had to wait while something changed, and which handlers were entered."""
    queued = Queued()
    answers: list[dict[str, Any]] = []

    async def scene(rig: PageRig) -> None:
        goes_on = asyncio.Event()
        hold = rig.registry.hold(queued.handler("old", goes_on, **options))
        rig.call("edit", arguments)
        second = rig.call("edit", arguments)
        await until(lambda: queued.entered == ["old c1"])
        change(rig, queued, goes_on)
        hold.release()
        rig.turn()
        goes_on.set()
        answers.append(await rig.answered(second))

    play(scene)
    return answers[0], queued.entered


def test_a_call_whose_tool_went_while_it_waited_is_stale_and_not_entered() -> None:
    answer, entered = after_a_wait(lambda *_: None)
    assert verdict(answer) == ("STALE_TOOL_CALL", "none", False)
    assert entered == ["old c1"]


def test_a_call_enters_the_newest_handler_of_an_equal_definition() -> None:
    def renew(rig: PageRig, queued: Queued, goes_on: asyncio.Event) -> None:
        rig.registry.hold(queued.handler("new", goes_on))

    answer, entered = after_a_wait(renew, {"expected": 7})
    assert answer["content"][0]["text"] == "new 7"
    assert entered == ["old c1", "new c2"]


def test_a_call_does_not_enter_a_handler_of_another_definition() -> None:
    def replace(rig: PageRig, queued: Queued, _: asyncio.Event) -> None:
        @tool(name="edit", held=True)
        def other() -> None:
            """Do something else."""
            queued.entered.append("other")

        rig.registry.hold(other)

    answer, entered = after_a_wait(replace)
    assert verdict(answer) == ("STALE_TOOL_CALL", "none", False)
    assert entered == ["old c1"]


def test_the_newest_handlers_own_guards_count() -> None:
    def renew(rig: PageRig, queued: Queued, goes_on: asyncio.Event) -> None:
        rig.registry.hold(queued.handler("new", goes_on, permission=lambda _: "No more."))

    answer, entered = after_a_wait(renew)
    assert (error_of(answer)["code"], error_of(answer)["message"]) == ("NOT_ALLOWED", "No more.")
    assert entered == ["old c1"]


def test_the_input_is_judged_again_by_the_newest_handlers_model() -> None:
    """Each load of an app makes its classes anew: a handler must not be given objects of the old ones."""

    def resizing(goes_on: asyncio.Event) -> Callable[..., Any]:
        @dataclass
        class Size:
            width: int

        @tool(held=True, serial=True)
        async def resize(size: Size) -> bool:
            """Resize."""
            await goes_on.wait()
            return type(size) is Size

        return resize

    async def scene(rig: PageRig) -> None:
        goes_on = asyncio.Event()
        rig.registry.hold(resizing(goes_on))
        calls = [rig.call("resize", {"size": {"width": 1}}) for _ in range(2)]
        rig.registry.hold(resizing(goes_on))
        goes_on.set()
        for each in calls:
            assert (await rig.answered(each))["structuredContent"] == {"result": True}

    play(scene)


def test_the_newest_handler_is_given_what_it_needs_though_the_agent_gave_nothing() -> None:
    def finding(which: str, goes_on: asyncio.Event) -> Callable[..., Any]:
        @tool(name="find", description="Find.", held=True, serial=True)
        async def find_or_not(word: str | None = None) -> str:
            await goes_on.wait()
            return f"{which} {word}"

        @tool(name="find", description="Find.", held=True, serial=True)
        async def find(word: str | None) -> str:
            await goes_on.wait()
            return f"{which} {word}"

        return find_or_not if which == "old" else find

    async def scene(rig: PageRig) -> None:
        goes_on = asyncio.Event()
        rig.registry.hold(finding("old", goes_on))
        rig.call("find")
        second = rig.call("find")
        rig.registry.hold(finding("new", goes_on))
        goes_on.set()
        assert (await rig.answered(second))["content"][0]["text"] == "new None"

    play(scene)


def test_an_answer_is_judged_by_what_the_entered_handler_declares() -> None:
    async def scene(rig: PageRig) -> None:
        goes_on = asyncio.Event()

        @tool(name="read", serial=True, held=True)
        async def old() -> int:
            """Read."""
            await goes_on.wait()
            return 1

        @tool(name="read", serial=True, held=True)
        async def new() -> str:
            """Read."""
            return "text"

        rig.registry.hold(old)
        rig.call("read")
        second = rig.call("read")
        rig.registry.hold(new)
        goes_on.set()
        assert (await rig.answered(second))["content"][0]["text"] == "text"

    play(scene)


def test_what_is_active_is_asked_again_after_a_wait() -> None:
    active = ["A"]

    async def scene(rig: PageRig) -> None:
        goes_on = asyncio.Event()
        entered: list[str] = []

        @tool(serial=True, active=lambda: active[0])
        async def edit(ctx: ToolContext) -> None:
            """Edit."""
            entered.append(ctx.call_id)
            await goes_on.wait()

        rig.registry.hold(edit, resource_id="A")
        rig.call("edit")
        second = rig.call("edit")
        await until(lambda: entered == ["c1"])
        active[0] = "B"
        goes_on.set()
        assert verdict(await rig.answered(second)) == ("RESOURCE_CHANGED", "none", False)
        assert entered == ["c1"]

    play(scene)


def test_an_abort_or_a_release_at_the_very_turn_keeps_the_handler_from_running() -> None:
    async def scene(rig: PageRig) -> None:
        goes_on = asyncio.Event()
        queued = Queued()
        hold = rig.registry.hold(queued.handler("old", goes_on))
        first, second, third = (rig.call("edit") for _ in range(3))
        await until(lambda: queued.entered == ["old c1"])
        goes_on.set()
        await rig.answered(first)
        rig.dispatcher.abort(second)
        hold.release()
        rig.turn()
        assert verdict(await rig.answered(third))[0] == "STALE_TOOL_CALL"
        assert verdict(rig.answers[second]) == ("CANCELLED", "none", False)
        assert queued.entered == ["old c1"]

    play(scene)


def test_after_a_wait_permission_comes_before_the_version_as_it_does_without_one() -> None:
    is_allowed, version = [True], [1]

    async def scene(rig: PageRig) -> None:
        goes_on = asyncio.Event()
        guards = {"permission": lambda _: is_allowed[0], "version": lambda: version[0]}
        rig.registry.hold(Queued().handler("old", goes_on, expected_version="expected", **guards))
        rig.call("edit", {"expected": 1})
        second = rig.call("edit", {"expected": 1})
        is_allowed[0], version[0] = False, 2
        goes_on.set()
        assert verdict(await rig.answered(second)) == ("NOT_ALLOWED", "none", False)

    play(scene)


def test_nobody_composes_a_question_about_what_is_gone() -> None:
    composed: list[str] = []

    def question(ctx: ToolContext, _: dict[str, Any]) -> str:
        composed.append(ctx.call_id)
        return "Delete it?"

    @tool(active=lambda: None, confirm=question)
    def delete() -> None:
        """Delete."""

    async def scene(rig: PageRig) -> None:
        rig.registry.hold(delete, resource_id="A")
        assert verdict(await rig.answered(rig.call("delete"))) == ("RESOURCE_DISPOSED", "none", False)

    play(scene)
    assert composed == []


def test_no_other_ref_is_asked_for_where_what_the_call_is_for_is_gone() -> None:
    @tool(active=lambda: None, wants={"picture": "picture"})
    def paste(picture: str) -> None:
        """Paste."""

    async def scene(rig: PageRig) -> None:
        rig.registry.hold(paste, resource_id="A")
        answer = await rig.answered(rig.call("paste", {"picture": "art_gone"}))
        assert verdict(answer) == ("RESOURCE_DISPOSED", "none", False)

    play(scene)
