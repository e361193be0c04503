"""What a call goes through before its handler, in one order.

Each step lets the call pass by returning, refuses it by raising, and may return something to wait for.

Source: ../shared/spec/tool-context.md, §2.
"""

from __future__ import annotations

import json
import logging
import weakref
from collections.abc import Awaitable, Callable
from dataclasses import replace
from inspect import isawaitable

from webtools._exceptions import ToolError
from webtools.calls.artifacts import resolve
from webtools.calls.call import Call
from webtools.calls.confirmation import refusal_for
from webtools.calls.contexts import Contexts
from webtools.calls.currency import Currency
from webtools.calls.idempotency import Replays
from webtools.calls.ownership import Owners
from webtools.calls.serial import Queues
from webtools.calls.showing import Show, show
from webtools.calls.wrong_returns import complain, untold
from webtools.lifecycle.clock import Clock
from webtools.stores.artifacts import Artifacts
from webtools.stores.credentials import Credential, Credentials, unavailable
from webtools.stores.idempotency import IdempotencyStore, Records
from webtools.stores.teardown import Teardown
from webtools.tools.need import Need
from webtools.tools.tool import Tool

logger = logging.getLogger("webtools")

Step = Callable[[Call], Awaitable[object] | None]

ORDER = (
    "owner",
    "permission",
    "input",
    "idempotency",
    "serial",
    "confirm",
    "wants",
    "needs",
    "show",
    "last look",
)
"""The steps, from the call's counting in to its handler."""


class Steps:
    """Knows which steps a tool's declarations ask for.

    Args:
        clock: For the answers that are kept.
        store: Where the answers of idempotent calls are kept.
        contexts: Make what guards are given, and ask the person.
        currency: Says whether a call may still write.
        owners: What this tab owns.
        artifacts: What handlers keep; None where nothing is attached.
        teardown: Keeps cleanups.
        credentials: Gives credentials.
        shower: Shows calls in the page; None where there is none.
    """

    def __init__(
        self,
        clock: Clock,
        store: IdempotencyStore,
        *,
        contexts: Contexts,
        currency: Currency,
        owners: Owners,
        artifacts: Artifacts | None,
        teardown: Teardown,
        credentials: Credentials,
        shower: Show | None,
    ) -> None:
        self.replays = Replays(Records(clock, store))
        self._contexts = contexts
        self._currency = currency
        self._owners = owners
        self._artifacts = artifacts
        self._teardown = teardown
        self._credentials = credentials
        self._shower = shower
        self._queues = Queues()
        self._plans: weakref.WeakKeyDictionary[Tool, tuple[Step, ...]] = weakref.WeakKeyDictionary()

    def plan(self, tool: Tool) -> tuple[Step, ...]:
        """The steps of a tool's calls, in their order."""
        plan = self._plans.get(tool)
        if plan is None:
            guards = tool.guards
            steps: dict[str, tuple[bool, Step]] = {
                "owner": (guards.owner is not None, self._owner),
                "permission": (guards.permission is not None, self._permission),
                "input": (True, _input),
                "idempotency": (guards.idempotency is not False, self._idempotency),
                "serial": (guards.serial, self._queues.enter),
                "confirm": (guards.confirm is not None, self._confirm),
                "wants": (bool(tool.wants), self._wants),
                "needs": (guards.needs is not None, self._needs),
                "show": (tool.showing.asks and self._shower is not None, self._show),
                "last look": (guards.version is not None or guards.active is not None, self._now),
            }
            plan = tuple(step for is_declared, step in map(steps.__getitem__, ORDER) if is_declared)
            self._plans[tool] = plan
        return plan

    def look_again(self, call: Call) -> None:
        """After a wait: the call must be current, and enters the newest handler."""
        self._currency.ensure(call)
        newest = call.ticket.slot.tool_of(call.ticket)
        if newest is not call.tool and isinstance(newest, Tool):
            call.tool = newest
            _input(call)

    def is_last_look(self, step: Step) -> bool:
        """Whether it is the last look of a call that has waited for nothing."""
        return step == self._now

    def last_look(self, call: Call) -> None:
        """After a wait, right before the handler."""
        self.look_again(call)
        if call.tool.guards.permission:
            self._permission(call)
        if need := self._missing(call):
            raise unavailable(call.tool.name, need.service, "reloaded")
        self._now(call)

    def is_held_up(self, call: Call) -> bool:
        """Whether the person is being asked for it, or for a call that it waits for."""
        waits_for = (call.leader, self._queues.ahead_of(call))
        return call.asking > 0 or any(each is not None and self.is_held_up(each) for each in waits_for)

    def ended(self, call: Call) -> None:
        """The handler's task is over, or never began."""
        self._queues.leave(call)  # also where the handler that it entered is no serial one any more
        self.replays.ended(call)
        call.is_over = True
        self._teardown.end_call(call.call_id)

    def _owner(self, call: Call) -> Awaitable[object] | None:
        owner = call.tool.guards.owner
        assert owner is not None
        undecided = self._owners.undecided(owner.name)
        if undecided is None and (refusal := self._currency.not_owner(call)):
            raise refusal
        return undecided

    def _permission(self, call: Call) -> None:
        permission = call.tool.guards.permission
        assert permission is not None
        try:
            said = permission(self._contexts.of(call))
        except Exception:  # whatever went wrong, nobody has allowed it
            logger.exception("Tool %r: its permission raised", call.tool.name)
            said = None
        if said is not True:
            if (said and not isinstance(said, str)) or said == "":
                complain(call.tool.name, "permission", said, "True, False or a text that says why not")
            text = said if isinstance(said, str) and said else f"{call.tool.name} is not allowed now."
            raise ToolError(text, code="NOT_ALLOWED", effect="none")

    def _idempotency(self, call: Call) -> Awaitable[object] | None:
        return self.replays.enter(call, self._contexts.of(call))

    def _confirm(self, call: Call) -> Awaitable[None]:
        asked = call.tool.guards.confirm
        assert asked is not None
        self._now(call)  # the author's function may look at what is gone, and nobody is asked in vain
        try:
            text = asked if isinstance(asked, str) else asked(self._contexts.of(call), call.told)
        except Exception:  # whatever went wrong, nobody has been asked
            logger.exception("Tool %r: what to ask the person cannot be told", call.tool.name)
            raise refusal_for(call.tool.name, "no text") from None
        if not isinstance(text, str) or not text.strip():
            complain(call.tool.name, "confirm", text, "a text that says what will happen")
            raise refusal_for(call.tool.name, "no text")
        return self._contexts.ask(call, text)

    def _wants(self, call: Call) -> Awaitable[None] | None:
        self._currency.ensure(call)  # what is gone is no reason to look for another ref
        return resolve(call, self._artifacts)

    def _needs(self, call: Call) -> Awaitable[None] | None:
        self._currency.ensure(call)  # nor to sign in
        need = self._missing(call)
        if need is None:
            return None
        if kept := self._credentials.kept(need, call.facts.identity):
            self._issued(call, need, kept)
            return None
        return self._need(call, need)

    async def _need(self, call: Call, need: Need) -> None:
        issued = await self._credentials.get(need, call.facts.identity, call.tool.name)
        self._issued(call, need, issued)

    def _issued(self, call: Call, need: Need, credential: Credential) -> None:
        call.issued = need, credential
        call.context = replace(self._contexts.of(call), credential=credential)

    @staticmethod
    def _missing(call: Call) -> Need | None:
        """What the handler that is to be entered needs, and the call has not been given."""
        need = call.tool.guards.needs
        return None if call.issued and call.issued[0] == need else need

    def _show(self, call: Call) -> Awaitable[object] | None:
        assert self._shower is not None
        self._now(call)  # what is gone or outdated fills no field
        return show(call, self._shower)

    def _now(self, call: Call) -> None:
        """What may have changed until this moment."""
        self._currency.ensure(call)
        _check_version(call)


def _input(call: Call) -> None:
    call.arguments = call.tool.arguments.accept(call.text)


def _check_version(call: Call) -> None:
    guards = call.tool.guards
    if guards.version is None or guards.expected_version is None:
        return
    name, current = guards.expected_version, guards.version()
    if isawaitable(current):
        complain(call.tool.name, "version", current, "the version")
        raise untold(call.tool.name, "version")
    is_stated = name in call.arguments  # a default is the handler's affair, and no word of the agent's
    given = call.arguments.get(name)
    if is_stated and (given == current or (isinstance(given, str) and given == _written(current))):
        return
    said = f"says {_written(given)}, but" if is_stated else "is missing:"
    there = "there is none now" if current is None else f"it is {_written(current)} now"
    raise ToolError(
        f"{name} {said} {there}. Read it again first.",
        code="VERSION_CONFLICT",
        details={"expected": given, "current": current},
        retryable=True,
    )


def _written(version: object) -> str:
    """A version as an agent writes it where the argument is a text."""
    return version if isinstance(version, str) else json.dumps(version, default=str)
