"""Find a Chromium that is there already; nothing is installed.

The order: what `WEBTOOLS_CHROMIUM` names; one on the path, or where macOS keeps its apps; Playwright's own.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from webtools.cli.terminal.problems import CommandProblem

__all__ = [
    "ARGS",
    "HOW_TO_INSTALL",
    "NATIVE",
    "OLDEST",
    "VARIABLE",
    "ChromiumMissing",
    "answer_of",
    "find",
    "version_of",
]

OLDEST = 153
"""The first whose calls outlive their registration, and which tells `execute` of the caller's abort."""

ARGS = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
"""How a browser is launched that nobody else uses."""

if sys.platform == "linux" and os.geteuid() == 0:
    ARGS.append("--no-sandbox")  # Chromium refuses to run as root with one

NATIVE = ["--enable-features=WebMCP"]
"""Added to `ARGS`: the browser has a model context of its own."""

VARIABLE = "WEBTOOLS_CHROMIUM"
"""Names the Chromium to take."""

HOW_TO_INSTALL = (
    "install it, for example with: sudo apt-get install chromium (Debian), "
    f"or: brew install --cask google-chrome (macOS), or name one in {VARIABLE}"
)
"""The end of a message that there is none."""

_COMMANDS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_ASK_PLAYWRIGHT = """
from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    print(playwright.chromium.executable_path)
"""
_MAC_APPS = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)


class ChromiumMissing(CommandProblem):
    """There is no Chromium that can be used. The message names what mends it."""


def find() -> Path | None:
    """Give a Chromium that is there already.

    Raises:
        ChromiumMissing: `WEBTOOLS_CHROMIUM` names something else than a Chromium that is new enough.
    """
    named = os.environ.get(VARIABLE)
    if named:
        return _checked(Path(named))
    return next((path for path in _candidates() if version_of(path) >= OLDEST), None)


def _checked(path: Path) -> Path:
    version = version_of(path)
    if version >= OLDEST:
        return path
    what = f"is version {version}" if version else "does not run as a Chromium"
    raise ChromiumMissing(
        f"{VARIABLE} names {path}, which {what}; name a Chromium {OLDEST} or newer, or run: unset {VARIABLE}"
    )


def _candidates() -> Iterator[Path]:
    for command in _COMMANDS:
        found = shutil.which(command)
        if found:
            yield Path(found)
    yield from map(Path, _MAC_APPS)
    yield from _playwrights_own()


def _playwrights_own() -> Iterator[Path]:
    """Ask in a process of its own: Playwright's driver must not start inside a running event loop."""
    answer = answer_of([sys.executable, "-c", _ASK_PLAYWRIGHT])
    if answer:
        yield Path(answer.strip())


def version_of(path: Path) -> int:
    """Give the major version, or 0 for what does not run: it may be absent, or lack a library."""
    found = re.search(r"(\d+)\.\d+\.\d+\.\d+", answer_of([str(path), "--version"]) or "")
    return int(found[1]) if found else 0


def answer_of(command: Sequence[str]) -> str | None:
    """Give what the command printed, or None when it failed, whatever the reason."""
    try:
        done = subprocess.run(command, check=True, text=True, capture_output=True, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout
