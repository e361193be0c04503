"""The tools of code that a page runs itself in its Python: of a script of PyScript's, or a notebook's cell.

Such code has no URL and no end. So its tools are looked for soon after each is made, as those of an app are:
among the global names of the module whose code has made it.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any
from weakref import WeakSet

from webtools._exceptions import ToolDefinitionError
from webtools.browser import apps
from webtools.browser.apps import Declared
from webtools.browser.forms import Forms
from webtools.browser.wishes import Wishes
from webtools.calls.ownership import Owners, Ownership
from webtools.lifecycle.hold import PYTHON, Hold
from webtools.lifecycle.routes import Binding, Routes
from webtools.tools import making
from webtools.tools.form_tool import FormTool
from webtools.tools.tool import Tool

logger = logging.getLogger("webtools")

NAME = "this page's Python"
"""What stands for an app's URL."""

Names = dict[str, Any]


class OwnCode:
    """Holds what global names hold, as long as they do; one name of two modules has the newer tool.

    A name that has another tool, since its cell has run again, holds that instead: the new hold stands before
    the old one is released, so by the rules of a slot an equal definition stays, and no call is lost.

    Args:
        routes: Holds tools for the page's life, or while the path fits them.
        soon: Runs a function when the code that runs now has ended, or waits for something.
        wishes: Of the page's JavaScript, for tools by their names.
        forms: Of the page.
        owners: Of the page.
    """

    def __init__(
        self,
        routes: Routes,
        soon: Callable[[Callable[[], None]], None],
        *,
        wishes: Wishes,
        forms: Forms,
        owners: Owners,
    ) -> None:
        self._routes = routes
        self._soon = soon
        self._wishes = wishes
        self._forms = forms
        self._owners = owners
        self._modules: dict[int, Names] = {}
        self._held: dict[Tool, Hold | Binding | None] = {}
        self._declared: tuple[list[FormTool], list[Ownership]] = ([], [])
        self._is_to_look = False
        self._of_apps: WeakSet[ModuleType] = WeakSet()
        self._is_loading = False

    def follow(self) -> None:
        """Hold what ``__main__`` has by now, and from now on what code makes, but for apps."""
        making.watch(self._made)
        names = vars(sys.modules["__main__"])
        self._modules[id(names)] = names
        self._look()

    @contextmanager
    def loading(self) -> Iterator[None]:
        """What is made meanwhile is an app's, and so is what its modules make later."""
        before, self._is_loading = self._is_loading, True
        try:
            yield
        finally:
            self._is_loading = before

    def close(self) -> None:
        """Leave code alone; what it holds ends with the registry."""
        making.watch(None)
        self._modules.clear()
        self._held.clear()

    def _made(self, names: Names) -> None:
        module = sys.modules.get(str(names.get("__name__")))
        is_module = module is not None and vars(module) is names
        if module and is_module and self._is_loading:
            self._of_apps.add(module)
        if self._is_loading or (is_module and module in self._of_apps):
            return
        self._modules[id(names)] = names
        if not self._is_to_look:
            self._is_to_look = True
            self._soon(self._look)

    def _look(self) -> None:
        self._is_to_look = False
        found = {key: apps.declared_in(names) for key, names in self._modules.items()}
        try:
            self._declare(found.values())
        except ToolDefinitionError as problem:
            logger.error("%s", problem)
            return
        self._hold_all(dict.fromkeys(tool for each in found.values() for tool in each.tools))
        self._modules = {key: self._modules[key] for key, each in found.items() if each.is_some}

    def _declare(self, found: Collection[Declared]) -> None:
        forms = list(dict.fromkeys(form for each in found for form in each.forms))
        ownerships = list(dict.fromkeys(one for each in found for one in each.ownerships))
        if self._declared == (forms, ownerships):
            return
        self._owners.check(NAME, ownerships)
        self._forms.hold(NAME, forms)
        self._owners.declare(NAME, ownerships)
        self._declared = (forms, ownerships)

    def _hold_all(self, tools: Iterable[Tool]) -> None:
        before, self._held = self._held, {}
        fresh = [each for each in tools if each not in before]
        for tool in tools:
            self._held[tool] = before.pop(tool) if tool in before else self._hold(tool)
        for hold in before.values():
            if hold:
                hold.release()
        self._wishes.know(fresh)

    def _hold(self, tool: Tool) -> Hold | Binding | None:
        return None if tool.is_held_by_others else self._routes.hold(tool, holder=PYTHON)
