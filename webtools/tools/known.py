"""Refuse words that mean nothing, and guess which one was meant."""

from __future__ import annotations

from collections.abc import Collection
from difflib import get_close_matches

from webtools._exceptions import ToolDefinitionError

ALMOST = 0.9
"""How like one of our codes another one is that can only be a slip; 1 is the same."""


def check_options(function: str, given: Collection[str], known: Collection[str]) -> None:
    """Refuse options that are not there; `function` is what the tool is made of."""
    for name in given:
        if name not in known:
            meant = get_close_matches(name, known, n=1)
            cure = f"did you mean {meant[0]}?" if meant else f"there is {', '.join(known)}."
            raise ToolDefinitionError(f"{function}: there is no option {name}; {cure}")


def almost(code: str, known: Collection[str]) -> str | None:
    """The code that was meant by one that is none of `known`, but can hardly be a word of its own."""
    if code in known:
        return None
    return next(iter(get_close_matches(code.upper(), known, n=1, cutoff=ALMOST)), None)
