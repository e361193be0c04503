"""The tools that the page's own client may call."""

from __future__ import annotations

from collections.abc import Iterable

from webtools._exceptions import ToolError
from webtools.lifecycle.registry import ToolRegistry
from webtools.tools.definition import Definition


def listed(tools: ToolRegistry) -> list[Definition]:
    """What is offered: not what is leaving, nor what the browser has refused."""
    slots = [slot for slot in tools if slot.state not in ("leaving", "failed")]
    return [slot.current.tool.definition for slot in slots if slot.current]


def not_found(subject: str, names: Iterable[str]) -> ToolError:
    """Say that there is no such tool, and which there are."""
    there = sorted(names)
    return ToolError(
        f"{subject} does not exist here. The page has: {', '.join(there) or 'no tools'}.",
        code="TOOL_NOT_FOUND",
        details={"tools": there},
        retryable=True,
        effect="none",
    )
