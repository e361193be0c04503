"""The isolation key: what is kept for one call, run or session must not be found by another.

Source: ../shared/spec/tool-context.md, §5.
"""

from __future__ import annotations

from typing import Literal, get_args

from webtools.calls.context import ToolContext

Scope = Literal["call", "run", "session", "page"]
"""How far something that is kept for a call reaches."""


def tool_session_key(ctx: ToolContext, scope: Scope) -> str | None:
    """The key under which to keep something in this scope; two callers never share one by accident.

    Args:
        ctx: The call's.
        scope: "run" and "session" are told apart by tenant and principal, too, where the caller states them.

    Returns:
        None for "page", and where the caller did not state the scope's id: then refuse, or choose a narrower
        scope and say so.

    Raises:
        TypeError: A fact is no text.
        ValueError: There is no such scope.
    """
    match scope:
        case "call":
            return f"c={encoded(ctx.call_id)}"
        case "run":
            return _within(ctx, "r", ctx.run_id)
        case "session":
            return _within(ctx, "s", ctx.session_id)
        case "page":
            return None
    raise ValueError(f"There is no scope {scope!r}: it is one of {', '.join(get_args(Scope))}.")


def caller_key(ctx: ToolContext) -> str:
    """Tenant and principal, as far as they are stated: what "run" and "session" keys begin with."""
    who = ctx.identity
    tenant, principal = (who.tenant, who.principal) if who else (None, None)
    return f"t={encoded(tenant)}/p={encoded(principal)}"


def encoded(fact: str | None) -> str:
    """A fact as a part of a key: without a slash, and of no other fact; empty counts as absent.

    Raises:
        TypeError: It is no text; the message does not have it, since it may be a secret.
    """
    if fact is None:
        return "_"
    if not isinstance(fact, str):
        raise TypeError(f"a fact of a call is a text, not a {type(fact).__name__}")
    if fact == "_":
        return "%5F"
    return fact.replace("%", "%25").replace("/", "%2F") or "_"


def _within(ctx: ToolContext, letter: str, fact: str | None) -> str | None:
    key = encoded(fact)
    return None if key == "_" else f"{caller_key(ctx)}/{letter}={key}"
