"""A model that says what it is told to, for tests of agents."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from webtools.agent.conversation import Conversation, Message
from webtools.agent.model import Event
from webtools.tools.definition import Definition

Line = Message | Callable[[Conversation, Sequence[Definition]], Message]
"""What it replies, or a function that makes it of the conversation and the tools, and may raise."""


class ScriptedModel:
    """`webtools.agent.Model` that goes through its lines, one a reply.

    Attributes:
        heard: The conversation of each reply, the oldest first.
        offered: The names of the tools that each was offered.
    """

    def __init__(self, lines: Iterable[Line]) -> None:
        self._lines = list(lines)
        self.heard: list[Conversation] = []
        self.offered: list[list[str]] = []

    async def reply(
        self, conversation: Conversation, tools: Sequence[Definition], tell: Callable[[Event], None]
    ) -> Message:
        """Say the next line.

        Raises:
            LookupError: There is none.
        """
        self.heard.append(conversation)
        self.offered.append([each.name for each in tools])
        if not self._lines:
            raise LookupError("the script is over")
        line = self._lines.pop(0)
        reply = line if isinstance(line, Message) else line(conversation, tools)
        if reply.text:
            tell({"event": "text", "text": reply.text})
        return reply

    def __repr__(self) -> str:
        return f"<ScriptedModel with {len(self._lines)} lines left>"
