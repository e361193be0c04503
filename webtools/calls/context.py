"""What a handler is given of its call, where it asks for it with a parameter annotated `ToolContext`."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Literal, get_args

from webtools._exceptions import ToolError
from webtools.calls.facts import Door, Identity, Scope
from webtools.calls.inner import ToolDispatch
from webtools.calls.signal import CancelSignal
from webtools.stores.artifact_index import Meta
from webtools.stores.artifacts import ArtifactStore, NoArtifacts
from webtools.stores.credentials import CallCredentials, Credential
from webtools.stores.teardown import Cleanup, Kept
from webtools.tools.callables import takes
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
        credential: What the tool declares to need.
        tools: The page's other tools; None for a call that another tool makes.
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
    credential: Credential | None = None
    tools: ToolDispatch | None = None
    present: frozenset[str] = field(init=False)
    _refusal: Callable[[], ToolError | None]
    _report: Callable[[object], None]
    _ask: Callable[[str], Awaitable[None]]
    _until: Callable[[tuple[str, ...], float], Awaitable[bool]]
    _after: Callable[[Callable[[], object]], None]
    _owns: Callable[[str], bool]
    _artifacts: ArtifactStore | None
    _keep: Callable[[Cleanup, Scope, str | None], Kept]
    _credentials: CallCredentials

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

    @property
    def has_credentials(self) -> bool:
        """Whether the page has a provider of credentials."""
        return self._credentials.is_attached

    @property
    def credentials(self) -> CallCredentials:
        """Gives credentials; where the page has no provider, its verb says how to attach one."""
        return self._credentials

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
            TypeError: The message is no text.
            ValueError: The message is blank.
        """
        if not isinstance(message, str):
            raise TypeError(f"ctx.confirm: say in a text what will happen; {message!r} is none.")
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
        before. What it raises goes to the console. Several are done in their order. Once the call has its
        answer nothing is taken any more, and the console says so.

        Args:
            callback: A function without parameters, also one of ``async def``.

        Raises:
            TypeError: It is no function, or one with parameters.
        """
        if not takes(callback, 0):
            raise TypeError(f"ctx.after_answer: give a function without parameters, not {callback!r}.")
        self._after(callback)

    @property
    def teardown_scopes(self) -> tuple[Scope, ...]:
        """What `on_teardown` may tie a cleanup to: a run or a session only where the caller has stated it."""
        stated = {"run": self.run_id, "session": self.session_id}
        return tuple(each for each in get_args(Scope) if stated.get(each, True))

    def on_teardown(self, cleanup: Cleanup, *, scope: Scope, key: str | None = None) -> Kept:
        """Have something closed later: when the call, run, session or page is over, or after 15 idle minutes.

        The first cleanup stays that is kept under this tool, scope and key, since it closes what is open.

        Args:
            cleanup: A plain or a coroutine function; it runs once, and has 5 s.
            scope: What it belongs to, one of `teardown_scopes`.
            key: Tells several apart that the tool keeps in one scope.

        Returns:
            "started"; or "reused", where another one is kept there, which counts as used again.

        Raises:
            ValueError: Nothing will ever end this scope for this call.
            TypeError: The cleanup is no function, or one with parameters; or the key is no text.
        """
        if not takes(cleanup, 0):
            raise TypeError(f"ctx.on_teardown: give a function without parameters, not {cleanup!r}.")
        if not isinstance(key, str | None):
            raise TypeError(f"ctx.on_teardown: key must be a text, not {key!r}.")
        if scope not in self.teardown_scopes:
            raise ValueError(
                f"ctx.on_teardown: nothing ends the scope {scope!r} for this call, which came in by the door "
                f"{self.door!r} and states no such id. It has the scopes {', '.join(self.teardown_scopes)}."
            )
        return self._keep(cleanup, scope, key)

    def __repr__(self) -> str:
        return f"<ToolContext of call {self.call_id!r} of {self.tool!r}, from {self.door}>"
