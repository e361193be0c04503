"""What a person, a model and the page's tools have said to each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

Answer = dict[str, Any]
"""What a tool has answered: ``{"content": [{"type": "text", "text"}], "structuredContent"?, "isError"?}``."""


@dataclass(frozen=True)
class ToolCall:
    """A model wants a tool to be called.

    Attributes:
        id: The model's; unique within its reply.
        name: The tool's, as the page has it.
        arguments: JSON text as the model has written it, which may be none.
    """

    id: str
    name: str
    arguments: str = "{}"


@dataclass(frozen=True)
class Message:
    """Something said.

    Attributes:
        calls: What the assistant wants to be called before it goes on.
    """

    role: Literal["system", "user", "assistant"]
    text: str = ""
    calls: tuple[ToolCall, ...] = ()


@dataclass(frozen=True)
class ToolResult:
    """What came of a call, in the page's own words."""

    call: ToolCall
    answer: Answer

    @property
    def error(self) -> dict[str, Any] | None:
        """The error, ``{"code", "message", "retryable", "effect", "details"?}``, where it is one."""
        return error_of(self.answer)


Conversation = Sequence[Message | ToolResult]


def error_of(answer: Answer) -> dict[str, Any] | None:
    """The error of an answer that is one."""
    if not answer.get("isError"):
        return None
    found: dict[str, Any] = answer.get("structuredContent", {}).get("error", {})
    return found
