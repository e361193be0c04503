"""The wheels that are pinned, with hashes: what every page has, micropip, and what apps are locked to."""

import hashlib
import re
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from webtools.cli.programs.running import require_module, run_tool
from webtools.cli.terminal.problems import Report

__all__ = ["MICROPIP", "fetch_wheels", "page_has", "pinned_wheels"]

REQUIREMENTS = Path(__file__).with_name("page-requirements.txt")
MICROPIP = Path(__file__).with_name("micropip-requirements.txt")
_CHECKED = ("--require-hashes", "--no-deps", "--only-binary=:all:")
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")
_PIN = re.compile(r"^([\w.-]+)==(\S+) ", re.MULTILINE)


def pinned_wheels(
    cache: Path,
    info: Mapping[str, str],
    report: Report,
    requirements: Path | None = None,
    options: Sequence[str] = (),
) -> list[Path]:
    """Give the pinned wheels, each checked against its hash; fetch them into `cache` if one is missing.

    Args:
        cache: A folder that outlives the runtime.
        info: What Pyodide's own lock says of its build:
            `{"python": "3.14.2", "abi_version": "2026_0", "arch": "wasm32"}`.
        report: Told before something slow.
        requirements: What pins them; default: what every page has.
        options: For pip.

    Raises:
        CommandProblem: pip is missing or could not fetch.
    """
    requirements = requirements or REQUIREMENTS
    hashes = _HASH.findall(requirements.read_text("utf-8"))
    found = _by_hash(cache)
    if not found.keys() >= set(hashes):
        report("Fetching the page's wheels (once) …")
        _download(cache, info, [*options, *_CHECKED, "--requirement", str(requirements.resolve())])
        found = _by_hash(cache)
    return [found[digest] for digest in hashes]


def page_has() -> dict[str, str]:
    """Give the versions of what every page has, by names; webtools' own is whatever it is."""
    return dict(_PIN.findall(REQUIREMENTS.read_text("utf-8").replace("_", "-")))


def fetch_wheels(target: Path, info: Mapping[str, str], arguments: Sequence[str], *, mend: str) -> None:
    """Have pip put wheels into a folder that fit the page's Python.

    Args:
        target: The folder.
        info: What Pyodide's own lock says of its build.
        arguments: What to fetch, and how, as `pip download` takes it.
        mend: What to do when that fails, as the end of a sentence.

    Raises:
        CommandProblem: pip is missing or could not fetch.
    """
    require_module("pip", f"{sys.executable} -m ensurepip")
    run_tool(
        [
            *(sys.executable, "-m", "pip", "download", "--quiet", "--no-input", *arguments),
            *("--dest", str(target)),
            *("--platform", f"pyemscripten_{info['abi_version']}_{info['arch']}"),
            *("--python-version", info["python"]),
        ],
        folder=target,
        name="Fetching the page's wheels with pip",
        mend=mend,
    )


def _by_hash(cache: Path) -> dict[str, Path]:
    return {hashlib.sha256(wheel.read_bytes()).hexdigest(): wheel for wheel in cache.glob("*.whl")}


def _download(cache: Path, info: Mapping[str, str], arguments: Sequence[str]) -> None:
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache.parent, prefix="wheels-") as scratch:
        fetch_wheels(
            Path(scratch), info, arguments, mend="check the network, then run the same command again"
        )
        for wheel in Path(scratch).glob("*.whl"):
            wheel.replace(cache / wheel.name)
