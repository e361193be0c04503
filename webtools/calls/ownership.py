"""Which tab of the page owns what: the browser keeps a lock for each name, and a stored number goes with it.

Source: ../shared/spec/tool-context.md, §4, "Tabs".
"""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import dataclass, field
from typing import Any, Protocol

from webtools._exceptions import ToolDefinitionError, ToolError, WebtoolsError
from webtools.calls import tasks
from webtools.tools import making
from webtools.tools.callables import takes
from webtools.tools.owner import Others, Owner

logger = logging.getLogger("webtools")

ELSEWHERE = "elsewhere"
"""The reason of a tab that waits for its turn."""

CURES = {
    ELSEWHERE: "Another tab of this page has it. Ask the person to go on in that tab, or to take over in "
    "this one; a tool of this page may do that, too.",
    "meanwhile": "Another tab has had it in the meantime. Read the page's state first.",
    "released": "This tab has let it go. Ask the person to go on in another one, or to take over in this.",
    "gone": "Its number is gone from the page's localStorage, as when a logout empties that, so the tab has "
    "let it go and asks for it anew. Read the page's state first.",
    "no locks": "The browser offers this page no Web Locks, which need https or localhost.",
    "no storage": "The browser does not let this page keep a number in its localStorage.",
}
"""Why a tab does not own, as an agent reads it. Other reasons are the browser's own words."""

CALLBACK_FAILED = "%r: a callback of its changes failed"

OnChange = Callable[[bool], object]
"""Given whether this tab owns; a coroutine that it returns is run."""


class Locks(Protocol):
    """The port to the browser's locks; `Owners.told` hears what comes of everything here, never at once."""

    def ask(self, name: str) -> None:
        """Want the lock: have it now, or when those before have let it go."""

    def take_over(self, name: str) -> None:
        """Have it now, whoever has it."""

    def release(self, name: str) -> None:
        """Let it go, and want it no more; harmless twice."""

    def epoch(self, name: str) -> int | None:
        """The number that this tab has stored with the lock, while both are still its own."""

    def is_gone(self, name: str) -> bool:
        """Whether this tab owned until its number was gone, and no other tab is known to own since."""


class Ownership(Owner):
    """One tab at a time owns what has this name; make it at the top of the app, as ``Ownership("checkout")``.

    From the moment that the app is loaded the tab wants it: the first one has it, the others queue, and the
    next follows when the owner is closed, crashes, enters the back-forward cache or releases it. It is wanted
    until `release`, or until the app is loaded anew without it.

    Args:
        name: The same in every tab; of an origin's pages, those with the same name share it.
        others: What becomes of the tools that declare it in a tab that does not own: "refused", they stay and
            answer ``NOT_OWNER``; "read-only", they are registered in the owner's tab alone.

    Raises:
        TypeError: The name is no text.
        ValueError: The name is empty, or `others` is another word.
    """

    def __init__(self, name: str, *, others: Others = "refused") -> None:
        if not isinstance(name, str):
            raise TypeError(f'Ownership({name!r}): the name is a text, such as "checkout".')
        if not name:
            raise ValueError(f'Ownership({name!r}): the name is a text, such as "checkout".')
        if others not in ("refused", "read-only"):
            raise ValueError(f'Ownership({name!r}): others={others!r} must be "refused" or "read-only".')
        self.name = name
        self.others = others
        self._listeners: dict[object, OnChange] = {}
        self._telling: set[asyncio.Task[None]] = set()
        making.made()

    @property
    def is_owner(self) -> bool:
        """Whether this tab owns it at this very moment."""
        return self.epoch is not None

    @property
    def epoch(self) -> int | None:
        """The number of this tab's time as the owner, grown from owner to owner; None where it is not."""
        return _attached().epoch(self.name)

    async def take_over(self) -> None:
        """Own it now, whichever tab does; that one queues from then on. It undoes `release`, too.

        Raises:
            ToolError: ``NOT_OWNER``; the browser does not let this tab own it, or another one was faster.
        """
        await _attached().take_over(self.name)

    def release(self) -> None:
        """Let the next tab have it, and want it no more; harmless twice."""
        _attached().release(self.name)

    def on_change(self, callback: OnChange) -> Callable[[], None]:
        """Tell when this tab has become the owner, or is it no more; first of all, as soon as that is known.

        Args:
            callback: Sync or async; given whether this tab owns.

        Returns:
            Its inverse; harmless twice.

        Raises:
            TypeError: It is no function, or not one of a single argument.
        """
        if not takes(callback, 1):
            raise TypeError(
                f"{self!r}.on_change: give a function of one parameter (whether it owns), not {callback!r}."
            )
        key = object()
        self._listeners[key] = callback

        def undo() -> None:
            self._listeners.pop(key, None)

        return undo

    def tell(self, is_owner: bool) -> None:
        """Call what waits for a change; what it raises is the console's."""
        for callback in list(self._listeners.values()):
            try:
                result = callback(is_owner)
            except Exception:  # whatever it is, the tools are unaffected
                logger.exception(CALLBACK_FAILED, self)
            else:
                if inspect.iscoroutine(result):
                    task = tasks.start(self._finish(result))
                    self._telling.add(task)
                    task.add_done_callback(self._telling.discard)

    async def _finish(self, coroutine: Coroutine[Any, Any, object]) -> None:
        try:
            await coroutine
        except Exception:  # as above
            logger.exception(CALLBACK_FAILED, self)

    def __repr__(self) -> str:
        return f"<Ownership of {self.name!r}, others are {self.others}>"


@dataclass(eq=False, slots=True)
class _Claim:
    """What this tab knows of one name.

    Attributes:
        is_owner: As it was decided last; None before the first time.
        is_open: Whether the browser is being asked.
        reason: Why this tab does not own.
        waiting: What is done when it is decided.
    """

    is_owner: bool | None = None
    is_open: bool = True
    reason: str = ELSEWHERE
    waiting: list[asyncio.Future[None]] = field(default_factory=list)


class Owners:
    """This tab's part in all that tabs own; lives as long as the page.

    Args:
        locks: The browser's; None where there are none, and this tab owns nothing.
        on_change: Told after each change of what this tab owns.
    """

    def __init__(self, locks: Locks | None = None, on_change: Callable[[], None] = lambda: None) -> None:
        self._locks = locks
        self._on_change = on_change
        self._claims: dict[str, _Claim] = {}
        self._declared: dict[str, list[Ownership]] = {}
        self._warned: set[str] = set()

    def check(self, app: str, ownerships: Iterable[Ownership]) -> None:
        """Find out whether an app can have these.

        Raises:
            ToolDefinitionError: Two of one name want different things of the other tabs.
        """
        those = [some for key, some in self._declared.items() if key != app]
        found: dict[str, Others] = {}
        for each in [*(each for some in those for each in some), *ownerships]:
            if found.setdefault(each.name, each.others) != each.others:
                raise ToolDefinitionError(
                    f"There are two Ownership({each.name!r}), one with others={found[each.name]!r} and one "
                    f"with others={each.others!r}. Make one and use it everywhere, or write the same in both."
                )

    def declare(self, app: str, ownerships: Iterable[Ownership]) -> None:
        """An app has these, instead of those that it had when it was loaded before."""
        before = dict.fromkeys(each.name for each in self._all())
        decided = {name for name, claim in self._claims.items() if claim.is_owner is not None}
        self._declared[app] = list(ownerships)
        after = dict.fromkeys(each.name for each in self._all())
        for name in before:
            if name not in after:
                self.release(name)
                self._claims.pop(name, None)
        for name in after:
            if name not in before:
                self._ask(name)
        for each in self._declared[app]:
            if each.name in decided:
                each.tell(self._claims[each.name].is_owner is True)

    def told(self, name: str, epoch: int | None, reason: str | None) -> None:
        """What the browser says of a name.

        Args:
            name: The ownership's.
            epoch: This tab's number, where it owns.
            reason: Why it does not; None with no epoch: the browser is being asked.
        """
        claim = self._claims.get(name)
        if claim is None:
            return
        is_owner = epoch is not None
        claim.is_open = not is_owner and reason is None
        if claim.is_open:
            return
        claim.reason = reason or ELSEWHERE
        self._warn(name, claim)
        self._decide(name, claim, is_owner=is_owner)

    def epoch(self, name: str) -> int | None:
        """This tab's number, where it owns at this very moment."""
        return self._locks.epoch(name) if self._locks else None

    def undecided(self, name: str) -> asyncio.Future[None] | None:
        """What is done when the browser has said who owns, where it is being asked."""
        claim = self._claims.get(name)
        if claim is None or not claim.is_open:
            return None
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        claim.waiting.append(future)
        return future

    def is_offered(self, owner: Owner | None) -> bool:
        """Whether this tab offers the tools that declare it."""
        if owner is None or owner.others == "refused":
            return True
        claim = self._claims.get(owner.name)
        return claim is not None and claim.is_owner is True

    async def take_over(self, name: str) -> None:
        """See `Ownership.take_over`."""
        if self.epoch(name) is not None:
            return
        if self._locks:
            self._claims.setdefault(name, _Claim()).is_open = True
            self._locks.take_over(name)
        while future := self.undecided(name):
            await future
        if self.epoch(name) is None:
            raise self.refusal(name, "nothing was taken over")

    def release(self, name: str) -> None:
        """See `Ownership.release`."""
        if self._locks:
            self._locks.release(name)

    def refusal(self, name: str, what: str) -> ToolError:
        """What an agent reads where this tab does not own; `what` did not happen."""
        claim = self._claims.get(name)
        reason = claim.reason if claim else ELSEWHERE if self._locks else "no locks"
        if self.epoch(name) is not None:
            reason = "meanwhile"
        elif self._locks and self._locks.is_gone(name):
            reason = "gone"
        why = CURES.get(reason, reason)
        said = f"This tab does not own {name!r}, so {what}. {why}"
        return ToolError(said, code="NOT_OWNER", details={"ownership": name, "reason": reason})

    def close(self) -> None:
        """Let everything go; harmless twice."""
        for name in self._claims:
            self.release(name)
        self._declared.clear()
        self._claims.clear()

    def _all(self) -> list[Ownership]:
        return [each for ownerships in self._declared.values() for each in ownerships]

    def _ask(self, name: str) -> None:
        claim = self._claims.setdefault(name, _Claim())
        if self._locks:
            self._locks.ask(name)
        else:
            claim.is_open, claim.reason = False, "no locks"

    def _decide(self, name: str, claim: _Claim, *, is_owner: bool) -> None:
        is_news, claim.is_owner = claim.is_owner is not is_owner, is_owner
        waiting, claim.waiting = claim.waiting, []
        for future in waiting:
            if not future.done():
                future.set_result(None)
        if is_news:
            self._on_change()
            for each in self._all():
                if each.name == name:
                    each.tell(is_owner)

    def _warn(self, name: str, claim: _Claim) -> None:
        """Say once what nobody at the page could find out: that no tab can ever own."""
        if claim.reason not in (ELSEWHERE, "released") and name not in self._warned:
            self._warned.add(name)
            logger.warning("No tab can own %r here. %s", name, CURES.get(claim.reason, claim.reason))


def attach(owners: Owners | None) -> Owners | None:
    """Make them the page's, and return those before: a host does it at start, a fake in tests."""
    global _owners  # there is one page, and an `Ownership` is made before it is up
    before, _owners = _owners, owners
    return before


_owners: Owners | None = None


def _attached() -> Owners:
    if _owners is None:
        raise WebtoolsError(
            "There is no page here. In a test, call a tool by webtools.testing: `tool_call(pay, owns=True)`."
        )
    return _owners
