"""Asking the person: only a plain yes lets a call go on, and its own time stands still meanwhile."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tests.unit.calls.caller import Caller, error_of, text_of, until, verdict
from webtools import ToolContext, ToolDefinitionError, ToolError, tool
from webtools.calls.confirmation import LIMIT
from webtools.lifecycle.hold import Hold
from webtools.lifecycle.registry import ToolRegistry
from webtools.lifecycle.slot import Slot
from webtools.testing import tool_call
from webtools.tools.tool import tool_of

TIMEOUT = 60.0


class FakePerson:
    """A person who says nothing until the test does."""

    def __init__(self) -> None:
        self.questions: dict[int, dict[str, Any]] = {}
        self.withdrawn: list[int] = []

    def ask(self, question: int, text: str) -> None:
        self.questions[question] = json.loads(text)

    def withdraw(self, question: int) -> None:
        self.withdrawn.append(question)


class Scene(Caller):
    """A caller at a page with a person, and tools that a part of the page holds."""

    def __init__(self) -> None:
        self.person = FakePerson()
        super().__init__(person=self.person)
        self.registry = ToolRegistry(self.clock, lambda _: None, on_look=self.dispatcher.look)
        self.holds: list[Hold] = []
        self.ran: list[Any] = []

    def hold(self, function: Callable[..., Any]) -> Slot:
        self.holds.append(self.registry.hold(function))
        made = tool_of(function)
        assert made is not None
        slot = self.registry.named(made.name)
        assert slot is not None
        return slot

    async def asked(self, function: Callable[..., Any], text: str = "{}") -> str:
        """Begin a call, and wait until its question is asked."""
        count = len(self.person.questions)
        call_id = self.call(self.hold(function), text)
        await until(lambda: len(self.person.questions) > count)
        return call_id

    def says(self, outcome: str, question: int = 1) -> None:
        self.dispatcher.confirmed(question, outcome)


def declared(scene: Scene, **options: Any) -> Callable[..., Any]:
    """A tool whose declaration has the person asked before it runs."""

    @tool(name="pay", **{"confirm": "Pay now?", **options})
    def pay(amount: int = 1) -> str:
        """Pay."""
        scene.ran.append(amount)
        return "paid"

    return pay


def asking(scene: Scene, **options: Any) -> Callable[..., Any]:
    """A tool whose handler asks."""

    @tool(name="pay", **options)
    async def pay(ctx: ToolContext, amount: int = 1) -> str:
        """Pay."""
        assert await ctx.confirm("Pay now?") is True
        scene.ran.append(amount)
        return "paid"

    return pay


MAKERS: list[Any] = [
    pytest.param(declared, "none", id="declared"),
    pytest.param(asking, "unknown", id="asking"),
]
both = pytest.mark.parametrize(("make", "effect"), MAKERS)


def play(scene: Callable[[Scene], Awaitable[None]]) -> Scene:
    """Play a scene, after which nothing is left."""
    made = Scene()

    async def played() -> None:
        await scene(made)
        await until(lambda: len(asyncio.all_tasks()) == 1)
        made.clock.advance(0)

    asyncio.run(played())
    assert made.clock.pending == 0
    return made


@both
def test_a_yes_lets_the_handler_go_on(make: Any, effect: str) -> None:
    async def scene(at: Scene) -> None:
        call = await at.asked(make(at, title="Pay"), '{"amount": 3}')
        assert at.ran == []
        at.says("allowed")
        assert text_of(await at.answered(call)) == "paid"
        assert at.ran == [3]
        expected = {"tool": "pay", "title": "Pay", "message": "Pay now?", "arguments": {"amount": 3}}
        assert at.person.questions == {1: expected}
        assert at.person.withdrawn == []

    play(scene)


@both
@pytest.mark.parametrize(
    ("outcome", "code"),
    [
        ("denied", "USER_DENIED"),
        ("dismissed", "USER_DENIED"),
        ("closed", "CONFIRMATION_UNAVAILABLE"),
        ("failed", "CONFIRMATION_UNAVAILABLE"),
        ("unavailable", "CONFIRMATION_UNAVAILABLE"),
        ("", "CONFIRMATION_UNAVAILABLE"),
        ("Allowed", "CONFIRMATION_UNAVAILABLE"),
        ("true", "CONFIRMATION_UNAVAILABLE"),
    ],
)
def test_anything_else_is_a_refusal_with_its_reason(make: Any, effect: str, outcome: str, code: str) -> None:
    async def scene(at: Scene) -> None:
        call = await at.asked(make(at))
        at.says(outcome)
        at.says("allowed")
        answer = await at.answered(call)
        assert verdict(answer) == (code, effect, False)
        assert error_of(answer)["details"] == {"reason": outcome}
        assert at.ran == []

    play(scene)


@both
def test_where_nobody_can_be_asked_it_is_refused(make: Any, effect: str) -> None:
    scene = Scene()
    answer = asyncio.run(tool_call(make(scene)))
    assert verdict(answer) == ("CONFIRMATION_UNAVAILABLE", effect, False)
    assert scene.ran == []


@both
def test_a_test_can_say_what_the_person_says(make: Any, effect: str) -> None:
    scene = Scene()
    assert text_of(asyncio.run(tool_call(make(scene), confirm=True))) == "paid"
    assert verdict(asyncio.run(tool_call(make(scene), confirm=False))) == ("USER_DENIED", effect, False)
    assert scene.ran == [1]


@both
def test_a_page_that_fails_to_ask_approves_nothing(
    make: Any, effect: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def scene(at: Scene) -> None:
        def ask(question: int, text: str) -> None:
            raise OSError(f"no dialog for {question}: {text}")

        at.person.ask = ask  # type: ignore[method-assign]
        answer = await at.answered(at.call(at.hold(make(at))))
        assert verdict(answer) == ("TOOL_HANDLER_ERROR", effect, False)
        assert at.ran == []

    play(scene)
    assert "OSError" in caplog.text


@both
def test_a_question_that_is_closed_as_its_limit_passes_is_withdrawn_once(make: Any, effect: str) -> None:
    async def scene(at: Scene) -> None:
        call = await at.asked(make(at))
        at.dispatcher.abort(call)
        at.clock.advance(LIMIT)
        assert verdict(await at.answered(call))[:2] == ("CANCELLED", effect)
        assert at.person.withdrawn == [1]

    play(scene)


@both
def test_the_deadline_stands_still_while_the_person_is_asked(make: Any, effect: str) -> None:
    async def scene(at: Scene) -> None:
        call = await at.asked(make(at))
        at.clock.advance(TIMEOUT + 1)
        assert at.answers[call] == []
        at.says("allowed")
        assert text_of(await at.answered(call)) == "paid"

    play(scene)


def test_time_before_and_after_asking_counts_towards_the_deadline() -> None:
    entered = []

    @tool
    async def pay(ctx: ToolContext) -> None:
        """Pay."""
        gate = asyncio.Event()
        entered.append(gate)
        await gate.wait()
        await ctx.confirm("Pay now?")
        await asyncio.Event().wait()

    async def scene(at: Scene) -> None:
        call = at.call(at.hold(pay))
        await until(lambda: bool(entered))
        at.clock.advance(20)
        entered[0].set()
        await until(lambda: bool(at.person.questions))
        at.clock.advance(100)
        at.says("allowed")
        await until(lambda: at.clock.pending == 1 and not at.dispatcher._confirmations._open)
        await asyncio.sleep(0)
        at.clock.advance(39.9)
        assert at.answers[call] == []
        at.clock.advance(0.2)
        assert verdict(at.answer(call)) == ("TOOL_TIMEOUT", "unknown", False)

    play(scene)


@both
def test_asking_has_a_limit_of_its_own(make: Any, effect: str) -> None:
    async def scene(at: Scene) -> None:
        call = await at.asked(make(at))
        at.clock.advance(LIMIT - 0.1)
        assert at.answers[call] == []
        at.clock.advance(0.1)
        at.says("allowed")
        answer = await at.answered(call)
        assert verdict(answer) == ("CONFIRMATION_UNAVAILABLE", effect, False)
        assert error_of(answer)["details"] == {"reason": "timeout"}
        assert at.person.withdrawn == [1]
        assert at.ran == []

    play(scene)


def test_the_limit_is_for_all_that_a_call_asks() -> None:
    @tool(confirm="Begin?")
    async def pay(ctx: ToolContext) -> str:
        """Pay."""
        await ctx.confirm("Go on?")
        try:
            await ctx.confirm("Really?")
        except ToolError as error:
            first = error
        with pytest.raises(ToolError, match="timeout"):
            await ctx.confirm("Please?")
        return f"{first.code}: {first.details}"

    async def scene(at: Scene) -> None:
        call = await at.asked(pay)
        for question in (1, 2):
            at.clock.advance(50)
            at.says("allowed", question)
            await until(lambda: len(at.person.questions) > at.clock.now() / 50)
        at.clock.advance(19.9)
        assert at.answers[call] == []
        at.clock.advance(0.2)
        assert text_of(await at.answered(call)) == "CONFIRMATION_UNAVAILABLE: {'reason': 'timeout'}"
        assert sorted(at.person.questions) == [1, 2, 3]

    play(scene)


def test_what_a_call_asks_at_once_counts_once() -> None:
    @tool
    async def pay(ctx: ToolContext) -> str:
        """Pay."""
        await asyncio.gather(ctx.confirm("This?"), ctx.confirm("And that?"))
        await ctx.confirm("Really?")
        return "paid"

    async def scene(at: Scene) -> None:
        call = await at.asked(pay)
        at.clock.advance(70)
        at.says("allowed", 1)
        at.says("allowed", 2)
        await until(lambda: 3 in at.person.questions)
        at.clock.advance(49)
        at.says("allowed", 3)
        assert text_of(await at.answered(call)) == "paid"

    play(scene)


@both
def test_a_caller_that_gives_up_closes_the_question(make: Any, effect: str) -> None:
    async def scene(at: Scene) -> None:
        call = await at.asked(make(at))
        at.dispatcher.abort(call)
        assert at.person.withdrawn == [1]
        at.says("allowed")
        await asyncio.sleep(0)
        assert verdict(at.answer(call)) == ("CANCELLED", effect, False)
        assert at.ran == []

    play(scene)


@both
@pytest.mark.parametrize("leave", ["interrupt", "close"])
def test_leaving_the_page_closes_the_question(make: Any, effect: str, leave: str) -> None:
    async def scene(at: Scene) -> None:
        call = await at.asked(make(at))
        getattr(at.dispatcher, leave)()
        assert at.person.withdrawn == [1]
        assert verdict(at.answer(call)) == ("CANCELLED", effect, False)

    play(scene)


@both
def test_a_tool_that_is_let_go_closes_the_question(make: Any, effect: str) -> None:
    async def scene(at: Scene) -> None:
        call = await at.asked(make(at))
        at.holds[0].release()
        assert at.person.withdrawn == []
        at.clock.advance(0)
        assert at.person.withdrawn == [1]
        at.says("allowed")
        answer = await at.answered(call)
        assert verdict(answer) == ("UI_CONTEXT_CLOSED", effect, False)
        assert error_of(answer)["details"] == {"reason": "stale"}
        assert at.ran == []

    play(scene)


@both
def test_c8_a_route_change_that_lets_the_tool_go_closes_the_question_at_once(make: Any, effect: str) -> None:
    async def scene(at: Scene) -> None:
        pay = make(at)
        async with at.registry.route_change() as route:
            route.hold(pay)
        slot = at.registry.named("pay")
        assert slot
        call = at.call(slot)
        await until(lambda: bool(at.person.questions))
        async with at.registry.route_change():
            assert at.person.withdrawn == [1]
            answer = await at.answered(call)
            assert at.clock.pending == 1, "the macrotask of the release, and no timer"
        assert verdict(answer) == ("UI_CONTEXT_CLOSED", effect, False)
        assert at.ran == []

    play(scene)


@both
def test_c8_a_route_change_that_keeps_the_tool_keeps_the_question(make: Any, effect: str) -> None:
    async def scene(at: Scene) -> None:
        call = await at.asked(make(at))
        async with at.registry.route_change():
            at.clock.advance(0)
        at.clock.advance(0)
        assert at.person.withdrawn == []
        at.says("allowed")
        assert text_of(await at.answered(call)) == "paid"

    play(scene)


@both
def test_a_remount_keeps_the_question(make: Any, effect: str) -> None:
    async def scene(at: Scene) -> None:
        pay = make(at)
        call = await at.asked(pay)
        at.holds[0].release()
        at.holds.append(at.registry.hold(pay))
        at.clock.advance(0)
        assert at.person.withdrawn == []
        at.says("allowed")
        assert text_of(await at.answered(call)) == "paid"

    play(scene)


@both
def test_a_yes_to_a_tool_that_was_let_go_in_that_moment_is_refused(make: Any, effect: str) -> None:
    async def scene(at: Scene) -> None:
        call = await at.asked(make(at))
        at.says("allowed")
        at.holds[0].release()
        answer = await at.answered(call)
        assert verdict(answer) == ("STALE_TOOL_CALL", effect, False)
        assert at.ran == []

    play(scene)


def test_a_stale_call_asks_nobody() -> None:
    @tool
    async def pay(ctx: ToolContext) -> None:
        """Pay."""
        await asyncio.sleep(0)
        await ctx.confirm("Pay now?")

    async def scene(at: Scene) -> None:
        call = at.call(at.hold(pay))
        at.holds[0].release()
        assert verdict(await at.answered(call)) == ("STALE_TOOL_CALL", "unknown", False)
        assert at.person.questions == {}

    play(scene)


def test_a_call_that_has_its_answer_asks_nobody_and_what_it_asked_is_closed() -> None:
    tasks: list[asyncio.Task[Any]] = []

    @tool
    async def pay(ctx: ToolContext) -> str:
        """Pay."""
        tasks.append(asyncio.ensure_future(ctx.confirm("Open?")))
        await asyncio.sleep(0)
        tasks.append(asyncio.ensure_future(ctx.confirm("Too late?")))
        return "paid"

    async def scene(at: Scene) -> None:
        call = at.call(at.hold(pay))
        assert text_of(await at.answered(call)) == "paid"
        outcomes = await asyncio.gather(*tasks, return_exceptions=True)
        assert [getattr(each, "details", each) for each in outcomes] == [{"reason": "over"}] * 2
        assert list(at.person.questions) == at.person.withdrawn == [1]

    play(scene)


def test_a_handler_may_stop_waiting_and_the_question_is_closed() -> None:
    @tool
    async def pay(ctx: ToolContext) -> str:
        """Pay."""
        task = asyncio.ensure_future(ctx.confirm("Pay now?"))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return "not paid"

    async def scene(at: Scene) -> None:
        call = at.call(at.hold(pay))
        assert text_of(await at.answered(call)) == "not paid"
        assert at.person.withdrawn == [1]

    play(scene)


def test_a_function_says_what_is_asked_of_the_context_and_the_accepted_arguments() -> None:
    def said(ctx: ToolContext, arguments: dict[str, Any]) -> str:
        return f"{ctx.tool}: pay {arguments['amount']} cents?"

    async def scene(at: Scene) -> None:
        call = await at.asked(declared(at, confirm=said))
        assert at.person.questions[1]["message"] == "pay: pay 1 cents?"
        assert at.person.questions[1]["arguments"] == {"amount": 1}
        at.says("allowed")
        await at.answered(call)

    play(scene)


def fails(*_: object) -> str:
    raise LookupError("there is no cart")


async def comes(*_: object) -> str:
    return "Pay?"


@pytest.mark.parametrize(
    ("said", "line"),
    [
        (lambda ctx, arguments: "", "confirm gave ''. It must give a text"),
        (lambda ctx, arguments: None, "confirm gave None. It must give a text"),
        (lambda ctx, arguments: comes(), "confirm gave what has to be waited for"),
        (fails, "what to ask the person cannot be told"),
    ],
    ids=["empty", "None", "coroutine", "raises"],
)
def test_a_function_that_says_nothing_is_a_refusal(
    said: Any, line: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def scene(at: Scene) -> None:
        answer = at.answer(at.call(at.hold(declared(at, confirm=said))))
        assert verdict(answer) == ("CONFIRMATION_UNAVAILABLE", "none", False)
        assert error_of(answer)["details"] == {"reason": "no text"}
        assert at.ran == []

    play(scene)
    (record,) = caplog.records
    assert record.getMessage().startswith(f"Tool 'pay': {line}")


@pytest.mark.parametrize("wrong", [" ", None, 3])
def test_a_message_that_says_nothing_is_the_authors_mistake(
    wrong: Any, caplog: pytest.LogCaptureFixture
) -> None:
    @tool
    async def pay(ctx: ToolContext) -> None:
        """Pay."""
        await ctx.confirm(wrong)

    with caplog.at_level(logging.ERROR):
        assert verdict(asyncio.run(tool_call(pay, confirm=True)))[0] == "TOOL_HANDLER_ERROR"
    assert "say in a text what will happen" in caplog.text


def test_input_that_is_wrong_is_told_before_anybody_is_asked() -> None:
    async def scene(at: Scene) -> None:
        call = at.call(at.hold(declared(at)), '{"amount": "much"}')
        assert verdict(at.answer(call))[0] == "INVALID_TOOL_ARGS"
        assert at.person.questions == {}

    play(scene)


def test_a_permission_that_goes_while_the_person_is_asked_refuses() -> None:
    allowed = [True]

    async def scene(at: Scene) -> None:
        call = await at.asked(declared(at, permission=lambda ctx: allowed[0]))
        allowed[0] = False
        at.says("allowed")
        assert verdict(await at.answered(call)) == ("NOT_ALLOWED", "none", False)
        assert at.ran == []

    play(scene)


def test_the_time_of_a_call_that_waits_for_its_turn_stands_still_while_the_one_before_it_asks() -> None:
    async def scene(at: Scene) -> None:
        first = await at.asked(declared(at, serial=True))
        second = at.call(at.hold(declared(at, serial=True)))
        at.clock.advance(LIMIT - 1)
        at.says("allowed")
        assert text_of(await at.answered(first)) == "paid"
        await until(lambda: len(at.person.questions) == 2)
        at.says("allowed", 2)
        assert text_of(await at.answered(second)) == "paid"

    play(scene)


@pytest.mark.parametrize("follows", [False, True], ids=["queued", "with its key"])
def test_the_time_of_a_call_that_waits_for_another_goes_on_when_nobody_is_asked_any_more(
    follows: bool,
) -> None:
    async def scene(at: Scene) -> None:
        door = asyncio.Event()

        @tool(name="pay", serial=True, idempotency="key")
        async def pay(ctx: ToolContext, key: str) -> None:
            """Pay."""
            await ctx.confirm("Pay now?")
            at.ran.append(key)
            await door.wait()

        first = await at.asked(pay, '{"key": "a"}')
        at.clock.advance(20)
        second = at.call(at.hold(pay), '{"key": "a"}' if follows else '{"key": "b"}')
        at.clock.advance(LIMIT - 21)
        at.says("allowed")
        await until(lambda: at.ran == ["a"])
        at.clock.advance(TIMEOUT - 1)
        assert at.answers[second] == []
        at.clock.advance(1)
        assert verdict(await at.answered(second))[0] == "TOOL_TIMEOUT"
        assert verdict(await at.answered(first))[0] == "TOOL_TIMEOUT"

    play(scene)


def test_a_call_of_an_old_version_asks_nobody() -> None:
    async def scene(at: Scene) -> None:
        @tool(confirm="Pay now?", expected_version="seen", version=lambda: 4)
        def pay(seen: int) -> None:
            """Pay."""
            at.ran.append(seen)

        answer = at.answer(at.call(at.hold(pay), '{"seen": 3}'))
        assert verdict(answer) == ("VERSION_CONFLICT", "none", True)
        assert at.person.questions == {}

    play(scene)


def test_serial_calls_ask_one_after_another() -> None:
    async def scene(at: Scene) -> None:
        slot = at.hold(declared(at, serial=True))
        calls = [at.call(slot), at.call(slot)]
        await until(lambda: bool(at.person.questions))
        at.says("denied", 1)
        await until(lambda: 2 in at.person.questions)
        at.says("allowed", 2)
        assert verdict(await at.answered(calls[0]))[0] == "USER_DENIED"
        assert text_of(await at.answered(calls[1])) == "paid"

    play(scene)


def test_what_a_person_is_asked_belongs_to_the_definition() -> None:
    scene = Scene()

    def text(**options: Any) -> str:
        made = tool_of(declared(scene, **options))
        assert made is not None
        return made.definition.text

    assert json.loads(text())["confirm"] == "Pay now?"
    assert text() == text()
    assert text() != text(confirm="Pay?")
    assert "confirm" not in json.loads(text(confirm=None))
    by_function = [text(confirm=lambda ctx, arguments: "a"), text(confirm=lambda ctx, arguments: "b")]
    assert by_function[0] == by_function[1]
    assert json.loads(by_function[0])["confirm"] is True


async def later(ctx: ToolContext, arguments: dict[str, Any]) -> str:
    return "too late"


@pytest.mark.parametrize("wrong", ["", " ", True, 5, later])
def test_a_confirm_that_asks_nothing_is_a_wrong_definition(wrong: Any) -> None:
    with pytest.raises(ToolDefinitionError, match="confirm says what a person is asked"):
        declared(Scene(), confirm=wrong)
