"""Runs one call from its input to its answer, both JSON text."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from typing import Any

from webtools._exceptions import ToolError
from webtools.calls import tasks
from webtools.calls.afterwards import Afterwards
from webtools.calls.answering import Answering
from webtools.calls.call import Call
from webtools.calls.confirmation import Confirmations, Person
from webtools.calls.contexts import Contexts
from webtools.calls.currency import Currency, stated_details
from webtools.calls.deadlines import Deadlines
from webtools.calls.early import EarlyCall, EarlyCalls
from webtools.calls.facts import BROWSER, Facts
from webtools.calls.inner import Find, ToolDispatch
from webtools.calls.listings import Listings
from webtools.calls.ownership import Owners
from webtools.calls.progress import Progress, Tell
from webtools.calls.showing import Show
from webtools.calls.steps import Step, Steps
from webtools.lifecycle.clock import Clock
from webtools.lifecycle.slot import Slot, Ticket
from webtools.stores.artifacts import Artifacts
from webtools.stores.credentials import Credentials
from webtools.stores.idempotency import IdempotencyStore, MemoryIdempotencyStore
from webtools.stores.teardown import Teardown
from webtools.tools.answers import failure
from webtools.tools.page_tool import PageTool
from webtools.tools.promised_tool import PromisedTool
from webtools.tools.tool import Tool

LAST_RESORT = failure(ToolError("The tool failed, and so did telling why.", code="TOOL_HANDLER_ERROR"))
"""An answer that is there already, for when none can be made."""


class Dispatcher:
    """Takes the steps, runs, answers. A call settles exactly once; nothing is ever raised to the browser.

    Args:
        clock: For the deadlines.
        settle: Takes ``(call_id, text)`` for each call that `call` did not answer itself.
        tell_progress: Told of each report of progress; None where nobody listens.
        person: Whom calls may ask; None where there is nobody, which refuses them.
        debug: Whether an unexpected exception's text reaches the agent, too.
        store: Where the answers of idempotent calls are kept; default: in memory.
        listings: Know which tools are registered; default: none is.
        owners: What this tab owns; default: nothing.
        artifacts: What handlers keep; None where nothing is attached.
        teardown: Keeps what handlers want to have closed; default: one of its own.
        credentials: Gives credentials; default: none.
        find: Finds the tools that handlers may call; None where there are none.
        tell_inner: Told of each call that a handler makes: tool, call id and None as it begins, its answer in
            place of None as it has one.
        shower: Shows calls in the page; None where there is none.

    Attributes:
        early: The calls of tools that are to come.
    """

    def __init__(
        self,
        clock: Clock,
        settle: Callable[[str, str], None],
        *,
        tell_progress: Tell | None = None,
        person: Person | None = None,
        debug: bool = False,
        store: IdempotencyStore | None = None,
        listings: Listings | None = None,
        owners: Owners | None = None,
        artifacts: Artifacts | None = None,
        teardown: Teardown | None = None,
        credentials: Credentials | None = None,
        find: Find | None = None,
        tell_inner: Callable[[str, str, str | None], None] = lambda *_: None,
        shower: Show | None = None,
    ) -> None:
        self._clock = clock
        self._settle = settle
        self._confirmations = Confirmations(clock, person, self._watch_all)
        self._teardown = teardown or Teardown(clock)
        self._credentials = credentials or Credentials(clock)
        self._find = find
        self._tell_inner = tell_inner
        secrets = self._credentials.secrets
        self._progress = Progress(tell_progress or (lambda *_: None), secrets.redacted_data)
        self._listings = listings or Listings(clock.call_later, lambda _: False)
        self._afterwards = Afterwards(clock, lambda: not (self._calls or self._elsewhere))
        owners = owners or Owners()
        self._currency = Currency(owners)
        self._contexts = Contexts(
            clock,
            self._report,
            self._confirmations,
            currency=self._currency,
            owners=owners,
            listings=self._listings,
            afterwards=self._afterwards,
            artifacts=artifacts,
            teardown=self._teardown,
            credentials=self._credentials,
            tools_for=self._tools_for,
        )
        self._steps = Steps(
            clock,
            store or MemoryIdempotencyStore(),
            contexts=self._contexts,
            currency=self._currency,
            owners=owners,
            artifacts=artifacts,
            teardown=self._teardown,
            credentials=self._credentials,
            shower=shower,
        )
        self._answers = Answering(secrets, self._contexts.artifacts_of, debug)
        self._calls: dict[str, Call] = {}
        self._elsewhere: dict[str, Ticket] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._deadlines = Deadlines(clock, self._overdue)
        self.early = EarlyCalls(clock, settle, self._begin_early)

    def call(self, slot: Slot, call_id: str, text: str, facts: Facts = BROWSER) -> str | int | None:
        """Run one call.

        Args:
            slot: Whose tool is called; the call is counted there.
            call_id: Unique among all calls.
            text: The input as JSON text.
            facts: What the caller states.

        Returns:
            The answer as JSON text; or None, and it goes to `settle` later; or the number of the handler that
            has to run in the page's JavaScript, until `count_out`.
        """
        self._teardown.sweep()
        ticket = slot.begin()
        tool = ticket.tool
        if isinstance(tool, PageTool):
            if ticket.refusal:
                slot.settle(ticket)
                return failure(ticket.refusal)
            self._elsewhere[call_id] = ticket
            return tool.number
        if isinstance(tool, PromisedTool):
            return self.early.take(EarlyCall(call_id, ticket, tool, text, self._clock.now(), facts))
        return self._begin(Call(call_id, ticket, tool, text, facts, self._clock.now()))

    async def run_inner(self, call: Call) -> str:
        """Run a call that a handler makes, see `ToolDispatch`; giving up the wait gives up the call."""
        answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        call.on_answer = lambda text: None if answer.done() else answer.set_result(text)
        self._tell_inner(call.tool.name, call.call_id, None)
        now = self._begin(call)
        if now is not None:
            return now
        try:
            return await answer
        finally:
            self.abort(call.call_id)

    def now(self) -> float:
        """The clock's seconds."""
        return self._clock.now()

    def _begin(self, call: Call) -> str | None:
        refusal = call.ticket.refusal
        try:
            if refusal:
                if refusal.code == "STALE_TOOL_CALL":
                    refusal.details = stated_details(call)
                refusal = self._currency.not_owner(call) or refusal
                return self._settled(call, self._answers.failed(call, refusal))
            return self._run(call)
        except BaseException:  # noqa: BLE001  # no memory for an answer, builtins that are gone
            return call.answer if call.is_settled else self._settled(call, LAST_RESORT)

    def _begin_early(self, early: EarlyCall, tool: Tool) -> None:
        early.ticket.tool = tool
        text = self._begin(Call(early.call_id, early.ticket, tool, early.text, early.facts, early.began_at))
        if text is not None:
            self._settle(early.call_id, text)

    def resume(self, calls: dict[str, Ticket]) -> None:
        """Keep calls whose handlers run in the page's JavaScript already, until `count_out`."""
        self._elsewhere.update(calls)

    def count_out(self, call_id: str) -> None:
        """A handler in JavaScript is done; harmless for a call that is unknown."""
        if ticket := self._elsewhere.pop(call_id, None):
            ticket.slot.settle(ticket)
            self._afterwards.look()

    def is_current(self, call_id: str) -> bool:
        """Whether a call whose handler runs in JavaScript is current; False when it has been counted out."""
        ticket = self._elsewhere.get(call_id)
        return ticket is not None and ticket.is_current

    def abort(self, call_id: str) -> None:
        """The caller gave up: answer ``CANCELLED`` and cancel the task; harmless for a settled call."""
        if call := self._calls.get(call_id):
            self._drop(call, "CANCELLED", "The call was cancelled by its caller.")
        else:
            self.early.abort(call_id)

    def confirmed(self, question: int, outcome: str) -> None:
        """What came of asking the person; see `Confirmations.answered`."""
        self._confirmations.answered(question, outcome)

    def look(self) -> None:
        """Calls may have gone stale."""
        self._confirmations.look(self._currency.is_lost)

    def interrupt(self) -> None:
        """The page is being left: answer every call in flight and cancel its task.

        A task hears of that in the loop's next turn, which there is only where the page comes back from the
        back-forward cache: asyncio has no public way to take one now. Cleanups are run by `Teardown.close`.
        """
        for call in list(self._calls.values()):
            if call.is_entered:
                said = f"The page was left while {call.tool.name} ran; its effect may still land."
            else:
                said = f"The page was left before {call.tool.name} began; it has done nothing."
            self._drop(call, "CANCELLED", said)
        self.early.interrupt()
        self._afterwards.drop()

    async def rest(self) -> None:
        """Wait for what is being done after answers, as a test does."""
        await self._afterwards.done()

    def close(self) -> None:
        """Cancel every call in flight, and drop what others want done after their answer."""
        for call_id in list(self._calls):
            self.abort(call_id)
        self.early.interrupt()
        self._afterwards.drop()

    def _run(self, call: Call) -> str | None:
        plan = self._steps.plan(call.tool)
        try:
            for index, step in enumerate(plan):
                waiting = step(call)
                if waiting is not None:
                    return self._await(call, self._go_on(call, waiting, plan[index + 1 :]))
            result = self._enter(call)
        except BaseException as error:  # noqa: BLE001  # also SystemExit: exit() leaves no call unanswered
            return self._over(call, self._answers.failed(call, error))
        if hasattr(type(result), "__await__"):
            return self._await(call, result)
        if call.tool.place:  # keeping a long answer may have to wait
            return self._await(call, _given(result))
        return self._over(call, self._answers.succeeded(call, result))

    def _over(self, call: Call, text: str) -> str:
        """End a call that never waited."""
        self._steps.replays.outcome(call, text)
        self._steps.ended(call)
        return self._settled(call, text)

    async def _go_on(self, call: Call, waiting: Awaitable[object], steps: tuple[Step, ...]) -> Any:
        """Take the steps that are left; after each wait everything is looked at again."""
        await waiting
        for step in steps:
            if self._steps.is_last_look(step):
                break  # it has permission in it, too, for a call that has waited
            self._steps.look_again(call)
            following = step(call)
            if following is not None:
                await following
        self._steps.last_look(call)
        result = self._enter(call)
        return await result if hasattr(type(result), "__await__") else result

    def _enter(self, call: Call) -> Any:
        tool = call.tool
        if tool.context_parameter:
            call.arguments[tool.context_parameter] = self._contexts.of(call)
        call.is_entered = True
        if tool.idle_timeout is not None:
            self._watch(call)
        return tool.handler(**{**call.arguments, **call.resolved})

    def _await(self, call: Call, result: Awaitable[Any]) -> str | None:
        self._calls[call.call_id] = call
        call.task = task = tasks.start(self._finish(call, result))
        if task.done():
            self._steps.ended(call)
        else:
            self._tasks.add(task)
            task.add_done_callback(lambda done: self._ended(done, call, result))
        if call.is_settled:
            task.cancel()  # does something only to a call that was aborted while it began
            return call.answer
        call.is_late = True
        self._watch(call)
        return None

    def _watch_all(self) -> None:
        """Somebody is being asked, or is no more, which others may wait for."""
        for call in self._calls.values():
            is_held_up = self._steps.is_held_up(call)
            if is_held_up is not (call.stands_since is not None):
                self._watch(call)

    def _watch(self, call: Call) -> None:
        """Expect an answer in time, and progress once entered; time stands still while somebody is asked."""
        if call.call_id not in self._calls:
            return
        call.stand(self._clock.now(), still=self._steps.is_held_up(call))
        if call.stands_since is not None:
            self._deadlines.forget(call.call_id)
            return
        at = self._hard_deadline(call)
        if call.tool.idle_timeout is not None and call.is_entered:
            at = min(at, self._clock.now() + call.tool.idle_timeout)
        self._deadlines.watch(call.call_id, at)

    def _hard_deadline(self, call: Call) -> float:
        return call.began_at + call.tool.timeout + call.stood(self._clock.now())

    def _report(self, call: Call, payload: object) -> None:
        if not call.is_settled:
            self._progress.report(call, payload)
            for each in (call, call.outer):
                if each and each.tool.idle_timeout is not None:
                    self._watch(each)

    async def _finish(self, call: Call, result: Awaitable[Any]) -> None:
        try:
            value = await result
            text = await self._answers.placed(call, value)
        except BaseException as error:  # noqa: BLE001  # as in _run
            if isinstance(error, asyncio.CancelledError) and call.is_settled:
                return  # by _drop, which has answered
            text = self._answers.failed(call, error)
        self._steps.replays.outcome(call, text)
        self._end(call, text)

    def _ended(self, task: asyncio.Task[None], call: Call, result: Awaitable[Any]) -> None:
        """Let go of a task; one that was cancelled before its first step has neither awaited nor answered."""
        self._tasks.discard(task)
        if inspect.iscoroutine(result):
            result.close()
        self._steps.ended(call)
        if not call.is_settled:
            self._end(call, self._answers.failed(call, asyncio.CancelledError()))

    def _end(self, call: Call, text: str) -> None:
        """Give the call its answer; the first one counts."""
        if call.is_settled:
            return
        self._calls.pop(call.call_id, None)
        self._deadlines.forget(call.call_id)
        if call.asking:
            self._confirmations.end(call)
        self._listings.end(call)
        call.answer = self._settled(call, text)
        if call.is_late and call.on_answer:
            call.on_answer(text)
        elif call.is_late:
            self._settle(call.call_id, text)

    def _drop(self, call: Call, code: str, said: str) -> None:
        if call.is_settled:
            return
        text = self._answers.failed(call, ToolError(said, code=code, effect=call.effect))
        is_needed = self._steps.replays.is_needed(call)
        if not is_needed:
            for inner in [each for each in self._calls.values() if each.outer is call]:
                self._drop(inner, code, f"{call.tool.name}, which had called {inner.tool.name}, is over.")
            call.signal.fire(code)
            self._steps.replays.gave_up(call, code, text)
        self._end(call, text)
        if call.task and not is_needed:
            call.task.cancel()

    def _overdue(self, call_id: str) -> None:
        if call := self._calls.get(call_id):
            tool, idle = call.tool, call.tool.idle_timeout
            if idle is not None and self._clock.now() < self._hard_deadline(call):
                said = f"{tool.name} reported nothing for {idle:g} s; its effect may still land."
            elif call.effect == "unknown":
                said = f"{tool.name} did not finish within {tool.timeout:g} s; its effect may still land."
            else:
                said = f"{tool.name} could not begin within {tool.timeout:g} s; it has done nothing."
            self._drop(call, "TOOL_TIMEOUT", said)

    def _settled(self, call: Call, text: str) -> str:
        call.is_settled = True
        call.ticket.slot.settle(call.ticket)
        self._afterwards.answered(call, text, self._hard_deadline)
        if call.outer:
            self._tell_inner(call.tool.name, call.call_id, text)
        return text

    def _tools_for(self, call: Call) -> ToolDispatch | None:
        if self._find is None or call.outer:
            return None
        return ToolDispatch(call, self._find, self._credentials, self)


async def _given(result: Any) -> Any:
    return result
