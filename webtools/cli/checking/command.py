"""What the command does: get the tools, judge them, say it."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from webtools.cli.authored.declared import declared_ignored
from webtools.cli.checking.printed import is_failure, json_of, lines_of
from webtools.cli.checking.rules import check_ignored, dead_ignored, findings, findings_of_page
from webtools.cli.checking.sources import RunApp, checked_apps
from webtools.cli.terminal.problems import CommandProblem, Report

__all__ = ["CANNOT_CHECK", "check_apps"]

CANNOT_CHECK = 2
"""The exit code where there is nothing to judge, as of a command line that is wrong."""


def check_apps(
    source: Path,
    *,
    entry: str | None,
    ignored: Collection[str],
    strict: bool,
    version: str | None,
    run: RunApp,
    report: Report,
    write: Report,
) -> int:
    """Check the apps of a source, and give the exit code: 0, or 1 where something was found.

    Args:
        source: See `checked_apps`.
        entry: See `checked_apps`.
        ignored: See `findings`; what the `pyproject.toml` beside the apps names comes to it.
        strict: Whether advice is as good as a warning.
        version: The library's, for JSON; None: lines for people.
        run: See `checked_apps`.
        report: Told of what is left out, and of what is ignored in vain.
        write: Takes the lines of what was found.

    Raises:
        CommandProblem: It could not be checked; with the exit code `CANNOT_CHECK`.
    """
    try:
        declared = declared_ignored(source if source.is_dir() else source.parent)
        check_ignored(all_ignored := [*ignored, *declared])
        checked = checked_apps(source, entry, run, report)
    except CommandProblem as problem:
        problem.exit_code = CANNOT_CHECK
        raise
    # a project may speak of tools of its other apps, which one app's check does not see
    of_these = all_ignored if source.is_dir() else ignored
    for line in dead_ignored(of_these, [tool for _, tools in checked.apps for tool in tools]):
        report(line)
    found = [each for app, tools in checked.apps for each in findings(app, tools, all_ignored)]
    found += [each for page, apps in checked.pages for each in findings_of_page(page, apps, all_ignored)]
    counts = [(app, len(tools)) for app, tools in checked.apps]
    for line in lines_of(counts, found) if version is None else [json_of(version, counts, found)]:
        write(line)
    return int(is_failure(found, strict=strict))
