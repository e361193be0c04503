"""The format of the Model Context Protocol, whose names and answers a page's are already.

Source: https://modelcontextprotocol.io/specification/2025-11-25/server/tools
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from webtools.agent.conversation import Answer, ToolCall
from webtools.agent.formats.parts import arguments_text, described, schema
from webtools.tools.definition import Definition, JsonObject


def tools(definitions: Iterable[Definition]) -> list[JsonObject]:
    """Write the ``tools`` of a ``tools/list`` result."""
    return [_tool(each) for each in definitions]


def calls(request: Mapping[str, Any]) -> tuple[ToolCall, ...]:
    """Read a ``tools/call`` request, a JSON-RPC object: one call, whose id is the request's."""
    parameters = request.get("params") or {}
    arguments = arguments_text(parameters.get("arguments"))
    return (ToolCall(str(request.get("id", "")), str(parameters.get("name", "")), arguments),)


def result(answer: Answer) -> JsonObject:
    """Write the ``result`` of such a request; an artifact is its ref, since it has no URI."""
    return dict(answer)


def _tool(definition: Definition) -> JsonObject:
    tool: JsonObject = {
        "name": definition.name,
        "description": described(definition),
        "inputSchema": schema(definition),
    }
    if definition.title is not None:
        tool["title"] = definition.title
    if definition.annotations.get("readOnlyHint"):
        tool["annotations"] = {"readOnlyHint": True}
    return tool
