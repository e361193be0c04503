from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from tests.unit.calls.caller import until
from webtools import ToolContext, registry, tool
from webtools.agent import (
    CancelSignal,
    Message,
    ModelError,
    RunResult,
    ToolCall,
    ToolClient,
    ToolResult,
    run,
)
from webtools.agent.conversation import Conversation
from webtools.testing import DrivenPage, ScriptedModel, driven_page

Event = dict[str, Any]


def wants(*calls: tuple[str, str, str] | tuple[str, str], text: str = "") -> Message:
    """A reply with calls: id, name and arguments of each."""
    return Message("assistant", text, tuple(ToolCall(*each) for each in calls))


DONE = Message("assistant", "Done.")


class Shop:
    """Tools that note what they do."""

    def __init__(self) -> None:
        self.did: list[str] = []
        self.contexts: list[ToolContext] = []
        self.closed: list[str] = []

    @property
    def tools(self) -> list[Callable[..., Any]]:
        @tool(read_only=True)
        async def find(words: str) -> list[str]:
            """Find products."""
            self.did.append(f"find {words}")
            await asyncio.sleep(0)
            self.did.append(f"found {words}")
            return [words]

        @tool(idempotency=True)
        async def add(sku: str, ctx: ToolContext) -> str:
            """Add to the cart."""
            self.contexts.append(ctx)
            ctx.on_teardown(lambda: self.closed.append(sku), scope="run")
            self.did.append(f"add {sku}")
            await asyncio.sleep(0)
            self.did.append(f"added {sku}")
            return sku

        @tool
        async def hang() -> None:
            """Wait for ever."""
            await asyncio.Event().wait()

        @tool
        def go_to_cart() -> None:
            """Open the cart."""
            page_of = registry()
            page_of.hold(pay)

        @tool
        def pay() -> str:
            """Pay."""
            self.did.append("pay")
            return "paid"

        return [find, add, hang, go_to_cart]


def outcome_of(
    script: ScriptedModel | Any, prompt: str | Conversation = "Go on.", **options: Any
) -> tuple[RunResult, Shop, list[Event], DrivenPage]:
    shop, events = Shop(), list[Event]()
    with driven_page(*shop.tools) as page:
        result = asyncio.run(run(script, prompt, on_event=events.append, **options))
    return result, shop, events, page


def codes(result: RunResult) -> list[tuple[str, str | None, str | None]]:
    errors = [(each.call.id, each.error or {}) for each in result.results]
    return [(call_id, error.get("code"), error.get("effect")) for call_id, error in errors]


def test_a_run_goes_from_reply_to_calls_to_reply() -> None:
    script = ScriptedModel([wants(("1", "find", '{"words": "x"}'), text="Let me look."), DONE])
    result, shop, events, _ = outcome_of(script)
    assert (result.outcome, result.text, result.turns) == ("done", "Done.", 2)
    assert shop.did == ["find x", "found x"]
    first, again = script.heard
    assert first == (Message("user", "Go on."),)
    assert again[:2] == (*first, wants(("1", "find", '{"words": "x"}'), text="Let me look."))
    assert result.conversation == (*again, DONE)
    (found,) = result.results
    assert again[2] == found
    assert found.answer["structuredContent"] == {"result": ["x"]}
    assert [(each["event"], each["iteration"]) for each in events] == [
        *(("turn", 1), ("text", 1), ("call", 1), ("answer", 1)),
        *(("turn", 2), ("text", 2), ("end", 2)),
    ]
    assert len({each["run_id"] for each in events}) == 1


def test_calls_know_their_run_turn_and_iteration_and_the_run_is_ended() -> None:
    script = ScriptedModel([wants(("a", "add", '{"sku": "1"}')), wants(("a", "add", '{"sku": "2"}')), DONE])
    result, shop, events, _ = outcome_of(script, client=ToolClient(session_id="s"))
    first, second = shop.contexts
    assert first.run_id == second.run_id == events[0]["run_id"]
    assert first.turn_id == second.turn_id is not None
    assert first.turn_started_at is not None
    assert [each.iteration for each in shop.contexts] == [1, 2]
    assert first.idempotency_key
    assert second.idempotency_key not in (None, first.idempotency_key)  # though the model's ids are alike
    assert {each.session_id for each in shop.contexts} == {"s"}
    assert shop.closed == ["1"]  # the first cleanup of a run's slot is kept
    assert result.outcome == "done"


def test_a_turn_goes_on_in_another_run() -> None:
    script = ScriptedModel([wants(("a", "add", '{"sku": "1"}')), DONE])
    _, shop, _, _ = outcome_of(script, turn_id="t")
    (ctx,) = shop.contexts
    assert (ctx.turn_id, ctx.turn_started_at) == ("t", None)


def test_neighbours_that_only_read_are_made_together_and_others_in_their_order() -> None:
    reply = wants(
        *(("1", "find", '{"words": "a"}'), ("2", "find", '{"words": "b"}')),
        *(("3", "add", '{"sku": "c"}'), ("4", "add", '{"sku": "d"}')),
    )
    result, shop, _, page = outcome_of(ScriptedModel([reply, DONE]))
    assert shop.did == [
        *("find a", "find b", "found a", "found b"),
        *("add c", "added c", "add d", "added d"),
    ]
    assert [each.call.id for each in result.results] == ["1", "2", "3", "4"]
    assert page.clock.now() == pytest.approx(3 * 0.15)


def test_a_reply_finds_what_its_earlier_call_has_brought() -> None:
    script = ScriptedModel([wants(("1", "go_to_cart"), ("2", "pay")), DONE])
    result, shop, _, _ = outcome_of(script)
    assert shop.did == ["pay"]
    assert "pay" not in script.offered[0]
    assert "pay" in script.offered[1]
    assert codes(result) == [("1", None, None), ("2", None, None)]


def test_what_is_wrong_with_a_call_is_told_to_the_model() -> None:
    reply = wants(
        *(("1", "nothing"), ("2", "find", "{"), ("3", "find", '{"word": 1}'), ("4", "find", '"x"')),
    )
    script = ScriptedModel([reply, DONE])
    result, shop, _, _ = outcome_of(script)
    assert (result.outcome, shop.did) == ("done", [])
    assert codes(result) == [
        ("1", "TOOL_NOT_FOUND", "none"),
        *((each, "INVALID_TOOL_ARGS", "none") for each in "234"),
    ]
    assert script.heard[1][2:] == result.results


@pytest.mark.parametrize(("limit", "did"), [(1, ["add 1", "added 1"]), (2, ["add 1", "added 1"] * 2)])
def test_a_run_has_so_many_turns_and_can_go_on(limit: int, did: list[str]) -> None:
    script = ScriptedModel([wants(("a", "add", '{"sku": "1"}'))] * limit + [DONE])
    result, shop, events, _ = outcome_of(script, max_turns=limit)
    assert (result.outcome, result.turns, result.text) == ("max_turns", limit, "")
    assert shop.did == did
    assert events[-1]["outcome"] == "max_turns"
    again, *_ = outcome_of(script, result.conversation)
    assert (again.outcome, again.text, again.results) == ("done", "Done.", ())


def test_calls_beyond_the_limit_are_not_made_and_end_the_run() -> None:
    reply = wants(*((each, "add", f'{{"sku": "{each}"}}') for each in "12345"))
    script = ScriptedModel([wants(("0", "find", '{"words": "x"}')), reply, DONE])
    result, shop, events, _ = outcome_of(script, max_calls=3)
    assert result.outcome == "max_calls"
    assert [each for each in shop.did if each.startswith("added")] == ["added 1", "added 2"]
    assert codes(result)[3:] == [(each, "CANCELLED", "none") for each in "345"]
    assert [each["id"] for each in events if each["event"] == "call"] == ["0", "1", "2"]


class Stuck:
    """A model that begins to speak, and no more."""

    def __init__(self, page: Callable[[], object] = lambda: None) -> None:
        self.on_reply = page
        self.was_given_up = False

    async def reply(
        self, conversation: Conversation, tools: object, tell: Callable[[Event], None]
    ) -> Message:
        tell({"event": "text", "text": "void"})
        tell({"event": "retry", "reason": "broken", "seconds": 1.0})
        tell({"event": "text", "text": "Well, "})
        tell({"event": "text", "text": "I"})
        self.on_reply()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.was_given_up = True
            tell({"event": "text", "text": " late"})
            raise
        raise AssertionError


def test_a_stop_while_the_model_speaks_keeps_what_it_has_said() -> None:
    signal, events = CancelSignal(), list[Event]()
    model = Stuck(lambda: asyncio.get_running_loop().call_soon(signal.fire, "the person"))

    async def script() -> RunResult:
        result = await run(model, "Go on.", on_event=events.append, signal=signal)
        await until(lambda: model.was_given_up)
        return result

    with driven_page():
        result = asyncio.run(script())
    assert (result.outcome, result.text, result.turns) == ("stopped", "Well, I", 0)
    assert result.conversation == (Message("user", "Go on."), Message("assistant", "Well, I"))
    assert events[-1]["event"] == "end"
    assert not any(each.get("text") == " late" for each in events)


def test_a_stop_while_a_call_runs_keeps_all_that_was_done() -> None:
    signal = CancelSignal()

    def hear(event: Event) -> None:
        if event.get("tool") == "hang" and event["event"] == "call":
            asyncio.get_running_loop().call_later(0.01, signal.fire, "the person")

    reply = wants(("1", "add", '{"sku": "1"}'), ("2", "hang"), ("3", "add", '{"sku": "3"}'))
    shop = Shop()
    with driven_page(*shop.tools):
        result = asyncio.run(run(ScriptedModel([reply, DONE]), "x", on_event=hear, signal=signal))
    assert result.outcome == "stopped"
    assert codes(result) == [("1", None, None), ("2", "CANCELLED", "unknown"), ("3", "CANCELLED", "none")]
    assert shop.did == ["add 1", "added 1"]
    assert shop.closed == ["1"]
    assert result.conversation[1:] == (reply, *result.results)


def test_a_signal_that_has_fired_stops_a_run_before_it_begins() -> None:
    signal = CancelSignal()
    signal.fire("before")
    script = ScriptedModel([DONE])
    result, _, events, _ = outcome_of(script, signal=signal)
    assert (result.outcome, script.heard) == ("stopped", [])
    assert [each["event"] for each in events] == ["end"]


def test_time_is_limited_too() -> None:
    shop = Shop()
    with driven_page(*shop.tools) as page:
        model = Stuck(lambda: page.clock.advance(30))
        result = asyncio.run(run(model, "x", max_seconds=30))
        assert (result.outcome, result.text) == ("max_seconds", "Well, I")
        script = ScriptedModel([wants(("1", "add", '{"sku": "1"}'))] * 3)
        result = asyncio.run(run(script, "x", max_seconds=0.2))  # the second call settles too late
        assert (result.outcome, [each.error for each in result.results]) == ("max_seconds", [None, None])
        assert page.clock.pending == 0


def test_a_caller_that_gives_up_the_wait_ends_the_run() -> None:
    shop, events = Shop(), list[Event]()

    async def script(page: DrivenPage) -> None:
        model = ScriptedModel([wants(("1", "add", '{"sku": "1"}'), ("2", "hang")), DONE])
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(run(model, "x", on_event=events.append), 0.05)
        slot = page.registry.named("hang")
        assert slot
        assert slot.in_flight == 0

    with driven_page(*shop.tools) as page:
        asyncio.run(script(page))
        assert page.clock.pending == 0
    assert shop.closed == ["1"]
    assert (events[-1]["event"], events[-1]["outcome"]) == ("end", "stopped")


def test_a_model_that_fails_ends_the_run_with_what_was_done() -> None:
    def fail(*_: object) -> Message:
        raise ModelError("It is overloaded.", kind="busy", status=429)

    script = ScriptedModel([wants(("1", "add", '{"sku": "1"}')), fail])
    result, shop, _, _ = outcome_of(script)
    assert (result.outcome, str(result.error)) == ("failed", "It is overloaded.")
    assert codes(result) == [("1", None, None)]
    assert shop.closed == ["1"]


@pytest.mark.parametrize("line", [lambda *_: 1 / 0, lambda *_: "text", lambda *_: Message("user", "I?")])
def test_a_models_own_bug_is_logged_and_ends_the_run(line: Any, caplog: pytest.LogCaptureFixture) -> None:
    def speak(*_: object) -> Message:
        return line()  # type: ignore[no-any-return]  # that is the point

    class Broken:
        async def reply(self, *_: object) -> Message:
            return speak()

    result, _, _, _ = outcome_of(Broken())
    assert result.error
    assert (result.outcome, result.error.kind) == ("failed", "bug")
    assert "raised an exception" in caplog.text


def test_a_listener_that_raises_harms_nothing(caplog: pytest.LogCaptureFixture) -> None:
    with driven_page():
        result = asyncio.run(run(ScriptedModel([DONE]), "x", on_event=lambda _: 1 / 0))
    assert result.outcome == "done"
    assert "on_event" in caplog.text


def test_wrong_use_is_told_at_once() -> None:
    with driven_page():
        for prompt, options, said in (
            ([], {}, "nothing to reply to"),
            (["x"], {}, "Messages and ToolResults, not a str"),
            ("x", {"max_turns": 0}, "max_turns must be above 0"),
            ("x", {"max_seconds": -1}, "max_seconds must be above 0"),
            ("x", {"signal": 1}, "signal must be a CancelSignal"),
        ):
            with pytest.raises((TypeError, ValueError), match=said):
                asyncio.run(run(ScriptedModel([DONE]), prompt, **options))  # type: ignore[arg-type]


def test_a_conversation_of_ones_own_is_gone_on_with() -> None:
    system = Message("system", "Be brief.")
    script = ScriptedModel([DONE])
    result, *_ = outcome_of(script, [system, Message("user", "Hello")])
    assert script.heard[0][0] == system
    assert result.conversation[-1] == DONE
    assert not any(isinstance(each, ToolResult) for each in result.conversation)
