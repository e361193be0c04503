"""Long work, shown while it goes on: as bars on a terminal, as plain lines anywhere else."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from time import monotonic

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from webtools.cli.problems import Report, report_to_stderr

__all__ = ["Bars", "in_parts", "reporting"]

_SILENCE_S = 20
"""Seconds of plain lines after which one says how far the work is, so that nobody takes it for stuck."""


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


def in_parts(report: Report, line: str, parts: int) -> Callable[[], None]:
    """Report work that has so many parts; gives what is called after each, from any thread."""
    if isinstance(report, Bars):
        return report.begin(line, parts)
    report(line)
    return _counting(report, line.removesuffix(" …"), parts)


def _counting(report: Report, what: str, parts: int) -> Callable[[], None]:
    """Give what counts the parts, and says now and then how many there are."""
    lock, done, told = Lock(), 0, monotonic()

    def count() -> None:
        nonlocal done, told
        with lock:
            done += 1
            if done < parts and monotonic() - told >= _SILENCE_S:
                told = monotonic()
                report(f"{what}: {done} of {parts}")

    return count


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
