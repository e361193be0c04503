"""The isolation key: what is kept for one call, run or session must not be found by another.

Source: ../shared/spec/tool-context.md, §5.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, get_args

from webtools.calls.facts import Identity, Scope

if TYPE_CHECKING:
    from webtools.calls.context import ToolContext  # whose verbs need the keys

TOLD = 12
"""Hex digits of a key's SHA-256 that events have."""


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
            return call_key(ctx.call_id)
        case "run":
            return run_key(ctx.run_id, ctx.identity)
        case "session":
            return session_key(ctx.session_id, ctx.identity)
        case "page":
            return None
    raise ValueError(f"There is no scope {scope!r}: it is one of {', '.join(get_args(Scope))}.")


def call_key(call_id: str) -> str:
    """The key of a call."""
    return f"c={encoded(call_id)}"


def run_key(run_id: str | None, identity: Identity | None) -> str | None:
    """The key of a run; None where its id is not stated."""
    return _within(identity, "r", run_id)


def session_key(session_id: str | None, identity: Identity | None) -> str | None:
    """The key of a session; None where its id is not stated."""
    return _within(identity, "s", session_id)


def told(key: str) -> str:
    """What an event says of a key: enough to correlate, and nothing of the ids in it."""
    return hashlib.sha256(key.encode(errors="surrogatepass")).hexdigest()[:TOLD]


def caller_key(who: Identity | None) -> str:
    """Tenant and principal, as far as they are stated: what "run" and "session" keys begin with."""
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


def _within(who: Identity | None, letter: str, fact: str | None) -> str | None:
    key = encoded(fact)
    return None if key == "_" else f"{caller_key(who)}/{letter}={key}"
