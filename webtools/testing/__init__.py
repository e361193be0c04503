"""Public fakes: test tools and what is built on them without a browser."""

from webtools.calls.facts import Identity
from webtools.testing.artifacts import MemoryArtifacts
from webtools.testing.calls import tool_call
from webtools.testing.clock import FakeClock
from webtools.testing.model_context import FakeDOMException, FakeExecution, FakeModelContext, FakeSignal
from webtools.testing.page import fake_page
from webtools.testing.profiles import PROFILES, Profile

__all__ = [
    "PROFILES",
    "FakeClock",
    "FakeDOMException",
    "FakeExecution",
    "FakeModelContext",
    "FakeSignal",
    "Identity",
    "MemoryArtifacts",
    "Profile",
    "fake_page",
    "tool_call",
]
