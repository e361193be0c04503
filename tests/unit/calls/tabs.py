"""Tabs of one page, and the browser that lets one of them at a time own."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from tests.unit.calls.page_rig import PageRig, play
from webtools import Ownership
from webtools.calls import ownership
from webtools.calls.dispatcher import Dispatcher
from webtools.calls.ownership import Owners
from webtools.lifecycle.registry import ToolRegistry
from webtools.tools.tool import Tool


class FakeLocks:
    """`webtools.calls.ownership.Locks` of one tab, whose part in all locks the test decides.

    Attributes:
        asked: What was asked, in its order.
        epochs: The numbers of what this tab owns.
        gone: What it owned until the number was gone.
    """

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []
        self.epochs: dict[str, int] = {}
        self.gone: set[str] = set()

    def ask(self, name: str) -> None:
        self.asked.append(("ask", name))

    def take_over(self, name: str) -> None:
        self.asked.append(("take over", name))

    def release(self, name: str) -> None:
        self.asked.append(("release", name))

    def epoch(self, name: str) -> int | None:
        return self.epochs.get(name)

    def is_gone(self, name: str) -> bool:
        return name in self.gone


class TabRig(PageRig):
    """A page's rig in a tab that has to own."""

    def __init__(self) -> None:
        super().__init__()
        self.locks = FakeLocks()
        self.owners = Owners(self.locks, self._reconsider)
        self.registry = ToolRegistry(
            self.clock,
            lambda _: None,
            is_offered=lambda tool: not isinstance(tool, Tool) or self.owners.is_offered(tool.guards.owner),
        )
        self.dispatcher = Dispatcher(self.clock, self._settle, owners=self.owners)

    def own(self, name: str, epoch: int | None) -> None:
        """The browser says that this tab owns with that number, or that another one does."""
        if epoch is None:
            self.locks.epochs.pop(name, None)
        else:
            self.locks.epochs[name] = epoch
        self.owners.told(name, epoch, None if epoch else "elsewhere")

    def _reconsider(self) -> None:
        self.registry.reconsider()
        self.dispatcher.look()


def play_tab(scene: Callable[[TabRig], Coroutine[Any, Any, None]], *declared: Ownership) -> TabRig:
    """Play a scene in a tab whose app has these."""
    rig = TabRig()

    async def whole(_: PageRig) -> None:
        before = ownership.attach(rig.owners)
        try:
            rig.owners.declare("app", declared)
            await scene(rig)
            rig.dispatcher.close()
        finally:
            ownership.attach(before)

    play(whole)
    return rig
