"""The page's tools: one slot for each name, and the one place that numbers registrations."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractAsyncContextManager
from typing import Any

from webtools._exceptions import WebtoolsError
from webtools.lifecycle.clock import Clock
from webtools.lifecycle.hold import PYTHON, AnyTool, Hold, tool_to_hold
from webtools.lifecycle.model_context import ModelContext
from webtools.lifecycle.registration import Past
from webtools.lifecycle.route_change import RouteChange, RouteChanges
from webtools.lifecycle.slot import Slot, State
from webtools.tools.definition import Definition

logger = logging.getLogger("webtools")


class ToolRegistry:
    """Lives as long as the page; what is held is registered, by the rules of `webtools.lifecycle.slot`.

    Args:
        clock: The page's.
        on_state: Told of each slot whose state is another than it was told before.
        context: Where tools are registered; None until `attach`, and holds wait for it.
        on_look: Told whenever calls may have gone stale.
        on_route_change: Told when a change of route begins in Python, before its calls go stale.
        is_offered: Whether a tool that is held is registered, too; `reconsider` is told when that changes.

    Attributes:
        changes: The page's changes of route.
    """

    def __init__(
        self,
        clock: Clock,
        on_state: Callable[[Slot], None],
        context: ModelContext | None = None,
        on_look: Callable[[], None] = lambda: None,
        on_route_change: Callable[[], None] = lambda: None,
        is_offered: Callable[[AnyTool], bool] = lambda _: True,
    ) -> None:
        self._clock = clock
        self._on_state = on_state
        self._on_look = on_look
        self.changes = RouteChanges(clock, self, on_look, on_route_change)
        self._is_offered = is_offered
        self._context = context
        self._slots: dict[str, Slot] = {}
        self._by_registration: dict[int, Slot] = {}
        self._told: dict[str, tuple[State, str | None]] = {}
        self._to_look_at: dict[Slot, None] = {}
        self._attempts = 0
        self._observer: Callable[[Slot], None] | None = None

    def hold(
        self,
        tool: AnyTool | Callable[..., Any],
        *,
        resource_id: str | None = None,
        owner: object = None,
        holder: str | int = PYTHON,
    ) -> Hold:
        """Wish that a tool be registered until the hold is released.

        Args:
            tool: A tool, or the function that ``@tool`` was put on.
            resource_id: The resource that it works on; calls that began for another one are stale.
            owner: Whose hold it is; calls that began under another owner's are stale.
            holder: What the inspector calls whoever holds.

        Raises:
            ToolDefinitionError: The function is no tool.
            TypeError: The resource's id is no text.
        """
        made = tool_to_hold(tool, resource_id)
        slot = self._slot(made.name)
        hold = _hold(slot, made, resource_id, owner, holder)
        slot.hold(hold)
        return hold

    def route_change(self) -> AbstractAsyncContextManager[RouteChange]:
        """Leave the page's route for another: ``async with registry().route_change() as route: …``.

        As the block is entered, calls of what the last change held are stale, what they ask the person is
        closed, and it is released. The block changes the page, and names with ``route.hold(tool)`` what
        belongs to the new route: it is held once the block has ended, not where it raises. Tools of a path
        (``match``) leave meanwhile as ever, and come when the block has ended. A newer change wins over one
        that is open.
        """
        return self.changes.change()

    def renew(self, hold: Hold, tool: AnyTool) -> None:
        """Let a hold that stands be for another tool of its name; which hold is the newest stays as it is."""
        self._slots[tool.name].renew(hold, tool)

    def adopt(
        self, name: str, past: Past, wished: Iterable[tuple[AnyTool, str | None, object, str | int]]
    ) -> tuple[Slot, list[Hold]]:
        """Go on from what the page has done for a name, before anything else is held; then `reconcile`.

        Args:
            name: The tool's.
            past: What there is.
            wished: Tool, resource, owner and holder of each hold, in their order.
        """
        slot = self._slot(name)
        holds = [_hold(slot, *each) for each in wished]
        slot.adopt(past, holds)
        if past.registration:
            self._by_registration[past.registration.number] = slot
        self._told[name] = (slot.state, slot.reason)
        return slot, holds

    def observe(self, observer: Callable[[Slot], None] | None) -> None:
        """Tell somebody of every slot now, and after everything that may have changed one; None: nobody."""
        self._observer = observer
        if observer:
            for slot in list(self._slots.values()):
                observer(slot)

    def count_from(self, attempts: int) -> None:
        """Give numbers above that of the page's last attempt, whose outcome may come late."""
        self._attempts = attempts

    def attach(self, context: ModelContext) -> None:
        """The model context is there: what waits is registered."""
        self._context = context
        self.reconcile()

    def reconcile(self) -> None:
        """Look at every slot; harmless at any time."""
        for slot in list(self._slots.values()):
            slot.reconcile()

    def reconsider(self) -> None:
        """Which tools are offered has changed."""
        for slot in list(self._slots.values()):
            slot.reconsider()

    def accepted(self, registration: int) -> None:
        """The browser has accepted this attempt."""
        if slot := self._by_registration.get(registration):
            slot.accepted(registration)

    def rejected(self, registration: int, reason: str) -> None:
        """The browser has refused this attempt; it is not tried again before a new hold."""
        if slot := self._by_registration.pop(registration, None):
            slot.rejected(registration, reason)

    def lost(self, registration: int) -> None:
        """The browser has dropped this registration without being asked."""
        if slot := self._by_registration.pop(registration, None):
            slot.lost(registration)

    def interrupt(self) -> None:
        """The page is being left: calls in flight are stale from now on."""
        for slot in self._slots.values():
            slot.interrupt()

    def of_registration(self, registration: int) -> Slot | None:
        """The slot whose registration this is, as long as the browser has it."""
        return self._by_registration.get(registration)

    def is_registered(self, name: str) -> bool:
        """Whether the browser has accepted a tool of that name, and it is to stay."""
        slot = self._slots.get(name)
        return slot is not None and slot.state == "registered"

    def named(self, name: str) -> Slot | None:
        """The slot of a name that is held, or is leaving."""
        return self._slots.get(name)

    def __iter__(self) -> Iterator[Slot]:
        return iter(self._slots.values())

    def close(self) -> None:
        """Release and unregister everything at once; harmless twice."""
        self.changes.close()
        for slot in list(self._slots.values()):
            slot.close()
        self._slots.clear()
        self._told.clear()
        self._to_look_at.clear()

    def __repr__(self) -> str:
        return f"<ToolRegistry of {len(self._slots)} tools, {len(self._by_registration)} with the browser>"

    # What slots ask for (webtools.lifecycle.slot.Registrar)

    def new_attempt(self, slot: Slot) -> int | None:
        """See `Registrar`."""
        if self._context is None:
            return None
        self._attempts += 1
        self._by_registration[self._attempts] = slot
        return self._attempts

    def register(self, registration: int, definition: Definition) -> None:
        """See `Registrar`; a context that raises has refused."""
        if self._context:
            try:
                self._context.register(registration, definition)
            except Exception as error:  # noqa: BLE001  # whatever it is, other tools are unaffected
                self.rejected(registration, f"{type(error).__name__}: {error}")

    def unregister(self, registration: int) -> None:
        """See `Registrar`; a context that raises has let go all the same."""
        slot = self._by_registration.pop(registration)
        if self._context:
            try:
                self._context.unregister(registration)
            except Exception:
                logger.exception("The browser failed to unregister %r", slot.name)

    def is_offered(self, tool: AnyTool) -> bool:
        """See `Registrar`."""
        return self._is_offered(tool)

    def look_soon(self, slot: Slot) -> None:
        """See `Registrar`; one macrotask serves all slots that were released in a tick."""
        if not self._to_look_at:
            self._clock.call_soon(self._look)
        self._to_look_at[slot] = None

    def changed(self, slot: Slot) -> None:
        """See `Registrar`; of a closed slot, whose last calls end by and by, nobody is told."""
        if self._slots.get(slot.name) is not slot:
            return
        now = (slot.state, slot.reason)
        if self._told.get(slot.name) != now:
            self._told[slot.name] = now
            self._on_state(slot)
        if self._observer:
            self._observer(slot)
        if slot.is_forgettable:
            del self._slots[slot.name]
            del self._told[slot.name]

    def _slot(self, name: str) -> Slot:
        slot = self._slots.get(name)
        if slot is None:
            slot = self._slots[name] = Slot(name, self._clock, self)
        return slot

    def _look(self) -> None:
        slots, self._to_look_at = self._to_look_at, {}
        for slot in slots:
            slot.look()
        self._on_look()


def _hold(slot: Slot, tool: AnyTool, resource_id: str | None, owner: object, holder: str | int) -> Hold:
    return Hold(tool, resource_id, owner, holder, slot.release, lambda: slot.state)


def registry() -> ToolRegistry:
    """The page's registry.

    Raises:
        WebtoolsError: There is no page: make a `ToolRegistry` on `webtools.testing`'s fakes.
    """
    if _registry is None:
        raise WebtoolsError(
            "There is no page here. In a test, make a ToolRegistry on webtools.testing's fakes."
        )
    return _registry


def attach(made: ToolRegistry | None) -> ToolRegistry | None:
    """Make a registry the page's, and return the one before; the browser's host does it at start."""
    global _registry  # there is one page
    before, _registry = _registry, made
    return before


_registry: ToolRegistry | None = None
