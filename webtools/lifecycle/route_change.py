"""The change from one route of the page to the next, as one verb.

In this order: calls of the old route are stale, what they ask is closed, what it held is released; the block
decides on all else; what it has named is held.

Source: ../shared/spec/tool-context.md, §4, "Route change".
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from types import TracebackType
from typing import Any, NoReturn, Protocol

from webtools._exceptions import WebtoolsError
from webtools.lifecycle.clock import Clock
from webtools.lifecycle.hold import AnyTool, Hold, tool_to_hold
from webtools.lifecycle.slot import MAX_LEAVING, Slot


class Holder(Protocol):
    """What changes of route ask of the registry."""

    def hold(
        self, tool: AnyTool | Callable[..., Any], *, resource_id: str | None = None, owner: object = None
    ) -> Hold:
        """See `ToolRegistry.hold`."""

    def named(self, name: str) -> Slot | None:
        """See `ToolRegistry.named`."""


class RouteChange:
    """One change of route, for its block to name what the new route holds.

    Args:
        is_newest: Tells whether no newer change has begun.
    """

    def __init__(self, is_newest: Callable[[RouteChange], bool]) -> None:
        self._is_newest = is_newest
        self._is_over = False
        self._named: list[tuple[AnyTool, str | None, object]] = []

    def hold(
        self, tool: AnyTool | Callable[..., Any], *, resource_id: str | None = None, owner: object = None
    ) -> None:
        """Name a tool of the new route: it is held from the block's end until the next change begins.

        Where a newer change has begun, nothing comes of it; `is_current` tells.

        Args:
            tool: As for `ToolRegistry.hold`, and so are the others.
            resource_id: The resource that it works on.
            owner: Whose hold it is.

        Raises:
            ToolDefinitionError: The function is no tool.
            TypeError: The resource's id is no text.
            WebtoolsError: The block has ended.
        """
        if self._is_over:
            raise WebtoolsError("This change of route is over: name what the route holds within its block.")
        self._named.append((tool_to_hold(tool, resource_id), resource_id, owner))

    def is_current(self) -> bool:
        """Whether no newer change has begun, which would win: ask after a wait, before the page changes.

        That of the newest one stays True when its block has ended.
        """
        return self._is_newest(self)

    def end(self) -> list[tuple[AnyTool, str | None, object]]:
        """The block has ended; gives what it has named."""
        self._is_over = True
        return self._named


class RouteChanges:
    """The page's changes of route, of which the newest counts, and what the route holds that it is on.

    Args:
        clock: Times how long a change may keep the registrations of what the old route held.
        holder: The registry.
        on_stale: Told when calls have gone stale.
        on_begin: Told first of a change that begins here, so that the page's JavaScript lets go of its own.

    Attributes:
        on_end: Called when no change is open any more.
    """

    def __init__(
        self,
        clock: Clock,
        holder: Holder,
        on_stale: Callable[[], None],
        on_begin: Callable[[], None],
    ) -> None:
        self._clock = clock
        self._holder = holder
        self._on_stale = on_stale
        self._on_begin = on_begin
        self.on_end: Callable[[], object] = lambda: None
        self._open: RouteChange | None = None
        self._newest: RouteChange | None = None
        self._holds: list[Hold] = []
        self._kept: list[Slot] = []

    @property
    def is_open(self) -> bool:
        """Whether the page is between two routes."""
        return self._open is not None

    def change(self) -> AbstractAsyncContextManager[RouteChange]:
        """See `ToolRegistry.route_change`."""
        return _Block(self)

    def begin_here(self) -> RouteChange:
        """The same as `begin`, for a change that begins in Python."""
        self._on_begin()
        return self.begin()

    def begin(self) -> RouteChange:
        """Leave the route that the page is on. A change that is open has lost: its end holds nothing."""
        holds, self._holds = self._holds, []
        self._open = self._newest = opened = RouteChange(lambda change: change is self._newest)
        for hold in holds:
            self.retire(hold)
        self._on_stale()
        return opened

    def end(self, change: RouteChange, *, is_well: bool = True) -> None:
        """Come to the new route, and hold what it has named where all went well."""
        named = change.end()
        if change is not self._open:
            return
        self._open = None
        if is_well:
            self._holds = [
                self._holder.hold(tool, resource_id=resource_id, owner=owner)
                for tool, resource_id, owner in named
            ]
        self._let_go()
        self.on_end()

    def retire(self, hold: Hold) -> None:
        """Release what the old route held: what began under it is stale at once."""
        slot = self._holder.named(hold.tool.name)
        hold.release()
        if slot:
            self.keep(slot)
            slot.look()  # not in a macrotask

    def keep(self, slot: Slot) -> None:
        """Let a tool's registration stay while the change is open, since the new route may hold it again."""
        slot.keep(self._clock.now() + MAX_LEAVING)
        self._kept.append(slot)

    def close(self) -> None:
        """The page goes: no change holds anything any more."""
        self._open = self._newest = None
        self._holds.clear()
        self._kept.clear()

    def _let_go(self) -> None:
        kept, self._kept = self._kept, []
        for slot in kept:
            slot.let_go()


class _Block(AbstractAsyncContextManager[RouteChange]):
    """A change's ``async with``; its verbs are those of what it gives."""

    def __init__(self, changes: RouteChanges) -> None:
        self._changes = changes
        self._change: RouteChange | None = None

    async def __aenter__(self) -> RouteChange:
        if self._change:
            raise WebtoolsError("This change of route has begun already: each has its own route_change().")
        self._change = self._changes.begin_here()
        return self._change

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._change:
            self._changes.end(self._change, is_well=kind is None)

    def __getattr__(self, name: str) -> NoReturn:
        raise AttributeError(
            f"A change of route that has not begun has no {name!r}: write "
            f"`async with registry().route_change() as route`, and route.{name} in its block."
        )
