"""The port to whatever decides what to do next."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, Protocol

from webtools._exceptions import WebtoolsError
from webtools.agent.conversation import Conversation, Message
from webtools.tools.definition import Definition

Event = dict[str, Any]
"""What happens in a run, data that JSON can hold; ``event`` says what. See `webtools.agent.loop.run`."""

Kind = Literal["key", "busy", "server", "unreachable", "stream", "request", "bug"]
"""Why a model could not reply."""


class Model(Protocol):
    """Replies to a conversation; a language model, or a script of one's own."""

    async def reply(
        self, conversation: Conversation, tools: Sequence[Definition], tell: Callable[[Event], None]
    ) -> Message:
        """Say the next thing, or which tools to call.

        Args:
            conversation: All that has been said.
            tools: What the page offers now.
            tell: Told ``{"event": "text", "text"}`` of each piece of the reply as it comes, and
                ``{"event": "retry", "reason", "seconds"}`` where what came of it is void.

        Returns:
            A message of the assistant.

        Raises:
            ModelError: It cannot.
        """


class ModelError(WebtoolsError):
    """A model could not reply; the text is for people, and has no key in it.

    Attributes:
        kind: "key" (it was refused), "busy" (too many requests), "server" (its own fault), "unreachable",
            "stream" (the reply broke off, or is none), "request" (the server does not take what was sent),
            "bug" (the model's own code raised something else).
        status: The server's, where it has answered.
        retry_after: Seconds, where the server has named them.
    """

    def __init__(
        self, message: str, *, kind: Kind, status: int | None = None, retry_after: float | None = None
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.status = status
        self.retry_after = retry_after
