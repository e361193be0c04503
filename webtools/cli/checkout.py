"""The source checkout, and the folder `build/` in it, where all that is made of it lies."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock

from webtools.cli.problems import CommandProblem

__all__ = ["CHECKOUT", "writing_to"]

CHECKOUT = Path(__file__).resolve().parents[2]
"""The source checkout that this module was imported from."""


@contextmanager
def writing_to(build: Path, lock: str) -> Iterator[None]:
    """Keep others waiting that want the same lock, and tell of a folder that cannot be written to."""
    try:
        build.mkdir(exist_ok=True)
        with FileLock(build / lock):
            yield
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise CommandProblem(
            f"Cannot write to {build} ({reason}); make room or give permission, or run: rm -r {build}"
        ) from error
