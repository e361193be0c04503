"""The answer that a browser is given for a call: JSON text, always of an object.

``{"content": [{"type": "text", "text"}], "structuredContent"?, "isError"?, "_meta"?}``

Source of the rules: ../shared/spec/tool-context.md, §3.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, get_args

from pydantic_core import to_json

from webtools._exceptions import Effect, ToolError
from webtools.tools.encoding import Encoder, clean, encode

EFFECTS = get_args(Effect)

DONE = "done"
"""The text of an answer whose handler returned None: valid content must not be empty."""


class AnswerTooLong(ToolError):
    """An answer's text is above its ceiling.

    Attributes:
        content: The text, or the data that the text is made of.
    """

    def __init__(self, chars: int, max_chars: int, content: Any) -> None:
        super().__init__(
            f"The answer has {chars} characters, more than the {max_chars} that this tool may return.",
            code="ANSWER_TOO_LONG",
            details={"chars": chars, "max_chars": max_chars},
            effect="done",
        )
        self.content = content


def answer(value: Any, max_chars: int, report: Callable[[list[str]], None]) -> str:
    """Answer with what a handler returned.

    Raises:
        AnswerTooLong: The text is above the ceiling of `max_chars` characters.
    """
    if value is None:
        return _wire({"content": [_text(DONE)]})
    plain = clean(value) if type(value) is str else encode(value, report)
    if isinstance(plain, str) and issubclass(type(value), str):
        _check_size(plain, max_chars, plain)
        return _wire({"content": [_text(plain)]})
    structured = plain if isinstance(plain, dict) else {"result": plain}
    text = _wire(structured)
    _check_size(text, max_chars, plain)
    return _wire({"content": [_text(text)], "structuredContent": structured})


def failure(error: ToolError) -> str:
    """Answer with an error.

    Its ``structuredContent.error`` is ``{"code", "message", "details"?, "retryable", "effect"}``.
    """
    said = clean(str(error.message))
    body: dict[str, Any] = {
        "code": clean(str(error.code)),
        "message": said,
        "retryable": bool(error.retryable),
        "effect": error.effect if error.effect in EFFECTS else "unknown",
    }
    if error.details is not None:
        body["details"] = Encoder().encode(error.details)
    return _wire({"content": [_text(said)], "structuredContent": {"error": body}, "isError": True})


def effect_of(text: str) -> Effect:
    """What the call did that was answered so."""
    said = json.loads(text)
    effect: Effect = said["structuredContent"]["error"]["effect"] if said.get("isError") else "done"
    return effect


def replayed(text: str) -> str:
    """Mark an answer as that of an earlier call: ``{…, "_meta": {"replayed": true}}``."""
    return _wire({**json.loads(text), "_meta": {"replayed": True}})


def returned_error(value: Any) -> ToolError | None:
    """Read ``{"error": {"code", "message", …}}``, which means the same as raising a ToolError."""
    if not _is_only_error(value):
        return None
    error = Encoder().encode(value)["error"]
    message, code = error.get("message"), error.get("code")
    if not isinstance(message, str) or not isinstance(code, str) or not code:
        return None
    return ToolError(
        message,
        code=code,
        details=error.get("details"),
        retryable=error.get("retryable") is True,
        effect=error["effect"] if error.get("effect") in EFFECTS else "unknown",
    )


def _is_only_error(value: Any) -> bool:
    try:
        return isinstance(value, Mapping) and set(value) == {"error"} and isinstance(value["error"], Mapping)
    except Exception:  # an author's own mapping; encoding it comes later, and reports  # noqa: BLE001
        return False


def _check_size(text: str, max_chars: int, content: Any) -> None:
    if len(text) > max_chars:
        raise AnswerTooLong(len(text), max_chars, content)


def _text(text: str) -> dict[str, str]:
    return {"type": "text", "text": text}


def _wire(data: Any) -> str:
    return to_json(data).decode()
