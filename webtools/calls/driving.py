"""The port of an agent that drives the page from inside: its calls come in by the page's own door."""

from __future__ import annotations

from typing import Protocol

from webtools._exceptions import WebtoolsError
from webtools.calls.fetching import Fetch
from webtools.calls.signal import CancelSignal
from webtools.lifecycle.clock import Clock


class Driver(Protocol):
    """What such an agent asks of the page."""

    @property
    def clock(self) -> Clock:
        """The page's."""

    @property
    def fetch(self) -> Fetch:
        """Sends requests."""

    async def call(self, name: str, text: str, facts: str, signal: CancelSignal) -> str:
        """Call a tool, as `webtools.call` does in JavaScript; it never raises.

        Giving up the wait gives up the call.

        Args:
            name: The tool's.
            text: The input, as the model wrote it.
            facts: JSON text, as `webtools.calls.facts.stated` reads it.
            signal: Gives the call up where it fires.

        Returns:
            The answer, JSON text.
        """

    async def settled(self) -> None:
        """Wait until the page's tools have not changed for 150 ms, at most for 2 s.

        Source: ../shared/spec/lifecycle.md, "After a call that navigated".
        """

    async def sleep(self, seconds: float) -> None:
        """Wait so long."""

    def conceal(self, secret: str) -> None:
        """Take this text out of every log, answer and report from now on."""


def attach(made: Driver | None) -> Driver | None:
    """Make a port the page's, and return the one before: a host does it at start, a fake in tests."""
    global _driver  # there is one page
    before, _driver = _driver, made
    return before


def driver() -> Driver:
    """The page's.

    Raises:
        WebtoolsError: There is no page.
    """
    if _driver is None:
        raise WebtoolsError(
            "There is no page here. In a test, use webtools.testing: `with driven_page(search, buy): ...`."
        )
    return _driver


_driver: Driver | None = None
