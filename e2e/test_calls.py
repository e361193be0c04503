"""Calls from an agent to Python and back, with the inputs and results that are hard to get right."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

import pytest

from e2e.agents import Agent, error_of, text_of
from e2e.conftest import Watched

FUZZ = (Path(__file__).parent / "fuzzing.js").read_text("utf-8")
BATCH = 250
"""Made-up calls for one word with the page: each takes a moment only, so that a long run never seems hung."""

RESULTS: dict[str, Any] = {
    "none": None,
    "set": [],
    "decimal": "1.10",
    "datetime": "2026-01-02T03:04:00Z",
    "bytes": "//4=",
    "nan": None,
    "big": "1180591620717411303424",
    "loop": [1, "<list>"],
    "dataclass": {"left": 1, "right": "x"},
    "generator": [0, 1, 2],
    "node": "<JsProxy>",
    "js null": {"inside": None},
}
LOST = {"loop", "node"}


@pytest.mark.parametrize("kind", RESULTS)
def test_any_result_is_acknowledged_and_follows_the_rule(agent: Agent, booted: Watched, kind: str) -> None:
    agent.call("effects")
    answer = agent.call("result", {"kind": kind})
    expected = RESULTS[kind]
    if kind == "none":
        assert answer == {"content": [{"type": "text", "text": "done"}]}
    else:
        structured = expected if isinstance(expected, dict) else {"result": expected}
        assert answer["structuredContent"] == structured
        assert "isError" not in answer
    assert agent.call("effects")["structuredContent"] == {"result": [kind]}
    assert len(booted.problems) == (kind in LOST)


@pytest.mark.parametrize(("kind", "said"), [("unicode", "Élan 靴 👟"), ("surrogate", "a\ufffdb")])
def test_a_text_comes_bare_and_well_formed(agent: Agent, kind: str, said: str) -> None:
    assert agent.call("result", {"kind": kind}) == {"content": [{"type": "text", "text": said}]}


@pytest.mark.parametrize("text", ["0042", "true", "[1]", "null", "", "Élan 靴 👟", 'say "é"\n\u0000'])
def test_a_text_parameter_keeps_its_text(agent: Agent, text: str) -> None:
    assert text_of(agent.call("text", {"value": text})) == text


@pytest.mark.parametrize("letters", ["x", "é", "靴", "👟"])
def test_a_long_text_crosses_whole_whatever_its_letters(agent: Agent, letters: str) -> None:
    text = letters * 90_000
    assert text_of(agent.call("text", {"value": text})) == text
    assert text_of(agent.call("text", {"value": "short"})) == "short"


def test_a_list_given_as_text_is_a_validation_message(agent: Agent) -> None:
    error = error_of(agent.call("numbers", {"values": "[1,2]"}))
    assert error["code"] == "INVALID_TOOL_ARGS"
    assert error["effect"] == "none"
    assert error["details"]["problems"] == [{"path": "values", "expected": "a list", "got": 'text "[1,2]"'}]


def test_null_in_a_nested_object_arrives_as_none(agent: Agent) -> None:
    assert text_of(agent.call("nested", {"data": {"coupon": None}})) == "{'coupon': None}"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({}, "(None, 'untitled', None)"),
        ({"coupon": None, "note": None}, "(None, 'untitled', None)"),
        ({"coupon": {"title": "T"}, "title": "x"}, "({'code': None, 'title': 'T'}, 'x', None)"),
    ],
)
def test_what_may_be_none_may_be_left_out_or_be_null(
    agent: Agent, arguments: dict[str, Any], said: str
) -> None:
    assert text_of(agent.call("order", arguments)) == said


def test_the_schema_is_plain_and_keeps_properties_called_title(agent: Agent) -> None:
    (tool,) = [each for each in agent.tools() if each["name"] == "order"]
    assert tool["inputSchema"] == {
        "type": "object",
        "properties": {
            "coupon": {
                "type": "object",
                "description": "A coupon.",
                "properties": {"code": {"type": "string"}, "title": {"type": "string"}},
                "required": ["title"],
            },
            "title": {"type": "string", "default": "untitled"},
            "note": {"type": "string"},
        },
        "additionalProperties": False,
    }


def test_an_authors_error_reaches_the_agent_word_for_word(agent: Agent) -> None:
    answer = agent.call("find", {"sku": 42})
    assert text_of(answer) == "no such product 42"
    assert error_of(answer) == {
        "code": "UNKNOWN_SKU",
        "message": "no such product 42",
        "details": {"sku": 42},
        "retryable": False,
        "effect": "none",
    }


def test_a_returned_error_is_an_error(agent: Agent) -> None:
    error = error_of(agent.call("returned", {"code": "OUT"}))
    assert (error["code"], error["message"], error["retryable"]) == ("OUT", "returned OUT", True)


def test_a_strangers_exception_reaches_the_console_with_its_text_and_the_agent_without(
    agent: Agent, booted: Watched
) -> None:
    answer = agent.call("divide", {"by": 0})
    assert error_of(answer)["code"] == "TOOL_HANDLER_ERROR"
    assert "ZeroDivisionError" in text_of(answer)
    assert "division by zero" not in str(answer)
    (said,) = booted.problems
    assert "return 1 / by" in said
    assert "ZeroDivisionError: division by zero" in said


def test_a_result_that_is_not_declared_is_refused_after_its_effect(agent: Agent, booted: Watched) -> None:
    answer = agent.call("promise")
    assert error_of(answer)["code"] == "TOOL_OUTPUT_INVALID"
    assert error_of(answer)["effect"] == "done"
    assert "secret words" not in str(answer)
    assert len(booted.problems) == 1


def test_a_text_above_the_ceiling_is_refused_with_the_numbers_and_the_cure(agent: Agent) -> None:
    assert text_of(agent.call("long", {"size": 100})) == "x" * 100
    error = error_of(agent.call("long", {"size": 101}))
    assert error["code"] == "ANSWER_TOO_LONG"
    assert error["details"] == {"chars": 101, "max_chars": 100, "parameters": ["size"]}
    assert error["retryable"] is True


def test_a_call_past_its_deadline_is_answered(agent: Agent) -> None:
    error = error_of(agent.call("never"))
    assert (error["code"], error["effect"]) == ("TOOL_TIMEOUT", "unknown")


@pytest.mark.parametrize(
    ("function", "arguments", "value"),
    [
        ("add", [1, 2], {"result": 3}),
        ("later", [{"a": [None, "é"]}], {"a": [None, "é"]}),
        ("nothing", [], None),
    ],
)
def test_python_uses_what_the_page_exposes(
    agent: Agent, function: str, arguments: list[Any], value: Any
) -> None:
    answer = agent.call("use", {"function": function, "arguments": arguments})
    assert answer.get("structuredContent") == value
    assert "isError" not in answer


@pytest.mark.parametrize(
    ("function", "code", "said"),
    [
        ("refuse", "REFUSED", "not today"),
        ("refuseLater", "REFUSED", "not tomorrow"),
        ("toString", "PAGE_ERROR", 'The page\'s "page" has no function "toString".'),
    ],
)
def test_what_the_page_throws_reaches_the_agent(agent: Agent, function: str, code: str, said: str) -> None:
    error = error_of(agent.call("use", {"function": function, "arguments": []}))
    assert (error["code"], error["message"]) == (code, said)


def test_python_asks_the_page_without_waiting_what_answers_at_once(agent: Agent, booted: Watched) -> None:
    assert agent.call("use_now", {"function": "add", "arguments": [1, 2]})["structuredContent"] == {
        "result": 3
    }
    assert error_of(agent.call("use_now", {"function": "refuse", "arguments": []}))["message"] == "not today"
    for function in ("later", "refuseLater"):
        error = error_of(agent.call("use_now", {"function": function, "arguments": [7]}))
        assert error["code"] == "TOOL_HANDLER_ERROR"
        assert f"page.{function} answers later" in booted.problems[-1]
    assert len(booted.problems) == 2
    assert agent.call("use", {"function": "later", "arguments": [8]})["structuredContent"] == {"result": 8}


def test_a_result_of_the_page_that_json_cannot_hold_is_an_error(agent: Agent) -> None:
    error = error_of(agent.call("use", {"function": "loop", "arguments": []}))
    assert "circular" in error["message"]


def test_what_the_page_has_not_exposed_says_so(agent: Agent) -> None:
    assert error_of(agent.call("missing"))["code"] == "PAGE_NOT_READY"


def test_methods_partials_and_callables_are_tools(agent: Agent) -> None:
    assert agent.call("increase", {"by": 5})["structuredContent"] == {"result": 5}
    assert agent.call("increase_by_ten")["structuredContent"] == {"result": 15}
    assert agent.call("decrease", {"by": 15})["structuredContent"] == {"result": 0}


NESTED = """(depth) => {
  let value = 1;
  for (let level = 0; level < depth; level += 1) value = [value];
  return webtools.call("nested", {data: {value}});
}"""


@pytest.mark.parametrize("depth", [150, 300, 5000])
def test_an_input_that_is_nested_deeply_is_taken_or_refused(agent: Agent, depth: int) -> None:
    answer = agent.page.evaluate(NESTED, depth)
    if depth > 200:
        assert "nested at most 200 deep" in error_of(answer)["message"]
    assert "isError" not in agent.call("text", {"value": "alive"})


@pytest.mark.parametrize("depth", [40, 60, 5000])
def test_a_result_that_is_nested_deeply_is_acknowledged(agent: Agent, depth: int) -> None:
    assert "isError" not in agent.call("deep", {"depth": depth})


def test_a_deep_result_of_the_page_is_an_error(agent: Agent) -> None:
    error = error_of(agent.call("use", {"function": "deep", "arguments": []}))
    assert (error["code"], "too deeply" in error["message"]) == ("PAGE_ERROR", True)
    assert "isError" not in agent.call("text", {"value": "alive"})


ABORT = """async (name) => {
  const tool = (await document.modelContext.getTools()).find((each) => each.name === "wait");
  const controller = new AbortController();
  const heard = (type) => new Promise((resolve) => webtools.addEventListener(type, resolve, {once: true}));
  const began = heard("callstart");
  const ended = heard("callend");
  const call = document.modelContext.executeTool(tool, {name}, {signal: controller.signal});
  await began;
  controller.abort();
  const outcome = await call.then((answer) => answer, (error) => error.name);
  return {outcome, code: (await ended).detail.code};
}"""


def test_a_callers_abort_cancels_the_task_and_runs_its_finally_blocks(agent: Agent, booted: Watched) -> None:
    agent.call("effects")
    assert agent.page.evaluate(ABORT, "x") == {"outcome": "AbortError", "code": "CANCELLED"}
    assert agent.call("effects")["structuredContent"] == {"result": ["x began", "x was cleaned up"]}
    assert booted.problems == []


def test_the_pages_own_client_gets_the_same_answer_as_an_agent(agent: Agent) -> None:
    own = agent.page.evaluate("webtools.call('find', {sku: 42})")
    assert own == agent.call("find", {"sku": 42})


@pytest.mark.parametrize(
    ("script", "code"),
    [
        ("webtools.call('nothing_of_this_name', {})", "TOOL_NOT_FOUND"),
        ("webtools.call('text', null)", "INVALID_TOOL_ARGS"),
        ("webtools.call('text', 'no JSON')", "INVALID_TOOL_ARGS"),
        ("webtools.call('text', {value: 10n})", "INVALID_TOOL_ARGS"),
        ("webtools.call('text', {value: 'x'}, {signal: AbortSignal.abort()})", "CANCELLED"),
    ],
)
def test_the_pages_own_client_never_rejects(agent: Agent, script: str, code: str) -> None:
    assert error_of(agent.page.evaluate(script))["code"] == code


def test_calls_that_overlap_are_answered_each_with_its_own(agent: Agent) -> None:
    script = """async () => Promise.all([...Array(50).keys()].map((n) => n % 2
      ? webtools.call("use", {function: "later", arguments: [n]})
      : webtools.call("text", {value: String(n)})))"""
    answers = agent.page.evaluate(script)
    came = [
        answer["structuredContent"]["result"] if n % 2 else int(text_of(answer))
        for n, answer in enumerate(answers)
    ]
    assert came == list(range(50))
    assert all(each["inFlight"] == 0 for each in agent.page.evaluate("webtools.tools()"))


def test_events_tell_of_each_call(agent: Agent) -> None:
    script = """async () => {
      const events = [];
      for (const type of ["callstart", "callend"])
        webtools.addEventListener(type, ({detail: {callId, ms, answer, ...detail}}) =>
          events.push([type, detail, typeof callId, typeof ms, answer?.content[0].type]));
      await webtools.call("text", {value: "x"});
      await webtools.call("divide", {by: "x"});
      return events;
    }"""
    refused = {"outcome": "error", "code": "INVALID_TOOL_ARGS"}
    assert agent.page.evaluate(script) == [
        ["callstart", {"tool": "text"}, "string", "undefined", None],
        ["callend", {"tool": "text", "outcome": "done"}, "string", "number", "text"],
        ["callstart", {"tool": "divide"}, "string", "undefined", None],
        ["callend", {"tool": "divide", **refused}, "string", "number", "text"],
    ]


def test_whatever_is_called_with_whatever_it_is_answered_and_nothing_is_left_behind(
    agent: Agent, booted: Watched
) -> None:
    """`nox -s fuzz` has it make many thousands; WEBTOOLS_FUZZ_SEED replays the calls of a run that failed."""
    seed = int(os.environ.get("WEBTOOLS_FUZZ_SEED") or random.randrange(2**31))
    count = int(os.environ.get("WEBTOOLS_FUZZ_CALLS") or 3 * BATCH)

    def after_calls(first: int, calls: int) -> dict[str, int]:
        for begin in range(first, first + calls, BATCH):
            assert agent.page.evaluate(FUZZ, [begin, BATCH]) == [], f"WEBTOOLS_FUZZ_SEED={seed}"
        measured: dict[str, int] = agent.call("measure")["structuredContent"]
        return measured

    before = after_calls(seed, BATCH)  # which loads what is loaded once
    after = after_calls(seed + BATCH, count - BATCH)
    assert (after["proxies"], after["tasks"]) == (before["proxies"], before["tasks"])
    assert text_of(agent.call("text", {"value": "still here"})) == "still here"
    assert all(each["inFlight"] == 0 for each in agent.page.evaluate("webtools.tools()"))
    assert booted.uncaught == []
    assert [said for said in booted.problems if not said.startswith("webtools: ")] == []
