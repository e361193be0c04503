"""A tool leaves the page by a full page load: its answer gets out first, and so does every other one."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page

from e2e.agents import Agent, Host, Mode, error_of, mode_of, text_of, wait_for
from e2e.conftest import Watched

NEXT = "**/holds.html*"


@pytest.fixture(scope="module")
def tab(browsers: Callable[[Mode], Browser], host: Host) -> Iterator[Watched]:
    context = browsers(mode_of(host)).new_context()
    watched = Watched(context.new_page())
    yield watched
    context.close()
    assert watched.foreign == []
    assert watched.uncaught == []
    assert watched.problems == []


@pytest.fixture
def page(tab: Watched, host: Host, pages: str) -> Page:
    """The page that is to be left; one that has stayed is as good as new."""
    if "after.html" not in tab.page.url:
        tab.page.goto(f"{pages}after.html{'?cancels' if host == 'cancelling' else ''}")
        assert tab.ready() == "ready"
    return tab.page


def test_a_page_whose_tool_failed_stays(page: Page, host: Host) -> None:
    agent = Agent(page, mode_of(host))
    assert error_of(agent.call("leave", {"fails": True}))["code"] == "STAYS"
    page.evaluate("webtools.settled({quietMs: 800})")
    assert "after.html" in page.url


def test_the_agent_has_the_answer_and_then_the_next_pages_tools(page: Page, host: Host) -> None:
    agent = Agent(page, mode_of(host))
    assert text_of(agent.call("leave")) == "The panel's page comes next; its tools begin with show."
    assert "after.html" in page.url
    page.wait_for_url(NEXT)
    page.evaluate("webtools.ready")
    wait_for(agent, "show", listed=True)
    assert page.evaluate("webtools.interrupted") == []
    agent.call("show", {"what": "panel"})
    assert text_of(agent.call("panel")) == "read: done"


def test_another_calls_answer_gets_out_before_the_page_is_left(page: Page, host: Host) -> None:
    agent = Agent(page, mode_of(host))
    page.evaluate("callAndKeep('wait')")
    agent.call("leave")
    page.evaluate("() => void setTimeout(() => { note('at'); webtools.call('go_on'); }, 900)")
    page.wait_for_url(NEXT)
    answer = page.evaluate("sessionStorage.getItem('wait')")
    assert text_of(json.loads(answer)) == "waited"
    loaded_at = page.evaluate("performance.timeOrigin")
    assert loaded_at - page.evaluate("Number(sessionStorage.getItem('at'))") > 450
