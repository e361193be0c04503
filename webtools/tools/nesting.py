"""How deep JSON text is nested: Python's own parser overflows WebAssembly's stack, which nothing survives."""

from __future__ import annotations

import re

MAX_NESTING = 200
"""What pydantic's parser takes, too."""

_TEXTS = re.compile(r'"(?:[^"\\]|\\.)*"')


def is_too_deep(text: str) -> bool:
    """Whether lists and objects are nested more than `MAX_NESTING` deep in a JSON text."""
    if text.count("[") + text.count("{") <= MAX_NESTING:
        return False
    depth = 0
    for each in _TEXTS.sub("", text):
        if each in "[{":
            depth += 1
            if depth > MAX_NESTING:
                return True
        elif each in "]}":
            depth -= 1
    return False
