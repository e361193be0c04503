"""Makes what a handler is given of its call, and does what its verbs ask for."""

from __future__ import annotations

from collections.abc import Callable

from webtools._exceptions import ToolError
from webtools.calls.afterwards import Afterwards
from webtools.calls.artifacts import store_of
from webtools.calls.call import Call
from webtools.calls.confirmation import Confirmations
from webtools.calls.context import ToolContext
from webtools.calls.currency import Currency
from webtools.calls.facts import Scope
from webtools.calls.idempotency import key_of
from webtools.calls.inner import ToolDispatch, cannot_ask
from webtools.calls.isolation import tool_session_key
from webtools.calls.listings import Listings
from webtools.calls.ownership import Owners
from webtools.lifecycle.clock import Clock
from webtools.stores.artifacts import Artifacts, ArtifactStore
from webtools.stores.credentials import CallCredentials, Credentials
from webtools.stores.teardown import PAGE, Cleanup, Kept, Teardown


class Contexts:
    """Knows what stands behind a context's facts and verbs.

    Args:
        clock: For the times that a context has.
        report: Told of each report of progress.
        confirmations: Ask the person.
        currency: Says whether a call may still write.
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
        *,
        currency: Currency,
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
        self._currency = currency
        self._owners = owners
        self._listings = listings
        self._afterwards = afterwards
        self._artifacts = artifacts
        self._teardown = teardown
        self._credentials = credentials
        self._tools_for = tools_for

    def of(self, call: Call) -> ToolContext:
        """The call's context, the same each time."""
        if not isinstance(call.context, ToolContext):
            call.context = self._made(call)
        return call.context

    def artifacts_of(self, call: Call) -> ArtifactStore | None:
        """What the call's handler keeps; None where nothing is attached."""
        return store_of(call, self._artifacts, self._credentials.secrets)

    async def ask(self, call: Call, message: str) -> None:
        """Ask the person, for a call that is current before and after."""
        if call.outer:
            said, reason = cannot_ask(call.tool.name), {"reason": "inner"}
            raise ToolError(said, code="CONFIRMATION_UNAVAILABLE", details=reason)
        self._currency.ensure(call)
        try:
            await self._confirmations.ask(call, self._credentials.secrets.redacted(message))
        except ToolError:
            if lost := self._currency.not_owner(call):
                raise lost from None
            raise
        self._currency.ensure(call)

    def _made(self, call: Call) -> ToolContext:
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
            _refusal=lambda: self._currency.refusal(call),
            _report=lambda payload: self._report(call, payload),
            _ask=lambda message: self.ask(call, message),
            _until=lambda names, timeout: self._listings.until(call, names, timeout),
            _after=lambda callback: self._afterwards.add(call.outer or call, callback),
            _owns=lambda name: self._owners.epoch(name) is not None,
            _artifacts=self.artifacts_of(call),
            _keep=lambda *cleanup: self._keep(call, *cleanup),
            _credentials=CallCredentials(self._credentials, facts.identity, tool.name),
        )

    def _keep(self, call: Call, cleanup: Cleanup, scope: Scope, key: str | None) -> Kept:
        owner = tool_session_key(self.of(call), scope) or PAGE
        kept = self._teardown.keep(cleanup, call.tool.name, scope, owner, key)
        if scope == "call" and call.is_over:
            self._teardown.end_call(call.call_id)
        return kept
