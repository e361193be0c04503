"""What the caller of a tool has stated of the call. What nobody stated is absent, never invented."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal

from webtools._exceptions import ToolError
from webtools.tools.nesting import is_too_deep

Door = Literal["browser", "page", "inner", "test"]
"""Where a call came in: the model context, the page's own client, another tool, a test."""

Scope = Literal["call", "run", "session", "page"]
"""How far something that is kept for a call reaches."""


@dataclass(frozen=True)
class Identity:
    """Who is behind a call, as its caller says. It correlates; it proves nothing."""

    conversation_id: str
    tenant: str | None = None
    principal: str | None = None


@dataclass(frozen=True)
class Facts:
    """Of one call; None where the caller stated nothing.

    Attributes:
        iteration: Of an agent's loop; 0 where there is none.
        turn_started_at: Milliseconds since the Unix epoch.
        call_id: The caller's own of this call, the same when it makes it again.
        provider: Whose model it is.
        effort_level: How much thought the caller asked of it.
    """

    door: Door = "browser"
    iteration: int = 0
    turn_id: str | None = None
    turn_started_at: int | None = None
    run_id: str | None = None
    call_id: str | None = None
    session_id: str | None = None
    identity: Identity | None = None
    provider: str | None = None
    effort_level: str | None = None


IDENTITY = ("conversationId", "tenant", "principal")
"""What an identity of JavaScript's has."""

BROWSER = Facts()
"""A browser states nothing."""


def refused(wrong: ValueError) -> ToolError:
    """What a call is answered whose facts `stated` cannot read."""
    said = f"What the caller states of the call cannot be used: {wrong}."
    return ToolError(said, code="INVALID_TOOL_ARGS", retryable=True, effect="none")


def stated(text: str | None) -> Facts:
    """Read what the page's own client states.

    Args:
        text: JSON text ``{"sessionId"?, "turnId"?, "turnStartedAt"?, "runId"?, "callId"?, "iteration"?,
            "provider"?, "effortLevel"?, "identity"?: {"conversationId", "tenant"?, "principal"?}}``; an empty
            text states nothing and counts as left out.

    Raises:
        ValueError: A fact is of another kind; the message says which.
    """
    given = _object(text) if text else {}
    who = given.get("identity")
    return Facts(
        door="page",
        iteration=_number(given, "iteration") or 0,
        turn_id=_text(given, "turnId"),
        turn_started_at=_number(given, "turnStartedAt"),
        run_id=_text(given, "runId"),
        call_id=_text(given, "callId"),
        session_id=_text(given, "sessionId"),
        identity=None if who is None else _identity(who),
        provider=_text(given, "provider"),
        effort_level=_text(given, "effortLevel"),
    )


def facts_text(facts: Facts) -> str:
    """Write facts as `stated` reads them; what is absent stays so."""
    who = facts.identity
    given = {
        "iteration": facts.iteration or None,
        "turnId": facts.turn_id,
        "turnStartedAt": facts.turn_started_at,
        "runId": facts.run_id,
        "callId": facts.call_id,
        "sessionId": facts.session_id,
        "provider": facts.provider,
        "effortLevel": facts.effort_level,
        "identity": who
        and _present(
            {"conversationId": who.conversation_id, "tenant": who.tenant, "principal": who.principal}
        ),
    }
    return json.dumps(_present(given), ensure_ascii=False)


def _present(given: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in given.items() if value is not None}


def _object(text: str) -> dict[str, Any]:
    """Read the facts, which may be any JSON: an object of the caller's can have a ``toJSON``."""
    given = None if is_too_deep(text) else json.loads(text)
    if not isinstance(given, dict):
        raise ValueError("the facts must be a plain object")
    return given


def _identity(who: Any) -> Identity:
    """Read who it is; a misspelt tenant must not be as if none were stated."""
    if not isinstance(who, dict) or _text(who, "conversationId") is None:
        raise ValueError("identity must be an object with a conversationId, a text that is not empty")
    if unknown := who.keys() - set(IDENTITY):
        raise ValueError(f"identity has no {min(unknown)!r}; it has {', '.join(IDENTITY)}")
    return Identity(str(who["conversationId"]), _text(who, "tenant"), _text(who, "principal"))


def _text(given: dict[str, Any], name: str) -> str | None:
    value = given.get(name)
    if value is not None and not isinstance(value, str):
        raise ValueError(f"{name} must be a text")
    return value or None


def _number(given: dict[str, Any], name: str) -> int | None:
    value = given.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0 or value % 1 != 0:
        raise ValueError(f"{name} must be a whole number that is not negative")
    return int(value)
