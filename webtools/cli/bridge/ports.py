"""The port to a browser: tabs, and the documents that they show one after another."""

from __future__ import annotations

from typing import Protocol

__all__ = ["Browser", "Document", "DocumentLeft", "Tab", "TabGone", "Unreachable"]


class DocumentLeft(Exception):
    """The tab shows another document now, or nothing any more."""


class TabGone(Exception):
    """There is no tab (any more).

    Attributes:
        reason: For people, a part of a sentence such as `the page crashed`, without any text of the page's.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Unreachable(Exception):
    """The page cannot be loaded at this moment.

    Attributes:
        reason: The browser's, such as `ERR_CONNECTION_REFUSED`.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Document(Protocol):
    """One document. Each method raises `DocumentLeft` when it is there no more.

    Attributes:
        origin: As the browser has it; "null" of what has none.
        is_error: It is the browser's own, for a page that could not be loaded.
    """

    origin: str
    is_error: bool

    async def begin(self) -> None:
        """Have it tell of its tools from now on."""

    async def next(self) -> str:
        """Wait for what it tells, JSON text as `webtools.cli.bridge.events` reads it."""

    async def start(self, call: int, name: str, text: str) -> None:
        """Call a tool with a JSON text as its input, in sight of the person; its answer is told."""

    async def abort(self, call: int) -> None:
        """Give a call up."""

    async def ping(self) -> None:
        """Wait until it has a moment's time."""

    @property
    def is_asking(self) -> bool:
        """Whether a dialog of the browser's may be open, during which it has none."""


class Tab(Protocol):
    """One tab.

    Attributes:
        is_found: It was there before, and shows the page already.
    """

    is_found: bool

    @property
    def is_asking(self) -> bool:
        """Whether a dialog of the browser's may be open, during which no document is given."""

    async def visit(self, url: str) -> int:
        """Go to the URL; gives the status of HTTP.

        Raises:
            Unreachable: The browser could not load it.
            TabGone: It crashed, or was closed.
        """

    async def document(self) -> Document:
        """Give the document that it shows, waiting where it is on its way.

        Raises:
            TabGone: It crashed, or was closed.
        """

    async def close(self) -> None:
        """Close it, unless it was there before."""


class Browser(Protocol):
    """Gives tabs; it is started again where it has ended."""

    async def open(self, url: str) -> Tab:
        """Give a tab for that URL.

        Raises:
            TabGone: The browser does not start, or nothing answers where one should run.
        """
