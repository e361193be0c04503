"""The page's host: one registry, one dispatcher, and the functions that JavaScript calls.

`static/border.js` calls every method here; none of them raises, and all of them take and return text, numbers
or None only, but for an app's archive, which is bytes (../shared/spec/platform.md, "Memory": an exception
that crosses leaks).
"""

from __future__ import annotations

import asyncio
import json
import logging
from typing import Any

from webtools.browser.adapters import (
    BrowserClock,
    BrowserCredentials,
    BrowserIdempotencyStore,
    BrowserLocks,
    BrowserModelContext,
    BrowserPage,
    BrowserPerson,
    BrowserShower,
    ConsoleHandler,
    LateAnswers,
)
from webtools.browser.artifacts import attached, shown
from webtools.browser.border import Border, Bytes
from webtools.browser.driving import BrowserDriver
from webtools.browser.forms import Forms
from webtools.browser.loading import LoadedApps
from webtools.browser.observing import observed, state_of
from webtools.browser.own_code import OwnCode
from webtools.browser.promises import Promises
from webtools.browser.takeover import take_over
from webtools.browser.wishes import Wishes
from webtools.calls import driving, ownership, page, tasks
from webtools.calls.dispatcher import Dispatcher
from webtools.calls.facts import Identity, refused, stated
from webtools.calls.listed import not_found
from webtools.calls.listings import Listings
from webtools.calls.ownership import Owners
from webtools.lifecycle import registry
from webtools.lifecycle.hold import AnyTool
from webtools.lifecycle.registry import ToolRegistry
from webtools.lifecycle.route_change import RouteChange
from webtools.lifecycle.routes import Routes
from webtools.lifecycle.slot import Slot
from webtools.stores import teardown
from webtools.stores.credentials import Credentials
from webtools.stores.teardown import Teardown
from webtools.tools.answers import failure
from webtools.tools.tool import Tool

logger = logging.getLogger("webtools")


def start(border: Border, debug: bool, artifacts: str) -> Host:
    """Make the page's host; JavaScript calls it once, when Python is up.

    Args:
        border: The page's functions.
        debug: Whether unexpected exceptions' texts reach the agent.
        artifacts: What keeps them: "memory", "indexeddb", or "off".
    """
    return Host(border, debug, artifacts)


class Host:
    """Owns all that lives as long as the page."""

    def __init__(self, border: Border, debug: bool, artifacts: str) -> None:
        self._border = border
        self._clock = BrowserClock(border)
        self._credentials = Credentials(self._clock)
        self._log = ConsoleHandler(border, self._credentials.secrets.redacted)
        logger.addHandler(self._log)
        self._propagated, logger.propagate = logger.propagate, False
        self._answers = LateAnswers()
        page.attach(BrowserPage(border, self._answers))
        self._driver = BrowserDriver(border, self._clock, self._answers, self._credentials.secrets)
        driving.attach(self._driver)
        self._listings = Listings(self._clock.call_later, lambda name: self._registry.is_registered(name))
        self._owners = Owners(BrowserLocks(border), self._reconsider)
        ownership.attach(self._owners)
        self._artifacts = attached(artifacts, self._clock, border, self._answers)
        self._shows: set[asyncio.Task[None]] = set()
        self._ending: set[asyncio.Task[None]] = set()
        self._teardown = Teardown(self._clock, border.teardown)
        teardown.attach(self._teardown)
        self._dispatcher = Dispatcher(
            self._clock,
            border.settle,
            tell_progress=border.callProgress,
            person=BrowserPerson(border),
            debug=debug,
            store=BrowserIdempotencyStore(border),
            listings=self._listings,
            owners=self._owners,
            artifacts=self._artifacts,
            teardown=self._teardown,
            credentials=self._credentials,
            find=lambda name: self._registry.named(name),
            tell_inner=border.innerCall,
            shower=BrowserShower(border, self._answers),
        )
        self._registry = ToolRegistry(
            self._clock,
            self._tell_state,
            on_look=self._dispatcher.look,
            on_route_change=border.routeBegan,
            is_offered=self._is_offered,
        )
        registry.attach(self._registry)
        self._route_change: RouteChange | None = None
        self._routes = Routes(self._registry)
        self._wishes = Wishes(self._registry)
        self._forms = Forms(border)
        self._promises = Promises(self._registry, self._routes, self._wishes)
        self._own_code = OwnCode(
            self._routes,
            self._clock.call_soon,
            wishes=self._wishes,
            forms=self._forms,
            owners=self._owners,
        )
        self._apps = LoadedApps(
            self._routes,
            promises=self._promises,
            early=self._dispatcher.early,
            wishes=self._wishes,
            forms=self._forms,
            owners=self._owners,
            own_code=self._own_code,
        )

    def keep_log(self) -> None:
        """Python is here for the page's tools alone: also what no task awaits is told by our log.

        A loop that has somebody else's handler keeps it.
        """
        loop = asyncio.get_running_loop()
        if loop.get_exception_handler() is None:
            loop.set_exception_handler(_log_unhandled)

    def follow(self) -> None:
        """Python is the page's own: what its code defines is held, too."""
        self._own_code.follow()

    def take_over(self, text: str) -> None:
        """Go on from what the page has done with its tools so far; called once, before all else."""
        now = self._clock.now()
        calls, early = take_over(text, self._registry, self._wishes, self._promises, now)
        self._dispatcher.resume(calls)
        for call in early:
            if answer := self._dispatcher.early.take(call):
                self._border.settle(call.call_id, answer)

    def attach_context(self) -> None:
        """There is a model context to register with; what waits for it is registered."""
        self._registry.attach(BrowserModelContext(self._border))

    def load(self, url: str, source: str) -> str | None:
        """Load an app and register its tools; see `LoadedApps.load`."""
        return self._apps.load(url, source)

    def load_archive(self, url: str, archive: Bytes, entry: str) -> str | None:
        """Load an app that is an archive, by its entry module; see `LoadedApps.load`."""
        return self._apps.load_archive(url, archive.to_bytes(), entry)

    def manifest(self, url: str, version: str) -> str | None:
        """What an app defines; see `LoadedApps.manifest`."""
        return self._apps.manifest(url, version)

    def give_up(self, url: str, reason: str) -> None:
        """The app cannot be loaded; see `LoadedApps.give_up`."""
        self._apps.give_up(url, reason)

    def hold(
        self, number: int, name: str, text: str | None, resource_id: str | None, owner: int | None
    ) -> None:
        """The page's JavaScript wishes that a tool be registered; see `Wishes.hold`."""
        self._wishes.hold(number, name, text, resource_id, owner)

    def release(self, number: int) -> None:
        """The page's JavaScript gives a wish up."""
        self._wishes.release(number)

    def begin_route(self) -> None:
        """The page's JavaScript changes the route; what it held itself for the old one it has to `retire`."""
        self._route_change = self._registry.changes.begin()

    def retire(self, number: int) -> None:
        """The page's JavaScript gives a wish of the old route up."""
        self._wishes.retire(number)

    def end_route(self) -> None:
        """That change is over, and was the newest; what the new route holds is held."""
        if self._route_change:
            self._registry.changes.end(self._route_change)

    def moved(self, pathname: str, fragment: str) -> None:
        """The page is at this path and hash, as ``location`` gives them: told at start and after a change."""
        self._routes.moved((pathname, fragment))

    def call(self, registration: int, call_id: str, text: str) -> str | int | None:
        """Run a call that the browser handed to a registration; see `Dispatcher.call`."""
        slot = self._registry.of_registration(registration)
        if slot is None:
            return failure(not_found("This tool", _names(self._registry)))
        return self._dispatcher.call(slot, call_id, text)

    def call_named(self, name: str, call_id: str, text: str, facts_text: str | None) -> str | int | None:
        """Run a call of the page's own client; see `Dispatcher.call`, and `stated` for the facts."""
        slot = self._registry.named(name)
        if slot is None:
            return failure(not_found(f"The tool {name!r}", _names(self._registry)))
        try:
            facts = stated(facts_text)
        except ValueError as wrong:
            return failure(refused(wrong))
        return self._dispatcher.call(slot, call_id, text, facts)

    def count_out(self, call_id: str) -> None:
        """A handler in JavaScript is done with this call."""
        self._dispatcher.count_out(call_id)

    def is_current(self, call_id: str) -> bool:
        """Whether the hold stands that a call began under whose handler runs in JavaScript."""
        return self._dispatcher.is_current(call_id)

    def abort(self, call_id: str) -> None:
        """The caller of this call gave up."""
        self._dispatcher.abort(call_id)

    def registered(self, registration: int) -> None:
        """The browser accepted a registration."""
        self._registry.accepted(registration)

    def rejected(self, registration: int, reason: str) -> None:
        """The browser refused a registration, in these words."""
        self._registry.rejected(registration, reason)

    def lost(self, registration: int) -> None:
        """The browser has dropped a registration that we did not take back."""
        self._registry.lost(registration)

    def leave(self, is_kept: bool) -> None:
        """The page is being left: what has begun is stale, and cancelled.

        Args:
            is_kept: Whether it may come back from the back-forward cache; if not, all cleanups are started.
        """
        self._registry.interrupt()
        self._dispatcher.interrupt()
        if not is_kept:
            self._teardown.close()

    def restored(self) -> None:
        """The page has come back from the back-forward cache: look at everything again."""
        self._registry.reconcile()

    def timer(self, number: int) -> None:
        """A timer's time has passed."""
        self._clock.fire(number)

    def page_answered(self, number: int, answer: str) -> None:
        """An exposed function is done, or the page's storage."""
        self._answers.answered(number, answer)

    def fetched(self, request: int, text: str) -> None:
        """Something has come of a request; see `webtools.browser.driving.Requests.told`."""
        self._driver.requests.told(request, text)

    def read_artifact(self, reading: int, ref: str) -> None:
        """The page's JavaScript wants to show an artifact; the border is told it later."""
        task = tasks.start(self._show(reading, ref))
        self._shows.add(task)
        task.add_done_callback(self._shows.discard)

    def confirmed(self, question: int, outcome: str) -> None:
        """What came of asking the person."""
        self._dispatcher.confirmed(question, outcome)

    def ownership(self, name: str, epoch: int | None, reason: str | None) -> None:
        """What the browser says of an ownership; see `Owners.told`."""
        self._owners.told(name, epoch, reason)

    def end(self, number: int, scope: str, name: str, identity: str | None) -> str | None:
        """A run or a session is over: close what is kept for it; `Border.ended` is told when that is done.

        Args:
            number: For `Border.ended`.
            scope: "run" or "session".
            name: Its id.
            identity: As the caller of its calls states it, JSON text.

        Returns:
            None, or what is wrong with the identity; then nothing was done.
        """
        try:
            who = stated(identity and f'{{"identity": {identity}}}').identity
        except ValueError as wrong:
            return str(wrong)
        task = tasks.start(self._end(number, scope, name, who))
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)
        return None

    def provide(self, is_provided: bool) -> None:
        """The page has a provider of credentials, another one than before; or none any more."""
        self._credentials.attach(BrowserCredentials(self._border) if is_provided else None)

    def provided(self, number: int, text: str) -> None:
        """What came of asking the provider; see `Credentials.provided`."""
        self._credentials.provided(number, text)

    def states(self) -> str:
        """JSON text of ``[{"name", "state", "reason"?, "inFlight", "calls"}]``."""
        return json.dumps([state_of(slot) for slot in self._registry])

    def observe(self, is_observed: bool) -> None:
        """Somebody looks at the tools, or nobody any more; `Border.observed` is told of each change."""
        self._registry.observe(self._tell_observer if is_observed else None)

    def close(self) -> None:
        """Cancel the calls, take the registrations back and leave the page as it was before `start`."""
        self._own_code.close()
        self._dispatcher.close()
        for task in self._shows:
            task.cancel()
        self._teardown.close()
        teardown.attach(None)
        self._forms.close()
        self._registry.close()
        self._owners.close()
        ownership.attach(None)
        registry.attach(None)
        page.attach(None)
        driving.attach(None)
        logger.removeHandler(self._log)
        logger.propagate = self._propagated

    async def _show(self, reading: int, ref: str) -> None:
        self._border.artifactRead(reading, await shown(self._artifacts, ref))

    async def _end(self, number: int, scope: str, name: str, who: Identity | None) -> None:
        end = self._teardown.end_run if scope == "run" else self._teardown.end_session
        await end(name, who)
        self._border.ended(number)

    def _is_offered(self, tool: AnyTool) -> bool:
        return not isinstance(tool, Tool) or self._owners.is_offered(tool.guards.owner)

    def _reconsider(self) -> None:
        """This tab owns more than before, or less."""
        self._registry.reconsider()
        self._dispatcher.look()

    def _tell_state(self, slot: Slot) -> None:
        self._border.toolState(slot.name, slot.state, slot.reason)
        self._listings.look()

    def _tell_observer(self, slot: Slot) -> None:
        self._border.observed(observed(slot))


def _log_unhandled(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log what a task raises that nobody awaits: Python's own lines in the console would have its secrets."""
    said = context.get("message") or "An exception that nobody handled"
    logger.error("%s", said, exc_info=context.get("exception"))


def _names(tools: ToolRegistry) -> list[str]:
    return [slot.name for slot in tools if slot.state != "leaving"]
