"""Tools for AI agents, written in Python that runs in the page."""

from webtools._exceptions import ToolDefinitionError, ToolError
from webtools.calls.context import ResourceChanged, ResourceDisposed, StaleToolCall, ToolContext
from webtools.calls.ownership import Ownership
from webtools.calls.page import page
from webtools.calls.sessions import SessionRouter
from webtools.lifecycle.hold import Hold
from webtools.lifecycle.registry import ToolRegistry, registry
from webtools.stores.teardown import end_run, end_session
from webtools.tools.form_tool import FormTool, form_tool
from webtools.tools.need import Need
from webtools.tools.tool import Tool, tool

__all__ = [
    "FormTool",
    "Hold",
    "Need",
    "Ownership",
    "ResourceChanged",
    "ResourceDisposed",
    "SessionRouter",
    "StaleToolCall",
    "Tool",
    "ToolContext",
    "ToolDefinitionError",
    "ToolError",
    "ToolRegistry",
    "end_run",
    "end_session",
    "form_tool",
    "page",
    "registry",
    "tool",
]
