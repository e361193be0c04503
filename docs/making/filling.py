"""Places in pages that are filled when the site is built: empty blocks that begin with, say, `{support}`."""

from __future__ import annotations

import re
from collections.abc import Callable

from docs.making import commands, javascript, support
from docs.making.links import from_root

__all__ = ["filled"]

GENERATED: dict[str, Callable[[str], str]] = {
    "javascript": javascript.module,
    "javascript-types": lambda names: javascript.typedefs(names.split()),
    "attributes": lambda _: javascript.attributes(),
    "commands": lambda _: commands.reference(),
    "support": lambda _: support.table(),
    "file": from_root,
}
"""What a page may ask for, and the Markdown that takes its place."""

_PLACE = re.compile(rf"^```\{{({'|'.join(GENERATED)})\}} ?([^\n]*)\n```$", re.MULTILINE)


def filled(text: str) -> str:
    """Give a page's Markdown with what is generated in it."""
    return _PLACE.sub(lambda place: GENERATED[place[1]](place[2]), text)
