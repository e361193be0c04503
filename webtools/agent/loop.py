"""The loop of an agent: the model replies, its calls are made, the page settles, the model replies."""

from __future__ import annotations

import asyncio
import json
import logging
import uuid
from collections.abc import Callable, Collection, Coroutine, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any, Literal, TypeVar

from webtools._exceptions import ToolError
from webtools.agent.client import ToolClient
from webtools.agent.conversation import Answer, Conversation, Message, ToolCall, ToolResult
from webtools.agent.model import Event, Model, ModelError
from webtools.calls.driving import driver
from webtools.calls.facts import Facts
from webtools.calls.signal import CancelSignal
from webtools.stores.teardown import end_run
from webtools.tools.answers import failure
from webtools.tools.definition import Definition

logger = logging.getLogger("webtools")

Outcome = Literal["done", "stopped", "max_turns", "max_calls", "max_seconds", "failed"]
"""How a run ended: the model called no more, the signal fired, a limit was reached, the model failed."""

T = TypeVar("T")


@dataclass(frozen=True)
class RunResult:
    """What came of a run, also of one that was stopped or has failed.

    Attributes:
        text: The model's last words; of a reply that was cut off, what there was.
        conversation: What was given and all that was said since, every call with its answer: another run can
            go on with it.
        results: The calls of this run in the model's order, those that were not made included.
        turns: How often the model has replied.
        error: Why the model failed, where it has.
    """

    outcome: Outcome
    text: str
    conversation: tuple[Message | ToolResult, ...]
    results: tuple[ToolResult, ...]
    turns: int
    error: ModelError | None = None


async def run(
    model: Model,
    prompt: str | Conversation,
    *,
    client: ToolClient | None = None,
    max_turns: int = 20,
    max_calls: int = 100,
    max_seconds: float = 600.0,
    turn_id: str | None = None,
    on_event: Callable[[Event], object] = lambda _: None,
    signal: CancelSignal | None = None,
) -> RunResult:
    """Let a model work with the page's tools until it calls no more, or a limit is reached.

    The calls of one reply are made in their order; neighbours that only read are made together. Whatever goes
    wrong with a call is told to the model. Whatever goes wrong with the model ends the run, and so do the
    signal and the limits: what has been done until then is in the result. A caller that gives up the wait
    itself ends the run, too, and gets nothing.

    Args:
        model: Replies.
        prompt: What a person wants, or a conversation to go on with.
        client: The tools; default: all that the page has.
        max_turns: Replies of the model; the calls of the last one are made.
        max_calls: Those beyond are not made.
        max_seconds: For all, waiting for the person included.
        turn_id: Of the person's turn, where this run goes on with one; default: a new one.
        on_event: Told ``{"event", "run_id", "iteration", …}``: "turn"; "text" with ``text``; "retry" with
            ``reason`` and ``seconds``, and the text of this turn is void; "call" with ``id``, ``tool`` and
            ``arguments``; "answer" with ``id``, ``tool`` and ``answer``; "end" with ``outcome``.
        signal: Stops the run where it fires: the call in flight is given up and answered ``CANCELLED``.

    Raises:
        TypeError: The prompt or the signal is of another kind.
        ValueError: A limit is not positive.
        WebtoolsError: There is no page.
    """
    limits = {"max_turns": max_turns, "max_calls": max_calls, "max_seconds": max_seconds}
    for name, limit in limits.items():
        if not limit > 0:
            raise ValueError(f"run: {name} must be above 0, not {limit!r}.")
    if not isinstance(signal, CancelSignal | None):
        raise TypeError(f"run: signal must be a CancelSignal, not a {type(signal).__name__}.")
    page, made = driver(), client or ToolClient()
    facts = replace(
        made.facts,
        run_id=uuid.uuid4().hex,
        turn_id=turn_id or uuid.uuid4().hex,
        turn_started_at=None if turn_id else page.clock.epoch_ms(),
    )
    going = _Run(model, made, facts, _conversation(prompt), max_turns, max_calls, on_event)
    timer = page.clock.call_later(max_seconds, lambda: going.stop.fire("max_seconds"))
    try:
        return await going.result(signal)
    finally:
        timer.cancel()


class _Stopped(Exception):
    """The signal has fired, or the time is over."""


@dataclass(eq=False)
class _Run:
    model: Model
    client: ToolClient
    facts: Facts
    given: tuple[Message | ToolResult, ...]
    max_turns: int
    calls_left: int
    on_event: Callable[[Event], object]
    stop: CancelSignal = field(default_factory=CancelSignal)
    said: list[Message | ToolResult] = field(default_factory=list)
    iteration: int = 0
    replies: int = 0
    text: str = ""

    async def result(self, signal: CancelSignal | None) -> RunResult:
        """Go on to the end, and close what tools keep for the run, however it ends."""
        outcome: Outcome = "stopped"
        error: ModelError | None = None
        listening = asyncio.ensure_future(self._listen(signal)) if signal else None
        try:
            outcome = await self._go(signal)
        except _Stopped:
            outcome = "max_seconds" if self.stop.reason == "max_seconds" else "stopped"
        except ModelError as failed:
            outcome, error = "failed", failed
        finally:
            if listening:
                listening.cancel()
            self.stop.fire("over")
            if self.text:  # of a reply that was cut off
                self.said.append(Message("assistant", self.text))
            await end_run(self.facts.run_id or "", identity=self.facts.identity)
            self._tell({"event": "end", "outcome": outcome})
        texts = [each.text for each in self.said if isinstance(each, Message)]
        results = tuple(each for each in self.said if isinstance(each, ToolResult))
        text = texts[-1] if texts else ""
        return RunResult(outcome, text, (*self.given, *self.said), results, self.replies, error)

    async def _listen(self, signal: CancelSignal) -> None:
        await signal.wait()
        self.stop.fire("stopped")

    async def _go(self, signal: CancelSignal | None) -> Outcome:
        if signal and signal.cancelled:
            raise _Stopped
        while self.iteration < self.max_turns:
            self.iteration += 1
            tools = await self._unless_stopped(self.client.tools())
            self._tell({"event": "turn"})
            reply = await self._unless_stopped(self._reply(tools))
            self.text = ""
            self.replies += 1
            self.said.append(reply)
            if not reply.calls:
                return "done"
            if not await self._answer(reply.calls, tools):
                return "max_calls"
        return "max_turns"

    async def _reply(self, tools: Sequence[Definition]) -> Message:
        try:
            reply = await self.model.reply((*self.given, *self.said), tools, self._hear)
            if not isinstance(reply, Message) or reply.role != "assistant":  # type: ignore[redundant-expr]
                # an author's
                raise TypeError(f"a model's reply is a Message of the assistant, not {reply!r}")
        except ModelError:
            raise
        except Exception as error:
            logger.exception("The model of a run raised an exception")
            said = f"The model failed with {type(error).__name__}; the log has the rest."
            raise ModelError(said, kind="bug") from error
        return reply

    async def _answer(self, calls: Sequence[ToolCall], tools: Sequence[Definition]) -> bool:
        """Make the calls, each of which has its answer afterwards; False where one too many was wanted."""
        readers = {each.name for each in tools if each.annotations.get("readOnlyHint")}
        within, beyond = calls[: self.calls_left], calls[self.calls_left :]
        self.calls_left -= len(within)
        for group in _groups(within, readers):
            answers = await asyncio.gather(*map(self._call, group))
            self.said += map(ToolResult, group, answers)
            await self._settle()
        self.said += [ToolResult(each, _not_made("has made all the calls that it may")) for each in beyond]
        if self.stop.cancelled:
            raise _Stopped
        return not beyond

    async def _call(self, call: ToolCall) -> Answer:
        if self.stop.cancelled:
            return _not_made("was stopped")
        about = {"id": call.id, "tool": call.name}
        self._tell({"event": "call", **about, "arguments": call.arguments})
        facts = replace(self.facts, iteration=self.iteration, call_id=call.id)
        answer = await self.client.call(call.name, call.arguments, signal=self.stop, facts=facts)
        self._tell({"event": "answer", **about, "answer": answer})
        return answer

    async def _settle(self) -> None:
        """Between two groups, too: what comes next in a reply is for the page as it is by then."""
        try:
            await self._unless_stopped(self.client.settled())
        except _Stopped:
            return  # the calls that are left have to be answered first

    async def _unless_stopped(self, coroutine: Coroutine[Any, Any, T]) -> T:
        task = asyncio.ensure_future(coroutine)
        stopped = asyncio.ensure_future(self.stop.wait())
        try:
            await asyncio.wait([task, stopped], return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                return task.result()
            raise _Stopped
        finally:
            stopped.cancel()
            task.add_done_callback(_heed)
            task.cancel()

    def _hear(self, event: Event) -> None:
        """Of the model; nothing more once the run is over."""
        if self.stop.cancelled:
            return
        self.text = "" if event["event"] == "retry" else self.text + event.get("text", "")
        self._tell(event)

    def _tell(self, event: Event) -> None:
        try:
            self.on_event({**event, "run_id": self.facts.run_id, "iteration": self.iteration})
        except Exception:  # the listener's own affair
            logger.exception("The on_event of a run raised an exception")


def _heed(task: asyncio.Task[Any]) -> None:
    """Look at what a task raised after it was given up: asyncio would complain that nobody has."""
    if not task.cancelled():
        task.exception()


def _groups(calls: Iterable[ToolCall], readers: Collection[str]) -> Iterator[list[ToolCall]]:
    """Neighbours that only read together, every other call alone."""
    for is_reading, group in groupby(calls, lambda each: each.name in readers):
        if is_reading:
            yield list(group)
        else:
            yield from ([each] for each in group)


def _not_made(why: str) -> Answer:
    error = ToolError(f"The run {why}; this call was not made.", code="CANCELLED", effect="none")
    answer: Answer = json.loads(failure(error))
    return answer


def _conversation(prompt: str | Conversation) -> tuple[Message | ToolResult, ...]:
    said = (Message("user", prompt),) if isinstance(prompt, str) else tuple(prompt)
    for each in said:
        if not isinstance(each, Message | ToolResult):
            raise TypeError(
                f"run: the prompt is a text, or Messages and ToolResults, not a {type(each).__name__}."
            )
    if not said:
        raise ValueError("run: there is nothing to reply to. Give a text, or at least one Message.")
    return said
