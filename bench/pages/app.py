"""Ten tools that give back what they are given; `visits.py` and `wire.py` load them."""

from collections.abc import Callable

from webtools import tool


def make(number: int) -> Callable[[str], str]:
    @tool(name=f"echo_{number}")
    def echo(text: str) -> str:
        """Return the text."""
        return text

    return echo


for number in range(10):
    globals()[f"echo_{number}"] = make(number)
