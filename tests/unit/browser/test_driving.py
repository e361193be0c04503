"""An agent that drives the page, seen from Python's side of the border."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from tests.unit.browser.border import FakeBorder, host_at
from tests.unit.calls.caller import until
from webtools._exceptions import WebtoolsError
from webtools.agent import CancelSignal, Message, OpenAIModel, ToolClient
from webtools.agent.conversation import Answer
from webtools.browser.host import Host
from webtools.calls.driving import driver

KEY = "sk-very-secret-0123456789"

APP = '''
from webtools import tool

@tool
def leak() -> str:
    """Tell what must not be told."""
    return "the key is sk-very-secret-0123456789"
'''

DONE: Answer = {"content": [{"type": "text", "text": "done"}]}

pytestmark = pytest.mark.usefixtures("forgotten_apps")


def answer(host: Host, number: int, value: object) -> None:
    host.page_answered(number, json.dumps(value))


def test_a_call_goes_through_the_page_with_what_is_stated() -> None:
    async def script() -> None:
        border = FakeBorder()
        with host_at(border) as host:
            host.load("/app.py", APP)
            going = asyncio.ensure_future(ToolClient(session_id="s").call("leak", {"a": "ü"}))
            await until(lambda: bool(border.tool_calls))
            ((number, name, text, facts),) = border.tool_calls
            assert (name, text, facts) == ("leak", '{"a": "ü"}', {"sessionId": "s"})
            answer(host, number, DONE)
            assert await going == DONE
            assert border.aborted_calls == []

    asyncio.run(script())


def test_a_signal_and_a_wait_that_is_given_up_abort_the_call() -> None:
    async def script() -> None:
        border, signal = FakeBorder(), CancelSignal()
        with host_at(border) as host:
            host.load("/app.py", APP)
            going = asyncio.ensure_future(ToolClient().call("leak", signal=signal))
            await until(lambda: len(border.tool_calls) == 1)
            signal.fire("stop")
            await until(lambda: len(border.aborted_calls) == 1)
            answer(host, border.aborted_calls[0], DONE)
            assert await going == DONE
            dropped = asyncio.ensure_future(ToolClient().call("leak"))
            await until(lambda: len(border.tool_calls) == 2)
            dropped.cancel()
            with pytest.raises(asyncio.CancelledError):
                await dropped
            assert border.aborted_calls == [number for number, *_ in border.tool_calls]
            answer(host, border.aborted_calls[1], DONE)

    asyncio.run(script())


def test_an_answer_that_would_overflow_the_stack_is_not_read() -> None:
    async def script() -> None:
        border = FakeBorder()
        with host_at(border) as host:
            host.load("/app.py", APP)
            going = asyncio.ensure_future(ToolClient().call("leak"))
            await until(lambda: bool(border.tool_calls))
            host.page_answered(border.tool_calls[0][0], '{"content": ' + "[" * 5000 + "]" * 5000 + "}")
            assert (await going)["structuredContent"]["error"]["code"] == "TOOL_OUTPUT_INVALID"

    asyncio.run(script())


def test_settling_and_sleeping_are_the_pages() -> None:
    async def script() -> None:
        border = FakeBorder()
        with host_at(border) as host:
            settling = asyncio.ensure_future(ToolClient().settled())
            await until(lambda: bool(border.settling))
            answer(host, border.settling[0], None)
            await settling
            sleeping = asyncio.ensure_future(driver().sleep(1.5))
            await until(lambda: bool(border.timers))
            ((number, delay),) = border.timers.items()
            assert delay == 1500
            host.timer(number)
            await sleeping
            given_up = asyncio.ensure_future(driver().sleep(1))
            await until(lambda: len(border.timers) == 2)
            given_up.cancel()
            with pytest.raises(asyncio.CancelledError):
                await given_up
            assert number + 1 not in border.timers

    asyncio.run(script())


class Endpoint(FakeBorder):
    """A border whose requests are answered, each with these things told of it."""

    def __init__(self, *told: object) -> None:
        super().__init__()
        self.told = told
        self.host: Host | None = None

    def fetch(self, request: int, text: str) -> None:
        super().fetch(request, text)
        loop = asyncio.get_running_loop()
        for each in self.told:
            assert self.host
            loop.call_soon(self.host.fetched, request, json.dumps(each))


HEAD = {"status": 200, "headers": {"content-type": "text/event-stream"}}
CHUNK = {"choices": [{"delta": {"content": "Hi"}, "finish_reason": "stop"}]}


def reply_of(border: Endpoint) -> Message:
    async def script() -> Message:
        with host_at(border) as host:
            border.host = host
            model = OpenAIModel("/v1", "m", api_key=KEY, max_retries=0)
            return await model.reply([Message("user", "Hello")], [], lambda _: None)

    return asyncio.run(script())


def test_a_request_and_its_answer_cross_as_text() -> None:
    text = f"data: {json.dumps(CHUNK)}\n\n"
    border = Endpoint(HEAD, {"chunk": text[:9]}, {"chunk": text[9:]}, {"end": True})
    assert reply_of(border) == Message("assistant", "Hi")
    (sent,) = border.requests.values()
    assert sent["url"] == "/v1/chat/completions"
    assert sent["headers"]["authorization"] == f"Bearer {KEY}"
    assert json.loads(sent["body"])["model"] == "m"
    assert border.aborted_requests == [1]  # harmless where it is over


@pytest.mark.parametrize(
    ("told", "kind"), [([{"error": "TypeError"}], "gave no answer"), ([HEAD, {"error": "x"}], "broke off")]
)
def test_a_request_that_fails_is_an_error_of_the_model(told: list[Any], kind: str) -> None:
    with pytest.raises(WebtoolsError, match=kind):
        reply_of(Endpoint(*told))


def test_what_is_told_late_of_a_request_is_dropped() -> None:
    with host_at(FakeBorder()) as host:
        host.fetched(7, json.dumps(HEAD))


def test_a_key_is_in_no_answer_and_no_line_of_the_console() -> None:
    async def script() -> None:
        border = Endpoint(HEAD, {"chunk": "x"}, {"end": True})
        with host_at(border) as host:
            border.host = host
            host.load("/app.py", APP)
            model = OpenAIModel("/v1", "m", api_key=KEY, max_retries=0)
            with pytest.raises(WebtoolsError):
                await model.reply([], [], lambda _: None)
            said = host.call_named("leak", "c1", "{}", None)
            assert isinstance(said, str)
            assert KEY not in said
            assert "[redacted]" in said
        assert KEY not in f"{border.logged}"

    asyncio.run(script())


def test_there_is_no_page_after_the_host_has_closed() -> None:
    with host_at(FakeBorder()):
        driver()
    with pytest.raises(WebtoolsError):
        driver()
