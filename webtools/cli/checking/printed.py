"""What was found, in lines for people and as JSON for CI."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import get_args

from webtools.cli.checking.subjects import Finding, Severity

__all__ = ["is_failure", "json_of", "lines_of"]

_HEADINGS: Mapping[Severity, str] = {"error": "Errors:", "warning": "Warnings:", "advice": "Advice:"}


def is_failure(found: Collection[Finding], *, strict: bool) -> bool:
    """Whether it is more than advice, or with `strict` anything at all."""
    return any(strict or each.rule.severity != "advice" for each in found)


def lines_of(counts: Sequence[tuple[str, int]], found: Sequence[Finding]) -> Iterator[str]:
    """Say it in lines, the worst first; the last one sums up.

    Args:
        counts: The apps, and how many tools each has.
        found: What was found.
    """
    for severity, heading in _HEADINGS.items():
        group = [each for each in found if each.rule.severity == severity]
        if group:
            yield heading
            yield from (_line(each) for each in group)
            yield ""
    yield _summary(counts, found)


def json_of(version: str, counts: Sequence[tuple[str, int]], found: Sequence[Finding]) -> str:
    """Give the document that docs/check.md describes."""
    wire = {
        "webtools": version,
        "apps": [{"app": app, "tools": tools} for app, tools in counts],
        "findings": [_wire(each) for each in found],
        "summary": {severity: _count(found, severity) for severity in get_args(Severity)},
    }
    return json.dumps(wire, indent=1)


def _line(finding: Finding) -> str:
    file, line = _place(finding)
    where = f"{file}:{line}" if line else file
    return ": ".join([where, *_subject(finding), finding.rule.id, finding.hit.message])


def _subject(finding: Finding) -> list[str]:
    tool, parameter = finding.hit.tool, finding.hit.parameter
    if tool is None:
        return []
    return [tool.name if parameter is None else f"{tool.name}.{parameter}"]


def _place(finding: Finding) -> tuple[str, int | None]:
    tool = finding.hit.tool
    return (tool.file, tool.line) if tool and tool.file else (finding.app, None)


def _wire(finding: Finding) -> dict[str, object]:
    file, line = _place(finding)
    return {
        "rule": finding.rule.id,
        "severity": finding.rule.severity,
        "app": finding.app,
        "tool": finding.hit.tool.name if finding.hit.tool else None,
        "parameter": finding.hit.parameter,
        "file": file,
        "line": line,
        "message": finding.hit.message,
    }


def _summary(counts: Sequence[tuple[str, int]], found: Sequence[Finding]) -> str:
    total = sum(tools for _, tools in counts)
    checked = f"Checked {_counted(total, 'tool')} of {', '.join(app for app, _ in counts)}"
    if not found:
        return f"{checked}: nothing found."
    said = [_counted(_count(found, "error"), "error"), _counted(_count(found, "warning"), "warning")]
    return f"{checked}: {', '.join(said)}, {_counted(_count(found, 'advice'), 'piece')} of advice."


def _count(found: Sequence[Finding], severity: str) -> int:
    return sum(each.rule.severity == severity for each in found)


def _counted(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"
