"""Profiles of hypothesis, `--hypothesis-profile=…`, and what keeps tests from asking other machines.

The default takes a few seconds, `nightly` minutes, and `fuzz` is what `nox -s fuzz` runs.
"""

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from tests import loopback

# A busy machine is no fault of what is tested: without a deadline nothing depends on speed.
settings.register_profile("normal", deadline=None)
settings.load_profile("normal")
settings.register_profile(
    "nightly",
    deadline=None,
    max_examples=5000,
    stateful_step_count=50,
    suppress_health_check=list(HealthCheck),  # many steps are slow, and that is what it is for
)
settings.register_profile(
    "fuzz",
    deadline=None,
    max_examples=int(os.environ.get("WEBTOOLS_FUZZ", "8000")),  # for each test
    print_blob=True,
    suppress_health_check=list(HealthCheck),
)

loopback.keep()


@pytest.fixture(autouse=True)
def _asks_no_other_machine() -> Iterator[None]:
    """Fail also where what was tested has caught the refusal."""
    yield
    asked = loopback.asked[:]
    loopback.asked.clear()
    assert asked == []
