"""Public fakes: test tools and what is built on them without a browser."""

from webtools.calls.facts import Identity
from webtools.testing.artifacts import MemoryArtifacts
from webtools.testing.calls import tool_call
from webtools.testing.clock import FakeClock
from webtools.testing.model_context import FakeDOMException, FakeExecution, FakeModelContext, FakeSignal
from webtools.testing.page import fake_page

__all__ = [
    "FakeClock",
    "FakeDOMException",
    "FakeExecution",
    "FakeModelContext",
    "FakeSignal",
    "Identity",
    "MemoryArtifacts",
    "fake_page",
    "tool_call",
]
