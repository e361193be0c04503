"""What a call goes through before its handler, in one order.

Each step lets the call pass by returning, refuses it by raising, and may return something to wait for.

Source: ../shared/spec/tool-context.md, §2.
"""

from __future__ import annotations

import logging
import weakref
from collections.abc import Awaitable, Callable
from dataclasses import replace

from webtools._exceptions import ToolError
from webtools.calls.afterwards import Afterwards
from webtools.calls.artifacts import resolve, store_of
from webtools.calls.call import Call
from webtools.calls.confirmation import Confirmations, refusal_for
from webtools.calls.context import ResourceChanged, ResourceDisposed, StaleToolCall, ToolContext
from webtools.calls.facts import Scope
from webtools.calls.idempotency import Replays, key_of
from webtools.calls.inner import ToolDispatch, cannot_ask
from webtools.calls.isolation import tool_session_key
from webtools.calls.listings import Listings
from webtools.calls.ownership import Owners
from webtools.calls.serial import Queues
from webtools.lifecycle.clock import Clock
from webtools.stores.artifacts import Artifacts, ArtifactStore
from webtools.stores.credentials import CallCredentials, Credential, Credentials, unavailable
from webtools.stores.idempotency import IdempotencyStore, Records
from webtools.stores.teardown import PAGE, Cleanup, Kept, Teardown
from webtools.tools.need import Need
from webtools.tools.page_tool import PageTool
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
    "last look",
)
"""The steps, from the call's counting in to its handler."""


class Steps:
    """Knows which steps a tool's declarations ask for.

    Args:
        clock: For the times that a context has.
        report: Told of each report of progress.
        confirmations: Ask the person.
        store: Where the answers of idempotent calls are kept.
        owners: What this tab owns.
        listings: Wait until tools are registered.
        afterwards: Keep what is to be done after an answer.
        artifacts: What handlers keep; None where nothing is attached.
        teardown: Keeps cleanups.
        credentials: Gives credentials.
        tools_for: Gives the tools that a call's handler may call.
    """

    def __init__(
        self,
        clock: Clock,
        report: Callable[[Call, object], None],
        confirmations: Confirmations,
        store: IdempotencyStore,
        *,
        owners: Owners,
        listings: Listings,
        afterwards: Afterwards,
        artifacts: Artifacts | None,
        teardown: Teardown,
        credentials: Credentials,
        tools_for: Callable[[Call], ToolDispatch | None],
    ) -> None:
        self._clock = clock
        self._report = report
        self._confirmations = confirmations
        self._listings = listings
        self._afterwards = afterwards
        self._owners = owners
        self._artifacts = artifacts
        self._teardown = teardown
        self._credentials = credentials
        self._tools_for = tools_for
        self.replays = Replays(Records(clock, store))
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
                "last look": (guards.version is not None or guards.active is not None, self._now),
            }
            plan = tuple(step for is_declared, step in map(steps.__getitem__, ORDER) if is_declared)
            self._plans[tool] = plan
        return plan

    def not_owner(self, call: Call) -> ToolError | None:
        """Why the tool's owner is another tab, if so, or has been since the first look for this call."""
        owner = call.tool.guards.owner
        if owner is None:
            return None
        epoch = self._owners.epoch(owner.name)
        if call.owned is None or call.owned[0] != owner.name:
            call.owned = (owner.name, epoch)
        if epoch is not None and call.owned[1] == epoch:
            return None
        return self._owners.refusal(owner.name, f"{call.tool.name} may do nothing here")

    def is_lost(self, call: Call) -> bool:
        """Whether nothing can come of asking the person for this call."""
        return not call.ticket.is_current or self.not_owner(call) is not None

    def look_again(self, call: Call) -> None:
        """After a wait: the call must be current, and enters the newest handler."""
        self._ensure_current(call)
        newest = call.ticket.slot.tool_of(call.ticket)
        if newest is not call.tool and not isinstance(newest, PageTool):
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

    def context(self, call: Call) -> ToolContext:
        """The call's context, the same each time."""
        if not isinstance(call.context, ToolContext):
            call.context = self._context(call)
        return call.context

    def artifacts_of(self, call: Call) -> ArtifactStore | None:
        """What the call's handler keeps; None where nothing is attached."""
        return store_of(call, self._artifacts)

    def ended(self, call: Call) -> None:
        """The handler's task is over, or never began."""
        self._queues.leave(call)  # also where the handler that it entered is no serial one any more
        self.replays.ended(call)
        call.is_over = True
        self._teardown.end_call(call.call_id)

    def _context(self, call: Call) -> ToolContext:
        tool, facts, ticket = call.tool, call.facts, call.ticket
        _, resource_id, owner = ticket.key or ("", None, None)
        is_bound = tool.is_held_by_others or tool.match or resource_id is not None or owner is not None
        waited_ms = round((self._clock.now() - call.began_at) * 1000)
        received_at = self._clock.epoch_ms() - waited_ms
        return ToolContext(
            call_id=call.call_id,
            tool=tool.name,
            door=facts.door,
            received_at=received_at,
            signal=call.signal,
            iteration=facts.iteration,
            deadline_at=received_at + round(tool.timeout * 1000),
            turn_id=facts.turn_id,
            turn_started_at=facts.turn_started_at,
            run_id=facts.run_id,
            session_id=facts.session_id,
            identity=facts.identity,
            provider=facts.provider,
            effort_level=facts.effort_level,
            generation=ticket.generation if is_bound else None,
            resource_id=resource_id,
            idempotency_key=key_of(call),
            epoch=call.owned[1] if call.owned else None,
            wanted=call.wanted,
            credential=call.issued[1] if call.issued else None,
            tools=self._tools_for(call),
            _refusal=lambda: self._refusal_of(call),
            _report=lambda payload: self._report(call, payload),
            _ask=lambda message: self._ask(call, message),
            _until=lambda names, timeout: self._listings.until(call, names, timeout),
            _after=lambda callback: self._afterwards.add(call.outer or call, callback),
            _owns=lambda name: self._owners.epoch(name) is not None,
            _artifacts=self.artifacts_of(call),
            _keep=lambda *cleanup: self._keep(call, *cleanup),
            _credentials=CallCredentials(self._credentials, facts.identity, tool.name),
        )

    def _owner(self, call: Call) -> Awaitable[object] | None:
        owner = call.tool.guards.owner
        assert owner is not None
        undecided = self._owners.undecided(owner.name)
        if undecided is None and (refusal := self.not_owner(call)):
            raise refusal
        return undecided

    def _permission(self, call: Call) -> None:
        permission = call.tool.guards.permission
        assert permission is not None
        try:
            said = permission(self.context(call))
        except Exception:  # whatever went wrong, nobody has allowed it
            logger.exception("Tool %r: its permission raised", call.tool.name)
            said = None
        if said is not True:
            text = said if isinstance(said, str) and said else f"{call.tool.name} is not allowed now."
            raise ToolError(text, code="NOT_ALLOWED", effect="none")

    def _idempotency(self, call: Call) -> Awaitable[object] | None:
        return self.replays.enter(call, self.context(call))

    def _confirm(self, call: Call) -> Awaitable[None]:
        asked = call.tool.guards.confirm
        assert asked is not None
        self._ensure_current(call)  # the author's function may look at what is gone
        try:
            text = asked if isinstance(asked, str) else asked(self.context(call), call.told)
            if not isinstance(text, str) or not text.strip():
                raise TypeError(f"confirm gave {text!r}, which is no text")
        except Exception:  # whatever went wrong, nobody has been asked
            logger.exception("Tool %r: what to ask the person cannot be told", call.tool.name)
            raise refusal_for(call.tool.name, "no text") from None
        return self._ask(call, text)

    async def _ask(self, call: Call, message: str) -> None:
        """Ask the person, for a call that is current before and after."""
        if call.outer:
            said, reason = cannot_ask(call.tool.name), {"reason": "inner"}
            raise ToolError(said, code="CONFIRMATION_UNAVAILABLE", details=reason)
        self._ensure_current(call)
        try:
            await self._confirmations.ask(call, self._credentials.secrets.redacted(message))
        except ToolError:
            if lost := self.not_owner(call):
                raise lost from None
            raise
        self._ensure_current(call)

    def _wants(self, call: Call) -> Awaitable[None] | None:
        self._ensure_current(call)  # what is gone is no reason to look for another ref
        return resolve(call, self._artifacts)

    def _needs(self, call: Call) -> Awaitable[None] | None:
        self._ensure_current(call)  # nor to sign in
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
        call.context = replace(self.context(call), credential=credential)

    @staticmethod
    def _missing(call: Call) -> Need | None:
        """What the handler that is to be entered needs, and the call has not been given."""
        need = call.tool.guards.needs
        return None if call.issued and call.issued[0] == need else need

    def _keep(self, call: Call, cleanup: Cleanup, scope: Scope, key: str | None) -> Kept:
        owner = tool_session_key(self.context(call), scope) or PAGE
        kept = self._teardown.keep(cleanup, call.tool.name, scope, owner, key)
        if scope == "call" and call.is_over:
            self._teardown.end_call(call.call_id)
        return kept

    def _now(self, call: Call) -> None:
        """What may have changed until this moment."""
        self._ensure_current(call)
        _check_version(call)

    def _ensure_current(self, call: Call) -> None:
        if refusal := self._refusal_of(call):
            raise refusal

    def _refusal_of(self, call: Call) -> ToolError | None:
        """Why the call may not write any more, if so."""
        return self.not_owner(call) or _out_of_date(call)


def _out_of_date(call: Call) -> ToolError | None:
    """Why, but for the tab. A stale call is stale, whatever else it is."""
    if not call.ticket.is_current:
        said = f"{call.tool.name} belonged to a part of the page that is gone. Read the page's state first."
        return StaleToolCall(said, code="STALE_TOOL_CALL", details=stated_details(call))
    active = call.tool.guards.active
    if active is None:
        return None
    bound = call.ticket.key[1] if call.ticket.key else None
    found = active()
    if found is None:
        said = f"What {call.tool.name} worked on does not exist any more."
        return ResourceDisposed(
            said, code="RESOURCE_DISPOSED", details=stated_details(call, resource_id=bound)
        )
    if bound is not None and found != bound:
        said = (
            f"{call.tool.name} was meant for another one than what is open now. Read the page's state first."
        )
        details = stated_details(call, resource_id=bound, active_id=found)
        return ResourceChanged(said, code="RESOURCE_CHANGED", details=details)
    return None


def stated_details(call: Call, **more: object) -> dict[str, object] | None:
    """Which session and turn a refused call was of, where its caller said so."""
    facts = {"session_id": call.facts.session_id, "turn_id": call.facts.turn_id, **more}
    return {name: value for name, value in facts.items() if value is not None} or None


def _input(call: Call) -> None:
    call.arguments = call.tool.arguments.accept(call.text)


def _check_version(call: Call) -> None:
    guards = call.tool.guards
    if guards.version is None or guards.expected_version is None:
        return
    name, current = guards.expected_version, guards.version()
    is_stated = name in call.arguments  # a default is the handler's affair, and no word of the agent's
    if is_stated and call.arguments[name] == current:
        return
    said = f"says {call.arguments[name]!r}, but it" if is_stated else "is missing: it"
    raise ToolError(
        f"{name} {said} is {current!r} now. Read it again first.",
        code="VERSION_CONFLICT",
        details={"expected": call.arguments.get(name), "current": current},
        retryable=True,
    )
