"""The JavaScript object that is handed over at start: `static/port.js`."""

from __future__ import annotations

from typing import Protocol


class Bytes(Protocol):
    """A JavaScript `Uint8Array`: what a file is handed over as, never what a call has."""

    def to_bytes(self) -> bytes:
        """Copy it."""


class Border(Protocol):
    """What Python may ask of the page. Names are JavaScript's; times are milliseconds."""

    def register(self, registration: int, definition: str) -> None:
        """Register a definition, its canonical JSON text; `Host.registered` or `.rejected` is told later."""

    def unregister(self, registration: int) -> None:
        """Abort the signal of that registration; harmless twice."""

    def settle(self, call_id: str, answer: str) -> None:
        """Give a call its answer, JSON text."""

    def innerCall(self, tool: str, call_id: str, answer: str | None) -> None:  # noqa: N802  # JavaScript's name
        """Tell the page that a call which a handler makes begins, or, with its answer, has ended."""

    def callProgress(self, tool: str, call_id: str, report: str) -> None:  # noqa: N802  # JavaScript's name
        """Tell the page what a handler reports, JSON text; see `webtools.calls.progress`."""

    def showCall(self, shown: int, call_id: str, text: str) -> bool:  # noqa: N802  # JavaScript's name
        """Show a call, JSON text of `webtools.calls.showing`; if not True, `Host.page_answered` later."""

    def toolState(self, name: str, state: str, reason: str | None) -> None:  # noqa: N802  # JavaScript's name
        """Tell the page that a tool's state changed."""

    def observed(self, slot: str) -> None:
        """Tell whoever observes the tools of a change, JSON text of `webtools.browser.observing`."""

    def routeBegan(self) -> None:  # noqa: N802  # JavaScript's name
        """Let go of what the page's JavaScript holds for its route, by `Host.retire`; Python changes it."""

    def setTimer(self, timer: int, delay_ms: float) -> None:  # noqa: N802  # JavaScript's name
        """Call `Host.timer` with this number, once, when the time has passed."""

    def clearTimer(self, timer: int) -> None:  # noqa: N802  # JavaScript's name
        """Forget that timer; harmless when it has fired."""

    def holdForm(self, number: int, selector: str, options: str) -> str | None:  # noqa: N802  # JavaScript's name
        """Do as `webtools.formTool` does, with options in JSON text; what is wrong with them, or None."""

    def releaseForm(self, number: int) -> None:  # noqa: N802  # JavaScript's name
        """Release that hold; harmless twice."""

    def callPage(self, call: int, name: str, function: str, arguments: str) -> str | None:  # noqa: N802  # as above
        """Call an exposed function; its JSON text now, or None and `Host.page_answered` later."""

    def callArtifacts(self, call: int, verb: str, arguments: str) -> None:  # noqa: N802  # as above
        """Ask ``static/artifacts.js``; `Host.page_answered` later."""

    def callTool(self, call: int, name: str, text: str, facts: str) -> None:  # noqa: N802  # as above
        """Call a tool as `webtools.call` does; `Host.page_answered` is told the answer later, JSON text."""

    def abortTool(self, call: int) -> None:  # noqa: N802  # as above
        """Give that call up; harmless when it has its answer."""

    def untilSettled(self, call: int) -> None:  # noqa: N802  # as above
        """Wait as `webtools.settled` does; `Host.page_answered` later."""

    def fetch(self, request: int, text: str) -> None:
        """Send a request, JSON text ``{"url", "headers", "body"}``; `Host.fetched` is told of the answer."""

    def abortFetch(self, request: int) -> None:  # noqa: N802  # as above
        """Give that request up; nothing more is told of it."""

    def artifactRead(self, reading: int, artifact: str) -> None:  # noqa: N802  # as above
        """Answer the page's JavaScript, which wants to show an artifact; JSON text of `artifacts.shown`."""

    def readStored(self, name: str) -> str | None:  # noqa: N802  # as above
        """The tab's text of that name; None where there is none, or it is refused."""

    def writeStored(self, name: str, text: str) -> bool:  # noqa: N802  # as above
        """Keep a text for the tab's life; False where there is no room, or it is refused."""

    def confirm(self, question: int, text: str) -> None:
        """Ask the person, `webtools.calls.confirmation.Person.ask`; `Host.confirmed` is told the outcome."""

    def withdraw(self, question: int) -> None:
        """Close that dialog, or never open it; harmless when it has been answered."""

    def askOwnership(self, name: str) -> None:  # noqa: N802  # as above
        """Want the lock of that name; `Host.ownership` is told, see `webtools.calls.ownership.Locks`."""

    def takeOwnership(self, name: str) -> None:  # noqa: N802  # as above
        """Have it now, whichever tab has it."""

    def releaseOwnership(self, name: str) -> None:  # noqa: N802  # as above
        """Let it go; harmless twice."""

    def ownedEpoch(self, name: str) -> int | None:  # noqa: N802  # as above
        """This tab's number, while it has the lock and the stored number is the same."""

    def isOwnershipGone(self, name: str) -> bool:  # noqa: N802  # as above
        """Whether it had the lock until that number was gone, and waits for its turn since."""

    def requestCredential(self, number: int, text: str) -> None:  # noqa: N802  # as above
        """Ask the provider, see `webtools.stores.credentials`; `Host.provided` is told the outcome."""

    def withdrawCredential(self, number: int) -> None:  # noqa: N802  # as above
        """Nobody waits for that credential any more; harmless when it has been given."""

    def teardown(self, text: str) -> None:
        """Tell the page what became of a cleanup, JSON text; see `webtools.stores.teardown`."""

    def ended(self, number: int) -> None:
        """What `Host.end` has begun is done."""

    def log(self, level: str, text: str) -> None:
        """Write a line to the console; `level` is "warn" or "error"."""
