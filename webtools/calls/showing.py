"""What the page shows of a call to the person in front of it, right before the handler runs.

Nothing of it can refuse the call: what an author's function has wrong is told in the console.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from webtools.calls.call import Call
from webtools.calls.wrong_returns import complain
from webtools.tools.encoding import Encoder

logger = logging.getLogger("webtools")

Show = Callable[[str, str], Awaitable[object] | None]
"""Takes a call's id and JSON text ``{"tool", "target"?, "fields": [[selector, value], …]}``; gives something
to wait for where showing it takes a moment. Waiting never raises."""


def show(call: Call, shower: Show) -> Awaitable[object] | None:
    """Have it shown where the call is, and what its fields show of the arguments."""
    target = _target(call)
    wire: dict[str, Any] = {"tool": call.tool.name, "fields": _fields(call)}
    if target is not None:
        wire["target"] = target
    return shower(call.call_id, json.dumps(wire, ensure_ascii=False))


def _target(call: Call) -> str | None:
    """The selector that the author's function gives; a text of the definition the page knows."""
    given = _given(call, "target", call.tool.showing.target)
    if given is None or isinstance(given, str):
        return given or None
    complain(call.tool.name, "target", given, "a CSS selector, or None")
    return None


def _fields(call: Call) -> list[tuple[str, Any]]:
    showing, told = call.tool.showing, call.told
    values = {selector: told.get(name) for name, selector in showing.fields.items()}
    given = _given(call, "fill", showing.fill)
    if given is not None and not _is_filling(given):
        complain(call.tool.name, "fill", given, "a dict of CSS selectors and values")
        given = None
    return list(Encoder().encode({**values, **(given or {})}).items())


def _is_filling(given: object) -> bool:
    return isinstance(given, Mapping) and all(isinstance(each, str) for each in given)


def _given(call: Call, option: str, function: object) -> Any:
    """What a function of the author's gives for the call; None where it is none, or raises."""
    if not callable(function):
        return None
    try:
        return function(call.told)
    except Exception:  # what the person is shown must not keep the tool from working
        logger.exception("Tool %r: its %s raised", call.tool.name, option)
        return None
