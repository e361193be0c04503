"""`webtools bridge` with real pages: the SDK's client, the command as a process of its own, Chromium."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import anyio
import pytest
from playwright.sync_api import Playwright

from e2e.agents import Mode
from e2e.bridges import COMMAND, PATIENCE_S, Bridge, over_http, over_stdio, speaking, until
from e2e.chromium import ARGS, ensure
from e2e.places import CHECKOUT
from webtools.cli.programs.chromium import VARIABLE

SECRET = "s3cret"


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("bridge") / "log"


@pytest.fixture(scope="module")
def bridge(pages: str, mode: Mode, log: Path) -> Iterator[Bridge]:
    """A bridge to `e2e/pages/bridge.html`; one for all tests of a mode, which leave it as it is."""
    url = f"{pages}bridge.html?key={SECRET}{'&polyfill' if mode == 'polyfill' else ''}"
    with over_stdio(url, "--headless", log=log) as bridge:
        yield bridge


def test_tools_are_listed_as_the_page_has_them(bridge: Bridge) -> None:
    echo = bridge.tools()["echo"]
    assert (echo.title, echo.description) == ("Echo", "What echo does.")
    assert echo.input_schema == {"type": "object", "properties": {"text": {"type": "string"}}}
    assert echo.annotations
    assert echo.annotations.read_only_hint is True


def test_an_answer_has_its_text_and_its_data(bridge: Bridge) -> None:
    result = bridge.call("echo", text="grüß dich")
    assert result.structured_content == {"said": "grüß dich"}
    assert bridge.said("echo", text="grüß dich") == '{"said":"grüß dich"}'


def test_an_error_is_the_pages_own(bridge: Bridge) -> None:
    error = bridge.error("fail")
    assert (error["code"], error["message"]) == ("NO_SUCH_THING", "There is no such thing.")


def test_a_call_reports_its_progress_and_is_given_up_in_the_page(bridge: Bridge) -> None:
    heard: list[tuple[float, float | None, str | None]] = []

    async def call() -> None:
        with anyio.CancelScope() as scope:

            async def hear(progress: float, total: float | None, message: str | None) -> None:
                heard.append((progress, total, message))
                if len(heard) == 2:
                    scope.cancel()

            await bridge.client.call_tool("work", progress_callback=hear)

    bridge.portal.call(call)
    assert heard == [(1, 2, "half"), (2, 2, "all")]
    until(lambda: bridge.said("title") == "given up")


def test_a_tool_that_comes_is_told_and_listed_before_the_call_that_made_it_is_answered(
    bridge: Bridge,
) -> None:
    bridge.told.clear()
    assert bridge.said("open_drawer") == "opened"
    assert "close_drawer" in bridge.tools()
    assert bridge.said("close_drawer") == "closed"
    until(lambda: "notifications/tools/list_changed" in bridge.told)


def test_nobody_confirms_in_a_browser_that_has_no_window(bridge: Bridge) -> None:
    error = bridge.error("ask")
    assert (error["code"], error["details"]) == ("CONFIRMATION_UNAVAILABLE", {"reason": "headless"})


def test_a_call_that_loads_another_page_is_answered_and_that_ones_tools_are_there(
    bridge: Bridge, mode: Mode
) -> None:
    error = bridge.error("go", to=f"/bridge.html?key={SECRET}&{mode}")
    assert (error["code"], error["effect"]) == ("CANCELLED", "unknown")
    assert bridge.said("title") == "A page behind the bridge"
    assert "close_drawer" not in bridge.tools()


def test_no_secret_is_in_the_log(bridge: Bridge, pages: str, log: Path) -> None:
    bridge.call("echo", text=SECRET)
    bridge.error("no such tool", text=SECRET)
    said = log.read_text("utf-8")
    assert f"webtools bridge: opening {pages}bridge.html\n" in said
    assert SECRET not in said


def test_a_newer_client_speaks_by_http_and_no_page_of_another_origin_does(pages: str) -> None:
    def status(**headers: str) -> int:
        try:
            urlopen(Request(url, b"{}", {"Content-Type": "application/json", **headers}))
        except HTTPError as error:
            return error.code
        raise AssertionError("it was taken")

    with over_http(f"{pages}bridge.html", "--headless") as url:
        with speaking(url, "auto") as bridge:
            assert bridge.client.protocol_version >= "2026"
            until(lambda: "echo" in bridge.tools())
            assert bridge.said("echo", text="hi") == '{"said":"hi"}'
        assert status(Origin="https://evil.test") == 403
        assert status(Origin="http://localhost:1") == 403
        assert status(Host="evil.test") == 421


def test_the_example_of_the_docs_runs(pages: str, tmp_path: Path) -> None:
    text = (CHECKOUT / "docs" / "bridge.md").read_text("utf-8")
    (example,) = re.findall(r"```python fragment\n(.*?)```", text, re.DOTALL)
    installed = tmp_path / "webtools"
    chromium = f"{VARIABLE}={os.environ[VARIABLE]}"  # the SDK gives its servers little of the environment
    installed.write_text(f'#!/bin/sh\n{chromium} exec {" ".join(COMMAND[:-1])} "$@"\n')
    installed.chmod(0o755)
    script = tmp_path / "example.py"
    script.write_text(example.replace("http://127.0.0.1:8000/", f"{pages}hello.html"), "utf-8")
    env = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    said = subprocess.run([sys.executable, script], env=env, check=True, text=True, stdout=subprocess.PIPE)
    assert said.stdout == "greet - Greet somebody.\nHello, Ada!\n"


def test_standard_output_is_the_protocols_alone_and_a_signal_ends_the_bridge(pages: str) -> None:
    process = subprocess.Popen(
        [*COMMAND, f"{pages}bridge.html", "--headless"],
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdin
    assert process.stdout
    client = {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "a", "version": "1"},
    }
    request = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": client}
    process.stdin.write(json.dumps(request) + "\n")
    process.stdin.flush()
    answer = json.loads(process.stdout.readline())
    assert answer["result"]["serverInfo"]["name"] == "webtools-bridge"
    process.terminate()
    assert process.wait(PATIENCE_S) == 128 + signal.SIGTERM
    rest, _ = process.communicate()
    assert rest == ""


@pytest.fixture
def port() -> int:
    """One that was free a moment ago."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def test_a_tab_of_a_running_browser_is_taken_as_it_is_and_opened_again_after_a_crash(
    playwright: Playwright, pages: str, port: int, tmp_path: Path
) -> None:
    person = playwright.chromium.launch_persistent_context(
        tmp_path / "profile", executable_path=ensure(), args=[*ARGS, f"--remote-debugging-port={port}"]
    )
    url = f"{pages}bridge.html?polyfill"
    (tab,) = person.pages
    tab.goto(url)
    tab.evaluate("document.title = 'mine'")
    with over_stdio(url, "--cdp", f"http://127.0.0.1:{port}", log=tmp_path / "log") as bridge:
        until(lambda: "title" in bridge.tools())
        assert bridge.said("title") == "mine"
        tab.goto(url.replace("127.0.0.1", "localhost"))
        until(lambda: "title" not in bridge.tools())
        assert bridge.error("title")["code"] == "NOT_ALLOWED"
        tab.goto(url)
        until(lambda: "title" in bridge.tools())
        with pytest.raises(Exception, match="chrome://crash"):
            tab.goto("chrome://crash")
        until(lambda: bridge.text("title") == "A page behind the bridge")
    assert tab in person.pages
    person.close()
