"""Loads the page's apps, and holds what they define."""

from __future__ import annotations

import json
import logging
import traceback
from collections.abc import Callable
from types import ModuleType

from webtools._exceptions import ToolDefinitionError
from webtools.browser import apps
from webtools.browser.apps import Declared
from webtools.browser.archives import Archives
from webtools.browser.forms import Forms
from webtools.browser.manifest import digest_of, manifest_of
from webtools.browser.observing import app_holder
from webtools.browser.own_code import OwnCode
from webtools.browser.promises import Promises
from webtools.browser.wishes import Wishes
from webtools.calls.early import EarlyCalls
from webtools.calls.ownership import Owners
from webtools.lifecycle.hold import Hold
from webtools.lifecycle.routes import Binding, Routes
from webtools.tools.form_tool import FormTool
from webtools.tools.tool import Tool

logger = logging.getLogger("webtools")


class LoadedApps:
    """Lives as long as the page; an app is known by its URL.

    Args:
        routes: Holds tools for the page's life, or while the path fits them.
        promises: What manifests have promised of apps.
        early: The calls of what was promised.
        wishes: Of the page's JavaScript, for tools by their names.
        forms: Of the page.
        owners: Of the page.
        own_code: Is to leave alone what apps make.
    """

    def __init__(
        self,
        routes: Routes,
        *,
        promises: Promises,
        early: EarlyCalls,
        wishes: Wishes,
        forms: Forms,
        owners: Owners,
        own_code: OwnCode,
    ) -> None:
        self._routes = routes
        self._promises = promises
        self._early = early
        self._wishes = wishes
        self._forms = forms
        self._owners = owners
        self._own_code = own_code
        self._archives = Archives()
        self._held: dict[str, list[Hold | Binding]] = {}
        self._loaded: dict[str, tuple[str, list[Tool]]] = {}

    def load(self, url: str, source: str) -> str | None:
        """Load an app and register its tools.

        Returns:
            None, or what is wrong with it: JSON text ``{"message", "traceback"}``.
        """
        return self._load(url, source, lambda: apps.load(url, source))

    def load_archive(self, url: str, archive: bytes, entry: str) -> str | None:
        """Load an app that is an archive, by its entry module; see `load`."""
        return self._load(url, archive, lambda: self._archives.load(url, archive, entry))

    def manifest(self, url: str, version: str) -> str | None:
        """What an app defines, see `webtools.browser.manifest`; None where that cannot be written down.

        Args:
            url: Of an app that has been loaded.
            version: The library's.
        """
        try:
            return manifest_of(*self._loaded[url], version)
        except apps.AppProblem:
            return None

    def give_up(self, url: str, reason: str) -> None:
        """The app cannot be loaded: what was promised of it leaves, and its early calls are answered."""
        self._early.failed(url, reason)
        self._promises.end(url)

    def _load(self, url: str, app: str | bytes, loaded: Callable[[], ModuleType]) -> str | None:
        try:
            with self._own_code.loading():
                module = loaded()
            found = apps.declared_in(vars(module))
            self._owners.check(url, found.ownerships)
            self._hold(url, found)
            self._owners.declare(url, found.ownerships)
            self._loaded[url] = (digest_of(app), found.tools)
            self._promises.end(url)
            self._early.arrived(url)
        except (apps.AppProblem, ToolDefinitionError) as problem:
            return _problem(str(problem), problem.__cause__)
        except Exception as error:  # noqa: BLE001  # an app's object may raise when it is looked at
            return _problem(f"{url}: its tools cannot be found, {type(error).__name__}: {error}", error)
        if not found.tools and not found.forms:
            logger.warning(
                "%s defines no tool: no global name of it holds a function with @tool, or a form_tool", url
            )
        return None

    def _hold(self, url: str, found: Declared) -> None:
        """Hold an app's tools for the page's life, or while the path fits them.

        Loading it again keeps those whose definition is equal.
        """
        before = self._held.get(url, [])
        taken = {
            each.tool.name: other for other, holds in self._held.items() if other != url for each in holds
        }
        ours = [each for each in found.tools if not each.is_held_by_others]
        _check_names(url, [*ours, *found.forms], {**taken, **self._forms.names_of_others(url)})
        self._forms.hold(url, found.forms)
        self._held[url] = [
            self._promises.fulfil(url, each) or self._routes.hold(each, holder=app_holder(url))
            for each in ours
        ]
        for each in before:
            each.release()
        self._wishes.know(found.tools)


def _check_names(url: str, tools: list[Tool | FormTool], taken: dict[str, str]) -> None:
    for each in tools:
        if each.name in taken:
            where = url if taken[each.name] == url else f"{taken[each.name]} and {url}"
            raise ToolDefinitionError(
                f"Two tools are called {each.name!r} ({where}), and a name can exist once on a page. "
                f'Rename one of them, for instance with @tool(name="...").'
            )
        taken[each.name] = url


def _problem(message: str, cause: BaseException | None) -> str:
    trace = "".join(traceback.format_exception(cause)) if cause else ""
    return json.dumps({"message": message, "traceback": trace})
