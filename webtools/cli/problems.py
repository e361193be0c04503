"""What stops a command: told to a person in one sentence, never as a traceback."""

import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

__all__ = ["CommandProblem", "Report", "report_to_stderr", "run_tool"]

Report = Callable[[str], None]
"""Takes one line about what is going on, such as `Fetching npm's packages`."""

_ERROR_LINE = re.compile(
    r"^(?:npm (?:error|ERR!)|ERROR:) (.+)$|^(\w*Error: .+)$|^✘ \[ERROR\] (.+)$", re.MULTILINE
)
"""How npm (before version 10, too), pip, Node, Python and esbuild begin the line that says what is wrong."""

_MOST = 300
"""Characters of a reason: Node shows the line of the script that failed, which may be a minified file."""


class CommandProblem(Exception):
    """A command cannot go on. The message is one sentence that names the command which mends it."""


def report_to_stderr(line: str) -> None:
    """Keep standard output for the answer itself."""
    sys.stderr.write(f"{line}\n")


def run_tool(command: Sequence[str], *, folder: Path, name: str, mend: str) -> None:
    """Run another program to its end, its output kept back.

    Args:
        command: The program and its arguments.
        folder: Where it runs.
        name: What a person calls it.
        mend: What to do when it fails, as the end of a sentence.

    Raises:
        CommandProblem: It ended with anything but 0.
    """
    done = subprocess.run(
        command, cwd=folder, check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    if done.returncode:
        raise CommandProblem(f"{name} failed ({_reason(done)}); {mend}")


def _reason(done: subprocess.CompletedProcess[str]) -> str:
    found = _ERROR_LINE.search(done.stdout)
    lines = [found[1] or found[2] or found[3]] if found else done.stdout.split("\n")
    reason = next((line.strip() for line in reversed(lines) if line.strip()), f"exit code {done.returncode}")
    return reason if len(reason) <= _MOST else f"{reason[:_MOST]} …"
