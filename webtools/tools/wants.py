"""What a tool declares of artifacts: which arguments are refs, and whether a long answer may become one.

Source: ../shared/spec/tool-context.md, §9.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from webtools._exceptions import ToolDefinitionError

Parameters = Mapping[str, inspect.Parameter]

MAX_WORD = 200
"""Characters of an artifact's kind, media type and label, which count for no bytes."""


def check_wants(tool: str, wants: object, parameters: Parameters) -> dict[str, str]:
    """Return the arguments that are refs, and of which kind.

    Raises:
        ToolDefinitionError: An argument is unknown or takes no text, or a kind is none.
    """
    if wants is None:
        return {}
    if not isinstance(wants, Mapping):
        raise ToolDefinitionError(
            f'Tool {tool!r}: wants maps arguments to kinds of artifacts, such as {{"image": "picture"}}.'
        )
    return {_checked_argument(tool, name, parameters): _checked(tool, name, wants[name]) for name in wants}


def check_place(tool: str, place: object) -> str | None:
    """Return the kind of the artifact that a long answer becomes, None where it becomes none."""
    if place is False:
        return None
    if place is True:
        return tool
    if not isinstance(place, str) or not place.strip():
        raise ToolDefinitionError(
            f"Tool {tool!r}: place={place!r} must be True, or the kind of artifact that a long answer is."
        )
    return _kind(f"Tool {tool!r}: place", place)


def ref_text(kind: str, text: str | None) -> str:
    """What an agent is told of an argument that is a ref."""
    said = f'the ref of an artifact of kind "{kind}", as a tool has returned it: "art_…"'
    return f"{text} ({said})" if text else said[0].upper() + said[1:]


def word_problem(text: str) -> str | None:
    """Why an artifact can have no such kind, media type or label; None where it can."""
    if len(text) > MAX_WORD:
        return f"has {len(text)} characters, more than {MAX_WORD}"
    if any("\ud800" <= letter <= "\udfff" for letter in text):
        return "has half of a surrogate pair, which UTF-8 cannot hold"
    return None


def _checked_argument(tool: str, name: Any, parameters: Parameters) -> str:
    if name not in parameters:
        raise ToolDefinitionError(
            f"Tool {tool!r}: wants names {name!r}, which is none of its parameters: "
            f"{', '.join(parameters) or 'none'}."
        )
    if not _takes_text(parameters[name].annotation):
        raise ToolDefinitionError(
            f"Tool {tool!r}: wants names {name!r}, but an agent gives a ref, which is a text. "
            f"Write {name}: str, or {name}: str | bytes, where the handler is given bytes."
        )
    return str(name)


def _checked(tool: str, name: str, kind: object) -> str:
    if not isinstance(kind, str) or not kind.strip():
        raise ToolDefinitionError(
            f'Tool {tool!r}: wants has no kind for {name!r}. Write {{"{name}": "picture"}}, for instance.'
        )
    return _kind(f"Tool {tool!r}: wants, {name!r}", kind)


def _kind(where: str, kind: str) -> str:
    """The kind, where an artifact can have it."""
    if wrong := word_problem(kind):
        raise ToolDefinitionError(f"{where}: the kind {wrong}.")
    return kind


def _takes_text(annotation: Any) -> bool:
    if get_origin(annotation) is Annotated:
        return _takes_text(get_args(annotation)[0])
    if get_origin(annotation) in (Union, UnionType):
        return any(_takes_text(each) for each in get_args(annotation))
    return annotation in (str, bytes, Any)
