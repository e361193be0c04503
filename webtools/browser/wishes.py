"""Holds that JavaScript asked for: by a tool's name, also before the tool is known, or with a definition."""

from __future__ import annotations

from dataclasses import dataclass

from webtools.lifecycle.hold import AnyTool, Hold
from webtools.lifecycle.registry import ToolRegistry
from webtools.tools.definition import Definition
from webtools.tools.page_tool import PageTool
from webtools.tools.promised_tool import PromisedTool
from webtools.tools.tool import Tool


@dataclass(eq=False)
class _Wish:
    number: int
    name: str
    resource_id: str | None
    owner: object
    hold: Hold | None = None


class Wishes:
    """Keeps each wish until JavaScript releases it, and a hold for it while its tool is known.

    Either Python defines the tool, when an app is loaded, or JavaScript has defined it with the wish.
    """

    def __init__(self, registry: ToolRegistry) -> None:
        self._registry = registry
        self._tools: dict[str, Tool | PromisedTool] = {}
        self._wishes: dict[int, _Wish] = {}

    def know(self, tools: list[Tool]) -> None:
        """An app defines these tools: what waits for one is held, what held an older one holds it now."""
        self._tools.update({each.name: each for each in tools})
        names = {each.name for each in tools}
        for wish in self._wishes.values():
            if wish.name in names and not (wish.hold and isinstance(wish.hold.tool, PageTool)):
                self._take(wish)

    def promise(self, tool: PromisedTool) -> None:
        """An app is going to define this tool: until then it is held in its place."""
        self._tools[tool.name] = tool

    def forget(self, app: str) -> None:
        """What the app was to define and does not is not known any more; wishes for it wait again."""
        self._tools = {name: tool for name, tool in self._tools.items() if not _is_promise(tool, app)}
        for wish in self._wishes.values():
            if wish.hold and _is_promise(wish.hold.tool, app):
                hold, wish.hold = wish.hold, None
                hold.release()

    def hold(
        self, number: int, name: str, text: str | None, resource_id: str | None, owner: int | None
    ) -> None:
        """Wish.

        Args:
            number: JavaScript's, for the release, and for the handler where JavaScript has it.
            name: The tool's.
            text: The definition's canonical text, of a tool that JavaScript defines.
            resource_id: As for `ToolRegistry.hold`.
            owner: The same number for the same owner.
        """
        self._wishes[number] = wish = _Wish(number, name, resource_id, owner)
        if text is None:
            self._take(wish)
        else:
            made = PageTool(Definition.of_text(text), number)
            wish.hold = self._held(wish, made)

    def adopt(self, number: int, hold: Hold) -> None:
        """Keep a hold that was taken over, for its release."""
        self._wishes[number] = _Wish(number, hold.tool.name, hold.resource_id, hold.owner, hold)

    def release(self, number: int) -> None:
        """Give a wish up; harmless twice."""
        wish = self._wishes.pop(number, None)
        if wish and wish.hold:
            wish.hold.release()

    def retire(self, number: int) -> None:
        """Give a wish of the route up that the page leaves; harmless twice."""
        wish = self._wishes.pop(number, None)
        if wish and wish.hold:
            self._registry.changes.retire(wish.hold)

    def _take(self, wish: _Wish) -> None:
        tool = self._tools.get(wish.name)
        if tool is None:
            return
        if wish.hold:
            self._registry.renew(wish.hold, tool)
        else:
            wish.hold = self._held(wish, tool)

    def _held(self, wish: _Wish, tool: AnyTool) -> Hold:
        return self._registry.hold(tool, resource_id=wish.resource_id, owner=wish.owner, holder=wish.number)


def _is_promise(tool: AnyTool, app: str) -> bool:
    return isinstance(tool, PromisedTool) and tool.app == app
