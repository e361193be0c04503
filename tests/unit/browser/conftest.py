from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest


@pytest.fixture
def forgotten_apps() -> Iterator[None]:
    """No app outlives its test."""
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        del sys.modules[name]
