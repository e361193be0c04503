"""Find Chromium, or install it; `python -m e2e.chromium` prints where it is, with its light build below it.

The order: what `WEBTOOLS_CHROMIUM` names; one that is there already, Playwright's own or the system's;
Playwright's download; the system's package manager.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

__all__ = ["ARGS", "NATIVE", "ChromiumMissing", "ensure", "ensure_light", "find"]

OLDEST = 153
"""The first whose calls outlive their registration, and which tells `execute` of the caller's abort."""

ARGS = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
"""How every browser of the tests is launched."""

if sys.platform == "linux" and os.geteuid() == 0:
    ARGS.append("--no-sandbox")  # Chromium refuses to run as root with one

NATIVE = ["--enable-features=WebMCP"]
"""Added to `ARGS`: the browser has a model context of its own."""

_VARIABLE = "WEBTOOLS_CHROMIUM"
_COMMANDS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_LIGHT = "chromium-headless-shell"
_ASK_PLAYWRIGHT = """
from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    print(playwright.chromium.executable_path)
"""
_MAC_APPS = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)


class ChromiumMissing(Exception):
    """There is no Chromium that the tests can use. The message names what mends it."""


def find() -> Path | None:
    """Give a Chromium that is there already.

    Raises:
        ChromiumMissing: `WEBTOOLS_CHROMIUM` names something else than a Chromium that is new enough.
    """
    named = os.environ.get(_VARIABLE)
    if named:
        return _checked(Path(named))
    return next((path for path in _candidates() if _version(path) >= OLDEST), None)


def ensure() -> Path:
    """Give a Chromium, installed now if there was none.

    Raises:
        ChromiumMissing: Nothing could install it.
    """
    found = find()
    if found:
        return found
    for command in _installers():
        print(f"Installing Chromium: {' '.join(command)}", file=sys.stderr)
        _run(command)
        found = find()
        if found:
            return found
    raise ChromiumMissing(
        f"Chromium {OLDEST} or newer is missing and could not be installed; install it, for example with: "
        "sudo apt-get install chromium (Debian), or: brew install --cask google-chrome (macOS), "
        f"or name one in {_VARIABLE}"
    )


def ensure_light() -> Path:
    """Give a Chromium without windows, menus and what else a person sees; the whole one where there is none.

    A page takes a third less of the processor in it.

    Raises:
        ChromiumMissing: There is no Chromium at all, and nothing could install it.
    """
    if os.environ.get(_VARIABLE):
        return ensure()
    for install in (False, True):
        if install and shutil.which("apt-get"):
            _run([*_as_root(), "apt-get", "update", "-q"])
            _run([*_as_root(), "apt-get", "install", "-y", "-q", "--no-install-recommends", _LIGHT])
        found = shutil.which(_LIGHT)
        if found and _version(Path(found)) >= OLDEST:
            return Path(found)
    return ensure()


def _checked(path: Path) -> Path:
    version = _version(path)
    if version >= OLDEST:
        return path
    what = f"is version {version}" if version else "does not run as a Chromium"
    raise ChromiumMissing(
        f"{_VARIABLE} names {path}, which {what}; "
        f"name a Chromium {OLDEST} or newer, or run: unset {_VARIABLE}"
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
    answer = _run([sys.executable, "-c", _ASK_PLAYWRIGHT])
    if answer:
        yield Path(answer.strip())


def _version(path: Path) -> int:
    """Give the major version, or 0 for what does not run: it may be absent, or lack a library."""
    found = re.search(r"(\d+)\.\d+\.\d+\.\d+", _run([str(path), "--version"]) or "")
    return int(found[1]) if found else 0


def _installers() -> Iterator[Sequence[str]]:
    yield [sys.executable, "-m", "playwright", "install", "chromium"]
    if shutil.which("apt-get"):
        _run([*_as_root(), "apt-get", "update", "-q"])
        yield [*_as_root(), "apt-get", "install", "-y", "-q", "--no-install-recommends", "chromium"]
    if shutil.which("brew"):
        yield ["brew", "install", "--cask", "google-chrome"]


def _as_root() -> Sequence[str]:
    return [] if os.geteuid() == 0 else ["sudo", "-n"]  # -n: fail rather than ask for a password


def _run(command: Sequence[str]) -> str | None:
    """Give what the command printed, or None when it failed, whatever the reason."""
    try:
        done = subprocess.run(command, check=True, text=True, capture_output=True, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout


if __name__ == "__main__":
    try:
        print(ensure(), ensure_light(), sep="\n")
    except ChromiumMissing as missing:
        sys.exit(f"error: {missing}")
