"""What a document tells (`page.js`). It comes from a page that nobody vouches for, so it is checked."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, Field, TypeAdapter, ValidationError

from webtools.cli.bridge.texts import parsed
from webtools.tools.definition import Definition

__all__ = ["Answered", "AppFailed", "Event", "Progress", "Settled", "ToolsTold", "read"]


Model = TypeVar("Model", bound=BaseModel)


class _OfAnObject(BaseModel):
    """What MCP asks of an input schema; in a list with another one it refuses the whole list.

    Source: https://modelcontextprotocol.io/specification/2025-11-25/schema#tool
    """

    type: Literal["object"] = "object"
    properties: dict[str, dict[str, Any] | bool] | None = None
    required: list[str] | None = None
    dialect: str | None = Field(default=None, alias="$schema")


def _of_an_object(given: object) -> object:
    return given if _valid(_OfAnObject, given) else None


def _valid(model: type[Model], given: object) -> Model | None:
    try:
        return model.model_validate(given)
    except ValidationError:
        return None


class Listed(BaseModel):
    """A tool as `getTools()` lists it.

    Attributes:
        inputSchema: None also where it is none of an object, which every input is.
    """

    name: str
    title: str | None = None
    description: str = ""
    inputSchema: Annotated[dict[str, Any] | None, BeforeValidator(_of_an_object)] = None  # noqa: N815 the page's word
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


def _that_are_tools(told: object) -> object:
    return [tool for each in told if (tool := _valid(Listed, each))] if isinstance(told, list) else told


class ToolsTold(BaseModel):
    """All tools, as they are now; what is none does not keep the others away."""

    kind: Literal["tools"]
    tools: Annotated[list[Listed], BeforeValidator(_that_are_tools)]


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


def read(text: str) -> list[Event]:
    """Read events, a list as JSON text; what is none is left out."""
    try:
        told = parsed(text)
    except ValueError:
        return []
    return [event for each in told if (event := _read(each))] if isinstance(told, list) else []


def _read(told: object) -> Event | None:
    try:
        return _EVENT.validate_python(told)
    except ValidationError:
        return None
