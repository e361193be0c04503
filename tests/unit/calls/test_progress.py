"""What a handler reports while it runs: tool-context.md, §7."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.unit.calls.caller import until, verdict
from tests.unit.calls.page_rig import PageRig, play
from webtools import ToolContext, tool
from webtools.calls.facts import Facts


def reporting(*payloads: Any) -> Callable[..., Any]:
    """A tool that reports each of them at once."""

    @tool
    def work(ctx: ToolContext) -> str:
        """Work."""
        for each in payloads:
            assert ctx.progress(each) is None  # type: ignore[func-returns-value]  # that is the test
        return "worked"

    return work


def reported(*payloads: Any) -> list[dict[str, Any]]:
    """What the page is told of the reports of one call, which is answered as if there were none."""
    rig = PageRig()
    rig.registry.hold(reporting(*payloads))
    assert rig.answers[rig.call("work")] == {"content": [{"type": "text", "text": "worked"}]}
    assert {(tool, call_id) for tool, call_id, _ in rig.reports} <= {("work", "c1")}
    return [detail for _, _, detail in rig.reports]


@pytest.mark.parametrize(
    ("payload", "message"),
    [
        ({"message": "x" * 120}, "x" * 120),
        ({"message": "x" * 160}, "x" * 120 + "… (+40 more)"),
        ({"message": "😀" * 121}, "😀" * 120 + "… (+1 more)"),
        ({"message": "  half way \n"}, "half way"),
        ({"message": " \n"}, "work reported progress (1)"),
        ({"message": 7}, "work reported progress (1)"),
        (7, "work reported progress (1)"),
        ("half way", "work reported progress (1)"),
        ([{"message": "half way"}], "work reported progress (1)"),
        ({"step": {"message": "half way"}}, "work reported progress (1)"),
        (None, "work reported progress (1)"),
    ],
    ids=[
        "120",
        "160",
        "code points",
        "stripped",
        "blank",
        "number",
        "bare number",
        "text",
        "list",
        "deep",
        "none",
    ],
)
def test_c13_what_a_person_reads(payload: object, message: str) -> None:
    (detail,) = reported(payload)
    assert detail["message"] == message
    assert detail["progress"] == payload


def test_c13_a_generic_line_counts_every_report_of_its_call() -> None:
    rig = PageRig()
    rig.registry.hold(reporting({"message": "first"}, {}, lambda: 1, {}))
    rig.call("work")
    rig.call("work")
    said = ["first", "work reported progress (2)", "work reported progress (4)"]
    assert [detail["message"] for _, _, detail in rig.reports] == said * 2


def test_c14_twelve_reports_that_nobody_hears_change_nothing() -> None:
    rig = PageRig(is_heard=False)
    rig.registry.hold(reporting(*range(12)))
    assert rig.answers[rig.call("work")] == {"content": [{"type": "text", "text": "worked"}]}


def test_c14_a_payload_that_is_not_plain_data_is_dropped_with_one_warning_for_the_tool(
    caplog: pytest.LogCaptureFixture,
) -> None:
    rig = PageRig()
    rig.registry.hold(
        reporting(lambda: 1, object(), {"message": "told", "node": object()}, {"message": "told"})
    )
    with caplog.at_level(logging.WARNING, "webtools"):
        rig.call("work")
        rig.call("work")
    assert [detail["message"] for _, _, detail in rig.reports] == ["told", "told"]
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "'work' reported progress that is not plain data, which is dropped: function" in caplog.text


class Hostile:
    """Raises whatever is asked of it."""

    def __getattribute__(self, name: str) -> Any:
        raise SystemExit


def endless() -> Iterator[int]:
    while True:
        yield 1


@pytest.mark.parametrize("make", [Hostile, endless, lambda: [Hostile()]], ids=["it", "endless", "inside"])
def test_a_report_never_raises_whatever_it_is_given(make: Callable[[], object]) -> None:
    assert reported(make()) == []


def test_a_report_never_raises_though_whoever_hears_it_does(caplog: pytest.LogCaptureFixture) -> None:
    rig = PageRig()
    rig.hear = lambda: 1 / 0
    rig.registry.hold(reporting({}))
    assert rig.answers[rig.call("work")]["content"][0]["text"] == "worked"
    assert "its progress could not be told" in caplog.text


def test_the_payload_is_copied_at_the_call() -> None:
    @tool
    def work(ctx: ToolContext) -> None:
        """Work."""
        rows = {"rows": [1]}
        ctx.progress(rows)
        rows["rows"].append(2)
        ctx.progress(rows)

    rig = PageRig()
    rig.registry.hold(work)
    rig.call("work")
    assert [detail["progress"] for _, _, detail in rig.reports] == [{"rows": [1]}, {"rows": [1, 2]}]


def test_a_payload_cannot_change_whose_report_it_is() -> None:
    payload = {"tool": "other", "callId": "c9", "call_id": "c9", "iteration": 9, "message": "m"}
    rig = PageRig()
    rig.registry.hold(reporting(payload))
    rig.call("work", facts=Facts(door="page", iteration=3))
    assert rig.reports == [("work", "c1", {"iteration": 3, "progress": payload, "message": "m"})]


@pytest.mark.parametrize(
    ("payload", "numbers"),
    [
        ({"done": 1, "total": 4}, {"done": 1, "total": 4}),
        ({"done": 0.5}, {"done": 0.5}),
        ({"done": True, "total": "4"}, {}),
        ({"done": float("nan"), "total": None}, {}),
        ([1, 4], {}),
    ],
)
def test_only_numbers_drive_a_bar(payload: object, numbers: dict[str, float]) -> None:
    (detail,) = reported(payload)
    assert {name: detail[name] for name in ("done", "total") if name in detail} == numbers


def working(steps: list[asyncio.Event], **options: Any) -> Callable[..., Any]:
    """A tool that reports after each step."""

    @tool(name="work", **options)
    async def work(ctx: ToolContext) -> str:
        """Work."""
        for number, step in enumerate(steps):
            await step.wait()
            ctx.progress({"done": number + 1})
        return "worked"

    return work


def test_reports_come_in_their_order_before_the_calls_end() -> None:
    async def scene(rig: PageRig) -> None:
        steps = [asyncio.Event() for _ in range(3)]
        rig.registry.hold(working(steps))
        call_id = rig.call("work")
        for number, step in enumerate(steps):
            assert call_id not in rig.answers
            step.set()
            await until(lambda number=number: len(rig.reports) == number + 1)  # type: ignore[misc]  # a default
        await rig.answered(call_id)

    rig = play(scene)
    assert [detail["done"] for _, _, detail in rig.reports] == [1, 2, 3]


def test_a_report_after_the_answer_moves_nothing() -> None:
    kept: list[ToolContext] = []

    @tool
    async def stubborn(ctx: ToolContext) -> None:
        """Go on after the end."""
        kept.append(ctx)
        ctx.progress({"done": 1})
        try:
            await asyncio.Event().wait()
        finally:
            ctx.progress({"done": 2})

    async def scene(rig: PageRig) -> None:
        rig.registry.hold(stubborn)
        call_id = rig.call("stubborn")
        await until(lambda: len(kept) == 1)
        rig.dispatcher.abort(call_id)

    rig = play(scene)
    kept[0].progress({"done": 3})
    assert [detail["done"] for _, _, detail in rig.reports] == [1]
    assert rig.clock.pending == 0


# The idle timeout


async def overdue_at(rig: PageRig, call_id: str, seconds: float) -> str:
    """Check that the call is answered at this time and not before; gives what was said."""
    rig.clock.advance(seconds - rig.clock.now() - 0.5)
    assert call_id not in rig.answers
    rig.clock.advance(0.5)
    answer = rig.answers[call_id]
    assert verdict(answer) == ("TOOL_TIMEOUT", "unknown", False)
    return str(answer["content"][0]["text"])


def test_a_handler_that_reports_nothing_is_overdue_when_the_idle_time_is_over() -> None:
    async def scene(rig: PageRig) -> None:
        rig.registry.hold(working([asyncio.Event()], timeout=60, idle_timeout=5))
        call_id = rig.call("work")
        await asyncio.sleep(0)
        said = await overdue_at(rig, call_id, 5)
        assert said == "work reported nothing for 5 s; its effect may still land."

    assert play(scene).clock.pending == 0


def test_each_report_begins_the_idle_time_anew_also_one_that_is_dropped() -> None:
    async def scene(rig: PageRig) -> None:
        steps: list[asyncio.Event] = [asyncio.Event() for _ in range(2)]
        never = asyncio.Event()

        @tool(timeout=60, idle_timeout=5)
        async def work(ctx: ToolContext) -> None:
            """Work."""
            for step in steps:
                await step.wait()
                ctx.progress({"done": 1} if step is steps[0] else object())
                step.clear()
            await never.wait()

        rig.registry.hold(work)
        call_id = rig.call("work")
        for step in steps:
            await asyncio.sleep(0)
            rig.clock.advance(4)
            step.set()
            await until(lambda step=step: not step.is_set())  # type: ignore[misc]  # a default
        said = await overdue_at(rig, call_id, 13)
        assert "reported nothing for 5 s" in said

    play(scene)


def test_the_hard_deadline_stands_however_much_is_reported() -> None:
    async def scene(rig: PageRig) -> None:
        never = asyncio.Event()
        contexts: list[ToolContext] = []

        @tool(timeout=10, idle_timeout=4)
        async def work(ctx: ToolContext) -> None:
            """Work."""
            contexts.append(ctx)
            await never.wait()

        rig.registry.hold(work)
        call_id = rig.call("work")
        await until(lambda: len(contexts) == 1)
        for _ in range(3):
            rig.clock.advance(3)
            contexts[0].progress({})
        said = await overdue_at(rig, call_id, 10)
        assert said == "work did not finish within 10 s; its effect may still land."

    play(scene)


def test_the_idle_time_does_not_run_while_a_call_waits_for_its_turn() -> None:
    async def scene(rig: PageRig) -> None:
        never = asyncio.Event()
        entered: list[ToolContext] = []

        @tool(timeout=60, idle_timeout=5, serial=True)
        async def work(ctx: ToolContext) -> None:
            """Work."""
            entered.append(ctx)
            await never.wait()

        rig.registry.hold(work)
        first, second = rig.call("work"), rig.call("work")
        await until(lambda: len(entered) == 1)
        for _ in range(3):
            rig.clock.advance(4)
            entered[0].progress()
        await overdue_at(rig, first, 17)
        await until(lambda: len(entered) == 2)
        await overdue_at(rig, second, 22)

    play(scene)


def test_a_call_that_reports_and_ends_leaves_no_timer() -> None:
    async def scene(rig: PageRig) -> None:
        step = asyncio.Event()
        rig.registry.hold(working([step], idle_timeout=5))
        step.set()
        await rig.answered(rig.call("work"))
        assert rig.clock.pending == 0

    play(scene)
