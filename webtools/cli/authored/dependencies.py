"""The wheels that a folder's apps need, resolved for the page's Python, pinned beside them, and fetched.

pip alone would go by the markers of the Python that runs it. So it only fetches, and what is needed is
decided here.
"""

import hashlib
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import parse_wheel_filename

from webtools.cli.authored.declared import declared
from webtools.cli.sources.source import Source, writing_to
from webtools.cli.terminal.problems import CommandProblem, Report
from webtools.cli.wheels.index import FOLDER
from webtools.cli.wheels.markers import applies, needs_of
from webtools.cli.wheels.own import OWN
from webtools.cli.wheels.pinned import fetch_wheels, page_has, pinned_wheels

__all__ = ["LOCK", "Page", "dependencies_of", "resolved"]

LOCK = "webtools.lock.txt"
"""In the apps' folder: pip's form of requirements, with hashes, and what they were made from."""

_MOST_ROUNDS = 30

Fetch = Callable[[Sequence[str]], Sequence[Path]]
"""Gives for each requirement, a text, the newest wheel that fits, without what it needs."""


@dataclass(frozen=True)
class Page:
    """What every page has.

    Attributes:
        python: Its version, such as "3.14.2".
        has: Its packages' versions, by their names.
    """

    python: str
    has: Mapping[str, str]


def dependencies_of(folder: Path, source: Source, report: Report) -> list[Path]:
    """Give the wheels that the apps in a folder need and no page has by itself; `ensure_runtime` takes them.

    What is resolved is written to `webtools.lock.txt` in the folder, and that holds until the apps ask for
    something else, or the page's Python is another one. A file in `wheels` is as good as one on PyPI.

    Args:
        folder: What is served or built.
        source: Of what pages get, in whose cache wheels are kept.
        report: Told before something slow.

    Raises:
        CommandProblem: A requirement cannot be read, not be met in a page, or not be fetched.
    """
    needs = declared(folder)
    if not needs:
        return []
    with writing_to(source.cache):
        info = source.info(report)
        cache = source.cache / "packages"
        options = _find_links(folder / FOLDER)
        lock = folder / LOCK
        heading = _heading(needs, info)
        if not lock.is_file() or not lock.read_text("utf-8").startswith(heading):
            report(f"Resolving what the apps in {folder} need …")
            _write_lock(lock, heading, _resolve(needs, info, cache, options))
        return pinned_wheels(cache, info, report, lock, options)


def resolved(needs: Iterable[Requirement], page: Page, fetch: Fetch) -> list[Path]:
    """Choose wheels until each has what it needs: the newest that fit, and none of what the page has.

    Raises:
        CommandProblem: Two needs contradict each other, or what a page has.
    """
    choice = _Choice(list(needs), page)
    for _ in range(_MOST_ROUNDS):
        wanted = choice.wanted()
        missing = [
            f"{name}{wish.versions}" for name, wish in sorted(wanted.items()) if not choice.has(name, wish)
        ]
        if not missing:
            return [choice.wheels[name] for name in sorted(wanted)]
        for wheel in fetch(missing):
            choice.wheels[parse_wheel_filename(wheel.name)[0]] = wheel
    raise CommandProblem(
        f"What the apps need contradicts itself ({', '.join(missing)}); ask for other versions"
    )


@dataclass(frozen=True)
class _Wish:
    versions: SpecifierSet
    extras: frozenset[str]


class _Choice:
    """The wheels that are chosen so far, and what follows from them."""

    def __init__(self, needs: list[Requirement], page: Page) -> None:
        self._needs = [need for need in needs if applies(need, page.python)]
        self._page = page
        self.wheels: dict[str, Path] = {}

    def has(self, name: str, wish: _Wish) -> bool:
        wheel = self.wheels.get(name)
        if wheel is None:
            return False
        return wish.versions.contains(parse_wheel_filename(wheel.name)[1], prereleases=True)

    def wanted(self) -> dict[str, _Wish]:
        """Follow the needs through the wheels that are there."""
        wanted: dict[str, _Wish] = {}
        waiting = [("the apps", need) for need in self._needs]
        while waiting:
            who, need = waiting.pop()
            if self._is_there(who, need):
                continue
            before = wanted.get(need.name)
            wish = _Wish(need.specifier, frozenset(need.extras))
            if before:
                wish = _Wish(before.versions & wish.versions, before.extras | wish.extras)
            wanted[need.name] = wish
            if wish != before and need.name in self.wheels:
                wheel = self.wheels[need.name]
                waiting += [(need.name, each) for each in needs_of(wheel, self._page.python, wish.extras)]
        return wanted

    def _is_there(self, who: str, need: Requirement) -> bool:
        if need.url:
            raise CommandProblem(
                f"{need.name} is asked for by a URL, by {who}; put that wheel into the folder {FOLDER}, "
                f"and ask for the name"
            )
        if need.name == OWN:
            return True
        version = self._page.has.get(need.name)
        if version is not None and not need.specifier.contains(version, prereleases=True):
            raise CommandProblem(
                f"{need.name}{need.specifier} is needed by {who}, but a page has {need.name} {version}; "
                f"ask for versions that go with it"
            )
        return version is not None


def _resolve(
    needs: list[Requirement], info: Mapping[str, str], cache: Path, options: Sequence[str]
) -> list[Path]:
    cache.mkdir(parents=True, exist_ok=True)
    mend = (
        f"a page needs a wheel of pure Python, or one for pyemscripten_{info['abi_version']}; "
        f"ask for another version, or put a wheel into the folder {FOLDER}"
    )

    def fetch(requirements: Sequence[str]) -> list[Path]:
        with tempfile.TemporaryDirectory(dir=cache.parent, prefix="wheels-") as scratch:
            arguments = [*options, "--no-deps", "--only-binary=:all:", *requirements]
            fetch_wheels(Path(scratch), info, arguments, mend=mend)
            return [wheel.replace(cache / wheel.name) for wheel in Path(scratch).glob("*.whl")]

    return resolved(needs, Page(info["python"], page_has()), fetch)


def _find_links(wheels: Path) -> list[str]:
    return ["--find-links", str(wheels.resolve())] if wheels.is_dir() else []


def _heading(needs: list[Requirement], info: Mapping[str, str]) -> str:
    """Say what a lock was made from; another one is made when that has changed."""
    lines = [
        "# Written by webtools; keep it with the apps. For newer versions delete it.",
        f"# Python {info['python']}, pyemscripten {info['abi_version']}",
        *(f"# beside {name} {version}" for name, version in sorted(page_has().items())),
        *(f"# needs {need}" for need in needs),
    ]
    return "\n".join(lines) + "\n\n"


def _write_lock(lock: Path, heading: str, wheels: Iterable[Path]) -> None:
    lines = []
    for wheel in wheels:
        name, version, _, _ = parse_wheel_filename(wheel.name)
        lines.append(
            f"{name}=={version} \\\n    --hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}\n"
        )
    try:
        lock.write_text(heading + "".join(lines), "utf-8", newline="\n")
    except OSError as error:
        raise CommandProblem(f"Cannot write {lock} ({error.strerror}); give permission") from error
