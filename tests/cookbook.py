"""The blocks of docs/cookbook.md, by the name of their pattern: each is run as a page would load it."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Literal, cast

from webtools.browser import apps

COOKBOOK = Path(__file__).parents[1] / "docs" / "cookbook.md"

Way = Literal["Wrong", "Right"]
Blocks = dict[tuple[Way, str], str]
"""The texts of one pattern, by the way and the language."""

SECTION = re.compile(r"^## (.+)\n", re.MULTILINE)
WAY = re.compile(r"^\*\*(Wrong|Right)\*\*\n", re.MULTILINE)
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def patterns() -> dict[str, Blocks]:
    """Every pattern, in the order of the page."""
    _, *parts = SECTION.split(COOKBOOK.read_text("utf-8"))
    return {name: _blocks(text) for name, text in zip(parts[::2], parts[1::2], strict=True)}


@contextmanager
def loaded(pattern: str, way: Way) -> Iterator[ModuleType]:
    """Load a way's Python as an app; it does not outlive the block."""
    name = re.sub(r"\W+", "-", f"{pattern} {way}".lower())
    app = apps.load(f"http://localhost/{name}.py", patterns()[pattern][way, "python"])
    try:
        yield app
    finally:
        del sys.modules[app.__name__]


def _blocks(text: str) -> Blocks:
    """What stands before both ways belongs to both."""
    common, *parts = WAY.split(text)
    found: Blocks = {}
    for way, part in zip(parts[::2], parts[1::2], strict=True):
        for language, block in BLOCK.findall(common + part):
            key = cast("tuple[Way, str]", (way, language))
            assert key not in found
            found[key] = block
    return found
