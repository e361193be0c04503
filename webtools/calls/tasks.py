"""Start a handler's coroutine so that it runs at once, up to its first real wait."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Coroutine


def start(coroutine: Coroutine[None, None, None]) -> asyncio.Task[None]:
    """Return the task, which may be done already; before Python 3.12 it begins in the loop's next turn.

    The Task is constructed, because ``loop.create_task`` drops ``eager_start``
    (../shared/spec/platform.md, "Calls").
    """
    loop = asyncio.get_running_loop()
    if sys.version_info >= (3, 12):
        return asyncio.Task(coroutine, loop=loop, eager_start=True)
    return asyncio.Task(coroutine, loop=loop)
