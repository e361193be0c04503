"""A tool that an app is going to define, as far as its manifest says."""

from __future__ import annotations

from dataclasses import dataclass

from webtools.tools.definition import Definition


@dataclass(frozen=True, eq=False)
class PromisedTool:
    """A definition without a handler: calls of it wait until its app has been loaded.

    Attributes:
        app: The app's URL.
        timeout: Seconds that a call may wait, as the tool's own calls may take.
        is_held_by_others: As a `Tool`'s.
        match: As a `Tool`'s.
    """

    definition: Definition
    app: str
    timeout: float
    is_held_by_others: bool = False
    match: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name that agents call."""
        return self.definition.name

    def __repr__(self) -> str:
        return f"<PromisedTool {self.name!r} of {self.app}>"
