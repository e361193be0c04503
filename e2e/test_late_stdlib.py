"""Modules of the standard library that a page fetches only for an app that imports them."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route

from e2e.agents import Agent, Mode, error_of
from e2e.conftest import Watched, one_mode

WHOLE = "**/python_stdlib_whole-*.zip"
START = "(app) => webtools.start({app}).then(() => 'ready', (error) => error.message)"


class Server:
    """Has the whole standard library, or has lost it."""

    def __init__(self, page: Page) -> None:
        self.asked = 0
        self.has_it = True
        self.gives_pages = False
        page.route(WHOLE, self._answer)

    def _answer(self, route: Route) -> None:
        self.asked += 1
        if self.gives_pages:
            route.fulfill(body="<!doctype html>", content_type="text/html")
        elif self.has_it:
            route.continue_()
        else:
            route.fulfill(status=404, body="Not Found")


@one_mode
@pytest.mark.parametrize("first", ["an import statement", "a call"])
def test_late_modules_are_fetched_once_and_only_when_they_are_imported(
    watched: Watched, pages: str, mode: Mode, first: str
) -> None:
    page, agent = watched.page, Agent(watched.page, mode)
    server = Server(page)
    page.goto(f"{pages}hello.html")
    assert watched.ready() == "ready"
    assert page.evaluate(START, "/late.py") == "ready"
    assert server.asked == 0
    assert watched.problems == []

    server.has_it = False
    assert error_of(agent.call("read_ini", {"text": "[a]"}))["code"] == "TOOL_HANDLER_ERROR"
    said = page.evaluate(START, "/late_toml.py")
    assert re.search(r"python_stdlib_whole-\w+\.zip could not be loaded \(HTTP 404\)", said)
    assert any(
        "HTTP 404" in problem and "configparser is in a part" in problem for problem in watched.problems
    )

    server.gives_pages = True
    assert error_of(agent.call("read_ini", {"text": "[a]"}))["code"] == "TOOL_HANDLER_ERROR"
    another = "not the file that the runtime's index tells of"
    assert another in page.evaluate(START, "/late_toml.py")
    assert any("configparser is in a part" in problem and another in problem for problem in watched.problems)

    server.gives_pages, server.has_it, server.asked = False, True, 0
    if first == "a call":
        assert agent.call("read_ini", {"text": "[a]"})["structuredContent"] == {"result": ["a"]}
    assert page.evaluate(START, "/late_toml.py") == "ready"
    assert agent.call("read_toml", {"text": "b = 1"})["structuredContent"] == {"result": ["b"]}
    assert agent.call("read_ini", {"text": "[a]"})["structuredContent"] == {"result": ["a"]}
    assert server.asked == 1
    watched.late.clear()
