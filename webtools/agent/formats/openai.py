"""The format of the OpenAI API's chat completions, which many servers speak.

Source: https://platform.openai.com/docs/api-reference/chat/create
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from webtools.agent.conversation import Answer, Conversation, Message, ToolCall, ToolResult
from webtools.agent.formats.names import narrow, widen
from webtools.agent.formats.parts import arguments_text, described, said, schema
from webtools.tools.definition import Definition, JsonObject
from webtools.tools.nesting import is_too_deep


def tools(definitions: Iterable[Definition]) -> list[JsonObject]:
    """Write the ``tools`` of a request."""
    return [
        {
            "type": "function",
            "function": {
                "name": narrow(each.name),
                "description": described(each),
                "parameters": schema(each),
            },
        }
        for each in definitions
    ]


def calls(message: Mapping[str, Any], definitions: Iterable[Definition]) -> tuple[ToolCall, ...]:
    """Read the ``tool_calls`` of an assistant's message; each has an id of its own afterwards."""
    listed, found = list(definitions), list[ToolCall]()
    for each in message.get("tool_calls") or ():
        function = each.get("function") or {}
        name = widen(str(function.get("name") or ""), listed)
        call_id = str(each.get("id") or f"call_{len(found) + 1}")
        while any(other.id == call_id for other in found):
            call_id = f"{call_id}_{len(found) + 1}"
        found.append(ToolCall(call_id, name, arguments_text(function.get("arguments"))))
    return tuple(found)


def result(call: ToolCall, answer: Answer) -> JsonObject:
    """Write the ``tool`` message of a call. It is text alone: an image is named, an artifact is its ref."""
    return {"role": "tool", "tool_call_id": call.id, "content": said(answer)}


def messages(conversation: Conversation) -> list[JsonObject]:
    """Write the ``messages`` of a request."""
    return [
        result(each.call, each.answer) if isinstance(each, ToolResult) else _message(each)
        for each in conversation
    ]


def _message(message: Message) -> JsonObject:
    if not message.calls:
        return {"role": message.role, "content": message.text}
    return {
        "role": message.role,
        "content": message.text or None,
        "tool_calls": [
            {
                "id": each.id,
                "type": "function",
                "function": {"name": narrow(each.name), "arguments": _readable(each.arguments)},
            }
            for each in message.calls
        ],
    }


def _readable(arguments: str) -> str:
    """Arguments that are JSON: some servers refuse others, and the result says what was wrong."""
    if is_too_deep(arguments):
        return "{}"
    try:
        return arguments if isinstance(json.loads(arguments), dict) else "{}"
    except ValueError:
        return "{}"
