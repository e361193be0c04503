from __future__ import annotations

import asyncio
import json
import logging
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.agent.server import Reply, Server, calls, delta, event, fragment, refuses, says, streamed
from tests.unit.agent.test_sse import cuts
from webtools.agent import CancelSignal, Message, ModelError, OpenAIModel, RunResult, ToolCall, run
from webtools.testing import driven_page
from webtools.testing.clock import EPOCH_MS
from webtools.tools.definition import Definition

URL = "https://api.example.com/v1"
KEY = "sk-very-secret-0123456789"
FIND = Definition("shop.find", "Find.", {"type": "object", "properties": {}})
FIND_NAME = "shop_find_"

Event = dict[str, Any]


class Said:
    """What came of asking a model once."""

    def __init__(self, *replies: Reply | Exception | None, **options: Any) -> None:
        self.events: list[Event] = []
        self.server = Server(*replies)
        self.message: Message | None = None
        self.error: ModelError | None = None
        model = OpenAIModel(URL, "m", api_key=KEY, **options)
        with driven_page(fetch=self.server) as page:
            try:
                asked = model.reply([Message("user", "Hello")], [FIND], self.events.append)
                self.message = asyncio.run(asked)
            except ModelError as error:
                self.error = error
            self.seconds = page.clock.now()
            assert page.credentials.secrets.are_in(KEY)

    @property
    def calls(self) -> list[tuple[str, str, str]]:
        assert self.message, self.error
        return [(each.id, each.name, each.arguments) for each in self.message.calls]


def test_a_request_has_the_conversation_the_tools_and_the_key_and_goes_to_the_one_address() -> None:
    said = Said(says("Hi"), options={"temperature": 0})
    (asked,) = said.server.asked
    assert asked.url == f"{URL}/chat/completions"
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert asked.body["messages"] == [{"role": "user", "content": "Hello"}]
    (tool,) = asked.body["tools"]
    assert tool["function"]["name"].startswith(FIND_NAME)
    assert (asked.body["model"], asked.body["stream"], asked.body["temperature"]) == ("m", True, 0)
    assert KEY not in json.dumps(asked.body)


def test_without_tools_or_key_none_are_sent() -> None:
    server = Server(says("Hi"))
    with driven_page(fetch=server):
        asyncio.run(OpenAIModel("/v1/", "m").reply([], [], lambda _: None))
    (asked,) = server.asked
    assert asked.url == "/v1/chat/completions"
    assert "authorization" not in asked.headers
    assert "tools" not in asked.body


def test_text_is_told_as_it_comes() -> None:
    said = Said(
        streamed(delta(role="assistant", content=""), delta(content="He"), delta(content="y"), delta("stop"))
    )
    assert said.message == Message("assistant", "Hey")
    assert said.events == [{"event": "text", "text": "He"}, {"event": "text", "text": "y"}]


WHOLE = [
    delta(role="assistant", content=None),
    delta(content="Ich prüfe: 🥾"),
    delta(tool_calls=[fragment(0, id="a", type="function", name="x", arguments="")]),
    delta(tool_calls=[fragment(1, id="b", type="function", name="y", arguments='{"q"')]),
    delta(tool_calls=[fragment(0, arguments='{"n": 1'), fragment(1, arguments=": 2")]),
    delta(tool_calls=[fragment(1, arguments="}"), fragment(0, arguments="}")]),
    delta("tool_calls"),
    {"choices": [], "usage": {"total_tokens": 5}},
]


@given(st.data())
def test_a_reply_is_the_same_however_its_stream_is_cut(data: st.DataObject) -> None:
    said = Said(streamed(*WHOLE, cut=lambda text: data.draw(cuts(text))))
    assert said.message == Message(
        "assistant", "Ich prüfe: 🥾", (ToolCall("a", "x", '{"n": 1}'), ToolCall("b", "y", '{"q": 2}'))
    )
    assert "".join(each["text"] for each in said.events) == "Ich prüfe: 🥾"


@st.composite
def fragmented(draw: st.DrawFn) -> tuple[list[tuple[str, str, str]], list[dict[str, Any]]]:
    """Calls, and the fragments of their arguments, those of different calls mixed."""
    wanted = draw(
        st.lists(
            st.tuples(st.sampled_from(["x", "y"]), st.dictionaries(st.text(max_size=3), st.integers())),
            min_size=1,
            max_size=4,
        )
    )
    texts = [(f"id{n}", name, json.dumps(arguments)) for n, (name, arguments) in enumerate(wanted)]
    begun = [fragment(n, id=call_id, name=name) for n, (call_id, name, _) in enumerate(texts)]
    rest = [
        [fragment(n, arguments=piece) for piece in draw(cuts(text))] for n, (_, _, text) in enumerate(texts)
    ]
    mixed = list(begun)
    while any(rest):
        mixed.append(draw(st.sampled_from([each for each in rest if each])).pop(0))
    return texts, mixed


@given(fragmented())
def test_calls_are_put_together_however_their_fragments_are_mixed(
    made: tuple[list[tuple[str, str, str]], list[dict[str, Any]]],
) -> None:
    texts, fragments = made
    assert Said(calls(*fragments)).calls == texts


@pytest.mark.parametrize(
    ("fragments", "wanted"),
    [
        (  # one index for all
            [
                fragment(0, id="a", name="x", arguments="{}"),
                fragment(0, id="b", name="x", arguments='{"n":1}'),
            ],
            [("a", "x", "{}"), ("b", "x", '{"n":1}')],
        ),
        (  # no index, in fragments
            [
                fragment(None, id="a", name="x", arguments='{"n"'),
                fragment(None, arguments=":1}"),
                fragment(None, id="b", name="x", arguments="{}"),
            ],
            [("a", "x", '{"n":1}'), ("b", "x", "{}")],
        ),
        (  # neither index nor id
            [fragment(None, name="x", arguments="{}"), fragment(None, name="x", arguments="{}")],
            [("call_1", "x", "{}"), ("call_2", "x", "{}")],
        ),
        (  # id and name in every fragment
            [fragment(0, id="a", name="x", arguments='{"n"'), fragment(0, id="a", name="x", arguments=":1}")],
            [("a", "x", '{"n":1}')],
        ),
        (  # the name again, without the id
            [fragment(0, id="a", name="x", arguments='{"n"'), fragment(0, name="x", arguments=":1}")],
            [("a", "x", '{"n":1}')],
        ),
        (  # another id in every fragment
            [fragment(0, id="a", name="x", arguments='{"n"'), fragment(0, id="b", arguments=":1}")],
            [("a", "x", '{"n":1}')],
        ),
        (  # an index that nobody has
            [fragment(0, id="a", name="x", arguments='{"n"'), fragment(1, arguments=":1}")],
            [("a", "x", '{"n":1}')],
        ),
        ([fragment(0, id="a", name="x")], [("a", "x", "{}")]),
        ([fragment(0, id="a", name="x", arguments={"n": 1})], [("a", "x", '{"n": 1}')]),
        (
            [fragment(0, id="a", name="x"), fragment(1, id="a", name="x", arguments="{}")],
            [("a", "x", "{}"), ("a_2", "x", "{}")],
        ),
    ],
)
def test_servers_that_depart_from_the_format_are_understood(
    fragments: list[dict[str, Any]], wanted: list[tuple[str, str, str]]
) -> None:
    assert Said(calls(*fragments)).calls == wanted


def test_a_server_that_does_not_stream_is_understood() -> None:
    message = {"content": "Hi", "tool_calls": [fragment(None, id="a", name="x", arguments="{}")]}
    body = json.dumps({"choices": [{"message": message, "finish_reason": "stop"}]})
    said = Said(Reply([body[:9], body[9:]], headers={"content-type": "application/json; charset=utf-8"}))
    assert said.message == Message("assistant", "Hi", (ToolCall("a", "x", "{}"),))


@pytest.mark.parametrize(
    "pieces",
    [
        [event(delta("stop", content="Hi"))],  # no [DONE]
        [event(delta("stop", content="Hi")).rstrip()],  # nor the last empty line
        [event(delta(content="Hi")), "data: [DONE]"],  # no finish_reason
        [event(delta("stop", content="Hi")), event("[DONE]"), ConnectionError()],
    ],
)
def test_a_stream_is_whole_where_the_server_says_so_in_any_way(pieces: list[str | Exception]) -> None:
    assert Said(Reply(pieces)).message == Message("assistant", "Hi")


BROKEN: list[list[str | Exception]] = [
    [],
    [event(delta(content="Hi"))],
    [event(delta(content="Hi")), ConnectionError()],
    [event("{")],
    [event("[]")],
    [event("null")],
    [event("[" * 1000)],
    [event({"choices": 1})],
    [event(delta(content=[1]))],
    [event(delta(tool_calls=["x"]))],
    [event({"error": {"message": f"out of memory, {KEY}"}})],
    ["<!doctype html>", "<p>Please sign in"],
    ["data: " + "x" * 4_000_001],
]


@pytest.mark.parametrize("pieces", BROKEN)
def test_a_broken_reply_is_asked_for_again_and_then_an_error(pieces: list[str | Exception]) -> None:
    again = Said(Reply(pieces), says("Hi"))
    assert again.message == Message("assistant", "Hi")
    assert again.seconds == pytest.approx(0.5)
    assert [each["event"] for each in again.events if each.get("text") != "Hi"] == ["retry"]
    never = Said(*[Reply(pieces)] * 3)
    assert never.error
    assert never.error.kind == "stream"
    assert never.seconds == pytest.approx(1.5)
    assert KEY not in f"{never.error}{never.events}{again.events}"


def test_a_web_page_in_place_of_a_reply_is_called_so() -> None:
    page = Reply(["<!doctype html><p>Shop"], headers={"content-type": "text/html; charset=utf-8"})
    said = Said(*[page] * 3)
    assert said.error
    assert "is a web page" in str(said.error)


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 529])
def test_what_may_pass_is_tried_again(status: int) -> None:
    said = Said(refuses(status), refuses(status), says("Hi"))
    assert said.message == Message("assistant", "Hi")
    assert [each["seconds"] for each in said.events[:2]] == [0.5, 1.0]
    assert Said(*[refuses(status)] * 3).error
    assert Said(refuses(status), max_retries=0).seconds == 0


@pytest.mark.parametrize(("status", "kind"), [(400, "request"), (404, "request"), (401, "key"), (403, "key")])
def test_what_does_not_pass_is_not_tried_again(status: int, kind: str) -> None:
    said = Said(refuses(status, f"Incorrect API key provided: {KEY}. " + "x" * 1000))
    assert said.error
    assert (said.error.kind, said.error.status, len(said.server.asked)) == (kind, status, 1)
    assert KEY not in str(said.error)
    assert len(str(said.error)) < 700


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7),
        ({"retry-after": "0"}, 0),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": "Fri, 15 Jan 2027 08:00:10 GMT"}, 10),
        ({"retry-after": "Fri, 15 Jan 2021 08:00:10 GMT"}, 0),
        ({"retry-after": "Fri, 99 Jan 2027 08:00:10 GMT"}, 0.5),
        ({"retry-after": "Fri, 15 Foo 2027 08:00:10 GMT"}, 0.5),
        ({"retry-after": "soon"}, 0.5),
        ({"retry-after": "-1"}, 0.5),
    ],
)
def test_a_server_that_says_when_to_come_again_is_obeyed(headers: dict[str, str], seconds: float) -> None:
    assert EPOCH_MS == 1_800_000_000_000  # the 15th of January 2027, 8 o'clock
    said = Said(refuses(429, headers=headers), says("Hi"))
    assert said.message
    assert said.seconds == pytest.approx(seconds, abs=0.02)


def test_a_server_that_wants_a_long_wait_is_not_waited_for() -> None:
    said = Said(refuses(429, headers={"retry-after": "3600"}))
    assert said.error
    assert (said.error.kind, said.error.retry_after, said.seconds) == ("busy", 3600, 0)


def test_no_answer_is_tried_again_and_then_names_the_cures() -> None:
    said = Said(*[ConnectionError("x")] * 3)
    assert said.error
    assert said.error.kind == "unreachable"
    assert "connect-src" in str(said.error)
    assert "CORS" in str(said.error)


def stopped_at(*replies: Reply | None) -> tuple[RunResult, Server]:
    server, signal = Server(*replies), CancelSignal()
    with driven_page(fetch=server):

        async def script() -> RunResult:
            asyncio.get_running_loop().call_later(0.02, signal.fire, "stop")
            return await run(OpenAIModel(URL, "m", api_key=KEY), "Hello", signal=signal)

        return asyncio.run(script()), server


def test_a_stop_gives_the_request_up() -> None:
    result, server = stopped_at(None)
    assert (result.outcome, server.given_up) == ("stopped", 1)


def test_a_bad_key_ends_the_run_and_is_in_no_log_event_or_result(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    events: list[Event] = []
    with driven_page(fetch=Server(refuses(401, f"wrong: {KEY}"))):
        model = OpenAIModel(URL, "m", api_key=KEY)
        result = asyncio.run(run(model, "Hello", on_event=events.append))
    assert result.error
    assert (result.outcome, result.error.kind) == ("failed", "key")
    assert KEY not in f"{caplog.text}{events}{result}{model!r}{result.error.__cause__}"


@pytest.mark.parametrize(
    "base_url",
    [
        "",
        "api.example.com/v1",
        "ftp://api.example.com",
        "//api.example.com/v1",
        "https://",
        "https://ada:pw@api.example.com",
        "https://api.example.com/v1?key=1",
        "https://api.example.com/v1#x",
        "/\\evil.example/v1",
    ],
)
def test_an_address_that_is_none_is_refused(base_url: str) -> None:
    with pytest.raises(ValueError, match="base_url must be such as"):
        OpenAIModel(base_url, "m")


@pytest.mark.parametrize("api_key", ["", "two words", "line\n", "schlüssel"])
def test_a_key_that_no_header_can_carry_is_refused_and_not_repeated(api_key: str) -> None:
    with pytest.raises(ValueError, match="no header can carry") as raised:
        OpenAIModel(URL, "m", api_key=api_key)
    assert not api_key or api_key not in str(raised.value)


def test_a_key_is_sent_without_encryption_to_this_machine_only() -> None:
    with pytest.raises(ValueError, match="use https"):
        OpenAIModel("http://api.example.com/v1", "m", api_key=KEY)
    OpenAIModel("http://api.example.com/v1", "m")
    OpenAIModel("http://127.0.0.1:8080/v1", "m", api_key=KEY)
    OpenAIModel("http://localhost/v1", "m", api_key=KEY)


def test_what_is_no_text_is_refused() -> None:
    with pytest.raises(TypeError, match="base_url must be a text"):
        OpenAIModel(1, "m")  # type: ignore[arg-type]  # that is the point
    with pytest.raises(TypeError, match="api_key must be a text"):
        OpenAIModel(URL, "m", api_key=1)  # type: ignore[arg-type]  # the same
