"""Find Chromium, or install it; `python -m e2e.chromium` prints where it is, with its light build below it.

The order: what `WEBTOOLS_CHROMIUM` names; one that is there already, Playwright's own or the system's;
Playwright's download; the system's package manager.
"""

import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from webtools.cli.programs.chromium import (
    ARGS,
    HOW_TO_INSTALL,
    NATIVE,
    OLDEST,
    VARIABLE,
    ChromiumMissing,
    answer_of,
    find,
    version_of,
)

__all__ = ["ARGS", "NATIVE", "ChromiumMissing", "ensure", "ensure_light", "find"]

_LIGHT = "chromium-headless-shell"


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
        answer_of(command)
        found = find()
        if found:
            return found
    raise ChromiumMissing(
        f"Chromium {OLDEST} or newer is missing and could not be installed; {HOW_TO_INSTALL}"
    )


def ensure_light() -> Path:
    """Give a Chromium without windows, menus and what else a person sees; the whole one where there is none.

    A page takes a third less of the processor in it.

    Raises:
        ChromiumMissing: There is no Chromium at all, and nothing could install it.
    """
    if os.environ.get(VARIABLE):
        return ensure()
    for install in (False, True):
        if install and shutil.which("apt-get"):
            answer_of([*_as_root(), "apt-get", "update", "-q"])
            answer_of([*_as_root(), "apt-get", "install", "-y", "-q", "--no-install-recommends", _LIGHT])
        found = shutil.which(_LIGHT)
        if found and version_of(Path(found)) >= OLDEST:
            return Path(found)
    return ensure()


def _installers() -> Iterator[Sequence[str]]:
    yield [sys.executable, "-m", "playwright", "install", "chromium"]
    if shutil.which("apt-get"):
        answer_of([*_as_root(), "apt-get", "update", "-q"])
        yield [*_as_root(), "apt-get", "install", "-y", "-q", "--no-install-recommends", "chromium"]
    if shutil.which("brew"):
        yield ["brew", "install", "--cask", "google-chrome"]


def _as_root() -> Sequence[str]:
    return [] if os.geteuid() == 0 else ["sudo", "-n"]  # -n: fail rather than ask for a password


if __name__ == "__main__":
    try:
        print(ensure(), ensure_light(), sep="\n")
    except ChromiumMissing as missing:
        sys.exit(f"error: {missing}")
