"""webtools on the shape of each Chromium that has `document.modelContext`, and on another polyfill."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page

from e2e.agents import Mode
from e2e.conftest import Watched
from e2e.places import CHECKOUT
from webtools.testing import PROFILES, Profile

OTHER_POLYFILL = CHECKOUT / "node_modules" / "@mcp-b" / "webmcp-polyfill" / "dist" / "index.iife.js"
THEIRS: Profile = PROFILES["chrome-152"]
"""What the other polyfill is like: it takes text, and loses calls."""

CALL = """async ([name, input]) => {
  const tool = (await document.modelContext.getTools()).find((each) => each.name === name);
  return document.modelContext.executeTool(tool, input).then(JSON.parse, (error) => ({lost: error.name}));
}"""

RELEASED_DURING_A_CALL = """async ([name, input]) => {
  const tool = (await document.modelContext.getTools()).find((each) => each.name === name);
  const hold = webtools.hold(name);
  const began = new Promise((resolve) => webtools.addEventListener("callstart", resolve, {once: true}));
  const answer = document.modelContext.executeTool(tool, input);
  await began;
  hold.release();
  await webtools.call("hide", {what: name});
  await webtools.call("release_all");
  return answer.then(JSON.parse, (error) => ({lost: error.name}));
}"""

A_TOOL_OF_THE_PAGES_OWN = """async (input) => {
  const controller = new AbortController();
  let answer;
  const execute = (given, options) => new Promise((resolve) => {
    window.given = options;
    answer = resolve;
  });
  const inputSchema = {type: "object"};
  const definition = {name: "own", description: "d", inputSchema, execute};
  await document.modelContext.registerTool(definition, {signal: controller.signal});
  const tool = (await document.modelContext.getTools()).find((each) => each.name === "own");
  const outcome = document.modelContext.executeTool(tool, input);
  while (!answer) await new Promise((resolve) => setTimeout(resolve, 5));
  controller.abort();
  answer({});
  return [typeof tool.inputSchema, Boolean(window.given?.signal), await outcome.catch(({name}) => name)];
}"""


@contextmanager
def holds(browser: Browser, url: str, script: str = "") -> Iterator[Page]:
    """Give the page of holds, its tools up.

    Args:
        browser: Where.
        url: The page's.
        script: Runs before all others.
    """
    context = browser.new_context()
    if script:
        context.add_init_script(script)
    watched = Watched(context.new_page())
    watched.page.goto(url)
    assert watched.ready() == "ready"
    yield watched.page
    context.close()
    assert watched.foreign == []
    assert watched.uncaught == []


@pytest.fixture(scope="module", params=PROFILES)
def name(request: pytest.FixtureRequest) -> str:
    """A profile's."""
    chosen: str = request.param
    return chosen


@pytest.fixture(scope="module")
def page(browsers: Callable[[Mode], Browser], pages: str, name: str) -> Iterator[Page]:
    """A page on a model context as the profile says; one for all tests of it."""
    url = f"{pages}holds.html?shape={quote(json.dumps(PROFILES[name]))}"
    with holds(browsers("polyfill"), url) as page:
        yield page


def test_tools_are_listed_called_and_released_on_each_profile(page: Page, name: str) -> None:
    check_that_webtools_works(page, PROFILES[name])


@pytest.mark.parametrize("name", ["chrome-152", "chrome-153", "chrome-154", "chrome-156"], indirect=True)
def test_a_tool_that_the_page_registers_itself_shows_the_profile(page: Page, name: str) -> None:
    profile = PROFILES[name]
    schema, has_signal, outcome = page.evaluate(A_TOOL_OF_THE_PAGES_OWN, input_of(profile))
    assert schema == ("string" if profile["schemaAsText"] else "object")
    assert has_signal is profile["signalArgument"]
    assert outcome == ("{}" if profile["cancelsCalls"] == "never" else "UnknownError")


def test_another_polyfill_of_the_page_is_recognised_and_used(
    browsers: Callable[[Mode], Browser], pages: str
) -> None:
    state = """async () => {
      const {isPolyfilled, isSupported} = await import("/webtools/polyfill.js");
      const ours = document.modelContext[Symbol.for("webtools.modelContextPolyfill")];
      return [isSupported(), isPolyfilled(), ours === undefined];
    }"""
    with holds(browsers("polyfill"), f"{pages}holds.html", OTHER_POLYFILL.read_text("utf-8")) as page:
        assert page.evaluate(state) == [True, True, True]
        check_that_webtools_works(page, THEIRS)


def check_that_webtools_works(page: Page, profile: Profile) -> None:
    listed = "document.modelContext.getTools().then((tools) => tools.map(({name}) => name))"
    assert "show" in page.evaluate(listed)
    page.evaluate(CALL, ["show", input_of(profile, what="panel")])
    assert "panel" in page.evaluate(listed)
    assert text_of(page.evaluate(CALL, ["panel", input_of(profile)])) == "read: done"
    answer = page.evaluate(RELEASED_DURING_A_CALL, ["panel", input_of(profile, action="wait")])
    assert text_of(answer) == "wait: done"


def input_of(profile: Profile, **given: Any) -> Any:
    """Write a call's input as the profile wants it."""
    return json.dumps(given) if profile["inputAsText"] else given


def text_of(answer: dict[str, Any]) -> str:
    """Give the text of an answer."""
    assert "content" in answer, answer
    return str(answer["content"][0]["text"])
