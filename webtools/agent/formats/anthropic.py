"""The format of the Anthropic API's messages.

Source: https://platform.claude.com/docs/en/api/messages
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from webtools.agent.conversation import Answer, ToolCall, error_of
from webtools.agent.formats.names import narrow, widen
from webtools.agent.formats.parts import arguments_text, described, said, schema
from webtools.tools.definition import Definition, JsonObject

IMAGES = ("image/jpeg", "image/png", "image/gif", "image/webp")
"""What it can see."""


def tools(definitions: Iterable[Definition]) -> list[JsonObject]:
    """Write the ``tools`` of a request."""
    return [
        {"name": narrow(each.name), "description": described(each), "input_schema": schema(each)}
        for each in definitions
    ]


def calls(message: Mapping[str, Any], definitions: Iterable[Definition]) -> tuple[ToolCall, ...]:
    """Read the ``tool_use`` blocks of an assistant's message."""
    listed, content = list(definitions), message.get("content")
    blocks = content if isinstance(content, list) else []
    return tuple(
        ToolCall(each["id"], widen(each["name"], listed), arguments_text(each.get("input")))
        for each in blocks
        if each.get("type") == "tool_use"
    )


def result(call: ToolCall, answer: Answer) -> JsonObject:
    """Write the ``tool_result`` block of a call; a message of the user has those of one reply together."""
    block: JsonObject = {
        "type": "tool_result",
        "tool_use_id": call.id,
        "content": [{"type": "text", "text": said(answer)}]
        if error_of(answer)
        else [_block(each) for each in answer["content"]],
    }
    return {**block, "is_error": True} if answer.get("isError") else block


def _block(part: Mapping[str, Any]) -> JsonObject:
    if part.get("type") == "image" and part.get("mimeType") in IMAGES:
        source = {"type": "base64", "media_type": part["mimeType"], "data": part["data"]}
        return {"type": "image", "source": source}
    return {"type": "text", "text": said({"content": [part]})}
