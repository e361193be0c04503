"""Whatever is sent, whoever sends it: an answer comes, it is well formed, and what is a secret stays one.

A short run here; `nox -s fuzz` makes thousands of each. A failure prints its input, and what replays it.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Iterator
from typing import Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from tests.fuzz.strategies import JSON, KEYS, NO_JSON, TEXTS
from tests.unit.browser.border import FakeBorder, host_at
from tests.unit.calls.caller import Answer, Caller, slot_of
from tests.unit.tools.test_encoding import VALUES
from tests.unit.tools.test_schema import TYPES
from webtools import ToolContext, ToolError, tool
from webtools._exceptions import ToolDefinitionError
from webtools.testing import FakeModelContext
from webtools.testing.person import FakePerson
from webtools.tools.tool import make_tool

EXAMPLES = settings.default.max_examples if settings.default else 0
run_for = settings(max_examples=EXAMPLES if EXAMPLES > 100 else 40)
"""Fewer than hypothesis would make in the run of all tests."""

SECRET = "hunter2 of nobody"


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """The developer is told of each fault; here there are thousands."""
    logger = logging.getLogger("webtools")
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    yield
    logger.setLevel(before)


class Line(BaseModel):
    """A line."""

    text: str
    n: int | None = None


@tool
def take(n: int, text: str = "", items: list[Line] | None = None, kind: Literal["a", "b"] = "a") -> Any:
    """Take what comes, and give it back."""
    assert isinstance(n, int)
    assert isinstance(text, str)
    return [n, text, items, kind]


@tool
def take_any(text: dict[str, Any]) -> Any:
    """Take anything."""
    return text


def well_formed(answer: Answer) -> Answer:
    """Check what every answer is, whatever has happened."""
    json.dumps(answer, allow_nan=False, ensure_ascii=False).encode("utf-8")
    assert answer.keys() <= {"content", "structuredContent", "isError"}
    assert all(part["type"] == "text" and isinstance(part["text"], str) for part in answer["content"])
    if answer.get("isError"):
        error = answer["structuredContent"]["error"]
        assert error.keys() >= {"code", "message", "retryable", "effect"}
        assert error["effect"] in ("none", "unknown", "partial", "done"), error
    return answer


def answer_of(function: Any, text: str, person: FakePerson | None = None) -> Answer:
    """Call a tool with this text as its input."""

    async def scene(caller: Caller) -> Answer:
        return well_formed(await caller.answered(caller.call(slot_of(function), text)))

    return asyncio.run(scene(Caller(person=person)))


@run_for
@given(name=st.one_of(KEYS, st.from_regex(r"[A-Za-z0-9_.-]{1,130}")), title=TEXTS, description=TEXTS)
def test_a_name_and_its_words_are_refused_or_ones_that_a_browser_takes(
    name: str, title: str, description: str
) -> None:
    def handler() -> None: ...

    try:
        made = make_tool(handler, name=name, title=title, description=description)
    except ToolDefinitionError:
        return
    FakeModelContext().register_tool(json.loads(made.definition.text), lambda *_: None)


@run_for
@given(
    kinds=st.dictionaries(st.from_regex(r"[a-z]{1,6}_", fullmatch=True), TYPES, max_size=4), data=st.data()
)
def test_a_signature_becomes_a_schema_that_a_browser_takes_and_any_input_gets_an_answer(
    kinds: dict[str, Any], data: st.DataObject
) -> None:
    made = make_tool(function_of(kinds), name="made", description="x")
    context = FakeModelContext()
    context.register_tool(json.loads(made.definition.text), lambda *_: None)
    (listed,) = context.get_tools()
    assert listed["inputSchema"]["properties"].keys() == kinds.keys()
    answer_of(made, json.dumps(data.draw(st.fixed_dictionaries(dict.fromkeys(kinds, JSON)))))


def function_of(kinds: dict[str, Any]) -> Callable[..., Any]:
    """A function with these parameters, as if it had been written so."""
    space: dict[str, Any] = {}
    exec(f"def made({', '.join(kinds)}): return list(locals().values())", space)
    made: Callable[..., Any] = space["made"]
    made.__annotations__ = dict(kinds)
    return made


@run_for
@given(st.one_of(JSON.map(json.dumps), st.dictionaries(KEYS, JSON, max_size=4).map(json.dumps), NO_JSON))
def test_any_input_gets_an_answer(text: str) -> None:
    for function in (take, take_any):
        answer = answer_of(function, text)
        if answer.get("isError"):
            assert answer["structuredContent"]["error"]["code"] == "INVALID_TOOL_ARGS"


@run_for
@given(VALUES)
def test_any_result_gets_an_answer(value: Any) -> None:
    @tool
    def give() -> Any:
        """Give it."""
        return value

    answer_of(give, "{}")


@run_for
@given(
    message=TEXTS,
    code=TEXTS,
    details=st.dictionaries(KEYS, st.one_of(JSON, VALUES), max_size=3),
    is_ours=st.booleans(),
)
def test_any_error_gets_an_answer_and_a_strangers_words_are_not_in_it(
    message: str, code: str, details: dict[str, Any], is_ours: bool
) -> None:
    @tool
    def fail() -> None:
        """Fail."""
        if is_ours:
            raise ToolError(message, code=code, details=details)
        raise RuntimeError(SECRET, message, details)

    answer = answer_of(fail, "{}")
    assert SECRET not in json.dumps(answer)
    assert answer["isError"] is True


@run_for
@given(message=TEXTS, arguments=st.dictionaries(KEYS, JSON, max_size=3), is_allowed=st.booleans())
def test_any_question_is_put_or_refused_and_only_a_yes_goes_on(
    message: str, arguments: dict[str, Any], is_allowed: bool
) -> None:
    ran: list[bool] = []

    @tool
    async def ask(ctx: ToolContext, text: dict[str, Any]) -> str:
        """Ask."""
        await ctx.confirm(message)
        ran.append(True)
        return "done"

    async def scene() -> Answer:
        person = FakePerson(is_allowed, lambda *said: caller.dispatcher.confirmed(*said))
        caller = Caller(person=person)
        text = json.dumps({"text": arguments})
        return well_formed(await caller.answered(caller.call(slot_of(ask), text)))

    answer = asyncio.run(scene())
    assert bool(ran) == (not answer.get("isError"))
    assert is_allowed or not ran


MESSAGES: dict[str, st.SearchStrategy[tuple[Any, ...]]] = {
    "call": st.tuples(st.integers(0, 3), TEXTS, st.one_of(NO_JSON, JSON.map(json.dumps))),
    "call_named": st.tuples(
        st.sampled_from(["add", "x"]), TEXTS, NO_JSON, st.one_of(NO_JSON, JSON.map(json.dumps))
    ),
    "confirmed": st.tuples(st.integers(0, 3), TEXTS),
    "page_answered": st.tuples(st.integers(0, 3), st.one_of(NO_JSON, JSON.map(json.dumps))),
    "fetched": st.tuples(st.integers(0, 3), st.one_of(NO_JSON, JSON.map(json.dumps))),
    "provided": st.tuples(st.integers(0, 3), st.one_of(NO_JSON, JSON.map(json.dumps))),
    "ownership": st.tuples(TEXTS, st.one_of(st.none(), st.integers()), st.one_of(st.none(), TEXTS)),
    "moved": st.tuples(TEXTS, TEXTS),
    "rejected": st.tuples(st.integers(0, 3), TEXTS),
    "end": st.tuples(
        st.just(1), st.sampled_from(["run", "session"]), TEXTS, st.one_of(NO_JSON, JSON.map(json.dumps))
    ),
    "abort": st.tuples(TEXTS),
    "count_out": st.tuples(TEXTS),
    "lost": st.tuples(st.integers(0, 3)),
    "release": st.tuples(st.integers(0, 3)),
    "load": st.tuples(st.just("http://localhost/a.py"), TEXTS),
}
"""What the page's JavaScript can tell Python, by the host's methods."""

APP = '''
from webtools import tool

@tool
def add(a: int) -> int:
    """Add one."""
    return a + 1
'''


def test_no_message_of_the_pages_makes_python_throw() -> None:
    each = st.sampled_from(sorted(MESSAGES)).flatmap(lambda name: st.tuples(st.just(name), MESSAGES[name]))

    @run_for
    @given(st.lists(each, max_size=12))
    def told(messages: list[tuple[str, tuple[Any, ...]]]) -> None:
        async def scene() -> None:
            with host_at(FakeBorder()) as host:
                host.load("http://localhost/shop.py", APP)
                for name, arguments in messages:
                    answer = getattr(host, name)(*arguments)
                    if name.startswith("call") and isinstance(answer, str):
                        well_formed(json.loads(answer))
                    await asyncio.sleep(0)
                answer = host.call_named("add", "last", '{"a": 1}', None)
                assert isinstance(answer, str)
                assert json.loads(answer)["structuredContent"] == {"result": 2}

        asyncio.run(scene())

    told()
