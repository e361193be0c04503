"""Whether a function can be called as we shall call it, found out when it is given."""

from __future__ import annotations

import inspect


def takes(function: object, count: int) -> bool:
    """Whether it can be called with so many arguments; True for one that does not show what it takes."""
    if not callable(function):
        return False
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # one of C, or of the page's JavaScript
        return True
    try:
        signature.bind(*[None] * count)
    except TypeError:
        return False
    return True


def is_plain(function: object) -> bool:
    """Whether it gives its answer at once, as far as its declaration shows: not async, without a yield."""
    return not any(_is_other(each) for each in (function, type(function).__call__))


def _is_other(function: object) -> bool:
    kinds = (inspect.iscoroutinefunction, inspect.isgeneratorfunction, inspect.isasyncgenfunction)
    return any(is_kind(function) for is_kind in kinds)
