"""Answers of calls, as MCP has them: the page's own, and those that the bridge gives in its place.

The bridge's errors have the shape and the codes of the page's (`docs/errors.md`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from webtools._exceptions import ToolError
from webtools.agent.conversation import Answer
from webtools.calls.listed import not_found
from webtools.cli.bridge.events import Answered
from webtools.cli.bridge.texts import parsed
from webtools.tools.answers import failure
from webtools.tools.encoding import clean

__all__ = ["answer_of", "crashed", "failed", "left", "missing", "refused", "unavailable"]


def answer_of(told: Answered, name: str) -> Answer:
    """Read what a document tells of a call: answers of MCP's shape as they are, others as text and data."""
    if told.is_missing:
        said = f"{name} is not there any more. List the tools again."
        return _failure(ToolError(said, code="TOOL_NOT_FOUND", retryable=True, effect="none"))
    if told.error is not None:
        said = f"The browser could not run {name} to its end: {told.error}"
        return _failure(ToolError(said, code="TOOL_HANDLER_ERROR", effect="unknown"))
    if told.text is None:
        return _text("The tool has led to another document, which has not told what came of it.")
    return _read(told.text)


def missing(name: str, names: Iterable[str]) -> Answer:
    """No page has a tool of that name."""
    return _failure(not_found(name, names))


def unavailable(reason: str) -> Answer:
    """There is no page to call a tool of, for now."""
    said = f"The page's tools cannot be called now: {reason}. List the tools again in a while."
    return _failure(ToolError(said, code="HOST_FAILED", retryable=True, effect="none"))


def failed(reason: str) -> Answer:
    """The page is there, but not what should register its tools."""
    said = f"The page's app has failed, so its tools are not there: {reason}"
    return _failure(ToolError(said, code="HOST_FAILED", effect="none"))


def refused(origin: str, way_out: str) -> Answer:
    """The page is at an origin whose tools the bridge may not offer."""
    said = f"The page has gone to {origin}, whose tools may not be called. {way_out}"
    return _failure(ToolError(said, code="NOT_ALLOWED", effect="none"))


def left(name: str) -> Answer:
    """The document was left while the tool ran."""
    said = f"The page was left while {name} ran; its effect may still land. Read the page's state first."
    return _failure(ToolError(said, code="CANCELLED", effect="unknown"))


def crashed(name: str, reason: str) -> Answer:
    """The tab went away while the tool ran."""
    said = f"While {name} ran, {reason}; what it has done is not known."
    return _failure(ToolError(said, code="HOST_FAILED", effect="unknown"))


def _failure(error: ToolError) -> Answer:
    answer: Answer = json.loads(failure(error))
    return answer


def _text(text: str) -> Answer:
    return {"content": [{"type": "text", "text": text}]}


def _read(text: str) -> Answer:
    try:
        value = parsed(text)
    except ValueError:
        return _text(clean(text))
    if isinstance(value, dict):
        return (
            value if isinstance(value.get("content"), list) else {**_text(text), "structuredContent": value}
        )
    return _text(value if isinstance(value, str) else text)
