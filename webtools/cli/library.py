"""What a page gets as `/webtools/*.js`."""

from pathlib import Path

from webtools.cli.installation import SOURCE
from webtools.cli.problems import Report, report_to_stderr
from webtools.cli.source import Source

__all__ = ["ensure_library"]


def ensure_library(source: Source = SOURCE, *, report: Report = report_to_stderr) -> Path:
    """Give the folder of the page's modules, put together to a few files, as they are now.

    Raises:
        CommandProblem: They are missing and cannot be made.
    """
    return source.library(report)
