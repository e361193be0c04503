"""The tree of errors, in two planes.

What the developer reads (raised, never handed to an agent)::

    WebtoolsError
    └── ToolDefinitionError (also ValueError)   a tool is declared in a way that cannot work

What the agent reads (each becomes an answer with ``isError``)::

    ToolError
    └── InvalidArguments                        the input does not fit the tool's schema
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, get_args

Effect = Literal["none", "done", "unknown"]
"""What a failed call did to the page: nothing, all of its work, or nobody can tell."""


class WebtoolsError(Exception):
    """Base of the errors that speak to the developer of the page."""


class ToolDefinitionError(WebtoolsError, ValueError):
    """A tool is declared in a way that cannot work; the text names the rule and the cure."""


class ToolError(Exception):
    """An error that the agent is meant to read, raised by a tool's handler.

    Args:
        message: Reaches the agent word for word, so it should say what to do next.
        code: A stable word in capitals that programs can match on.
        details: Anything that JSON can hold; reaches the agent.
        retryable: Whether the same tool may succeed when it is called again.
        effect: What the call did before it failed. Leave "unknown" unless it is certain.

    Raises:
        TypeError: The code is no text.
        ValueError: The code is empty, or the effect none of the three.
    """

    # an author's subclass may leave out super().__init__()
    message: str = "The tool failed."
    code: str = "TOOL_ERROR"
    details: Mapping[str, Any] | None = None
    retryable: bool = False
    effect: Effect = "unknown"

    def __init__(
        self,
        message: str,
        *,
        code: str = "TOOL_ERROR",
        details: Mapping[str, Any] | None = None,
        retryable: bool = False,
        effect: Effect = "unknown",
    ) -> None:
        super().__init__(message)
        if not isinstance(code, str):
            raise TypeError(f'ToolError: code={code!r} must be a text in capitals, such as "CART_EMPTY".')
        if not code:
            raise ValueError('ToolError: the code is empty. Leave it out, or write "CART_EMPTY", for one.')
        if effect not in get_args(Effect):
            raise ValueError(f'ToolError: effect={effect!r} must be "none", "done" or "unknown".')
        self.message = message
        self.code = code
        self.details = details
        self.retryable = retryable
        self.effect = effect


class InvalidArguments(ToolError):
    """The input of a call does not fit the tool's schema; the handler did not run."""

    def __init__(self, message: str, problems: list[dict[str, str]]) -> None:
        super().__init__(
            message,
            code="INVALID_TOOL_ARGS",
            details={"problems": problems},
            retryable=True,
            effect="none",
        )
