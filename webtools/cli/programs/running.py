"""Running another program to its end."""

import importlib.util
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from webtools.cli.terminal.problems import CommandProblem

__all__ = ["require_module", "run_tool"]

_ERROR_LINE = re.compile(
    r"^(?:npm (?:error|ERR!)|ERROR:) (.+)$|^(\w*Error: .+)$|^✘ \[ERROR\] (.+)$", re.MULTILINE
)
"""How npm (before version 10, too), pip, Node, Python and esbuild begin the line that says what is wrong."""

_MOST = 300
"""Characters of a reason: Node shows the line of the script that failed, which may be a minified file."""


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


def require_module(module: str, command: str) -> None:
    """See to it that this Python has a module to run.

    Args:
        module: Its name.
        command: Installs it.

    Raises:
        CommandProblem: It is missing.
    """
    if importlib.util.find_spec(module) is None:
        raise CommandProblem(f"{module} is missing from this Python; run: {command}")


def _reason(done: subprocess.CompletedProcess[str]) -> str:
    found = _ERROR_LINE.search(done.stdout)
    lines = [found[1] or found[2] or found[3]] if found else done.stdout.split("\n")
    reason = next((line.strip() for line in reversed(lines) if line.strip()), f"exit code {done.returncode}")
    return reason if len(reason) <= _MOST else f"{reason[:_MOST]} …"
