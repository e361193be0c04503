"""A person in front of a page that is not there."""

from __future__ import annotations

from collections.abc import Callable


class FakePerson:
    """`webtools.calls.confirmation.Person` who always says the same.

    Args:
        says: Whether that is yes.
        answered: Told of each question's answer at once.
    """

    def __init__(self, says: bool, answered: Callable[[int, str], None]) -> None:
        self._says = says
        self._answered = answered

    def ask(self, question: int, text: str) -> None:  # noqa: ARG002  # the port's
        """Answer at once."""
        self._answered(question, "allowed" if self._says else "denied")

    def withdraw(self, question: int) -> None:
        """It has been answered."""
