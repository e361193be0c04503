"""Lets an idempotent tool work once for each key, however often it is called with it.

The first call of a key leads: it runs the handler. Others with the same key follow: they wait for its answer.
A leader that ends without any effect has done nothing, so the next follower leads.

Source: ../shared/spec/tool-context.md, §4, "Destructive tools".
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any

from webtools._exceptions import ToolError
from webtools.calls.call import Answered, Call
from webtools.calls.context import ToolContext
from webtools.calls.isolation import caller_key, encoded, tool_session_key
from webtools.stores.idempotency import Records
from webtools.tools.answers import effect_of, failure, replayed

logger = logging.getLogger("webtools")


@dataclass(eq=False, slots=True)
class _Run:
    """One run of a handler for a key.

    Attributes:
        fingerprint: Of the arguments.
        following: The calls that wait, each with what it waits for: an answer, or None to lead.
    """

    record_id: str
    fingerprint: str
    leader: Call
    following: dict[Call, asyncio.Future[str | None]] = field(default_factory=dict)


class _Turn:
    """What a follower waits for; no coroutine, because one that is never begun warns."""

    def __init__(self, future: asyncio.Future[str | None]) -> None:
        self._future = future

    def __await__(self) -> Generator[Any, None, None]:
        answer = yield from self._future.__await__()
        if answer is not None:
            raise Answered(answer)


class Replays:
    """Knows which calls lead, which follow, and how those of earlier have ended."""

    def __init__(self, records: Records) -> None:
        self._records = records
        self._runs: dict[str, _Run] = {}
        self._of: dict[Call, _Run] = {}
        self._warned: set[str] = set()

    def enter(self, call: Call, ctx: ToolContext) -> _Turn | None:
        """Let the call lead, answer it, or return what it has to wait for.

        Raises:
            Answered: A call with this key has ended; this is its answer.
            ToolError: ``IDEMPOTENCY_CONFLICT``; a call with this key had other arguments.
        """
        key = ctx.idempotency_key
        if key is None:
            self._warn(call)
            return None
        record_id, fingerprint = _record_id(ctx, key), _digest(json.loads(call.text))
        record, run = self._records.find(record_id), self._runs.get(record_id)
        if (found := run or record) and found.fingerprint != fingerprint:
            raise _conflict(call, key)
        if record:
            raise Answered(replayed(record.answer))
        if run:
            return self._follow(call, run)
        self._runs[record_id] = self._of[call] = _Run(record_id, fingerprint, call)
        return None

    def outcome(self, call: Call, answer: str) -> None:
        """A call's own answer is there; what follows it is answered, or one of them leads."""
        run = self._of.get(call)
        if run is None:
            return
        if run.leader is not call:
            self._leave(call, run, "CANCELLED", answer)
            return
        del self._of[call]
        if effect_of(answer) == "none":
            self._hand_on(run)
            return
        del self._runs[run.record_id]
        self._records.keep(run.record_id, run.fingerprint, answer)
        for follower, future in run.following.items():
            del self._of[follower]
            if not future.done():
                future.set_result(replayed(answer))

    def is_needed(self, call: Call) -> bool:
        """Whether others wait for what this call has begun: then it goes on when its caller gives up."""
        run = self._of.get(call)
        return run is not None and run.leader is call and call.is_entered and bool(run.following)

    def gave_up(self, call: Call, reason: str, answer: str) -> None:
        """A call that is not needed is answered so; the last one to wait takes the leader with it."""
        run = self._of.get(call)
        if run and run.leader is not call:
            self._leave(call, run, reason, answer)
        else:
            self.outcome(call, answer)

    def ended(self, call: Call) -> None:
        """A call's task is over, or never began; whatever it has left open is closed."""
        if call in self._of:
            said = f"{call.tool.name} was ended from elsewhere; its effect may still land."
            self.outcome(call, failure(ToolError(said, code="CANCELLED", effect=call.effect)))

    def _follow(self, call: Call, run: _Run) -> _Turn:
        future: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
        run.following[call] = future
        self._of[call] = run
        call.leader = run.leader
        return _Turn(future)

    def _leave(self, call: Call, run: _Run, reason: str, answer: str) -> None:
        del self._of[call], run.following[call]
        leader = run.leader
        if leader.is_settled and not run.following:
            self.outcome(leader, answer)
            leader.signal.fire(reason)
            if leader.task:
                leader.task.cancel()

    def _hand_on(self, run: _Run) -> None:
        """Let the first follower lead that still waits."""
        for follower, future in list(run.following.items()):
            if not future.done():
                run.leader = follower
                del run.following[follower]
                for each in (follower, *run.following):
                    each.leader = None if each is follower else follower
                future.set_result(None)
                return
        del self._runs[run.record_id]

    def _warn(self, call: Call) -> None:
        if call.tool.name not in self._warned:
            self._warned.add(call.tool.name)
            logger.warning(
                "Tool %r is idempotent, but was called without a key: no argument has it, and the caller did "
                "not state run and call. Such a call that is made again works again.",
                call.tool.name,
            )


def key_of(call: Call) -> str | None:
    """The call's key: the argument that the tool names, else that of its place in an agent's run."""
    declared = call.tool.guards.idempotency
    if declared is False:
        return None
    given = _argument(call.text, declared) if isinstance(declared, str) else None
    facts = call.facts
    if given is None and facts.run_id and facts.call_id:
        return f"r={encoded(facts.run_id)}/i={facts.iteration}/c={encoded(facts.call_id)}"
    return given


def _argument(text: str, name: str) -> str | None:
    """The argument as a text, where it is given; the input may not have been judged yet."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    value = data.get(name) if isinstance(data, dict) else None
    if value is None or value == "":
        return None
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True)


def _record_id(ctx: ToolContext, key: str) -> str:
    """What a call is kept under: tool, session (else page, for each caller apart), and key."""
    return _digest([ctx.tool, tool_session_key(ctx, "session") or caller_key(ctx.identity), key])


def _digest(data: Any) -> str:
    """Tell data apart without keeping it."""
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()


def _conflict(call: Call, key: str) -> ToolError:
    said = (
        f"{call.tool.name} was called with the key {key!r} and other arguments. Use a new key for a new task."
    )
    return ToolError(said, code="IDEMPOTENCY_CONFLICT", effect="none")
