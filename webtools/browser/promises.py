"""Tools that a manifest has promised, until the app is there that defines them."""

from __future__ import annotations

from webtools.browser.wishes import Wishes
from webtools.lifecycle.hold import Hold
from webtools.lifecycle.registry import ToolRegistry
from webtools.lifecycle.routes import Binding, Routes
from webtools.tools.promised_tool import PromisedTool
from webtools.tools.tool import Tool


class Promises:
    """Holds them as their app will: for the page's life, while the path fits, or as the page's wishes say.

    Args:
        registry: The page's.
        routes: Hold what is bound to a path.
        wishes: Hold what the page's JavaScript wishes for.
    """

    def __init__(self, registry: ToolRegistry, routes: Routes, wishes: Wishes) -> None:
        self._registry = registry
        self._routes = routes
        self._wishes = wishes
        self._kept: dict[tuple[str, str], Hold | Binding] = {}

    def keep(self, tool: PromisedTool, hold: Hold | None) -> None:
        """Go on from the hold that the page has taken for it, if it has."""
        self._wishes.promise(tool)
        kept = self._routes.bind(tool, hold) if tool.match else hold
        if kept:
            self._kept[tool.app, tool.name] = kept

    def fulfil(self, app: str, tool: Tool) -> Hold | Binding | None:
        """Give what holds a promised tool to the app's own, in its place; None: nothing holds it."""
        kept = self._kept.get((app, tool.name))
        if kept is None or isinstance(kept, Binding) is not bool(tool.match):
            return None
        if isinstance(kept, Binding):
            self._routes.renew(kept, tool)
        else:
            self._registry.renew(kept, tool)
        return self._kept.pop((app, tool.name))

    def end(self, app: str) -> None:
        """What the app defines is held by now, or it will never be: let go of the rest; harmless twice."""
        for key in [each for each in self._kept if each[0] == app]:
            self._kept.pop(key).release()
        self._wishes.forget(app)
