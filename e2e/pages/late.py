"""Imports as it runs what its source does not name."""

import importlib

from webtools import tool


@tool
def read_ini(text: str) -> list[str]:
    """Name the sections of an INI text."""
    parser = importlib.import_module("configparser").ConfigParser()
    parser.read_string(text)
    return list(parser.sections())
