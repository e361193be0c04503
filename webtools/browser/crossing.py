"""The texts of calls, on their way between JavaScript and Python: UTF-8 in memory that both see.

Pyodide copies a text character by character, which costs a call of 10,000 characters more than all else. So
the text is put here, and its size in bytes is what crosses. Whoever is handed a size reads at once: the next
text takes the same place.

`static/crossing.js` is the other side.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from webtools.browser import host
from webtools.browser.border import Border

INITIAL = 64 * 1024
"""Bytes; more where a text needs more, for the page's life."""


Settle = Callable[[str, int], None]
"""`Border.settle` with the answer's size."""


def start(border: Border, settle: Settle, debug: bool, artifacts: str) -> Crossing:
    """Make the page's host, see `webtools.browser.host.start`; JavaScript calls it once."""
    return Crossing(border, settle, debug, artifacts)


class Crossing:
    """Owns the memory. Its methods raise no more than those of the host do.

    Attributes:
        host: For all that is no call.
        memory: JavaScript has a view of it, so it never changes its size: a larger one takes its place.
    """

    def __init__(self, border: Border, settle: Settle, debug: bool, artifacts: str) -> None:
        self.memory = bytearray(INITIAL)
        self.host = host.start(cast(Border, _Answering(border, settle, self)), debug, artifacts)

    def call(self, registration: int, call_id: str, size: int) -> int | None:
        """As `Host.call`; gives the answer's size, or -number of the handler, or None."""
        return self._given(self.host.call(registration, call_id, self._read(size)))

    def call_named(self, name: str, call_id: str, size: int, facts_text: str | None) -> int | None:
        """As `Host.call_named`, in the same way."""
        return self._given(self.host.call_named(name, call_id, self._read(size), facts_text))

    def grow(self, size: int) -> None:
        """Make room for that many bytes; what was there is gone."""
        self.memory = bytearray(size)

    def write(self, text: str) -> int:
        """Put a text there; gives its size."""
        data = text.encode("utf-8", "surrogatepass")
        if len(data) > len(self.memory):
            self.grow(len(data))
        self.memory[: len(data)] = data
        return len(data)

    def _read(self, size: int) -> str:
        return str(memoryview(self.memory)[:size], "utf-8")

    def _given(self, answer: str | int | None) -> int | None:
        if isinstance(answer, str):
            return self.write(answer)
        return None if answer is None else -answer


class _Answering:
    """The page's border, whose answers cross by their sizes."""

    def __init__(self, border: Border, settle: Settle, crossing: Crossing) -> None:
        self._border = border
        self._settle = settle
        self._crossing = crossing

    def settle(self, call_id: str, answer: str) -> None:
        """See `Border`."""
        self._settle(call_id, self._crossing.write(answer))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._border, name)
