"""One owner's wish that a tool be registered."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

from webtools._exceptions import ToolDefinitionError
from webtools.tools.page_tool import PageTool
from webtools.tools.promised_tool import PromisedTool
from webtools.tools.tool import Tool, tool_of

AnyTool = Tool | PageTool | PromisedTool
"""A tool with a handler in Python, one with a handler in the page's JavaScript, or one that is to come."""

Key = tuple[str, str | None, object]

PYTHON = "Python"
"""What the inspector calls a holder that is not known any better."""


def tool_to_hold(tool: AnyTool | Callable[..., Any], resource_id: str | None) -> AnyTool:
    """What is asked for, where it can be held.

    Raises:
        ToolDefinitionError: The function is no tool.
        TypeError: The resource's id is no text.
    """
    made = tool if isinstance(tool, AnyTool) else tool_of(tool)
    if made is None:
        raise ToolDefinitionError(f"{tool!r} is no tool: decorate it with @tool.")
    if resource_id is not None and not isinstance(resource_id, str):
        raise TypeError(f"hold of {made.name!r}: resource_id must be a text, not {resource_id!r}")
    return made


class Hold:
    """Lives from `ToolRegistry.hold` until its release; several may name one tool, and the newest decides.

    It is a context manager, too: leaving the block releases it.

    Attributes:
        tool: What is wished for.
        resource_id: The resource that the tool is bound to, as its owner names it.
        owner: Who holds; another owner's hold is another one's affair, also for calls that have begun.
        holder: What an inspector calls whoever holds: a word, or the number of the page's own wish.
    """

    def __init__(
        self,
        tool: AnyTool,
        resource_id: str | None,
        owner: object,
        holder: str | int,
        release: Callable[[Hold], None],
        status: Callable[[], str],
    ) -> None:
        self.tool = tool
        self.resource_id = resource_id
        self.owner = owner
        self.holder = holder
        self._release: Callable[[Hold], None] | None = release
        self._status = status

    @property
    def key(self) -> Key:
        """What a call has to find again to be current: definition, resource and owner."""
        return (self.tool.definition.text, self.resource_id, self.owner)

    @property
    def status(self) -> str:
        """The state of the tool, or "released"."""
        return self._status() if self._release else "released"

    def release(self) -> None:
        """Give the wish up; harmless twice. Calls in flight go on and are answered."""
        release, self._release = self._release, None
        if release:
            release(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()

    def __repr__(self) -> str:
        bound = f" for {self.resource_id!r}" if self.resource_id is not None else ""
        return f"<Hold of {self.tool.name!r}{bound}, {self.status}>"
