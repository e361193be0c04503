"""A tool whose handler is written in JavaScript."""

from __future__ import annotations

from dataclasses import dataclass

from webtools.tools.definition import Definition


@dataclass(frozen=True, eq=False)
class PageTool:
    """An immutable definition, and the number by which the page finds the handler.

    The page judges the input and writes the answer itself.
    """

    definition: Definition
    number: int

    @property
    def name(self) -> str:
        """The name that agents call."""
        return self.definition.name

    def __repr__(self) -> str:
        return f"<PageTool {self.name!r}, number {self.number} of the page>"
