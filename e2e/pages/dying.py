"""A tool that is Python's end."""

import os

from webtools import tool


@tool
def die() -> None:
    """End Python, as running out of memory would."""
    os._exit(1)
