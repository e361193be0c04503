"""Where what pages get comes from, as a port: a checkout makes it, an installed wheel has it."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from filelock import FileLock

from webtools.cli.terminal.problems import CommandProblem, Report

__all__ = ["ENGINE", "Kit", "Source", "writing_to"]

ENGINE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
"""Pyodide's own files, which a page fetches by these names."""


@dataclass(frozen=True)
class Kit:
    """What a page's Python is made of.

    Attributes:
        engine: The folder with the files of `ENGINE`.
        stdlib: A zip of the whole standard library, its modules compiled or not.
        wheels: What every page has installed; a pack of compiled wheels is as good as they are.
        modules: The folder of the page's modules, one by one: Node needs some of them.
        info: What Pyodide's own lock says of its build: `{"python": "3.14.2", …}`.
    """

    engine: Path
    stdlib: Path
    wheels: Sequence[Path]
    modules: Path
    info: Mapping[str, str]


class Source(Protocol):
    """Gives folders and files that nobody may write to, but for the cache.

    What gives them raises a CommandProblem where something is missing and cannot be fetched or made.
    """

    @property
    def cache(self) -> Path:
        """A folder for what is made, which need not be there yet."""

    @property
    def modules(self) -> Path:
        """The folder of the page's modules, one by one."""

    @property
    def runtime(self) -> Path | None:
        """The runtime of a page whose apps need no packages, where it need not be assembled."""

    @property
    def examples(self) -> Mapping[str, Path]:
        """The folders of the examples, by their names."""

    def info(self, report: Report) -> dict[str, str]:
        """What Pyodide's own lock says of its build; whoever calls holds the cache's lock."""

    def kit(self, report: Report) -> Kit:
        """Give what a runtime is assembled from; whoever calls holds the cache's lock."""

    def library(self, report: Report) -> Path:
        """Give the folder of the page's modules, put together to a few files."""

    def micropip(self, report: Report) -> Path:
        """Give micropip's wheel, which a page with `data-packages` fetches."""


@contextmanager
def writing_to(cache: Path, lock: str = "lock") -> Iterator[None]:
    """Keep others waiting that want the same lock, and tell of a folder that cannot be written to."""
    try:
        cache.mkdir(parents=True, exist_ok=True)
        with FileLock(cache / lock):
            yield
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise CommandProblem(
            f"Cannot write to {cache} ({reason}); make room or give permission, or run: rm -r {cache}"
        ) from error
