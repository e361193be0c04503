"""The registry's record of one tool name: who holds it, what the browser has, which calls are in flight.

A slot does not script what is to come. It keeps what is desired and what is actual, and one function,
`Slot.reconcile`, brings the actual towards the desired whenever a hold, a release, a settled call, a fired
timer or a registration's outcome arrives.

Source of every rule: ../shared/spec/lifecycle.md.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, Protocol

from webtools._exceptions import ToolError
from webtools.lifecycle.clock import Clock, Timer
from webtools.lifecycle.hold import AnyTool, Hold, Key
from webtools.lifecycle.registration import Past, Registration
from webtools.tools.definition import Definition

State = Literal["unknown", "waiting", "registering", "registered", "leaving", "failed"]

RESPONSE_GRACE = 0.5
"""Seconds after a slot's last call settled in which its registration stays, so that the answer gets out."""

MAX_LEAVING = 5.0
"""Seconds for which refused calls, or an open change of route, can keep a registration that is to go."""

MAX_LOSSES = 3
"""How often a registration may be lost within `LOSS_WINDOW` before the slot gives up."""

LOSS_WINDOW = 60.0
"""Seconds."""

LOST = "Something else on the page has taken it away three times within a minute."

STALE = -1
"""The generation of a call that no slot comes back to."""

EARLY = 1e-6
"""Seconds by which a timer may come early and still count: floats are not exact."""


@dataclass(frozen=True)
class Wait:
    """What a slot waits for.

    Attributes:
        what: A model context, this tab's turn as owner, the browser's word on a registration; where it is to
            leave the next macrotask, its calls in flight, the grace's end, or an open change of route.
        seconds: How long at most, of the last two.
    """

    what: Literal["context", "ownership", "browser", "macrotask", "calls", "grace", "route"]
    seconds: float | None = None


class Registrar(Protocol):
    """What a slot asks of its registry."""

    def new_attempt(self, slot: Slot) -> int | None:
        """Give the number of a new attempt, or None while there is no model context."""

    def register(self, registration: int, definition: Definition) -> None:
        """Ask the browser; `Slot.accepted` or `Slot.rejected` is told the outcome, at once or later."""

    def unregister(self, registration: int) -> None:
        """Take an attempt back."""

    def is_offered(self, tool: AnyTool) -> bool:
        """Whether the page offers the tool, where it is held; `Slot.reconsider` is told when that changes."""

    def look_soon(self, slot: Slot) -> None:
        """Call `Slot.look` in a later macrotask, once however often it is asked for."""

    def changed(self, slot: Slot) -> None:
        """Told after everything that may have changed the slot's state."""


@dataclass(eq=False)
class Ticket:
    """One call's place in its slot, from the moment the browser entered until the answer was handed back.

    Attributes:
        tool: Whose handler the call enters.
        generation: The slot's; None after a change, until its macrotask has decided.
        refusal: Why the handler must not run; such a call is counted, too.
    """

    slot: Slot
    tool: AnyTool
    key: Key | None
    generation: int | None
    refusal: ToolError | None = None

    @property
    def is_current(self) -> bool:
        """Whether the hold that the call began under still stands, or one that is its equal."""
        return self.slot.is_current(self)


class Slot:
    """One tool name's record; it alone decides when the browser is asked for something.

    Attributes:
        in_flight: Calls that have begun and not settled, refused ones included.
        calls: Calls that have begun, in all.
        reason: Why the last registration failed, in the browser's words.
        generation: Grows when a macrotask finds another hold than before, or none.
    """

    def __init__(self, name: str, clock: Clock, registrar: Registrar) -> None:
        self.name = name
        self.in_flight = 0
        self.calls = 0
        self.reason: str | None = None
        self.generation = 0
        self._clock = clock
        self._registrar = registrar
        self._holds: dict[Hold, None] = {}
        self._seen: Key | None = None
        self._last_tool: AnyTool | None = None
        self._actual: Registration | None = None
        self._is_looking = False
        self._left_at: float | None = None
        self._kept_until = -math.inf
        self._settled_at = -math.inf
        self._accepted_settled_at = -math.inf
        self._timer: Timer | None = None
        self._lost_at: list[float] = []
        self._undecided: list[Ticket] = []

    # What it is

    @property
    def current(self) -> Hold | None:
        """The newest live hold of a tool that the page offers."""
        for hold in reversed(self._holds):
            if self._registrar.is_offered(hold.tool):
                return hold
        return None

    @property
    def registration(self) -> int:
        """The number of the attempt that the browser has; 0 where there is none."""
        return self._actual.number if self._actual else 0

    @property
    def state(self) -> State:
        """Where the slot stands."""
        if self._actual:
            if self._must_leave():
                return "leaving"
            return "registered" if self._actual.is_accepted else "registering"
        if self.reason is not None and self._holds:
            return "failed"
        return "waiting" if self._holds else "unknown"

    @property
    def holds(self) -> list[Hold]:
        """Those that stand, the newest last."""
        return list(self._holds)

    @property
    def definition(self) -> Definition | None:
        """What the browser has, or is to get."""
        hold = self.current
        if self._actual:
            return self._actual.definition
        return hold.tool.definition if hold else None

    @property
    def wait(self) -> Wait | None:
        """What the desired waits for; None where it is the actual, or has failed."""
        if self._actual is None:
            if self.reason is not None or not self._holds:
                return None
            return Wait("context" if self.current else "ownership")
        if not self._must_leave():
            return None if self._actual.is_accepted else Wait("browser")
        if self._left_at is None:
            return Wait("macrotask")
        if self.in_flight:
            return Wait("calls")
        now = self._clock.now()
        return Wait("route" if self._kept_until > now else "grace", self._due(self._settled_at) - now)

    @property
    def is_forgettable(self) -> bool:
        """Whether nothing is left of it: no hold, no registration, no call, no timer."""
        return not (self._holds or self._actual or self.in_flight or self._is_looking)

    def is_current(self, ticket: Ticket) -> bool:
        """Whether a call's generation stands; until a macrotask has looked, any equal hold keeps it."""
        if ticket.generation is None:
            hold = self.current
            return hold is not None and hold.key == ticket.key
        return ticket.generation == self.generation and any(hold.key == ticket.key for hold in self._holds)

    def tool_of(self, ticket: Ticket) -> AnyTool:
        """The newest that a call of this ticket may enter; its own where no equal hold stands."""
        equal = (hold.tool for hold in reversed(self._holds) if hold.key == ticket.key)
        return next(equal, ticket.tool)

    def refusal_of(self, ticket: Ticket) -> ToolError:
        """Why a call that has waited for its tool must not enter it: the tool is another one, or gone."""
        hold = self.current
        if hold is None or (ticket.key and hold.key[0] == ticket.key[0]):
            return _stale(self.name)
        return _changed(self.name, self._retry_after_ms())

    # What happens to it

    def adopt(self, past: Past, holds: list[Hold]) -> None:
        """Go on from where the page is; `resume` its calls, then `reconcile`."""
        self.generation = past.generation
        self.reason = past.reason
        self.calls = past.calls
        self._seen = past.seen
        self._actual = past.registration
        self._last_tool = holds[-1].tool if holds else past.last_tool
        self._settled_at = self._accepted_settled_at = past.settled_at
        self._holds = dict.fromkeys(holds)
        self._look_soon()

    def resume(self, key: Key, generation: int, tool: AnyTool) -> Ticket:
        """Count a call in that has begun before `adopt`."""
        self.in_flight += 1
        self._last_tool = self._last_tool or tool
        return self._ticket(tool, key, None if generation > self.generation else generation)

    def hold(self, hold: Hold) -> None:
        """Take a new wish; it is the current one from now on, and a failed registration is tried again."""
        self._holds[hold] = None
        self._last_tool = hold.tool
        self.reason = None
        self.reconsider()

    def reconsider(self) -> None:
        """Which hold is the current one may have changed; before a macrotask it may change back."""
        hold = self.current
        found = hold.key if hold else None
        if self._seen is None:
            self._seen = found
        elif found != self._seen:
            self._look_soon()
        self.reconcile()

    def renew(self, hold: Hold, tool: AnyTool) -> None:
        """Let a hold stand for another tool of the name, in its place among the others."""
        hold.tool = tool
        if hold is self.current:
            self._last_tool = tool
            self.reason = None
            if hold.key != self._seen:
                self._look_soon()
        self.reconcile()

    def release(self, hold: Hold) -> None:
        """Give a wish up; it may be taken again in this tick, so nothing happens before a macrotask.

        Where the newest has failed, the one before is tried. Harmless after `close`.
        """
        if hold not in self._holds:
            return
        if hold is self.current:
            self.reason = None
        del self._holds[hold]
        self._look_soon()
        self.reconcile()

    def look(self) -> None:
        """The macrotask after a release or a change: what it finds is what counts."""
        self._is_looking = False
        hold = self.current
        found = hold.key if hold else None
        if found is None or found != self._seen:
            self.generation += 1
        self._decide(found)
        self._seen = found
        if self._must_leave() and self._left_at is None:
            self._left_at = self._clock.now()
        self.reconcile()

    def keep(self, until: float) -> None:
        """A change of route is open: the registration stays until then, or `let_go`."""
        self._kept_until = until

    def let_go(self) -> None:
        """The new route is there: what it does not hold leaves as ever."""
        self._kept_until = -math.inf
        self.reconcile()

    def begin(self) -> Ticket:
        """Count a call in, and choose the handler that it enters, or the reason why it enters none."""
        self.in_flight += 1
        self.calls += 1
        hold = self.current
        tool = hold.tool if hold else self._last_tool
        assert tool is not None, "a call of a name that nobody ever held"
        key = hold.key if hold else None
        ticket = self._ticket(tool, key, self.generation if key in (None, self._seen) else None)
        if hold is None:
            ticket.refusal = _stale(self.name)
        elif self._differs(hold):
            ticket.refusal = _changed(self.name, self._retry_after_ms())
        return ticket

    def settle(self, ticket: Ticket) -> None:
        """Count a call out; the grace begins anew."""
        self.in_flight -= 1
        self._settled_at = self._clock.now()
        if ticket.refusal is None:
            self._accepted_settled_at = self._settled_at
        if self._actual is None or self._left_at is not None:  # else the answer of a call changes nothing
            self.reconcile()

    def accepted(self, registration: int) -> None:
        """The browser has accepted an attempt; a late word on an older one changes nothing."""
        if self._actual and self._actual.number == registration:
            self._actual.is_accepted = True
            self.reconcile()

    def rejected(self, registration: int, reason: str) -> None:
        """The browser has refused an attempt; a hold that came after it is an attempt of its own."""
        actual = self._actual
        if actual and actual.number == registration:
            self._gone()
            if self.current in (None, actual.hold):
                self.reason = reason
            self.reconcile()

    def lost(self, registration: int) -> None:
        """The browser has dropped it without being asked; another one is made while a hold stands."""
        if self._actual and self._actual.number == registration:
            now = self._clock.now()
            self._lost_at = [*(each for each in self._lost_at if now - each < LOSS_WINDOW), now]
            self._gone()
            if len(self._lost_at) >= MAX_LOSSES:
                self.reason = LOST
            self.reconcile()

    def interrupt(self) -> None:
        """The page is being left: what has begun is stale, whatever is held."""
        if self.in_flight:
            self.generation += 1
            self._decide(None)

    def reconcile(self) -> None:
        """Bring the actual towards the desired; harmless at any time. It alone asks the browser."""
        if self._actual and not self._must_leave():
            self._stay()
        elif self._actual and self._may_leave():
            self._leave(self._actual)
        if not self._actual:
            self._enter()
        self._registrar.changed(self)

    def close(self) -> None:
        """Take everything back at once, whatever is in flight."""
        self._holds.clear()
        if self._actual:
            self._leave(self._actual)

    # How

    def _must_leave(self) -> bool:
        if self._actual is None:
            return False
        hold = self.current
        return hold is None or self._differs(hold)

    def _differs(self, hold: Hold) -> bool:
        """Whether the browser has another definition than this hold wants."""
        if self._actual is None:
            return False
        wanted, has = hold.tool.definition, self._actual.definition
        return wanted is not has and wanted != has

    def _may_leave(self) -> bool:
        """Whether macrotask, drain and grace are over; where only time is missing, a timer asks again."""
        if self._left_at is None:
            self._look_soon()
            return False
        if self.in_flight:
            return False
        missing = self._due(self._settled_at) - self._clock.now()
        self._stop_timer()
        if missing <= EARLY:
            return True
        self._timer = self._clock.call_later(missing, self._on_timer)
        return False

    def _due(self, settled_at: float) -> float:
        """When the grace is over, in the clock's seconds; refused calls lengthen it up to a limit."""
        left_at = self._left_at if self._left_at is not None else self._clock.now()
        limit = max(self._accepted_settled_at, left_at) + MAX_LEAVING
        return max(self._kept_until, min(settled_at + RESPONSE_GRACE, limit))

    def _retry_after_ms(self) -> int:
        """When to come again after a refusal, which begins the grace anew."""
        now = self._clock.now()
        wait = RESPONSE_GRACE if self.in_flight > 1 else max(0.0, self._due(now) - now)
        return math.ceil(wait * 1000)

    def _on_timer(self) -> None:
        self._timer = None
        self.reconcile()

    def _stay(self) -> None:
        self._left_at = None
        self._stop_timer()

    def _leave(self, actual: Registration) -> None:
        self._gone()
        self._registrar.unregister(actual.number)

    def _enter(self) -> None:
        hold = self.current
        if hold is None or self.reason is not None:
            return
        number = self._registrar.new_attempt(self)
        if number is not None:
            self._actual = Registration(number, hold.tool.definition, hold=hold)
            self._registrar.register(number, hold.tool.definition)

    def _gone(self) -> None:
        self._actual = self._left_at = None
        self._stop_timer()

    def _ticket(self, tool: AnyTool, key: Key | None, generation: int | None) -> Ticket:
        ticket = Ticket(self, tool, key, generation)
        if generation is None:
            self._undecided.append(ticket)
        return ticket

    def _decide(self, found: Key | None) -> None:
        """Calls that began since a change belong to what was found, or to nothing that comes again."""
        for ticket in self._undecided:
            ticket.generation = self.generation if ticket.key == found else STALE
        self._undecided.clear()

    def _look_soon(self) -> None:
        self._is_looking = True
        self._registrar.look_soon(self)

    def _stop_timer(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def __repr__(self) -> str:
        why = f" ({self.reason})" if self.reason else ""
        holds = f"{len(self._holds)} hold{'s' * (len(self._holds) != 1)}"
        calls = f"{self.in_flight} of {self.calls} calls in flight"
        return f"<Slot {self.name!r} is {self.state}{why}, {holds}, {calls}>"


def _stale(name: str) -> ToolError:
    return ToolError(
        f"{name} belonged to a part of the page that is gone. Read the page's state before going on.",
        code="STALE_TOOL_CALL",
        effect="none",
    )


def _changed(name: str, retry_after_ms: int) -> ToolError:
    return ToolError(
        f"{name} is being replaced by a tool with another definition. List the tools again, then call it.",
        code="TOOL_CHANGED",
        details={"retry_after_ms": retry_after_ms},
        retryable=True,
        effect="none",
    )
