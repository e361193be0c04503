"""Whether wheels have all that they need in a page, among each other."""

from collections.abc import Collection, Mapping
from pathlib import Path

from packaging.utils import parse_wheel_filename

from webtools.cli.terminal.problems import CommandProblem
from webtools.cli.wheels.markers import needs_of

__all__ = ["check_needs"]


def check_needs(info: Mapping[str, str], wheels: Collection[Path], has: Collection[str] = ()) -> None:
    """See to it that every package is there that another one needs.

    Args:
        info: What Pyodide's own lock says of its build: `{"python": "3.14.2", …}`.
        wheels: What a page installs.
        has: The names of packages that it has besides.

    Raises:
        CommandProblem: A wheel needs a package that is not among them.
    """
    names = {*has, *(parse_wheel_filename(wheel.name)[0] for wheel in wheels)}
    for wheel in wheels:
        for need in sorted({each.name for each in needs_of(wheel, info["python"])} - names):
            raise CommandProblem(
                f"In the page {parse_wheel_filename(wheel.name)[0]} needs {need}, which is not pinned; "
                "add its wheel, with its hash, to webtools/cli/wheels/page-requirements.txt."
            )
