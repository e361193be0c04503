"""Tools to check, and what is found in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from webtools.cli.checking.rules import findings, findings_of_page
from webtools.cli.checking.subjects import CheckedTool

TEXT = "Find products by words of their name."


def checked(
    name: str = "find_products",
    description: str = TEXT,
    *,
    properties: Mapping[str, Any] | None = None,
    hints: tuple[str, ...] = (),
    **more: Any,
) -> CheckedTool:
    """Give a tool in which nothing is found, but for what is said."""
    return CheckedTool(
        name,
        description,
        {"type": "object", "properties": properties or {}},
        dict.fromkeys(hints, True),
        **more,
    )


def found(*tools: CheckedTool, ignored: tuple[str, ...] = ()) -> list[str]:
    """Give the rules that tools break, with the tool's parameter where it is about one."""
    hits = findings("shop.py", tools, ignored)
    return [f"{each.rule.id} {each.hit.parameter}" if each.hit.parameter else each.rule.id for each in hits]


def found_of_page(*apps: Sequence[CheckedTool], ignored: tuple[str, ...] = ()) -> list[str]:
    """Give the rules that a page's apps break together, with the tool where it is about one."""
    hits = findings_of_page("index.html", apps, ignored)
    return [f"{each.rule.id} {each.hit.tool.name}" if each.hit.tool else each.rule.id for each in hits]
