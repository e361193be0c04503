"""What ``@tool(owner=...)`` takes."""

from __future__ import annotations

from typing import Literal

Others = Literal["refused", "read-only"]
"""What becomes of the tools in a tab that does not own: they stay and refuse, or they are not offered."""


class Owner:
    """Base of `webtools.Ownership`, so that a tool's declaration can be checked without a page.

    Attributes:
        name: What is owned.
        others: What becomes of its tools in the other tabs.
    """

    name: str
    others: Others
