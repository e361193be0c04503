"""What pages load, compressed before they ask for it, and kept so in the source's cache."""

from collections.abc import Collection
from pathlib import Path

from webtools.cli.files.compressing import Compressor, Variants
from webtools.cli.files.folder import INDEX
from webtools.cli.sources.installation import SOURCE
from webtools.cli.sources.source import Source, writing_to
from webtools.cli.terminal.problems import Report, report_to_stderr

__all__ = ["compress_ahead", "compress_files"]


def compress_ahead(
    runtime: Path, library: Path, cache: Path, *, report: Report = report_to_stderr
) -> dict[Path, Variants]:
    """Compress what every page loads, quickly and once.

    Args:
        runtime: What `ensure_runtime` gave.
        library: What `ensure_library` gave.
        cache: Where what comes of it is kept.
        report: Told before something slow.
    """
    of_runtime = (path for path in runtime.rglob("*") if path.is_file() and path.name != INDEX)
    files = sorted(path.resolve() for path in (*of_runtime, *library.iterdir()))
    return _compress(files, cache, "compressed", False, report)


def compress_files(
    files: Collection[Path], *, source: Source = SOURCE, report: Report = report_to_stderr
) -> dict[Path, Variants]:
    """Compress files as well as can be, and keep what comes of it in the source's cache."""
    return _compress(files, source.cache, "compressed-best", True, report)


def _compress(
    files: Collection[Path], cache: Path, name: str, best: bool, report: Report
) -> dict[Path, Variants]:
    with writing_to(cache, f"{name}.lock"):
        compressor = Compressor(cache / name, report, best=best)
        found = compressor.variants(files)
        compressor.close()
        return found
