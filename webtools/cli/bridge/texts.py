"""JSON texts that pages write, made fit for MCP's messages."""

from __future__ import annotations

import json
import math
from typing import Any, NoReturn

from webtools.tools.encoding import clean

__all__ = ["parsed"]

MAX_DEPTH = 100
"""How deep a value may be nested; what the SDK writes messages with ends the connection soon after 200."""


def parsed(text: str) -> Any:
    """Parse a text; half of a surrogate pair, which UTF-8 cannot hold, becomes U+FFFD, and Infinity null.

    Raises:
        ValueError: It is no JSON, or is nested too deeply.
    """
    try:
        return _fit(json.loads(text, parse_constant=_refuse), MAX_DEPTH)
    except RecursionError:
        raise _too_deep() from None


def _fit(value: Any, depth: int) -> Any:
    if depth < 0:
        raise _too_deep()
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {clean(name): _fit(each, depth - 1) for name, each in value.items()}
    if isinstance(value, list):
        return [_fit(each, depth - 1) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _refuse(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON")


def _too_deep() -> ValueError:
    return ValueError("it is nested too deeply")
