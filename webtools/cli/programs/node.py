"""Node.js, which runs the page's own Python on this machine."""

import re
import shutil
import subprocess

from webtools.cli.terminal.problems import CommandProblem

__all__ = ["find_node"]

_OLDEST = 20


def find_node() -> str:
    """Give its path.

    Raises:
        CommandProblem: It is missing or too old.
    """
    node = shutil.which("node")
    if node is None:
        raise CommandProblem(
            f"Node.js {_OLDEST} or newer is missing; install it, "
            "for example with: apt-get install nodejs npm (Debian), or: brew install node (macOS)"
        )
    version = subprocess.run([node, "--version"], check=False, text=True, capture_output=True).stdout.strip()
    found = re.match(r"v(\d+)\.", version)
    if found is None or int(found[1]) < _OLDEST:
        raise CommandProblem(
            f"Node.js here is {version or 'broken'}, and {_OLDEST} or newer is needed; "
            "install a newer one, for example with: npm install --global n && n lts"
        )
    return node
