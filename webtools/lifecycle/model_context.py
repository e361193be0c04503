"""The port to the browser's model context (``document.modelContext``)."""

from __future__ import annotations

from typing import Protocol

from webtools.tools.definition import Definition


class ModelContext(Protocol):
    """Registers definitions in the browser.

    Each attempt has a number of its own, so that a late outcome of an older one is told from a newer one's.
    """

    def register(self, registration: int, definition: Definition) -> None:
        """Ask for a registration; `ToolRegistry.registered` or `.rejected` hears of it, at once or later."""

    def unregister(self, registration: int) -> None:
        """Take the registration back; harmless for one that was rejected or taken back before."""
