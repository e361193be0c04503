"""What a handler reports of its call while it runs: an event for people, nothing for the agent.

Source: ../shared/spec/tool-context.md, §7.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from typing import Any

from webtools.calls.call import Call
from webtools.tools.encoding import Encoder

logger = logging.getLogger("webtools")

MAX_MESSAGE = 120
"""Code points of a message that are shown."""

Tell = Callable[[str, str, str], None]
"""Takes tool, call id and JSON text ``{"iteration", "progress", "message", "done"?, "total"?}``."""


class Progress:
    """Makes an event of each report; nothing that a handler reports, or who hears it, can raise.

    Args:
        tell: Told of each report at once, in their order.
        redacted: Takes the secrets out of JSON data.
    """

    def __init__(self, tell: Tell, redacted: Callable[[Any], Any]) -> None:
        self._tell = tell
        self._redacted = redacted
        self._warned: set[str] = set()

    def report(self, call: Call, payload: object) -> None:
        """Copy the payload and tell of it; one that is not plain data is counted only."""
        call.reports += 1
        encoder = Encoder()
        plain = self._redacted(encoder.encode(payload))  # before a secret could be cut
        if encoder.lost:
            self._warn(call.tool.name, encoder.lost)
            return
        detail = {
            "iteration": call.facts.iteration,
            "progress": plain,
            "message": _message(plain) or f"{call.tool.name} reported progress ({call.reports})",
            **_numbers(plain),
        }
        try:
            self._tell(call.tool.name, call.call_id, json.dumps(detail, ensure_ascii=False))
        except Exception:  # the page's own affair
            logger.exception("Tool %r: its progress could not be told", call.tool.name)

    def _warn(self, tool: str, lost: list[str]) -> None:
        if tool not in self._warned:
            self._warned.add(tool)
            said = "Tool %r reported progress that is not plain data, which is dropped: %s"
            logger.warning(said, tool, "; ".join(lost[:5]))


def _message(plain: Any) -> str | None:
    """The payload's own sentence, cut where it is long; None where it has none."""
    said = plain.get("message") if isinstance(plain, dict) else None
    said = said.strip() if isinstance(said, str) else ""
    rest = len(said) - MAX_MESSAGE
    return f"{said[:MAX_MESSAGE]}… (+{rest} more)" if rest > 0 else said or None


def _numbers(plain: Any) -> dict[str, Any]:
    given = plain if isinstance(plain, dict) else {}
    found = {name: given.get(name) for name in ("done", "total")}
    return {name: each for name, each in found.items() if type(each) in (int, float)}
