"""Who is told where tools are made: a page whose Python makes them in code of its own, such as a cell."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

Watcher = Callable[[dict[str, Any]], object]
"""Given the global names of the code that makes a tool, before one of them holds it."""


def watch(watcher: Watcher | None) -> None:
    """Tell this one from now on; None: nobody."""
    global _watcher  # there is one page
    _watcher = watcher


def made() -> None:
    """Something that a page may hold is made; to be called by what the code of an author's calls."""
    if _watcher:
        _watcher(_author(sys._getframe(1)).f_globals)


def _author(frame: FrameType) -> FrameType:
    """The innermost frame whose code is not ours."""
    while frame.f_back and str(frame.f_globals.get("__name__")).partition(".")[0] == "webtools":
        frame = frame.f_back
    return frame


_watcher: Watcher | None = None
