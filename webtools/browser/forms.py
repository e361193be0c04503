"""The forms of the page that apps make tools of."""

from __future__ import annotations

from collections.abc import Iterable

from webtools._exceptions import ToolDefinitionError
from webtools.browser.border import Border
from webtools.tools.form_tool import FormTool


class Forms:
    """Holds what each app declares, until the app is loaded again; lives as long as the page."""

    def __init__(self, border: Border) -> None:
        self._border = border
        self._count = 0
        self._held: dict[str, dict[int, FormTool]] = {}

    def names_of_others(self, app: str) -> dict[str, str]:
        """The names that other apps have taken, and by which."""
        others = ((url, held) for url, held in self._held.items() if url != app)
        return {each.name: url for url, held in others for each in held.values()}

    def hold(self, app: str, forms: Iterable[FormTool]) -> None:
        """An app declares these, instead of those that it had when it was loaded before.

        Raises:
            ToolDefinitionError: The page takes one of them for no selector; those before stay.
        """
        held: dict[int, FormTool] = {}
        for each in forms:
            self._count += 1
            held[self._count] = each
            if wrong := self._border.holdForm(self._count, each.selector, each.options):
                self._release(held)
                raise ToolDefinitionError(wrong)
        before, self._held[app] = self._held.get(app, {}), held
        self._release(before)

    def close(self) -> None:
        """Let everything go; harmless twice."""
        for held in self._held.values():
            self._release(held)
        self._held.clear()

    def _release(self, held: Iterable[int]) -> None:
        for number in held:
            self._border.releaseForm(number)
