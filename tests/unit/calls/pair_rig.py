"""A page with one tool of two declarations, a call that is brought to a point, and what arrives there."""

# without `from __future__ import annotations`: ToolContext is a class in the handler's signature, not a text

import asyncio
import json
from collections.abc import Callable
from typing import Any

from tests.unit.calls.caller import Answer, text_of, until, verdict
from tests.unit.calls.page_rig import PageRig
from tests.unit.calls.pair_model import (
    ASKING_LIMIT,
    IDLE_TIMEOUT,
    POINTS,
    SHORT_TIMEOUT,
    TIMEOUT,
    Cell,
    End,
    Event,
    Expected,
    Names,
)
from tests.unit.calls.tabs import FakeLocks
from webtools import Need, Ownership, ToolContext, tool
from webtools.calls.artifacts import scope_of
from webtools.calls.facts import Facts
from webtools.calls.ownership import Owners
from webtools.lifecycle.hold import Hold
from webtools.stores.artifact_backends import MemoryBackend
from webtools.stores.artifact_index import Origin
from webtools.stores.artifacts import Artifacts, ScopedArtifacts
from webtools.testing import FakeClock

TAB = Ownership("tab")

CODES = (
    "ARTIFACT_REFUSED",
    "CREDENTIAL_UNAVAILABLE",
    "CANCELLED",
    "CONFIRMATION_UNAVAILABLE",
    "IDEMPOTENCY_CONFLICT",
    "INVALID_TOOL_ARGS",
    "NOT_ALLOWED",
    "NOT_OWNER",
    "RESOURCE_CHANGED",
    "STALE_TOOL_CALL",
    "TOOL_TIMEOUT",
    "UI_CONTEXT_CLOSED",
    "USER_DENIED",
    "VERSION_CONFLICT",
)


class Person:
    """Says nothing until `says` has a word; then it is the answer to every question."""

    def __init__(self) -> None:
        self.says: str | None = None
        self.count = 0
        self.open: list[int] = []
        self.answered: Callable[[int, str], None]

    def ask(self, question: int, text: str) -> None:
        self.count += 1
        self.open.append(question)
        self.say(self.says)

    def withdraw(self, question: int) -> None:
        self.open.remove(question)

    def say(self, word: str | None) -> None:
        self.says = word
        while word and self.open:
            self.answered(self.open.pop(0), word)


class Shelves(MemoryBackend):
    """Gives nothing until `is_open`, and then nothing that `are_empty`.

    Attributes:
        waiting: How many are waited for.
    """

    def __init__(self) -> None:
        super().__init__()
        self.is_open = asyncio.Event()
        self.is_open.set()
        self.are_empty = False
        self.waiting = 0

    async def index(self, scope: str) -> str | None:
        self.waiting += 1
        await self.is_open.wait()
        self.waiting -= 1
        return None if self.are_empty else await super().index(scope)


class Provider:
    """Gives a credential or none, at once; says nothing while `gives` is None."""

    def __init__(self) -> None:
        self.gives: bool | None = True
        self.open: list[int] = []
        self.provided: Callable[[int, str], None]

    def request(self, number: int, text: str) -> None:
        self.open.append(number)
        self.give(self.gives)

    def withdraw(self, number: int) -> None:
        self.open.remove(number)

    def give(self, gives: bool | None) -> None:
        self.gives = gives
        said = {"headers": {"Authorization": "Bearer token-1"}} if gives else {"reason": "refused"}
        while gives is not None and self.open:
            self.provided(self.open.pop(0), json.dumps(said))


class Shower:
    """Shows a call at once; while it is not `is_quick`, when `finish` says so."""

    def __init__(self) -> None:
        self.is_quick = True
        self.open: list[asyncio.Future[None]] = []

    def __call__(self, call_id: str, text: str) -> asyncio.Future[None] | None:
        if self.is_quick:
            return None
        shown: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.open.append(shown)
        return shown

    def finish(self) -> None:
        self.is_quick = True
        while self.open:
            shown = self.open.pop()
            if not shown.done():
                shown.set_result(None)


class Scene(PageRig):
    """One cell's page.

    Attributes:
        refusing: The declarations that refuse now.
        entered: Handler and call id of each that was entered.
        composed: Of which handler's author each question to the person was.
        door: Where handlers wait.
    """

    def __init__(self) -> None:
        self.person = Person()
        self.locks = FakeLocks()
        self.owners = Owners(self.locks, lambda: self.dispatcher.look())
        self.shelves = Shelves()
        artifacts = Artifacts(FakeClock(), self.shelves)
        self.provider = Provider()
        self.shower = Shower()
        super().__init__(
            person=self.person,
            owners=self.owners,
            artifacts=artifacts,
            provider=self.provider,
            shower=self.shower,
        )
        self.provider.provided = self.credentials.provided
        self.pictures = ScopedArtifacts(artifacts.shelf(scope_of(None)), Origin("the test"))
        self.ref = ""
        self.person.answered = self.dispatcher.confirmed
        self.refusing: set[str] = set()
        self.entered: list[tuple[str, str]] = []
        self.composed: list[str] = []
        self.door = asyncio.Event()

    def own(self, epoch: int | None) -> None:
        """This tab owns from now on, or another one does."""
        self.locks.epochs = {} if epoch is None else {TAB.name: epoch}
        self.owners.told(TAB.name, epoch, None if epoch else "elsewhere")

    def ran(self, call_id: str) -> int:
        return [each for _, each in self.entered].count(call_id)


class Tools:
    """A tool of some declarations, and another one of the same definition; made once, which takes the time.

    Attributes:
        at: The scene that they are in.
    """

    at: Scene

    def __init__(self, names: Names) -> None:
        self.names = names
        self.old, self.new = (self._made(which) for which in ("old", "new"))

    def _options(self, which: str) -> dict[str, Any]:
        declared: dict[str, dict[str, Any]] = {
            "owner": {"owner": TAB},
            "permission": {"permission": lambda _: "permission" not in self.at.refusing},
            "argument key": {"idempotency": "key"},
            "derived key": {"idempotency": True},
            "serial": {"serial": True},
            "active": {"active": lambda: "B" if "active" in self.at.refusing else "A"},
            "held": {"held": True},
            "confirm": {"confirm": lambda *_: self._composed(which)},
            "wants": {"wants": {"image": "picture"}},
            "needs": {"needs": Need("documents")},
            "fields": {"fields": {"note": "#note"}},
            "version": {
                "expected_version": "expected",
                "version": lambda: 2 if "version" in self.at.refusing else 1,
            },
            "timeout": {"timeout": SHORT_TIMEOUT},
            "idle timeout": {"idle_timeout": IDLE_TIMEOUT},
            "errors": {"errors": {code: f"MY_{code}" for code in CODES}},
        }
        return {name: value for each in self.names for name, value in declared.get(each, {}).items()}

    def _composed(self, which: str) -> str:
        self.at.composed.append(which)
        return "Edit it?"

    def _made(self, which: str) -> Callable[..., Any]:
        @tool(name="edit", **self._options(which))
        async def edit(ctx: ToolContext, key: str, expected: int, note: str = "", image: str = "") -> None:
            """Edit."""
            self.at.entered.append((which, ctx.call_id))
            assert image == ("paint" if "wants" in self.names else "")
            assert (ctx.credential is not None) is ("needs" in self.names)
            await self.at.door.wait()
            ctx.ensure_current()

        return edit

    def hold(self, handler: Callable[..., Any]) -> Hold:
        return self.at.registry.hold(handler, resource_id="A" if "active" in self.names else None)

    def call(self, key: str = "k", **more: object) -> str:
        """Begin a call; gives its id."""
        facts = Facts(door="page", run_id="r1", call_id=key)
        given = {"image": self.at.ref} if "wants" in self.names else {}
        return self.at.call("edit", {"key": key, "expected": 1, **given, **more}, facts)


class Play:
    """Plays one cell.

    Attributes:
        problems: What was not as it should be.
    """

    def __init__(self, tools: Tools, cell: Cell) -> None:
        self.tools, self.cell = tools, cell
        self.at = tools.at = Scene()
        self.at.owners.declare("app", [TAB])
        self.at.own(1)
        self.newest = tools.hold(tools.old)
        self.problems: list[str] = []
        self.subject = self.replay = ""

    async def run(self, wanted: Expected) -> None:
        await self._reach()
        if self.cell.is_called_again:
            self.at.clock.advance(1)
            self.replay = self.tools.call()
        self.at.clock.advance(1)
        self._arrive(self.cell.event)
        if self.cell.point == "before":
            self.subject = self._call_subject()
        await self._finish()
        self._compare("the call", self.subject, wanted.subject)
        if wanted.replay:
            self._compare("the replay", self.replay, wanted.replay)
        asked = wanted.subject.asked + (wanted.replay.asked if wanted.replay else 0)
        self._same("questions", self.at.person.count - self.before, asked)
        self._same("questions' authors", self.at.composed[self.before :], self._authors(asked))
        self._same("handlers", self._handlers(), self._handlers_wanted())
        await self._call_again(wanted.again)

    async def _reach(self) -> None:
        """Bring the call to the point, or the page to where it can begin."""
        at, point = self.at, self.cell.point
        if "wants" in self.cell.names:
            at.ref = (await at.pictures.put("picture", "text/plain", "paint")).ref
        at.person.says = "allowed"
        if {"argument key", "derived key"} & self.cell.refusing:
            await self._let_through(self.tools.call(note="another task"))
        if point in ("following", "queued"):
            await self._until_entered(self.tools.call("k" if point == "following" else "another"))
        at.clock.advance(1)
        self.before = at.person.count
        if point == "before":
            return
        self._close_the_way()
        self.subject = self._call_subject()
        if point == "after":
            await self._let_through(self.subject)
        elif point not in ("queued", "following"):
            await until(self._is_there)

    def _close_the_way(self) -> None:
        """Have the call wait at the point."""
        at, point = self.at, self.cell.point
        if POINTS.index(point) <= POINTS.index("asked"):
            at.person.says = None
        elif point == "resolving":
            at.shelves.is_open.clear()
        elif point == "issuing":
            at.provider.gives = None
        elif point == "showing":
            at.shower.is_quick = False

    def _is_there(self) -> bool:
        at = self.at
        return {
            "asked": bool(at.person.open),
            "resolving": at.shelves.waiting > 0,
            "issuing": bool(at.provider.open),
            "showing": bool(at.shower.open),
            "handler": at.ran(self.subject) > 0,
        }[self.cell.point]

    def _call_subject(self) -> str:
        more: dict[str, Any] = {"unknown": 1} if "input" in self.cell.refusing else {}
        return self.tools.call(**more)

    async def _until_entered(self, call_id: str) -> None:
        await until(lambda: self.at.ran(call_id) > 0)

    async def _let_through(self, call_id: str) -> None:
        self.at.door.set()
        await self.at.answered(call_id)
        self.at.door.clear()

    def _arrive(self, event: Event) -> None:
        at = self.at
        at.refusing.update(self.cell.refusing)
        at.shelves.are_empty = "wants" in at.refusing
        if "needs" in at.refusing and at.provider.gives:
            at.provider.gives = False
        if "owner" in at.refusing:
            at.own(None)
        if event == "stale" or "held" in at.refusing:
            self._release(self.newest)
        elif event == "renewed":
            old, self.newest = self.newest, self.tools.hold(self.tools.new)
            self._release(old)
        elif event == "abort":
            at.dispatcher.abort(self.subject or "c99")
        elif event == "deadline":
            timeout = SHORT_TIMEOUT if "timeout" in self.tools.names else TIMEOUT
            at.clock.advance(timeout - (2 if self.replay else 1))
        elif event == "idle":
            at.clock.advance(IDLE_TIMEOUT)
        elif event == "limit":
            at.clock.advance(ASKING_LIMIT)

    def _release(self, hold: Hold) -> None:
        hold.release()
        if self.cell.point != "before":
            self.at.turn()  # else the call comes in the same tick: later the name is not even there

    async def _finish(self) -> None:
        """Let everything go on that waits; then nothing may be left."""
        self.at.person.say("denied" if "confirm" in self.at.refusing else "allowed")
        self.at.shelves.is_open.set()
        self.at.provider.give("needs" not in self.at.refusing)
        self.at.shower.finish()
        for _ in range(4):
            await asyncio.sleep(0)
        self.at.turn()  # a deadline that did not stand still while the person was asked is over now
        self.at.door.set()
        await self._check_nothing_is_left()

    async def _check_nothing_is_left(self) -> None:
        at = self.at
        try:
            await until(lambda: len(asyncio.all_tasks()) == 1)
        except AssertionError:
            self.problems.append(f"{self.cell}: tasks are left, answered are {sorted(at.answers)}")
        self._same("open questions", at.person.open, [])
        self._same("open requests", at.provider.open, [])
        self._same("timers", at.clock.pending, 0)
        self._same("calls in flight", [slot.in_flight for slot in at.registry if slot.in_flight], [])

    async def _call_again(self, wanted: End) -> None:
        """At a page that has been set right: what is left of a key or of a place in the queue shows here."""
        at = self.at
        at.refusing.clear()
        at.shelves.are_empty = False
        at.provider.gives = True
        at.own(2)
        at.person.says = "allowed"
        if self.newest.status == "released":
            self.newest = self.tools.hold(self.tools.old)
        before = at.person.count
        call_id = self.tools.call()
        await self._check_nothing_is_left()
        self._compare("the call again", call_id, wanted)
        self._same("questions of the call again", at.person.count - before, wanted.asked)

    def _authors(self, asked: int) -> list[str]:
        """The newest one that there was when the person was asked; a replay asks after the event."""
        is_new = self.cell.event == "renewed" and self.cell.point in ("before", "queued")
        return ["new" if is_new else "old"] * asked

    def _handlers(self) -> set[str]:
        return {which for which, call_id in self.at.entered if call_id in (self.subject, self.replay)}

    def _handlers_wanted(self) -> set[str]:
        """The newest one that there was when the handler was entered."""
        is_new = self.cell.event == "renewed" and POINTS.index(self.cell.point) < POINTS.index("handler")
        has_run = self.at.ran(self.subject) + self.at.ran(self.replay)
        return {"new" if is_new else "old"} if has_run else set()

    def _compare(self, what: str, call_id: str, wanted: End) -> None:
        answer = self.at.answers.get(call_id)
        self._same(f"{what} says", said(answer), wanted.said)
        self._same(f"{what} is replayed", bool((answer or {}).get("_meta")), wanted.is_replayed)
        self._same(f"{what} ran", self.at.ran(call_id), wanted.ran)

    def _same(self, what: str, found: object, wanted: object) -> None:
        if found != wanted:
            self.problems.append(f"{self.cell}: {what}: {found!r}, not {wanted!r}")


def said(answer: Answer | None) -> str:
    """Say "done", or an error's code and effect."""
    if answer is None:
        return "nothing"
    return " ".join(verdict(answer)[:2]) if "isError" in answer else text_of(answer)
