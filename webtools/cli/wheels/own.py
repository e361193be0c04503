"""Webtools' own wheel: what of the package a page gets."""

import hashlib
import sys
import tempfile
from pathlib import Path

from webtools.cli.programs.running import require_module, run_tool
from webtools.cli.terminal.problems import Report

__all__ = ["OWN", "own_wheel"]

OWN = "webtools-host"
_BESIDE = ("LICENSE", "README.md", "pyproject.toml", "static/version.js")
"""What the own wheel is made of beside the package."""
_NOT_FOR_PAGES = "cli"
"""The room that no page has."""


def own_wheel(checkout: Path, folder: Path, report: Report) -> Path:
    """Give webtools' own wheel in `folder`, built anew when its sources changed.

    The folder is for it alone: an older one is removed. Its build number is a hash of the sources, so a
    wheel of one name never changes.

    Raises:
        CommandProblem: hatchling is missing or could not build.
    """
    build_number = f"0{_source_hash(checkout)[:16]}"
    for built in folder.glob(f"webtools_host-*-{build_number}-*.whl"):
        return built
    report("Building the page's wheel …")
    folder.mkdir(exist_ok=True)
    for old in folder.glob("*.whl"):
        old.unlink()
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix="wheel-") as scratch:
        sources = Path(scratch) / "sources"
        for path in _sources(checkout):
            copy = sources / path.relative_to(checkout)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())
        _hatch(sources, Path(scratch))
        (fresh,) = Path(scratch).glob("*.whl")
        distribution, version, tags = fresh.name.split("-", 2)
        return fresh.replace(folder / f"{distribution}-{version}-{build_number}-{tags}")


def _hatch(sources: Path, target: Path) -> None:
    require_module("hatchling", f"{sys.executable} -m pip install hatchling")
    run_tool(
        [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(target)],
        folder=sources,
        name="Building the page's wheel with hatchling",
        mend="to see all of its output, run: python -m hatchling build --target wheel",
    )


def _source_hash(checkout: Path) -> str:
    together = hashlib.sha256()
    for path in _sources(checkout):
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        together.update(f"{path.relative_to(checkout).as_posix()} {content}\n".encode())
    return together.hexdigest()


def _sources(checkout: Path) -> list[Path]:
    """Name the files that the own wheel is made of."""
    package = checkout / "webtools"
    files = [path for path in package.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    for_pages = [path for path in files if path.relative_to(package).parts[0] != _NOT_FOR_PAGES]
    beside = [path for path in (checkout / name for name in _BESIDE) if path.is_file()]
    return sorted([*for_pages, *beside])
