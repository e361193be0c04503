"""Where the tools that are checked come from: an app, the apps that a folder's pages name, or a manifest."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from webtools.cli.authored.apps import App, apps_of_pages
from webtools.cli.checking.subjects import CheckedTool
from webtools.cli.terminal.problems import CommandProblem, Report

__all__ = ["Checked", "RunApp", "checked_apps", "checked_tools"]

RunApp = Callable[[Path, str | None], Iterable[Mapping[str, Any]]]
"""Gives for an app, and the entry of an archive, what `webtools.cli.manifest.tools_of_app` does."""

_MANIFEST = ".json"


@dataclass(frozen=True)
class Checked:
    """What a source has.

    Attributes:
        apps: By the names of their files, with the tools of each.
        pages: Those that have several apps, by the names of their files, with the tools of each app.
    """

    apps: list[tuple[str, list[CheckedTool]]]
    pages: list[tuple[str, list[list[CheckedTool]]]] = field(default_factory=list)


def checked_apps(source: Path, entry: str | None, run: RunApp, report: Report) -> Checked:
    """Get the tools, of each app once.

    Args:
        source: An app's file, a manifest, or a folder with pages.
        entry: The module of an archive that has the tools.
        run: Called for what is no manifest.
        report: Told of what is left out.

    Raises:
        CommandProblem: There is no app, or one cannot be run or read.
    """
    if not source.is_dir():
        return Checked([(source.as_posix(), _tools(source, entry, run))])
    if entry is not None:
        raise CommandProblem(
            f"--entry is for an archive, a .zip or .whl, which {source} is not; leave it out"
        )
    pages = apps_of_pages(source, report)
    if not pages:
        raise CommandProblem(
            f'No page in {source} names an app, as <script data-app="/shop.py"> does; name the app\'s file'
        )
    tools: dict[App, list[CheckedTool]] = {}
    for app in (each for apps in pages.values() for each in apps):
        if app not in tools:
            tools[app] = _tools(*app, run)
    return Checked(
        [(file.as_posix(), found) for (file, _), found in tools.items()],
        [(page.as_posix(), [tools[app] for app in apps]) for page, apps in pages.items() if len(apps) > 1],
    )


def checked_tools(entries: Iterable[Mapping[str, Any]]) -> list[CheckedTool]:
    """Read what `webtools.browser.manifest.checkable` gives, or what a manifest has."""
    return [_checked(each, json.loads(each["definition"])) for each in entries]


def _tools(source: Path, entry: str | None, run: RunApp) -> list[CheckedTool]:
    if source.suffix.lower() != _MANIFEST:
        return checked_tools(run(source, entry))
    try:
        return checked_tools(json.loads(source.read_bytes())["tools"])
    except OSError as error:
        raise CommandProblem(f"Cannot read {source} ({error.strerror}); is the path right?") from error
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise CommandProblem(
            f"{source} is no manifest of tools; write one: webtools manifest APP -o {source}"
        ) from error


def _checked(entry: Mapping[str, Any], wire: Mapping[str, Any]) -> CheckedTool:
    return CheckedTool(
        name=str(wire["name"]),
        description=_typed(wire, "description", str),
        schema=_typed(wire, "inputSchema", dict),
        annotations=_typed(wire, "annotations", dict),
        asks_person=bool(entry.get("asks") or wire.get("confirm")),
        is_always_there=not entry.get("held") and not entry.get("match"),
        file=entry.get("file"),
        line=entry.get("line"),
    )


def _typed(wire: Mapping[str, Any], key: str, kind: type[Any]) -> Any:
    """What it says, and nothing where that is of another type: somebody may have written it by hand."""
    value = wire.get(key)
    return value if isinstance(value, kind) else kind()
