"""Words of names and texts."""

from __future__ import annotations

import re

__all__ = ["SMALL", "singular", "words_of_name", "words_of_text"]

SMALL = frozenset(
    {"a", "an", "and", "by", "for", "from", "in", "of", "on", "or", "some", "the", "this", "to"}
)

_NAME_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_WORD = re.compile(r"\w+(?:['’-]\w+)*")


def words_of_name(name: str) -> list[str]:
    """Give `search`, `products` for ``search_products``, ``search-products`` and ``searchProducts``."""
    return [part.lower() for part in _NAME_PART.findall(name)]


def words_of_text(text: str) -> list[str]:
    """Give the words in small letters."""
    return [word.lower() for word in _WORD.findall(text)]


def singular(word: str) -> str:
    """Give `review` for ``reviews``, and `get` for ``gets``; good enough to compare by."""
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word
