"""Imports what a page does not load at its start."""

import tomllib

from webtools import tool


@tool
def read_toml(text: str) -> list[str]:
    """Name the keys of a TOML text."""
    return list(tomllib.loads(text))
