"""What stops a command: told to a person in one sentence, never as a traceback."""

import os
import re
import shutil
import subprocess
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path

__all__ = ["DEBUG", "CommandProblem", "Report", "ending", "report_to_stderr", "run_tool"]

Report = Callable[[str], None]
"""Takes one line about what is going on, such as `Fetching npm's packages`."""

_ERROR_LINE = re.compile(
    r"^(?:npm (?:error|ERR!)|ERROR:) (.+)$|^(\w*Error: .+)$|^✘ \[ERROR\] (.+)$", re.MULTILINE
)
"""How npm (before version 10, too), pip, Node, Python and esbuild begin the line that says what is wrong."""

DEBUG = "WEBTOOLS_DEBUG"
"""The variable of the environment that has a command show tracebacks."""

_MOST = 300
"""Characters of a reason: Node shows the line of the script that failed, which may be a minified file."""


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


def run_tool(
    command: Sequence[str],
    *,
    folder: Path,
    name: str,
    mend: str,
    longest_s: float | None = None,
    slow: str = "",
) -> None:
    """Run another program to its end, its output kept back.

    Args:
        command: The program and its arguments.
        folder: Where it runs.
        name: What a person calls it.
        mend: What to do when it fails, as the end of a sentence.
        longest_s: Seconds after which it is ended.
        slow: The problem then, a sentence.

    Raises:
        CommandProblem: It is not there, ended with anything but 0, or did not end.
    """
    if shutil.which(command[0]) is None:
        raise CommandProblem(f"{name} needs {command[0]}, which is not there; install it, see README.md")
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            check=False,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=longest_s,
        )
    except subprocess.TimeoutExpired as error:
        raise CommandProblem(slow) from error
    if done.returncode:
        raise CommandProblem(f"{name} failed ({_reason(done)}); {mend}")


def _reason(done: subprocess.CompletedProcess[str]) -> str:
    found = _ERROR_LINE.search(done.stdout)
    lines = [found[1] or found[2] or found[3]] if found else done.stdout.split("\n")
    reason = next((line.strip() for line in reversed(lines) if line.strip()), f"exit code {done.returncode}")
    return reason if len(reason) <= _MOST else f"{reason[:_MOST]} …"
