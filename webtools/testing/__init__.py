"""Public fakes: test tools and what is built on them without a browser."""

from webtools.calls.facts import Identity
from webtools.testing.artifacts import MemoryArtifacts
from webtools.testing.calls import tool_call
from webtools.testing.clock import FakeClock
from webtools.testing.driven import DrivenPage, driven_page
from webtools.testing.expecting import ToolExpectation, assert_kept, assert_no_call_lost, expect_tool
from webtools.testing.host import FakeCall, FakeHost, fake_host
from webtools.testing.model_context import FakeDOMException, FakeExecution, FakeModelContext, FakeSignal
from webtools.testing.page import fake_page
from webtools.testing.profiles import PROFILES, Profile
from webtools.testing.scripted import ScriptedModel
from webtools.testing.tool_page import BegunCall, ToolPage

__all__ = [
    "PROFILES",
    "BegunCall",
    "DrivenPage",
    "FakeCall",
    "FakeClock",
    "FakeDOMException",
    "FakeExecution",
    "FakeHost",
    "FakeModelContext",
    "FakeSignal",
    "Identity",
    "MemoryArtifacts",
    "Profile",
    "ScriptedModel",
    "ToolExpectation",
    "ToolPage",
    "assert_kept",
    "assert_no_call_lost",
    "driven_page",
    "expect_tool",
    "fake_host",
    "fake_page",
    "tool_call",
]
