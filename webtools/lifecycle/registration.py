"""What the browser has been asked to have of one tool name."""

from __future__ import annotations

from dataclasses import dataclass

from webtools.lifecycle.hold import AnyTool, Hold, Key
from webtools.tools.definition import Definition


@dataclass(eq=False)
class Registration:
    """One attempt: what the browser was asked to have.

    Attributes:
        hold: Whose wish it was.
    """

    number: int
    definition: Definition
    is_accepted: bool = False
    hold: Hold | None = None


@dataclass(frozen=True, eq=False)
class Past:
    """What the page has done for a name by itself, before there was a registry.

    Attributes:
        generation: As the page counted it.
        seen: What its last macrotask found.
        registration: What the browser has.
        last_tool: Whose registration that is, or who was held last; None where only calls are left.
        reason: Why the last registration failed.
        calls: Calls that have begun.
        settled_at: When the last one settled, in the clock's seconds.
    """

    generation: int
    seen: Key | None
    registration: Registration | None
    last_tool: AnyTool | None
    reason: str | None
    calls: int
    settled_at: float
