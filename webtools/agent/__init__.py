"""An agent in the page's own Python: it has a model decide which of the page's tools to call."""

from webtools.agent.client import ToolClient
from webtools.agent.conversation import Message, ToolCall, ToolResult
from webtools.agent.loop import RunResult, run
from webtools.agent.model import Model, ModelError
from webtools.agent.openai_model import OpenAIModel
from webtools.calls.facts import Identity
from webtools.calls.signal import CancelSignal

__all__ = [
    "CancelSignal",
    "Identity",
    "Message",
    "Model",
    "ModelError",
    "OpenAIModel",
    "RunResult",
    "ToolCall",
    "ToolClient",
    "ToolResult",
    "run",
]
