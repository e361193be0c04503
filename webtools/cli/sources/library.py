"""What a page gets beside the runtime: webtools' own modules, and micropip."""

from pathlib import Path

from webtools.cli.sources.installation import SOURCE
from webtools.cli.sources.source import Source
from webtools.cli.terminal.problems import Report, report_to_stderr

__all__ = ["ensure_library", "ensure_micropip"]


def ensure_library(source: Source = SOURCE, *, report: Report = report_to_stderr) -> Path:
    """Give the folder of what is `/webtools/*.js`, put together to a few files, as they are now.

    Raises:
        CommandProblem: They are missing and cannot be made.
    """
    return source.library(report)


def ensure_micropip(source: Source, report: Report) -> Path:
    """Give micropip's wheel, which a page with `data-packages` fetches.

    Raises:
        CommandProblem: It is missing and cannot be fetched.
    """
    return source.micropip(report)
