"""What a document tells (`page.js`). It comes from a page that nobody vouches for, so it is checked."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from webtools.tools.definition import Definition

__all__ = ["Answered", "AppFailed", "Event", "Progress", "Settled", "ToolsTold", "read"]


class Listed(BaseModel):
    """A tool as `getTools()` lists it."""

    name: str
    title: str | None = None
    description: str = ""
    inputSchema: dict[str, Any] | None = None  # noqa: N815 the page's word
    annotations: dict[str, bool | None] | None = None

    def definition(self) -> Definition:
        """The same, as webtools has it."""
        return Definition(
            name=self.name,
            description=self.description,
            input_schema=self.inputSchema or {},
            title=self.title or None,
            annotations={name: True for name, is_so in (self.annotations or {}).items() if is_so},
        )


class ToolsTold(BaseModel):
    """All tools, as they are now."""

    kind: Literal["tools"]
    tools: list[Listed]


class Settled(BaseModel):
    """The page is up, with what it starts by itself."""

    kind: Literal["settled"]


class AppFailed(BaseModel):
    """Why an app of the page has failed; None once none has."""

    kind: Literal["app"]
    reason: str | None = None


class Progress(BaseModel):
    """What a handler reports of its call."""

    kind: Literal["progress"]
    call: int
    message: str
    done: float | None = None
    total: float | None = None


class Answered(BaseModel):
    """What came of a call.

    Attributes:
        text: The answer, JSON text; None where the tool has led to another document.
        error: What the browser says, where there is no answer.
        is_missing: There was no such tool any more.
    """

    kind: Literal["answer"]
    call: int
    text: str | None = None
    error: str | None = None
    is_missing: bool = Field(default=False, alias="isMissing")


Event = ToolsTold | Settled | AppFailed | Progress | Answered

_EVENT: TypeAdapter[Event] = TypeAdapter(Annotated[Event, Field(discriminator="kind")])


def read(told: Any) -> Event | None:
    """Read one event; None of what is none."""
    try:
        return _EVENT.validate_python(told)
    except ValidationError:
        return None
