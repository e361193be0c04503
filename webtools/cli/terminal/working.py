"""Long work, shown while it goes on: as bars on a terminal, as plain lines anywhere else."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from webtools.cli.terminal.problems import Report, report_to_stderr

_SILENCE = 20.0
"""Seconds; whoever reads lines hears at least so often of parts that are done."""

__all__ = ["Bars", "in_parts", "reporting"]


class Bars:
    """A report that shows each piece of work with a bar, until the next one begins.

    Args:
        progress: Where they are shown; it is started for the first one, and its owner stops it.
    """

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._task: TaskID | None = None

    def __call__(self, line: str) -> None:
        """Begin work of which nobody knows how long it takes; a warning is a line, and no work."""
        if line.startswith("warning:"):
            self._progress.console.print(line, soft_wrap=True, markup=False, highlight=False)
        else:
            self.begin(line, None)

    def begin(self, line: str, parts: int | None) -> Callable[[], None]:
        """Begin work; gives what is called after each part of it, from any thread."""
        self.end()
        self._progress.start()
        task = self._task = self._progress.add_task(line.removesuffix(" …"), total=parts)
        return lambda: self._progress.advance(task)

    def end(self) -> None:
        """What has begun is done."""
        if self._task is not None:
            total = self._progress.tasks[-1].total or 1
            self._progress.update(self._task, total=total, completed=total)
            self._progress.stop_task(self._task)
            self._task = None


class _Lines:
    """Work in parts, told by a line now and then."""

    def __init__(self, report: Report, line: str, parts: int) -> None:
        self._report = report
        self._work = line.partition(" (")[0].removesuffix(" …")
        self._parts = parts
        self._done = 0
        self._lock = Lock()
        self._said_at = time.monotonic()
        report(line)

    def advance(self) -> None:
        with self._lock:
            self._done += 1
            if time.monotonic() - self._said_at >= _SILENCE:
                self._said_at = time.monotonic()
                self._report(f"{self._work}: {self._done} of {self._parts} …")


def in_parts(report: Report, line: str, parts: int) -> Callable[[], None]:
    """Report work that has so many parts; gives what is called after each, from any thread."""
    if isinstance(report, Bars):
        return report.begin(line, parts)
    return _Lines(report, line, parts).advance


@contextmanager
def reporting(console: Console | None = None) -> Iterator[Report]:
    """Give what tells a person of long work while the block runs.

    Args:
        console: Where; default: standard error.
    """
    console = console or Console(stderr=True)
    if not console.is_terminal or console.is_dumb_terminal:
        yield report_to_stderr
        return
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn())
    progress = Progress(*columns, console=console)
    bars = Bars(progress)
    try:
        yield bars
        bars.end()
    finally:
        progress.stop()
