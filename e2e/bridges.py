"""`webtools bridge` as an MCP client runs it, and the SDK's own client in front of it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.types import CallToolResult, Tool

COMMAND = [sys.executable, "-P", "-m", "webtools", "bridge"]
PATIENCE_S = 30.0


class Bridge:
    """A client of a bridge, for tests that do not await.

    Attributes:
        told: The methods of the notifications that have come.
    """

    def __init__(self, portal: BlockingPortal, client: Client, told: list[str]) -> None:
        self.portal = portal
        self.client = client
        self.told = told

    def tools(self) -> dict[str, Tool]:
        return {tool.name: tool for tool in self.portal.call(self.client.list_tools).tools}

    def call(self, name: str, **arguments: Any) -> CallToolResult:
        result: CallToolResult = self.portal.call(self.client.call_tool, name, arguments)
        return result

    def text(self, name: str, **arguments: Any) -> str:
        """The text of an answer, which may be an error."""
        return text_of(self.call(name, **arguments))

    def said(self, name: str, **arguments: Any) -> str:
        """The text of an answer that is no error."""
        result = self.call(name, **arguments)
        assert not result.is_error, result
        return text_of(result)

    def error(self, name: str, **arguments: Any) -> dict[str, Any]:
        result = self.call(name, **arguments)
        assert result.is_error, result
        error: dict[str, Any] = result.structured_content["error"]
        return error


def text_of(result: CallToolResult) -> str:
    (part,) = result.content
    assert part.type == "text"
    return part.text


def until(is_so: Callable[[], bool]) -> None:
    """Wait until it is so; each look is a question to the bridge."""
    end = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < end, "it never came to be"


@contextmanager
def speaking(server: Any, mode: Literal["auto", "legacy"]) -> Iterator[Bridge]:
    """Have a client speak to a server while the block runs."""
    told: list[str] = []

    async def hear(message: Any) -> None:
        told.append(message.method)

    with start_blocking_portal() as portal:
        client = Client(server, mode=mode, message_handler=hear, cache=None, read_timeout_seconds=PATIENCE_S)
        with portal.wrap_async_context_manager(client):
            yield Bridge(portal, client, told)


@contextmanager
def over_stdio(*arguments: str, log: Path, mode: Literal["auto", "legacy"] = "legacy") -> Iterator[Bridge]:
    """Start a bridge as a client's configuration says, its standard error in a file."""
    everything = dict(os.environ)  # the SDK would give little of it
    command = StdioServerParameters(command=COMMAND[0], args=[*COMMAND[1:], *arguments], env=everything)
    with (
        log.open("w", encoding="utf-8") as file,
        speaking(stdio_client(command, errlog=file), mode) as bridge,
    ):
        yield bridge


@contextmanager
def over_http(*arguments: str) -> Iterator[str]:
    """Start a bridge on a free port; gives the URL that it says."""
    process = subprocess.Popen([*COMMAND, *arguments, "--http", "0"], text=True, stderr=subprocess.PIPE)
    assert process.stderr
    try:
        yield next(found[1] for line in process.stderr if (found := re.search(r"serving MCP at (\S+)", line)))
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 128 + signal.SIGTERM
