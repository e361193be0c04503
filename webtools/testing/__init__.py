"""Public fakes: test tools and what is built on them without a browser."""

from webtools.calls.facts import Identity
from webtools.testing.artifacts import MemoryArtifacts
from webtools.testing.calls import tool_call
from webtools.testing.clock import FakeClock
from webtools.testing.driven import DrivenPage, driven_page
from webtools.testing.model_context import FakeDOMException, FakeExecution, FakeModelContext, FakeSignal
from webtools.testing.page import fake_page
from webtools.testing.profiles import PROFILES, Profile
from webtools.testing.scripted import ScriptedModel

__all__ = [
    "PROFILES",
    "DrivenPage",
    "FakeClock",
    "FakeDOMException",
    "FakeExecution",
    "FakeModelContext",
    "FakeSignal",
    "Identity",
    "MemoryArtifacts",
    "Profile",
    "ScriptedModel",
    "driven_page",
    "fake_page",
    "tool_call",
]
