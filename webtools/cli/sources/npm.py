"""npm's packages of a source checkout: Pyodide's runtime, and what the tests and the demo take from npm.

`python -m webtools.cli.sources.npm` fetches them for the checkout in the current folder; noxfile.py uses it.
"""

import json
import shutil
import sys
from pathlib import Path

from filelock import FileLock

from webtools.cli.programs.node import find_node
from webtools.cli.programs.running import run_tool
from webtools.cli.terminal.problems import CommandProblem, Report, report_to_stderr

__all__ = ["ensure_packages"]


def ensure_packages(checkout: Path, report: Report) -> None:
    """Make `node_modules` what `package-lock.json` says; costs nothing where it is so already.

    Raises:
        CommandProblem: Node or npm is missing or too old, or npm could not fetch.
    """
    if _is_current(checkout):
        return
    npm = _npm()
    report("Fetching npm's packages (once) …")
    # No install script is needed, so none of other people's code runs here.
    run_tool(
        [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"],
        folder=checkout,
        name="npm ci",
        mend="check the network, then run: npm ci --ignore-scripts",
    )


def _is_current(checkout: Path) -> bool:
    """Compare the lock with the one that npm leaves in `node_modules` when an install has ended well."""
    wanted = _versions(checkout / "package-lock.json", optional=False)
    installed = _versions(checkout / "node_modules" / ".package-lock.json", optional=True)
    return wanted.items() <= installed.items()


def _versions(lock: Path, *, optional: bool) -> dict[str, str]:
    """Read path → version; packages of other operating systems are optional, and never installed here."""
    try:
        packages = json.loads(lock.read_text("utf-8"))["packages"]
    except (FileNotFoundError, ValueError, KeyError):
        return {}
    return {
        path: package.get("version", "")
        for path, package in packages.items()
        if path and (optional or not package.get("optional"))
    }


def _npm() -> str:
    find_node()
    npm = shutil.which("npm")
    if npm is None:
        raise CommandProblem(
            "npm, which belongs to Node.js, is missing; install it, "
            "for example with: apt-get install npm (Debian), or: brew install node (macOS)"
        )
    return npm


def main(checkout: Path) -> None:
    """Fetch the packages, one process at a time; end the process with its exit code where that fails."""
    build = checkout / "build"
    try:
        build.mkdir(exist_ok=True)
        with FileLock(build / "lock"):
            ensure_packages(checkout, report_to_stderr)
    except CommandProblem as problem:
        sys.exit(f"error: {problem}")
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main(Path.cwd())
