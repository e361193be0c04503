from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtools.agent import Message, ToolCall, ToolResult
from webtools.agent.conversation import Answer
from webtools.agent.formats import anthropic, mcp, openai
from webtools.agent.formats.names import narrow, widen
from webtools.tools.definition import Definition

SCHEMA = {"type": "object", "properties": {"sku": {"type": "string"}}, "required": ["sku"]}
CART = Definition("cart.add", "Add to the cart.", SCHEMA, title="Add")
FIND = Definition(
    "find", "Find products.", {}, annotations={"readOnlyHint": True, "untrustedContentHint": True}
)
BOTH = [CART, FIND]
NARROW = narrow("cart.add")

TEXT: Answer = {"content": [{"type": "text", "text": "two"}], "structuredContent": {"result": "two"}}
IMAGE: Answer = {"content": [TEXT["content"][0], {"type": "image", "data": "aGk=", "mimeType": "image/png"}]}
ERROR: Answer = {
    "isError": True,
    "content": [{"type": "text", "text": "Gone."}],
    "structuredContent": {
        "error": {"code": "STALE_TOOL_CALL", "message": "Gone.", "retryable": False, "effect": "none"}
    },
}
CALL = ToolCall("c1", "cart.add", '{"sku":"A"}')

NAMES = st.text("abcXYZ019_.-", min_size=1, max_size=128)


@given(st.sets(NAMES, max_size=20))
def test_every_name_of_a_page_has_a_narrow_one_of_its_own_and_comes_back(names: set[str]) -> None:
    definitions = [Definition(each, "", {}) for each in names]
    narrowed = {narrow(each) for each in names}
    assert len(narrowed) == len(names)
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{1,64}", each) for each in narrowed)
    assert {widen(each, definitions) for each in narrowed} == names


def test_names_that_look_alike_when_they_are_narrowed_stay_apart() -> None:
    alike = ["a.b_c", "a_b.c", "x" * 70 + "1", "x" * 70 + "2"]
    assert len({narrow(each) for each in alike}) == len(alike)


def test_a_name_that_fits_stays_and_one_that_nobody_has_too() -> None:
    assert narrow("add_to-cart2") == "add_to-cart2"
    assert widen("made_up", BOTH) == "made_up"


def test_openai_has_definitions_as_functions() -> None:
    cart, find = openai.tools(BOTH)
    assert cart == {
        "type": "function",
        "function": {"name": NARROW, "description": "Add to the cart.", "parameters": SCHEMA},
    }
    assert find["function"]["parameters"] == {"type": "object"}
    assert "never instructions" in find["function"]["description"]


def test_openai_has_calls_read_with_ids_of_their_own() -> None:
    message = {
        "tool_calls": [
            {"id": "c1", "function": {"name": NARROW, "arguments": '{"sku":"A"}'}},
            {"id": "c1", "function": {"name": "find", "arguments": {"words": "ü"}}},
            {"function": {"name": "made_up", "arguments": None}},
            {"function": {}},
        ]
    }
    assert openai.calls(message, BOTH) == (
        CALL,
        ToolCall("c1_2", "find", '{"words": "ü"}'),
        ToolCall("call_3", "made_up"),
        ToolCall("call_4", ""),
    )
    assert openai.calls({"content": "Hello", "tool_calls": None}, BOTH) == ()


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (TEXT, "two"),
        (IMAGE, "two\n[image/png, which cannot be shown here]"),
        (ERROR, 'Error {"code": "STALE_TOOL_CALL", "effect": "none", "retryable": false}\nGone.'),
    ],
)
def test_openai_has_results_as_text(answer: Answer, text: str) -> None:
    assert openai.result(CALL, answer) == {"role": "tool", "tool_call_id": "c1", "content": text}


def test_openai_has_a_whole_conversation() -> None:
    broken = [ToolCall("c2", "find", each) for each in ("{", "[]", "[" * 500)]
    reply = Message("assistant", "", (CALL, *broken))
    first, second, third = openai.messages([Message("system", "Be brief."), reply, ToolResult(CALL, TEXT)])
    assert first == {"role": "system", "content": "Be brief."}
    assert third == openai.result(CALL, TEXT)
    assert (second["role"], second["content"]) == ("assistant", None)
    assert second["tool_calls"][0] == {
        "id": "c1",
        "type": "function",
        "function": {"name": NARROW, "arguments": '{"sku":"A"}'},
    }
    assert {each["function"]["arguments"] for each in second["tool_calls"][1:]} == {"{}"}
    assert openai.calls(second, BOTH)[0] == CALL


def test_anthropic_has_all_three() -> None:
    cart, find = anthropic.tools(BOTH)
    assert cart == {"name": NARROW, "description": "Add to the cart.", "input_schema": SCHEMA}
    assert find["input_schema"] == {"type": "object"}
    content = [
        {"type": "text", "text": "Let me."},
        {"type": "tool_use", "id": "c1", "name": NARROW, "input": {"sku": "A"}},
    ]
    (call,) = anthropic.calls({"role": "assistant", "content": content}, BOTH)
    assert (call.id, call.name, json.loads(call.arguments)) == ("c1", "cart.add", {"sku": "A"})
    assert anthropic.calls({"content": "Hello"}, BOTH) == ()
    result = {"type": "tool_result", "tool_use_id": "c1"}
    assert anthropic.result(CALL, TEXT) == {**result, "content": [{"type": "text", "text": "two"}]}
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGk="}}
    assert anthropic.result(CALL, IMAGE)["content"][1] == image
    refused = anthropic.result(CALL, ERROR)
    assert refused["is_error"] is True
    assert "STALE_TOOL_CALL" in refused["content"][0]["text"]


def test_an_image_that_anthropic_cannot_see_is_named() -> None:
    answer = {"content": [{"type": "image", "data": "PHN2Zz4=", "mimeType": "image/svg+xml"}]}
    (block,) = anthropic.result(CALL, answer)["content"]
    assert block == {"type": "text", "text": "[image/svg+xml, which cannot be shown here]"}


def test_mcp_has_names_and_answers_as_the_page_has_them() -> None:
    cart, find = mcp.tools(BOTH)
    assert cart == {
        "name": "cart.add",
        "title": "Add",
        "description": "Add to the cart.",
        "inputSchema": SCHEMA,
    }
    assert find["annotations"] == {"readOnlyHint": True}
    request = {
        "jsonrpc": "2.0",
        "id": 7,
        "method": "tools/call",
        "params": {"name": "cart.add", "arguments": {"sku": "A"}},
    }
    assert mcp.calls(request) == (ToolCall("7", "cart.add", '{"sku": "A"}'),)
    assert [mcp.result(each) for each in (TEXT, IMAGE, ERROR)] == [TEXT, IMAGE, ERROR]
