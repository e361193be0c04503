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


def is_async(function: object) -> bool:
    """Whether it is declared to give what has to be waited for."""
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(type(function).__call__)
