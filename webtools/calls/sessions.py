"""The application's state of each session, found by what the caller of a tool has bound its call to."""

from __future__ import annotations

from typing import Generic, TypeVar

from webtools._exceptions import ToolError
from webtools.calls.context import ToolContext

State = TypeVar("State")


class SessionRouter(Generic[State]):
    """Leads a call to its own session's state, whatever session the page shows.

    ``sessions = SessionRouter[Cart]()`` lives as long as the app that makes it, and a state from `open` to
    `close`.
    """

    def __init__(self) -> None:
        self._states: dict[str, State] = {}

    def open(self, session_id: str, state: State) -> None:
        """Begin a session.

        Raises:
            TypeError: The id is no text, and no call could name it.
            ValueError: The id is empty, or of a session that is open.
        """
        if not isinstance(session_id, str):
            raise TypeError(f"A session's id is a text, which {session_id!r} is not: write str(…).")
        if not session_id:
            raise ValueError("A session needs an id that is not empty.")
        if session_id in self._states:
            raise ValueError(f"The session {session_id!r} is open. Close it first, or choose another id.")
        self._states[session_id] = state

    def close(self, session_id: str) -> None:
        """Forget a session; harmless twice. A call that has the state already keeps it."""
        self._states.pop(session_id, None)

    def get(self, session_id: str) -> State:
        """The state of a session.

        Raises:
            ToolError: ``SESSION_NOT_FOUND``; no session with this id is open.
        """
        if session_id not in self._states:
            said = f"There is no session {session_id!r} here. It has ended, or was never begun."
            raise _not_found(said, session_id)
        return self._states[session_id]

    def of(self, ctx: ToolContext) -> State:
        """The state of the session that the caller has bound the call to.

        Ask before anything is changed, in the handler's first line: the error says that nothing was done.

        Raises:
            ToolError: ``SESSION_NOT_FOUND``; the caller named no session, or none that is open.
        """
        if not ctx.session_id:
            raise _not_found(f"{ctx.tool} works in a session, and this call names none.", None)
        return self.get(ctx.session_id)

    def __repr__(self) -> str:
        return f"<SessionRouter, {len(self._states)} open>"


def _not_found(said: str, session_id: str | None) -> ToolError:
    details = {"session_id": session_id} if session_id else None
    return ToolError(said, code="SESSION_NOT_FOUND", details=details, effect="none")
