"""Says to the developer which guard gave what it may not give; nobody else would."""

from __future__ import annotations

import inspect
import logging

from webtools._exceptions import ToolError

logger = logging.getLogger("webtools")


def complain(tool: str, option: str, given: object, wanted: str) -> None:
    """Write one line to the console; a coroutine is closed, so that Python does not write another.

    Args:
        tool: Its name.
        option: The guard's.
        given: What it gave.
        wanted: What it may give.
    """
    if not inspect.isawaitable(given):
        logger.error("Tool %r: %s gave %r. It must give %s.", tool, option, given, wanted)
        return
    if inspect.iscoroutine(given):
        given.close()
    logger.error(
        "Tool %r: %s gave what has to be waited for, and nothing can be waited for there. It must give %s: "
        "use a function that is not async, and of the page's functions their now(), as in %s=shop.%s.now.",
        *(tool, option, wanted, option, option),
    )


def untold(tool: str, option: str) -> ToolError:
    """What an agent reads where a guard gave nothing that can be compared."""
    said = f"{tool} cannot tell whether it may run ({option}), an error of the page, not of your arguments."
    return ToolError(said, code="TOOL_HANDLER_ERROR")
