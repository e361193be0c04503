"""Makes a call's answer, JSON text, of what its handler has returned or raised."""

from __future__ import annotations

import logging
import sys
import traceback
from collections.abc import Callable, Mapping
from typing import Any

from webtools._exceptions import Effect, ToolError
from webtools.calls.artifacts import placed
from webtools.calls.call import Answered, Call
from webtools.stores.artifacts import ArtifactStore
from webtools.stores.secrets import Secrets
from webtools.tools.answers import AnswerTooLong, answer, failure, returned_error
from webtools.tools.tool import Tool

logger = logging.getLogger("webtools")


class Answering:
    """Nothing that it is given makes it raise, and no answer has a secret in it.

    Args:
        secrets: Are taken out.
        artifacts_of: Gives the store of a call, for answers that are too long.
        debug: Whether an unexpected exception's text reaches the agent, too.
    """

    def __init__(
        self, secrets: Secrets, artifacts_of: Callable[[Call], ArtifactStore | None], debug: bool
    ) -> None:
        self._secrets = secrets
        self._artifacts_of = artifacts_of
        self._debug = debug

    def succeeded(self, call: Call, value: Any) -> str:
        """Answer with what the handler returned, of a tool that places nothing."""
        tool = call.tool  # it may be a newer one by now
        try:
            return self._secrets.redacted_json(self._answer(call, tool, value))
        except AnswerTooLong as error:
            return failure(_too_long(tool, error))

    async def placed(self, call: Call, value: Any) -> str:
        """Answer with what the handler returned, which may have to be kept elsewhere."""
        tool = call.tool
        try:
            return self._secrets.redacted_json(self._answer(call, tool, value))
        except AnswerTooLong as error:
            too_long = _too_long(tool, error)
            if not tool.place:
                return failure(too_long)
            content = self._secrets.redacted_data(error.content)
            return await placed(tool, content, too_long, self._artifacts_of(call))

    def failed(self, call: Call, error: BaseException) -> str:
        """Answer with why the call did not succeed."""
        return self._secrets.redacted_json(self._failure(call, error))

    def _answer(self, call: Call, tool: Tool, value: Any) -> str:
        max_chars = tool.max_chars
        try:
            if error := returned_error(value):
                return failure(error)
            value = tool.returns.accept(value)
            if call.outer:  # its handler gets the value as it is
                call.result = (value,)
                max_chars = sys.maxsize
        except BaseException as error:  # noqa: BLE001  # a ValidationError, or what a validator raises
            # a part of a secret would not be found in what pydantic cites
            cited = type(error).__name__ if self._secrets else error
            return _output_invalid(tool, "is not of the type that it declares", cited)
        try:
            return answer(value, max_chars, lambda lost: _warn_lost(tool, lost))
        except AnswerTooLong:
            raise
        except BaseException as error:  # noqa: BLE001  # the value's own code: a property, an iterator
            return _output_invalid(tool, "cannot be written as JSON", error)

    def _failure(self, call: Call, error: BaseException) -> str:
        if isinstance(error, Answered):
            return error.text
        tool, effect = call.tool, None if call.is_entered else call.effect
        if isinstance(error, ToolError):
            try:
                return failure(_renamed(error, effect, tool.guards.errors))
            except Exception as broken:  # noqa: BLE001  # a field that cannot be read or written
                error = broken
        logger.error("Tool %r raised an exception", tool.name, exc_info=error)
        said = f"{tool.name} failed with {type(error).__name__}, an error of the page, not of your arguments."
        if self._debug:
            said = f"{said} {''.join(traceback.format_exception_only(error)).strip()}"
        return failure(ToolError(said, code="TOOL_HANDLER_ERROR", effect=effect or "unknown"))


def _warn_lost(tool: Tool, lost: list[str]) -> None:
    logger.warning("Tool %r returned what JSON cannot hold: %s", tool.name, "; ".join(lost[:5]))


def _renamed(error: ToolError, effect: Effect | None, names: Mapping[str, str]) -> ToolError:
    """Copy the error, which may be an author's constant, with what is known of its effect."""
    code = names.get(error.code, error.code)
    if effect is None and code == error.code:
        return error
    copied = ToolError(error.message, details=error.details, retryable=error.retryable)
    copied.code, copied.effect = code, effect or error.effect  # a subclass may have set what it may not give
    return copied


def _output_invalid(tool: Tool, why: str, error: object) -> str:
    logger.error("Tool %r returned what %s: %s", tool.name, why, error)
    said = f"{tool.name} did its work, but its answer {why}."
    return failure(ToolError(said, code="TOOL_OUTPUT_INVALID", effect="done"))


def _too_long(tool: Tool, error: ToolError) -> ToolError:
    """Add what only the tool knows: which parameters may narrow the answer, and whether to try again."""
    names = list(tool.definition.input_schema["properties"])
    cure = f" Narrow it with {', '.join(names)}." if names else ""
    return ToolError(
        error.message + cure,
        code=error.code,
        details={**(error.details or {}), "parameters": names},
        retryable=tool.definition.annotations.get("readOnlyHint", False),
        effect=error.effect,
    )
