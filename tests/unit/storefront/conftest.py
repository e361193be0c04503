from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType

import pytest

from tests.unit.storefront.shops import opened_app


@pytest.fixture(scope="package")
def app() -> Iterator[ModuleType]:
    with opened_app() as module:
        yield module
