"""Makes texts of pages, which nobody vouches for, fit for a terminal."""

import re

__all__ = ["plain"]

_MOST_CHARS = 400
"""Of a line."""
_SECRETS = re.compile(
    r"""(https?://)(?:[^\s/?#"'<>]*@)?([^\s?#"'<>]*)(?:[?#][^\s"'<>]*(?<![,.;:]))?""", re.IGNORECASE
)
"""Of a URL: user, password, query and fragment, around what may be shown."""


def plain(text: str) -> str:
    """Make a text one line that does nothing to a terminal, not too long, its URLs without their secrets."""
    text = _SECRETS.sub(r"\1\2", text)
    shown = "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in text)
    return shown if len(shown) <= _MOST_CHARS else f"{shown[:_MOST_CHARS]} …"
