"""One call on its way through the dispatcher."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from webtools._exceptions import Effect
from webtools.calls.facts import Facts
from webtools.calls.signal import CancelSignal
from webtools.lifecycle.slot import Ticket
from webtools.stores.artifact_index import Meta
from webtools.stores.credentials import Credential
from webtools.tools.injected import Injected
from webtools.tools.need import Need
from webtools.tools.tool import Tool


class Answered(Exception):
    """A step has the answer of a call, which goes no further."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text


@dataclass(eq=False, slots=True)
class Call:
    """Lives from the moment the browser entered until the handler's task is over.

    Attributes:
        call_id: Unique among all calls.
        ticket: Its place in the slot.
        tool: Whose handler it enters; chosen anew after each wait before the handler.
        text: The input, JSON text.
        facts: What the caller stated.
        began_at: In the clock's seconds.
        arguments: The input as the model accepted it, once it has.
        is_entered: Whether the handler's first line may have run.
        is_settled: Whether there is an answer; the first one counts.
        is_late: Whether the answer goes to `Dispatcher`'s `settle` rather than back at once.
        answer: The answer, where it is there before anybody waits for it.
        task: What runs it, where it waits for something.
        signal: Given to the handler.
        reports: Of progress, so far.
        context: Made when something asks for it.
        leader: The call whose answer this one waits for, because both have one idempotency key.
        owned: What the tool asks this tab to own, and the number with which the call was let in.
        resolved: Data of artifacts, in place of their refs among the arguments.
        wanted: What is known of those artifacts.
        outer: The call whose handler makes this one, of an inner call.
        on_answer: Told the answer of an inner call, where nobody has it yet.
        result: What the handler of an inner call returned, in a tuple, once it has.
        issued: The credential that it was given, and for which need.
        is_told_too_late: Whether the console has read that it wanted something done after its answer.
        is_over: Whether the handler's task has ended, or never began.
        stood_before: Seconds before `stands_since` in which its time stood still.
        stands_since: Since when it stands still, a time on the clock; None: it does not.
        asking: How many questions to the person are open.
        asked_before: Seconds until `asked_until`, a time on the clock, in which one was.
    """

    call_id: str
    ticket: Ticket
    tool: Tool
    text: str
    facts: Facts
    began_at: float
    arguments: dict[str, Any] = field(default_factory=dict)
    is_entered: bool = False
    is_settled: bool = False
    is_late: bool = False
    answer: str | None = None
    task: asyncio.Task[None] | None = None
    signal: CancelSignal = field(default_factory=CancelSignal)
    context: Injected | None = None
    reports: int = 0
    leader: Call | None = None
    owned: tuple[str, int | None] | None = None
    resolved: dict[str, Any] = field(default_factory=dict)
    wanted: Mapping[str, Meta] | None = None
    outer: Call | None = None
    on_answer: Callable[[str], None] | None = None
    result: tuple[Any] | None = None
    issued: tuple[Need, Credential] | None = None
    is_told_too_late: bool = False
    is_over: bool = False
    stood_before: float = 0.0
    stands_since: float | None = None
    asking: int = 0
    asked_before: float = 0.0
    asked_until: float = 0.0

    @property
    def effect(self) -> Effect:
        """What a call that ends now has done, as far as anybody can tell."""
        return "unknown" if self.is_entered or (self.leader and self.leader.is_entered) else "none"

    @property
    def told(self) -> dict[str, Any]:
        """The accepted arguments as a person is told them: with the defaults of those that were left out."""
        told = {**self.tool.arguments.defaults, **self.arguments}
        told.pop(self.tool.context_parameter or "", None)
        return told

    def asked(self, now: float) -> float:
        """Seconds in which the person was being asked, until `now`."""
        return self.asked_before + (now - self.asked_until if self.asking else 0.0)

    def stood(self, now: float) -> float:
        """Seconds in which its time stood still, until `now`."""
        return self.stood_before + (0.0 if self.stands_since is None else now - self.stands_since)

    def stand(self, now: float, *, still: bool) -> None:
        """Its time stands still from `now` on, or goes on; harmless where that is so already."""
        self.stood_before, self.stands_since = self.stood(now), now if still else None
