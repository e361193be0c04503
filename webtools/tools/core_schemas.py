"""Rewrites pydantic's core schemas, where a rule of ours has no option in pydantic."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

CoreNode = dict[str, Any]

OPAQUE = ("metadata", "default", "expected")
"""Keys whose values belong to an author or to pydantic, whatever they look like."""

NAMED = ("fields", "choices")
"""Keys whose values may be schemas by name, and any name may occur there."""


def rewritten(node: Any, change: Callable[[CoreNode], CoreNode]) -> Any:
    """Return a copy in which every node went through `change`, the innermost first."""
    if isinstance(node, list | tuple):
        return type(node)(rewritten(each, change) for each in node)
    if not isinstance(node, dict):
        return node
    return change(
        {key: value if key in OPAQUE else _below(key, value, change) for key, value in node.items()}
    )


def _below(key: str, value: Any, change: Callable[[CoreNode], CoreNode]) -> Any:
    if key in NAMED and isinstance(value, dict):
        return {name: rewritten(sub, change) for name, sub in value.items()}
    return rewritten(value, change)
