"""What pages tell `webtools serve` of their tools, and how the terminal shows it.

Whatever a page says is untrusted: its app's texts are in it. It is checked, cut, and made plain.
"""

from collections.abc import Callable, Iterator
from typing import Annotated, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request

from webtools.cli.terminal.plain import plain

__all__ = ["Report", "Told", "read_told"]

_MOST_BYTES = 200_000
_MOST_PAGES = 100
_MOST_NAMED = 30

Name = Annotated[str, Field(max_length=1000)]
T = TypeVar("T")


class _Data(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class AppState(_Data):
    """An app, and why it has failed if it has."""

    app: Name
    reason: Name | None = None


class ToolState(_Data):
    """A tool, as `webtools.tools()` has it."""

    name: Name
    state: Name
    reason: Name | None = None


class Difference(_Data):
    """What has become of an app's tools by its newest start."""

    file: Name
    kept: list[Name]
    changed: list[Name]
    added: list[Name]
    gone: list[Name]


class Report(_Data):
    """All that a page tells at one time."""

    what: Literal["start", "change", "problem"]
    page: Name
    revision: Name
    apps: list[AppState]
    tools: list[ToolState]
    differences: list[Difference]


async def read_told(request: Request) -> Report:
    """Read what a page tells.

    Raises:
        ValueError: It is too much, or something else.
    """
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > _MOST_BYTES:
            raise ValueError("a page tells too much")
    return Report.model_validate_json(body)


class Told:
    """Tells each thing once, however many tabs tell it.

    Args:
        tell: Takes one line.
    """

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._headlines: dict[str, str] = {}
        self._problems: dict[str, frozenset[str]] = {}
        self._revision = ""
        self._changes: set[str] = set()

    def take(self, report: Report) -> None:
        """Tell what is new in it."""
        if report.what == "start":
            self._headline(report)
        for each in report.differences:
            self._change(report.revision, changed(each))
        found = list(dict.fromkeys(problems(report)))
        known = frozenset().union(*self._problems.values())
        for line in found:
            if line not in known or report.what == "change":
                self._change(report.revision, line)
        _keep(self._problems, report.page, frozenset(found))

    def _headline(self, report: Report) -> None:
        line = headline(report)
        if self._headlines.get(report.page) != line:
            self._tell(plain(line))
        _keep(self._headlines, report.page, line)

    def _change(self, revision: str, line: str) -> None:
        if revision != self._revision:
            self._revision = revision
            self._changes.clear()
        if line not in self._changes:
            self._changes.add(line)
            self._tell(plain(line))


def _keep(kept: dict[str, T], page: str, value: T) -> None:
    """Keep it as the newest, and not more than a browser has pages."""
    kept.pop(page, None)
    kept[page] = value
    if len(kept) > _MOST_PAGES:
        del kept[next(iter(kept))]


def headline(report: Report) -> str:
    """Name a page's tools; one that is not registered with its state."""
    named = [
        each.name if each.state == "registered" else f"{each.name} ({each.state})" for each in report.tools
    ]
    return f"{report.page}: {_count(len(named), 'tool')}{': ' if named else ''}{_names(named)}"


def changed(difference: Difference) -> str:
    """Say what has become of an app's tools."""
    parts = [f"{_count(len(difference.kept), 'tool')} kept"]
    for word, names in (
        ("changed", difference.changed),
        ("new", difference.added),
        ("gone", difference.gone),
    ):
        if names:
            parts.append(f"{len(names)} {word} ({_names(names)})")
    return f"{difference.file} changed: {', '.join(parts)}"


def problems(report: Report) -> Iterator[str]:
    """What is wrong on a page: apps that did not start, tools that the browser refused."""
    for app in report.apps:
        if app.reason is not None:
            yield f"problem: {app.reason if app.app in app.reason else f'{app.app}: {app.reason}'}"
    for tool in report.tools:
        if tool.state == "failed":
            yield f"problem: {tool.name} is not registered: {tool.reason}"


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number or 'no'} {word}s"


def _names(names: list[str]) -> str:
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return f"{', '.join(names[:_MOST_NAMED])}{more}"
