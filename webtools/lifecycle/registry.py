"""The page's tools, each registered from its hold until the registry is closed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from webtools._exceptions import ToolDefinitionError
from webtools.lifecycle.model_context import ModelContext
from webtools.tools.tool import Tool

State = Literal["waiting", "registering", "registered", "failed"]


@dataclass(eq=False)
class Slot:
    """The registry's record of one tool name.

    Attributes:
        registration: The number of the attempt that the browser has; 0 before the first.
        reason: Why the registration failed, in the browser's words.
        in_flight: Calls that have begun and not settled.
        calls: Calls that have begun, in all.
    """

    tool: Tool
    registration: int = 0
    state: State = "waiting"
    reason: str | None = None
    in_flight: int = 0
    calls: int = 0

    def count_in(self) -> None:
        """Note that a call has begun."""
        self.in_flight += 1
        self.calls += 1

    def count_out(self) -> None:
        """Note that a call has settled."""
        self.in_flight -= 1

    def __repr__(self) -> str:
        why = f" ({self.reason})" if self.reason else ""
        calls = f"{self.in_flight} of {self.calls} calls in flight"
        return f"<Slot {self.tool.name!r} is {self.state}{why}, {calls}>"


class ToolRegistry:
    """Holds tools for the page's life and keeps one slot for each name.

    Args:
        context: Where tools are registered; None where the browser has none, then they wait.
        on_state: Told of each slot whose state changed.
    """

    def __init__(self, context: ModelContext | None, on_state: Callable[[Slot], None]) -> None:
        self._context = context
        self._on_state = on_state
        self._slots: dict[str, Slot] = {}
        self._by_registration: dict[int, Slot] = {}
        self._attempts = 0

    def hold(self, tools: list[Tool]) -> None:
        """Register the tools until the registry is closed, all of them or, on an error, none.

        Raises:
            ToolDefinitionError: A name is held already, or occurs twice among the tools.
        """
        names = set(self._slots)
        for each in tools:
            if each.name in names:
                raise ToolDefinitionError(
                    f"Two tools are called {each.name!r}, and a name can exist once on a page. "
                    f'Rename one of them, for instance with @tool(name="...").'
                )
            names.add(each.name)
        for each in tools:
            self._slots[each.name] = slot = Slot(each)
            self._register(slot)

    def registered(self, registration: int) -> None:
        """The browser has accepted this attempt."""
        if slot := self._by_registration.get(registration):
            self._change(slot, "registered")

    def rejected(self, registration: int, reason: str) -> None:
        """The browser has refused this attempt; the tool is not tried again, others are unaffected."""
        if slot := self._by_registration.pop(registration, None):
            self._change(slot, "failed", reason)

    def of_registration(self, registration: int) -> Slot | None:
        """The slot that a registration of ours belongs to."""
        return self._by_registration.get(registration)

    def named(self, name: str) -> Slot | None:
        """The slot of a name, whatever its state."""
        return self._slots.get(name)

    def __iter__(self) -> Iterator[Slot]:
        return iter(self._slots.values())

    def close(self) -> None:
        """Take every registration back; harmless twice."""
        registrations = list(self._by_registration)
        self._by_registration.clear()
        self._slots.clear()
        if self._context:
            for registration in registrations:
                self._context.unregister(registration)

    def __repr__(self) -> str:
        return f"<ToolRegistry of {len(self._slots)} tools, {len(self._by_registration)} with the browser>"

    def _register(self, slot: Slot) -> None:
        if self._context is None:
            self._on_state(slot)
            return
        self._attempts += 1
        slot.registration = self._attempts
        self._by_registration[slot.registration] = slot
        self._change(slot, "registering")
        self._context.register(slot.registration, slot.tool.definition)

    def _change(self, slot: Slot, state: State, reason: str | None = None) -> None:
        slot.state = state
        slot.reason = reason
        self._on_state(slot)
