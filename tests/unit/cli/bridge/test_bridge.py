"""What an MCP client sees of pages, by the SDK's own client in memory."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from types import SimpleNamespace
from typing import Any, cast

import anyio
import pytest
from mcp.types import CallToolResult

from tests.unit.cli.bridge.fakes import (
    HERE,
    Bridge,
    FakeDocument,
    FakeTab,
    FakeTime,
    at_least,
    bridged,
    run,
    showing,
    until,
)
from webtools.cli.bridge.answers import answer_of
from webtools.cli.bridge.backoff import Backoff, Time
from webtools.cli.bridge.events import Answered
from webtools.cli.bridge.server import Changes, Context
from webtools.cli.bridge.watch import EVERY_S, STUCK_S
from webtools.testing import FakeClock

DONE = {"content": [{"type": "text", "text": "done"}]}


def now_of(tab: FakeTab) -> FakeDocument:
    assert tab.document_now
    return tab.document_now


def calling(bridge: Bridge, name: str, *arguments: Any, **options: Any) -> asyncio.Task[CallToolResult]:
    call: Coroutine[Any, Any, CallToolResult] = bridge.client.call_tool(name, *arguments, **options)
    return asyncio.create_task(call)


async def called(bridge: Bridge, tab: FakeTab, name: str, answer: Any, **more: Any) -> CallToolResult:
    call = calling(bridge, name)
    document = now_of(tab)
    await until(lambda: name in document.calls)
    document.answer(name, answer, **more)
    return await call


def error_of(result: CallToolResult) -> dict[str, Any]:
    assert result.is_error
    error: dict[str, Any] = result.structured_content["error"]
    return error


def test_tools_are_listed_as_the_page_has_them() -> None:
    schema = {"type": "object", "properties": {"sku": {"type": "string"}}, "required": ["sku"]}
    tool = {"name": "price", "title": "Price", "description": "What it costs.", "inputSchema": schema}
    annotations = {"readOnlyHint": True, "untrustedContentHint": True}

    async def scenario() -> None:
        tab = FakeTab()
        document = FakeDocument()
        document.tell({"kind": "tools", "tools": [{**tool, "annotations": annotations}]})
        tab.show(document)
        async with bridged(tab) as bridge:
            await bridge.until_listed("price")
            (listed,) = (await bridge.client.list_tools()).tools
        assert (listed.title, listed.input_schema) == ("Price", schema)
        assert listed.annotations
        assert listed.annotations.model_dump(exclude_none=True) == {"read_only_hint": True}
        assert (listed.description or "").startswith("What it costs.\nWhat it returns has text of strangers")

    run(scenario())


@pytest.mark.parametrize(
    "schema",
    [[], "text", {"type": "array"}, {"type": "object", "properties": [1]}, {"required": 1}, {"$schema": 1}],
)
def test_a_tool_that_mcp_would_refuse_keeps_no_other_away(schema: Any) -> None:
    async def scenario() -> None:
        tab = FakeTab()
        document = FakeDocument()
        listed = [{"name": "odd", "inputSchema": schema}, {"name": 1}, None, {"name": "buy"}]
        document.tell({"kind": "tools", "tools": listed})
        tab.show(document)
        async with bridged(tab) as bridge:
            await bridge.until_listed("odd", "buy")
            odd, _ = (await bridge.client.list_tools()).tools
        assert odd.input_schema == {"type": "object"}

    run(scenario())


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        (DONE, DONE),
        (
            {"content": [{"type": "text", "text": "{}"}], "structuredContent": {"a": 1}, "isError": True},
            {"content": [{"type": "text", "text": "{}"}], "structuredContent": {"a": 1}, "isError": True},
        ),
        (
            {"content": [{"type": "image", "data": "AA==", "mimeType": "image/png"}]},
            {"content": [{"type": "image", "data": "AA==", "mimeType": "image/png"}]},
        ),
        ("plain", {"content": [{"type": "text", "text": "plain"}]}),
        ({"a": 1}, {"content": [{"type": "text", "text": '{"a": 1}'}], "structuredContent": {"a": 1}}),
        ({"content": [1]}, {"content": [{"type": "text", "text": '{"content": [1]}'}]}),
        (
            {**DONE, "structuredContent": [1]},
            {**DONE, "structuredContent": {"result": [1]}},
        ),
        (
            {**DONE, "structuredContent": {"half \ud800": ["\udc00", {}]}},
            {**DONE, "structuredContent": {"half \ufffd": ["\ufffd", {}]}},
        ),
    ],
)
def test_an_answer_is_given_as_it_is_or_else_as_text_and_data(answer: Any, shown: Any) -> None:
    async def scenario() -> None:
        tab = showing("buy")
        async with bridged(tab) as bridge:
            await bridge.until_listed("buy")
            result = await called(bridge, tab, "buy", answer)
        wire = result.model_dump(by_alias=True, mode="json", exclude_none=True)
        assert {name: wire[name] for name in wire if name not in ("_meta", "resultType")} == {
            "isError": False,
            **shown,
        }

    run(scenario())


@pytest.mark.parametrize(
    ("told", "code", "effect"),
    [
        ({"error": "UnknownError: broken"}, "TOOL_HANDLER_ERROR", "unknown"),
        ({"isMissing": True}, "TOOL_NOT_FOUND", "none"),
    ],
)
def test_what_the_browser_cannot_do_is_an_error_in_the_pages_shape(
    told: dict[str, Any], code: str, effect: str
) -> None:
    async def scenario() -> None:
        tab = showing("buy")
        async with bridged(tab) as bridge:
            await bridge.until_listed("buy")
            error = error_of(await called(bridge, tab, "buy", None, **told))
        assert (error["code"], error["effect"]) == (code, effect)

    run(scenario())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "The tool has led to another document, which has not told what came of it."),
        ("no JSON", "no JSON"),
        ("[" * 100_000, "[" * 100_000),
        ("[" * 150 + "]" * 150, "[" * 150 + "]" * 150),
        ("no JSON \ud800", "no JSON \ufffd"),
        ("[NaN]", "[NaN]"),
    ],
)
def test_an_answer_that_is_none_of_mcps_is_told_as_text(text: str | None, said: str) -> None:
    answer = answer_of(Answered(kind="answer", call=1, text=text), "buy")
    assert answer == {"content": [{"type": "text", "text": said}]}


def test_a_number_that_json_cannot_hold_is_null() -> None:
    answer = answer_of(Answered(kind="answer", call=1, text='{"a": 1e999}'), "buy")
    assert answer["structuredContent"] == {"a": None}


def test_a_client_that_has_gone_keeps_no_other_from_being_told() -> None:
    class Session:
        def __init__(self, error: Exception | None) -> None:
            self.error = error
            self.told = 0

        async def send_tool_list_changed(self) -> None:
            self.told += 1
            if self.error:
                raise self.error

    async def scenario() -> None:
        time = FakeTime()
        changes = Changes(time.time)
        gone, there = Session(anyio.ClosedResourceError()), Session(None)
        for session in (gone, there):
            await changes.met(cast("Context", SimpleNamespace(session=session)), None)
        telling = asyncio.create_task(changes.run())
        for times in (1, 2):
            changes.note()
            await time.seconds_pass(1)
            assert (gone.told, there.told) == (1, times)
        telling.cancel()

    run(scenario())


def test_the_arguments_reach_the_page() -> None:
    async def scenario() -> None:
        tab = showing("buy")
        async with bridged(tab) as bridge:
            await bridge.until_listed("buy")
            call = calling(bridge, "buy", {"sku": "ü", "n": [1, None]})
            await until(lambda: now_of(tab).inputs)
            assert now_of(tab).inputs == [{"sku": "ü", "n": [1, None]}]
            now_of(tab).answer("buy", DONE)
            await call

    run(scenario())


def test_a_name_that_no_page_has_is_an_error_with_those_that_there_are() -> None:
    async def scenario() -> None:
        async with bridged(showing("buy")) as bridge:
            await bridge.until_listed("buy")
            error = error_of(await bridge.client.call_tool("sell"))
        assert (error["code"], error["details"]) == ("TOOL_NOT_FOUND", {"tools": ["buy"]})

    run(scenario())


def test_progress_comes_before_the_answer_and_always_grows() -> None:
    async def scenario() -> None:
        tab, heard = showing("buy"), list[tuple[float, float | None, str | None]]()

        async def hear(progress: float, total: float | None, message: str | None) -> None:
            heard.append((progress, total, message))

        async with bridged(tab) as bridge:
            await bridge.until_listed("buy")
            call = calling(bridge, "buy", progress_callback=hear)
            await until(lambda: "buy" in now_of(tab).calls)
            now_of(tab).report("buy", "begun")
            now_of(tab).report("buy", "two", done=2, total=4)
            now_of(tab).report("buy", "two again", done=2, total=4)
            now_of(tab).answer("buy", DONE)
            await call
        assert [message for _, _, message in heard] == ["begun", "two", "two again"]
        assert heard[0][:2] == (1, None)
        assert heard[1][:2] == (2, 4)
        assert heard[2][0] == pytest.approx(2)
        assert heard[2][0] > 2

    run(scenario())


def test_a_report_of_nothing_done_is_told_as_such() -> None:
    async def scenario() -> None:
        tab, heard = showing("buy"), list[float]()

        async def hear(progress: float, _: float | None, __: str | None) -> None:
            heard.append(progress)

        async with bridged(tab) as bridge:
            await bridge.until_listed("buy")
            call = calling(bridge, "buy", progress_callback=hear)
            await until(lambda: "buy" in now_of(tab).calls)
            now_of(tab).report("buy", "none", done=0, total=3)
            now_of(tab).report("buy", "still none", done=0, total=3)
            now_of(tab).answer("buy", DONE)
            await call
        assert heard == [0, 1e-6]

    run(scenario())


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_a_client_that_gives_a_call_up_gives_it_up_in_the_page(mode: Any) -> None:
    async def scenario() -> None:
        tab = showing("buy")
        async with bridged(tab, mode=mode) as bridge:
            await bridge.until_listed("buy")
            call = calling(bridge, "buy")
            await until(lambda: "buy" in now_of(tab).calls)
            call.cancel()
            await until(lambda: now_of(tab).aborted)
            assert now_of(tab).aborted == [now_of(tab).calls["buy"]]

    run(scenario())


def test_changes_that_come_together_are_told_once() -> None:
    async def scenario() -> None:
        tab = showing("buy")
        async with bridged(tab) as bridge:
            await bridge.until_listed("buy")
            await bridge.time.seconds_pass(1)
            bridge.told.clear()
            now_of(tab).offer("buy", "sell")
            now_of(tab).offer("sell")
            await bridge.until_listed("sell")
            await bridge.time.seconds_pass(1)
            assert bridge.told == ["notifications/tools/list_changed"]

    run(scenario())


def test_a_list_that_is_told_again_is_no_change() -> None:
    async def scenario() -> None:
        tab = showing("buy")
        async with bridged(tab) as bridge:
            await bridge.until_listed("buy")
            await bridge.time.seconds_pass(1)
            assert bridge.told == ["notifications/tools/list_changed"]
            now_of(tab).offer("buy")
            await called(bridge, tab, "buy", DONE)
            await bridge.time.seconds_pass(1)
            assert bridge.told == ["notifications/tools/list_changed"]

    run(scenario())


def test_a_newer_client_is_told_of_changes_on_the_stream_that_it_opens() -> None:
    async def scenario() -> None:
        tab = showing("buy")
        async with bridged(tab, mode="auto") as bridge:
            await bridge.until_listed("buy")
            async with bridge.client.listen(tools_list_changed=True) as changes:
                now_of(tab).offer("sell")
                await bridge.time.passes(1)
                async with asyncio.timeout(5):
                    assert type(await anext(changes)).__name__ == "ToolsListChanged"

    run(scenario())


def test_what_a_page_makes_up_is_no_event() -> None:
    async def scenario() -> None:
        tab = showing("buy")
        async with bridged(tab) as bridge:
            now_of(tab).tell(None, [], {"kind": "tools", "tools": 1}, {"kind": "answer"})
            now_of(tab).tell({"kind": "answer", "call": 99, "text": "{}"})
            for text in ("{", "1", "[NaN]", "[" * 100_000):
                now_of(tab).write(text)
            await bridge.until_listed("buy")
            assert (await called(bridge, tab, "buy", DONE)).is_error is False

    run(scenario())


def test_tools_of_several_pages_are_told_apart_by_their_prefixes() -> None:
    async def scenario() -> None:
        shop, admin = showing("buy"), showing("buy", "ban")
        pages = {"shop_": (f"{HERE}/", [shop]), "admin_": (f"{HERE}/admin", [admin])}
        async with bridged(pages=pages) as bridge:
            await bridge.until_listed("shop_buy", "admin_buy", "admin_ban")
            call = calling(bridge, "admin_buy")
            await until(lambda: now_of(admin).calls)
            assert not now_of(shop).calls
            now_of(admin).answer("buy", DONE)
            await call

    run(scenario())


def test_of_two_tools_with_one_name_the_second_is_left_out_and_told_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def scenario() -> None:
        async with bridged(showing("buy", "buy")) as bridge:
            await bridge.until_listed("buy")
            await bridge.names()

    run(scenario())
    assert caplog.messages.count("Two tools would be called buy; the second is left out") == 1


def test_a_tool_of_a_page_that_is_away_is_not_looked_for_at_another_one() -> None:
    async def scenario() -> None:
        pages = {"my_": (f"{HERE}/", [showing("buy")]), "my_shop_": (f"{HERE}/shop", [FakeTab(is_down=True)])}
        async with bridged(pages=pages) as bridge:
            await bridge.until_listed("my_buy")
            assert error_of(await bridge.client.call_tool("my_shop_buy"))["code"] == "HOST_FAILED"

    run(scenario())


def test_a_call_that_comes_before_the_page_waits_for_it() -> None:
    async def scenario() -> None:
        tab = FakeTab()
        async with bridged(tab) as bridge:
            call = calling(bridge, "buy")
            await bridge.time.seconds_pass(1)
            document = FakeDocument("buy")
            tab.show(document)
            await until(lambda: "buy" in document.calls)
            document.answer("buy", DONE)
            assert (await call).is_error is False

    run(scenario())


def test_the_first_list_waits_until_the_page_is_up() -> None:
    async def scenario() -> None:
        tab = FakeTab()
        async with bridged(tab) as bridge:
            listing = asyncio.create_task(bridge.names())
            await asyncio.sleep(0)
            tab.show(FakeDocument("buy"))
            assert await listing == ["buy"]

    run(scenario())


def test_the_tools_of_another_origin_are_withdrawn_and_their_calls_refused(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def scenario() -> None:
        tab = showing("buy")
        async with bridged(tab) as bridge:
            await bridge.until_listed("buy")
            tab.show(FakeDocument("steal", origin="http://evil.test"))
            await bridge.until_listed()
            for name in ("buy", "steal"):
                error = error_of(await bridge.client.call_tool(name))
                assert (error["code"], error["effect"]) == ("NOT_ALLOWED", "none")
            assert "http://evil.test" in error["message"]
            tab.show(FakeDocument("buy"))
            await bridge.until_listed("buy")

    run(scenario())
    assert any("allow it with: --allow http://evil.test" in each for each in caplog.messages)


def test_an_origin_that_is_allowed_keeps_its_tools() -> None:
    async def scenario() -> None:
        other = "https://login.test"
        async with bridged(showing("sign_in", origin=other), allowed=frozenset({other})) as bridge:
            await bridge.until_listed("sign_in")

    run(scenario())


def test_a_call_that_leads_to_another_document_is_answered_when_that_ones_tools_are_there() -> None:
    async def scenario() -> None:
        tab = showing("buy")
        async with bridged(tab) as bridge:
            await bridge.until_listed("buy")
            call = calling(bridge, "buy")
            await until(lambda: "buy" in now_of(tab).calls)
            now_of(tab).leave()
            tab.document_now = None
            await bridge.time.passes(1)
            after = FakeDocument("thanks", is_up=False)
            tab.show(after)
            await bridge.time.seconds_pass(1)
            assert not call.done()
            after.settle()
            error = error_of(await call)
            assert (error["code"], error["effect"]) == ("CANCELLED", "unknown")
            assert await bridge.names() == ["thanks"]

    run(scenario())


def test_a_page_that_crashes_ends_its_calls_and_is_opened_again() -> None:
    async def scenario() -> None:
        first, second = showing("buy"), showing("sell")
        async with bridged(first, second) as bridge:
            await bridge.until_listed("buy")
            call = calling(bridge, "buy")
            await until(lambda: "buy" in now_of(first).calls)
            first.crash()
            await bridge.time.seconds_pass(1)
            error = error_of(await call)
            assert (error["code"], error["effect"]) == ("HOST_FAILED", "unknown")
            error = error_of(await bridge.client.call_tool("buy"))
            assert (error["code"], error["effect"], error["retryable"]) == ("HOST_FAILED", "none", True)
            assert bridge.browser.attempts == 1
            await bridge.time.passes(1)
            await bridge.until_listed("sell")

    run(scenario())


def test_a_page_that_is_busy_for_ever_is_opened_again_when_its_call_has_waited_for_long(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def scenario() -> None:
        tab = showing("spin")
        async with bridged(tab, showing("buy")) as bridge:
            await bridge.until_listed("spin")
            call = calling(bridge, "spin")
            document = now_of(tab)
            await until(lambda: "spin" in document.calls)
            document.is_busy = True
            await bridge.time.seconds_pass(EVERY_S + STUCK_S - 1)
            assert not call.done()
            await bridge.time.seconds_pass(2)
            error = error_of(await call)
            assert (error["code"], error["effect"]) == ("HOST_FAILED", "unknown")
            await bridge.until_listed("buy")

    run(scenario())
    assert f"{HERE}/: the page has not answered for {STUCK_S:g} s" in caplog.messages


@pytest.mark.parametrize("since", ["its first line", "its first moments"])
def test_a_page_that_is_busy_for_ever_before_it_is_up_is_opened_again_without_a_call(
    caplog: pytest.LogCaptureFixture, since: str
) -> None:
    async def scenario() -> None:
        first = FakeTab() if since == "its first line" else showing(is_up=False)
        if document := first.document_now:
            document.is_busy = True
        async with bridged(first, showing("buy")) as bridge:
            await until(lambda: bridge.time.clock.pending)
            await bridge.time.seconds_pass(STUCK_S - 1)
            assert bridge.browser.attempts == 1
            await bridge.time.seconds_pass(EVERY_S + 3)
            await bridge.until_listed("buy")

    run(scenario())
    assert f"{HERE}/: the page has not answered for {STUCK_S:g} s" in caplog.messages


def test_a_page_that_asks_the_person_as_it_loads_is_waited_for() -> None:
    async def scenario() -> None:
        tab = FakeTab(is_asking=True)
        async with bridged(tab) as bridge:
            await until(lambda: bridge.time.clock.pending)
            await bridge.time.seconds_pass(2 * STUCK_S)
            tab.show(FakeDocument("buy"))
            await bridge.until_listed("buy")
            assert bridge.browser.attempts == 1

    run(scenario())


@pytest.mark.parametrize("state", ["has time", "has a dialog open"])
def test_a_call_that_takes_long_at_a_page_that_is_not_stuck_goes_on(state: str) -> None:
    async def scenario() -> None:
        tab = showing("buy")
        async with bridged(tab) as bridge:
            await bridge.until_listed("buy")
            call = calling(bridge, "buy")
            document = now_of(tab)
            await until(lambda: "buy" in document.calls)
            document.is_asking = document.is_busy = state == "has a dialog open"
            await bridge.time.seconds_pass(2 * (EVERY_S + STUCK_S) + 1)
            assert document.pings >= 2
            document.answer("buy", DONE)
            assert (await call).is_error is False

    run(scenario())


def test_a_browser_that_does_not_start_is_tried_five_times_more_and_then_when_a_tool_is_wanted() -> None:
    async def scenario() -> None:
        tabs: list[FakeTab] = []
        async with bridged(pages={"": (f"{HERE}/", tabs)}) as bridge:
            await bridge.client.call_tool("buy")
            for attempt, seconds in enumerate((1, 2, 4, 8, 16), 1):
                await until(at_least(lambda: bridge.browser.attempts, attempt))
                await bridge.time.passes(seconds - 0.1)
                assert bridge.browser.attempts == attempt
                await bridge.time.passes(0.1)
            await until(lambda: bridge.browser.attempts == 6)
            bridge.time.clock.advance(1000)
            await asyncio.sleep(0)
            assert bridge.browser.attempts == 6
            tabs.append(showing("buy"))
            await bridge.names()
            await bridge.until_listed("buy")

    run(scenario())


def test_a_page_that_has_lived_for_long_was_no_failure() -> None:
    now = FakeClock()
    backoff = Backoff(Time(now=now.now))
    assert [backoff.next(since=0) for _ in range(6)] == [1, 2, 4, 8, 16, None]
    now.advance(60)
    assert backoff.next(since=0) == 1


def test_a_server_that_is_down_is_asked_again_for_ever() -> None:
    async def scenario() -> None:
        tab = FakeTab(is_down=True)
        async with bridged(tab) as bridge:
            assert await bridge.names() == []
            error = error_of(await bridge.client.call_tool("buy"))
            assert error["code"] == "HOST_FAILED"
            assert "ERR_CONNECTION_REFUSED" in error["message"]
            for visits in range(2, 10):
                await bridge.time.passes(16)
                await until(at_least(lambda: len(tab.visits), visits))
            tab.is_down = False
            document = FakeDocument(is_up=False)
            tab.show(document)
            await bridge.time.passes(16)
            await bridge.time.seconds_pass(1)
            listing = asyncio.create_task(bridge.names())
            await bridge.time.seconds_pass(1)
            document.offer("buy")
            document.settle()
            assert await listing == ["buy"]

    run(scenario())


def test_a_page_of_a_server_that_fails_is_tried_again_and_one_that_is_not_found_is_told(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def scenario() -> None:
        tab = FakeTab(statuses=[503, 404])
        async with bridged(tab) as bridge:
            assert await bridge.names() == []
            tab.show(FakeDocument("buy"))
            await bridge.time.passes(1)
            await bridge.until_listed("buy")

    run(scenario())
    assert caplog.messages == [
        f"{HERE}/: it cannot be loaded (HTTP 503); trying again",
        f"{HERE}/: the server answers with HTTP 404; is the URL right?",
    ]


def test_the_browsers_own_page_of_an_error_is_tried_again() -> None:
    async def scenario() -> None:
        tab = showing("buy")
        async with bridged(tab) as bridge:
            await bridge.until_listed("buy")
            tab.show(FakeDocument(origin="null", is_error=True))
            await bridge.until_listed()
            await bridge.time.passes(1)
            await until(lambda: len(tab.visits) == 2)
            tab.show(FakeDocument("buy"))
            await bridge.until_listed("buy")

    run(scenario())


def test_a_tab_that_was_found_is_not_loaded_again() -> None:
    async def scenario() -> None:
        tab = showing("buy")
        tab.is_found = True
        async with bridged(tab) as bridge:
            await bridge.until_listed("buy")
        assert tab.visits == []

    run(scenario())


def test_no_secret_of_a_url_and_nothing_of_a_call_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)

    async def scenario() -> None:
        tab = FakeTab(is_down=True)
        async with bridged(tab) as bridge:
            await bridge.names()
            tab.is_down = False
            tab.show(FakeDocument("buy"))
            await bridge.time.passes(1)
            await bridge.until_listed("buy")
            call = calling(bridge, "buy", {"card": "4111"})
            await until(lambda: "buy" in now_of(tab).calls)
            now_of(tab).answer("buy", "pin 9876")
            await call

    run(scenario())
    ours = [record.getMessage() for record in caplog.records if record.name.startswith("webtools")]
    assert ours == [
        f"{HERE}/: it cannot be loaded (ERR_CONNECTION_REFUSED); trying again",
        f"{HERE}/: 1 tools",
        "buy: done",
    ]


def test_every_call_is_logged_whatever_came_of_it(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)

    async def scenario() -> None:
        tab = showing("buy")
        async with bridged(tab) as bridge:
            await bridge.until_listed("buy")
            await bridge.client.call_tool("sell\n")
            call = calling(bridge, "buy")
            await until(lambda: now_of(tab).calls)
            call.cancel()
            await until(lambda: now_of(tab).aborted)
            tab.show(FakeDocument(origin="http://evil.test"))
            await bridge.until_listed()
            await bridge.client.call_tool("buy")

    run(scenario())
    calls = [each for each in caplog.messages if each.startswith(("buy", "sell"))]
    assert calls == [
        "sell\N{REPLACEMENT CHARACTER}: an error",
        "buy: given up by the client",
        "buy: an error",
    ]


def test_pages_of_one_origin_are_told_apart_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)

    async def scenario() -> None:
        pages = {"a_": (f"{HERE}/?1", [showing("buy")]), "b_": (f"{HERE}/?2", [showing("buy")])}
        async with bridged(pages=pages) as bridge:
            await bridge.until_listed("a_buy", "b_buy")

    run(scenario())
    assert {f"a={HERE}/: 1 tools", f"b={HERE}/: 1 tools"} <= set(caplog.messages)


def test_an_app_that_fails_is_logged_and_is_the_answer_of_a_call_until_it_is_mended(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def scenario() -> None:
        tab = FakeTab()
        document = FakeDocument(is_up=False)
        document.tell({"kind": "app", "reason": f"{HERE}/a.py?key=s3cret, line 1: no"})
        document.settle()
        tab.show(document)
        async with bridged(tab) as bridge:
            await bridge.names()
            error = error_of(await bridge.client.call_tool("buy"))
            assert (error["code"], error["effect"]) == ("HOST_FAILED", "none")
            assert error["message"].endswith(f"{HERE}/a.py, line 1: no")
            document.tell({"kind": "app"})
            await bridge.until_listed()
            assert error_of(await bridge.client.call_tool("buy"))["code"] == "TOOL_NOT_FOUND"

    run(scenario())
    assert f"{HERE}/: the page's app has failed: {HERE}/a.py, line 1: no" in caplog.messages
