"""What stops a command: told to a person in one sentence, never as a traceback."""

import os
import sys
import traceback
from collections.abc import Callable

__all__ = ["DEBUG", "CommandProblem", "Report", "ending", "report_to_stderr"]

Report = Callable[[str], None]
"""Takes one line about what is going on, such as `Fetching npm's packages`."""

DEBUG = "WEBTOOLS_DEBUG"
"""The variable of the environment that has a command show tracebacks."""


class CommandProblem(Exception):
    """A command cannot go on. The message is one sentence that names the command which mends it.

    Attributes:
        exit_code: What the process ends with.
    """

    exit_code = 1


def ending(error: BaseException, tell: Callable[[str], None]) -> int:
    """Tell in one line what ended a command, and give the process's exit code.

    Args:
        error: What was raised; a stranger's is told whole where the environment has `DEBUG`.
        tell: Takes the line.
    """
    if isinstance(error, KeyboardInterrupt):
        return 130
    if isinstance(error, BrokenPipeError):  # as of `webtools check shop.py | head -1`
        return 1
    if isinstance(error, CommandProblem):
        tell(f"{error}")
        return error.exit_code
    if os.environ.get(DEBUG):
        traceback.print_exception(error)
    tell(f"{_said(error)}; {DEBUG}=1 in the environment shows where it comes from")
    return 2


def _said(error: BaseException) -> str:
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    first = next(iter(f"{error}".splitlines()), "")
    return f"{type(error).__name__}: {first}" if first else type(error).__name__


def report_to_stderr(line: str) -> None:
    """Keep standard output for the answer itself."""
    sys.stderr.write(f"{line}\n")
