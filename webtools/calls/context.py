"""What a handler is given of its call, where it asks for it with a parameter annotated `ToolContext`."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Literal

from webtools._exceptions import ToolError
from webtools.calls.facts import Door, Identity
from webtools.calls.signal import CancelSignal
from webtools.stores.artifact_index import Meta
from webtools.stores.artifacts import ArtifactStore, NoArtifacts
from webtools.tools.injected import Injected

ALWAYS = frozenset({"call_id", "tool", "door", "received_at", "iteration", "signal"})
"""Facts that every call has."""


class StaleToolCall(ToolError):
    """The part of the page is gone that the call was meant for."""


class ResourceDisposed(ToolError):
    """The object that the tool was bound to does not exist any more."""


class ResourceChanged(ToolError):
    """Another object is active now than the one that the tool was bound to."""


@dataclass(frozen=True, eq=False, kw_only=True)
class ToolContext(Injected):
    """One call's facts and verbs; a fact that nobody stated is None, and not in `present`.

    Ids correlate calls; none proves who calls, what is allowed or what is current.

    Attributes:
        call_id: Unique per invocation.
        tool: The tool's name.
        door: Where the call came in.
        received_at: When, in milliseconds since the Unix epoch.
        signal: Fires when the caller gives up, or the time is over.
        iteration: Of the agent's loop; 0 where there is none.
        deadline_at: When the call is answered for it, in milliseconds since the Unix epoch; time in which a
            person is asked comes on top.
        turn_id: Of a turn of the page's own agent client.
        turn_started_at: In milliseconds since the Unix epoch.
        run_id: A pause and its resume are two runs in one turn.
        session_id: Which session the caller bound the call to.
        identity: Who is behind the call, as the caller says.
        provider: Whose model it is.
        effort_level: How much thought the caller asked of it.
        generation: Of the slot, as the call began; for tools that a part of the page holds.
        resource_id: What the tool was bound to when it was held.
        idempotency_key: What makes a call that is made again the same one; for idempotent tools.
        epoch: Of this tab's time as the owner, for tools that declare an `Ownership`: send it along with a
            write to your server, which refuses a smaller one than it has seen.
        wanted: By argument, what is known of the artifact that took the place of its ref; where there is one.
        present: The names of the facts that are there.
    """

    call_id: str
    tool: str
    door: Door
    received_at: int
    signal: CancelSignal
    iteration: int = 0
    deadline_at: int | None = None
    turn_id: str | None = None
    turn_started_at: int | None = None
    run_id: str | None = None
    session_id: str | None = None
    identity: Identity | None = None
    provider: str | None = None
    effort_level: str | None = None
    generation: int | None = None
    resource_id: str | None = None
    idempotency_key: str | None = None
    epoch: int | None = None
    wanted: Mapping[str, Meta] | None = None
    present: frozenset[str] = field(init=False)
    _refusal: Callable[[], ToolError | None]
    _report: Callable[[object], None]
    _ask: Callable[[str], Awaitable[None]]
    _until: Callable[[tuple[str, ...], float], Awaitable[bool]]
    _after: Callable[[Callable[[], object]], None]
    _owns: Callable[[str], bool]
    _artifacts: ArtifactStore | None

    def __post_init__(self) -> None:
        given = {each.name for each in fields(self) if each.init and not each.name.startswith("_")}
        stated = {name for name in given if getattr(self, name) is not None}
        object.__setattr__(self, "present", frozenset(ALWAYS | stated))

    @property
    def has_artifacts(self) -> bool:
        """Whether `artifacts` can keep anything."""
        return self._artifacts is not None

    @property
    def artifacts(self) -> ArtifactStore:
        """The caller's artifacts; where none are attached, every verb raises what says how to attach them."""
        return self._artifacts or NoArtifacts()

    def is_current(self) -> bool:
        """Whether guarded writes may still be made: ask after every wait."""
        return self._refusal() is None

    def ensure_current(self) -> None:
        """Go on only where `is_current`.

        Raises:
            StaleToolCall: The tool's hold is gone, or stands for another part of the page now.
            ResourceDisposed: ``active`` gives None.
            ResourceChanged: ``active`` gives another id than the hold's.
            ToolError: ``NOT_OWNER``; another tab has taken over what the tool's ``owner`` names.
        """
        if refusal := self._refusal():
            raise refusal

    def owns(self, name: str) -> bool:
        """Whether this tab owns what has this name, at this very moment."""
        return self._owns(name)

    def progress(self, payload: object = None) -> None:
        """Tell the people at the page how far the call is; the agent reads nothing of it.

        It returns at once and never raises. After the call has its answer it does nothing.

        Args:
            payload: Plain data, copied now. Of a dict, ``message`` is the sentence that is shown, and the
                numbers ``done`` and ``total`` say how far.
        """
        self._report(payload)

    async def confirm(self, message: str) -> Literal[True]:
        """Ask the person in front of the page; go on only where they allow it.

        The call's deadline stands still meanwhile; a call may ask for 2 minutes in all.

        Args:
            message: What will happen, for a person; the arguments are shown with it.

        Raises:
            ToolError: ``USER_DENIED``; ``CONFIRMATION_UNAVAILABLE`` where nobody could be asked or answered;
                ``UI_CONTEXT_CLOSED`` where the call went stale meanwhile; or what `ensure_current` raises.
            ValueError: The message is blank.
        """
        if not message.strip():
            raise ValueError("ctx.confirm: say in a text what will happen.")
        await self._ask(message)
        return True

    async def until_listed(self, *names: str, timeout: float = 5.0) -> bool:  # noqa: ASYNC109  # it gives False
        """Wait until tools are registered, so that the answer can say truthfully that they are there.

        A name that nobody has defined yet may still come; it is not asked whether the call is current.

        Args:
            names: The tools'.
            timeout: In seconds.

        Returns:
            False where they do not all come in time, or the call has its answer before.

        Raises:
            TypeError: A name is no text, or the timeout no number.
            ValueError: No name is given, or the timeout is negative or not finite.
        """
        if not names:
            raise ValueError("ctx.until_listed: name the tools to wait for.")
        if not all(isinstance(name, str) for name in names):
            raise TypeError("ctx.until_listed: the names of tools are texts.")
        if isinstance(timeout, bool) or not isinstance(timeout, int | float):
            raise TypeError(f"ctx.until_listed: timeout must be a number of seconds, not {timeout!r}.")
        if not 0 <= timeout < math.inf:
            raise ValueError(f"ctx.until_listed: timeout must be 0 or more seconds, not {timeout!r}.")
        return await self._until(names, timeout)

    def after_answer(self, callback: Callable[[], object]) -> None:
        """Have something done once the agent has the answer, such as a full page navigation.

        It is done half a second after the call has settled and no other call is in flight, at the latest at
        this call's deadline; not where the answer is an error, the call was cancelled or the page is left
        before. What it raises goes to the console. Several are done in their order.

        Args:
            callback: A function without parameters, also one of ``async def``.

        Raises:
            TypeError: It is no function.
        """
        if not callable(callback):
            raise TypeError(f"ctx.after_answer: give a function, not {callback!r}.")
        self._after(callback)

    def __repr__(self) -> str:
        return f"<ToolContext of call {self.call_id!r} of {self.tool!r}, from {self.door}>"
