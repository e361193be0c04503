"""Holds that JavaScript asked for by a tool's name, also before the tool is known."""

from __future__ import annotations

from dataclasses import dataclass

from webtools.lifecycle.hold import Hold
from webtools.lifecycle.registry import ToolRegistry
from webtools.tools.tool import Tool


@dataclass(eq=False)
class _Wish:
    name: str
    resource_id: str | None
    owner: int | None
    hold: Hold | None = None


class Wishes:
    """Keeps each wish until JavaScript releases it, and a hold for it while its tool is known."""

    def __init__(self, registry: ToolRegistry) -> None:
        self._registry = registry
        self._tools: dict[str, Tool] = {}
        self._wishes: dict[int, _Wish] = {}

    def know(self, tools: list[Tool]) -> None:
        """An app defines these tools: what waits for one is held, what held an older one holds it now."""
        self._tools.update({each.name: each for each in tools})
        names = {each.name for each in tools}
        for wish in self._wishes.values():
            if wish.name in names:
                self._take(wish)

    def hold(self, number: int, name: str, resource_id: str | None, owner: int | None) -> None:
        """Wish; the number is JavaScript's, for the release."""
        self._wishes[number] = wish = _Wish(name, resource_id, owner)
        self._take(wish)

    def release(self, number: int) -> None:
        """Give a wish up; harmless twice."""
        wish = self._wishes.pop(number, None)
        if wish and wish.hold:
            wish.hold.release()

    def _take(self, wish: _Wish) -> None:
        tool = self._tools.get(wish.name)
        if tool is None:
            return
        before = wish.hold
        wish.hold = self._registry.hold(tool, resource_id=wish.resource_id, owner=wish.owner)
        if before:
            before.release()
