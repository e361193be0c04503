"""Tools for AI agents, written in Python that runs in the page."""

from webtools._exceptions import ToolDefinitionError, ToolError
from webtools.calls.page import page
from webtools.tools.tool import Tool, tool

__all__ = ["Tool", "ToolDefinitionError", "ToolError", "page", "tool"]
