"""The wheels that a page gets: those that `page-requirements.txt` pins, webtools' own, and micropip."""

import hashlib
import importlib.util
import json
import re
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from zipfile import ZipFile

from webtools.cli.problems import CommandProblem, Report, run_tool
from webtools.cli.source import Source

__all__ = [
    "MICROPIP",
    "OWN",
    "ensure_micropip",
    "fetch_wheels",
    "modules_in",
    "own_wheel",
    "page_has",
    "page_info",
    "pinned_wheels",
]

REQUIREMENTS = Path(__file__).with_name("page-requirements.txt")
MICROPIP = Path(__file__).with_name("micropip-requirements.txt")
_CHECKED = ("--require-hashes", "--no-deps", "--only-binary=:all:")
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")
_PIN = re.compile(r"^([\w.-]+)==(\S+) ", re.MULTILINE)
OWN = "webtools-host"
_BESIDE = ("LICENSE", "README.md", "pyproject.toml", "static/version.js")
"""What the own wheel is made of beside the package."""
_NOT_FOR_PAGES = "cli"
"""The room that no page has."""


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


def ensure_micropip(source: Source, report: Report) -> Path:
    """Give micropip's wheel, which a page with `data-packages` fetches.

    Raises:
        CommandProblem: It is missing and cannot be fetched.
    """
    return source.micropip(report)


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
    _require("pip", f"{sys.executable} -m ensurepip")
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


def page_info(checkout: Path) -> dict[str, str]:
    """What Pyodide's own lock says of its build: `{"python": "3.14.2", …}`."""
    lock = checkout / "node_modules" / "pyodide" / "pyodide-lock.json"
    info: dict[str, str] = json.loads(lock.read_text("utf-8"))["info"]
    return info


def modules_in(wheels: Iterable[Path]) -> list[str]:
    """Name the modules and packages that lie at the top of wheels, but for those that are not for others."""
    tops = {name.split("/")[0] for wheel in wheels for name in ZipFile(wheel).namelist()}
    names = {re.sub(r"\.pyc?$", "", top) for top in tops}
    return sorted(name for name in names if name.isidentifier() and not name.startswith("_"))


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


def _hatch(sources: Path, target: Path) -> None:
    _require("hatchling", f"{sys.executable} -m pip install hatchling")
    run_tool(
        [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(target)],
        folder=sources,
        name="Building the page's wheel with hatchling",
        mend="to see all of its output, run: python -m hatchling build --target wheel",
    )


def _require(module: str, command: str) -> None:
    if importlib.util.find_spec(module) is None:
        raise CommandProblem(f"{module} is missing from this Python; run: {command}")


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
