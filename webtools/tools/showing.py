"""What a tool's author declares of where it is in the page, for the person who watches its calls."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from webtools._exceptions import ToolDefinitionError
from webtools.tools.guards import check_argument, check_function

Arguments = dict[str, Any]
"""The accepted arguments of a call, with the defaults of those that were left out."""


@dataclass(frozen=True, eq=False)
class Showing:
    """Declarations; none of them changes what a call does.

    Attributes:
        target: The CSS selector of the element that the tool works on, or a function of the accepted
            arguments that gives one, or None where there is none.
        fields: By an argument's name the selector of the control that shows its value.
        fill: A function of the accepted arguments that gives other values, by their controls' selectors.
    """

    target: str | Callable[[Arguments], object] | None = None
    fields: Mapping[str, str] = field(default_factory=dict)
    fill: Callable[[Arguments], object] | None = None

    @property
    def defined(self) -> str | bool | None:
        """What of it is part of the definition: a selector, True where only a call has more, or None."""
        return self.target if isinstance(self.target, str) else self.asks or None

    @property
    def asks(self) -> bool:
        """Whether what is shown depends on the call."""
        return callable(self.target) or bool(self.fields) or self.fill is not None


def make_showing(
    tool: str,
    parameters: Collection[str],
    *,
    target: str | Callable[[Arguments], object] | None,
    fields: Mapping[str, str] | None,
    fill: Callable[[Arguments], object] | None,
) -> Showing:
    """Check the declarations of a tool.

    Raises:
        ToolDefinitionError: One cannot work; the message names it and the cure.
    """
    if callable(target):
        check_function(tool, "target", target, "arguments")
    elif target is not None and not _is_selector(target):
        raise ToolDefinitionError(
            f'Tool {tool!r}: target={target!r} must be a CSS selector, such as "#cart", or a function of the '
            f"accepted arguments, a dict, that gives one or None."
        )
    check_function(tool, "fill", fill, "arguments")
    return Showing(target, _checked_fields(tool, fields, parameters), fill)


def _checked_fields(tool: str, fields: object, parameters: Collection[str]) -> dict[str, str]:
    if fields is None:
        return {}
    if not isinstance(fields, Mapping) or not all(_is_selector(each) for each in fields.values()):
        raise ToolDefinitionError(
            f"Tool {tool!r}: fields maps arguments to CSS selectors of the controls that show them, such as "
            f'{{"query": "#search"}}.'
        )
    for name in fields:
        check_argument(tool, "fields", name, parameters, "Name those that have a control.")
    return dict(fields)


def _is_selector(given: object) -> bool:
    return isinstance(given, str) and bool(given.strip())
