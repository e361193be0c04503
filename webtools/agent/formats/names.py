"""Names of tools, for formats that allow fewer characters than a page."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable

from webtools.tools.definition import Definition

MAX_LENGTH = 64

OTHER = re.compile(r"[^A-Za-z0-9_-]")


def narrow(name: str) -> str:
    """A name of letters, digits, ``_`` and ``-``, 64 at most, always the same for the same tool.

    One that fits is as it was. Of another, part of its SHA-256 keeps it apart from names that look alike.
    """
    if len(name) <= MAX_LENGTH and not OTHER.search(name):
        return name
    mark = hashlib.sha256(name.encode()).hexdigest()[:10]
    return f"{OTHER.sub('_', name)[: MAX_LENGTH - 11]}_{mark}"


def widen(name: str, definitions: Iterable[Definition]) -> str:
    """The page's name of what a model calls so; as it is where the page has no such tool."""
    found = (each.name for each in definitions if narrow(each.name) == name)
    return next(found, name)
