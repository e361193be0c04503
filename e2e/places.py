"""Where the tests themselves lie: the webtools that they import may be an installed one."""

from pathlib import Path

__all__ = ["CHECKOUT"]

CHECKOUT = Path(__file__).resolve().parents[1]
"""The source checkout that the tests belong to."""
