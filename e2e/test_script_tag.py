"""The script tag: what its attributes do, and what `window.webtools` says of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from e2e.agents import Agent, Mode, text_of
from e2e.conftest import Watched, one_mode

LIBRARY = '<script type="module" src="/webtools/webtools.js"'
HELLO = f'{LIBRARY} data-app="/hello.py"></script>'
SECOND = f'{LIBRARY} data-app="second.py"></script>'
GREET = {
    "name": "greet",
    "title": "Greet",
    "description": "Greet somebody.",
    "inputSchema": {
        "type": "object",
        "properties": {"name": {"type": "string", "description": "Whom to greet.", "default": "world"}},
        "additionalProperties": False,
    },
    "annotations": {
        "readOnlyHint": True,
        "untrustedContentHint": False,
        "consequentialHint": False,
        "debugging": False,
    },
}


@pytest.fixture
def show(watched: Watched, pages: str) -> Callable[[str], Watched]:
    """Open a page at / whose head holds this HTML."""

    def open_page(head: str) -> Watched:
        html = f'<!doctype html><title>Test</title><link rel="icon" href="data:,">{head}<h1>Test</h1>'
        watched.page.route(pages, lambda route: route.fulfill(body=html, content_type="text/html"))
        watched.page.goto(pages)
        return watched

    return open_page


def test_one_tag_brings_a_python_tool_to_the_agent(show: Callable[[str], Watched], mode: Mode) -> None:
    watched = show(HELLO)
    assert watched.ready() == "ready"
    agent = Agent(watched.page, mode)
    assert agent.tools() == [GREET]
    assert text_of(agent.call("greet", {"name": "Ada"})) == "Hello, Ada!"
    assert text_of(agent.call("greet")) == "Hello, world!"
    assert watched.page.evaluate("[webtools.status, webtools.tools()]") == [
        "ready",
        [{"name": "greet", "state": "registered", "inFlight": 0, "calls": 2}],
    ]
    assert watched.problems == []


def test_the_browser_has_decided_when_an_app_is_ready(show: Callable[[str], Watched]) -> None:
    watched = show(f"{LIBRARY}></script>")
    script = "async () => { await webtools.start({app: '/hello.py'}); return webtools.tools()[0].state; }"
    assert watched.page.evaluate(script) == "registered"


@one_mode
def test_the_page_sees_webtools_before_python_is_up(show: Callable[[str], Watched]) -> None:
    early = """window.early = [webtools.status, webtools.tools()];
      window.answer = webtools.call("greet", {name: "Early"});"""
    watched = show(f'{HELLO}<script type="module">{early}</script>')
    assert watched.page.evaluate("early") == ["loading", []]
    assert text_of(watched.page.evaluate("answer")) == "Hello, Early!"


def test_the_state_is_told_by_events(show: Callable[[str], Watched]) -> None:
    listen = """window.seen = [];
      for (const type of ["status", "toolstate"])
        webtools.addEventListener(type, ({detail}) =>
          seen.push([type, detail.tool, detail.state ?? detail.status]));"""
    watched = show(f'{HELLO}<script type="module">{listen}</script>')
    assert watched.ready() == "ready"
    watched.page.evaluate("new Promise((resolve) => setTimeout(resolve))")
    seen = watched.page.evaluate("seen")
    assert [each for each in seen if each[0] == "toolstate"] == [
        ["toolstate", "greet", "registering"],
        ["toolstate", "greet", "registered"],
    ]
    assert ["status", None, "ready"] in seen


@one_mode
def test_several_tags_are_apps_of_one_interpreter(show: Callable[[str], Watched], mode: Mode) -> None:
    watched = show(HELLO + SECOND)
    assert watched.ready() == "ready"
    assert Agent(watched.page, mode).names() == ["greet", "part"]
    requests = watched.page.evaluate("performance.getEntriesByType('resource').map(({name}) => name)")
    assert sum(name.endswith("pyodide.mjs") for name in requests) == 1


@one_mode
def test_without_a_tag_with_an_app_nothing_boots_until_start(
    show: Callable[[str], Watched], mode: Mode
) -> None:
    watched = show(f"{LIBRARY}></script>")
    assert watched.page.evaluate("webtools.status") == "loading"
    assert "pyodide" not in str(watched.page.evaluate("performance.getEntries().map(({name}) => name)"))
    watched.page.evaluate("webtools.start({app: '/hello.py'})")
    assert watched.page.evaluate("webtools.status") == "ready"
    assert Agent(watched.page, mode).names() == ["greet"]
    assert watched.ready() == "ready"


@one_mode
def test_an_app_can_be_started_later(show: Callable[[str], Watched], mode: Mode) -> None:
    watched = show(HELLO)
    assert watched.ready() == "ready"
    watched.page.evaluate("import('/webtools/webtools.js').then(({start}) => start({app: 'second.py'}))")
    assert Agent(watched.page, mode).names() == ["greet", "part"]


@one_mode
def test_the_runtime_may_lie_elsewhere(show: Callable[[str], Watched], pages: str) -> None:
    watched = show(f'{LIBRARY} data-app="/hello.py" data-runtime="/elsewhere"></script>')
    watched.page.route(
        f"{pages}elsewhere/**",
        lambda route: route.continue_(url=route.request.url.replace("/elsewhere/", "/webtools/runtime/")),
    )
    watched.page.reload()
    assert watched.ready() == "ready"
    names = watched.page.evaluate("performance.getEntriesByType('resource').map(({name}) => name)")
    assert any("/elsewhere/" in name for name in names)
    assert not any("/webtools/runtime/" in name for name in names)


def test_a_forced_polyfill_stands_before_native(show: Callable[[str], Watched]) -> None:
    watched = show(f'{LIBRARY} data-app="/hello.py" data-polyfill="force"></script>')
    assert watched.ready() == "ready"
    ours = "import('/webtools/polyfill.js').then(({isPolyfilled}) => isPolyfilled())"
    assert watched.page.evaluate(ours) is True
    assert Agent(watched.page, "polyfill").names() == ["greet"]


def test_a_page_without_polyfill_takes_native_or_warns_once(
    show: Callable[[str], Watched], mode: Mode
) -> None:
    watched = show(f'{LIBRARY} data-app="/hello.py" data-polyfill="off"></script>{SECOND}')
    assert watched.ready() == "ready"
    states = watched.page.evaluate("webtools.tools().map(({state}) => state)")
    assert states == (["registered"] * 2 if mode == "native" else ["waiting"] * 2)
    assert watched.page.evaluate("'modelContext' in document") is (mode == "native")
    assert len(watched.problems) == (mode != "native")
    assert text_of(watched.page.evaluate("webtools.call('greet')")) == "Hello, world!"


def test_a_name_that_another_script_took_fails_alone(show: Callable[[str], Watched], mode: Mode) -> None:
    taken = """import {apply} from "/webtools/polyfill.js"; apply();
      document.modelContext.registerTool({name: "greet", description: "Theirs", execute: () => "theirs"});"""
    watched = show(f'<script type="module">{taken}</script>{HELLO}{SECOND}')
    assert watched.ready() == "ready"
    greet, part = watched.page.evaluate("webtools.tools()")
    assert (greet["state"], part["state"]) == ("failed", "registered")
    assert "InvalidStateError" in greet["reason"]
    assert text_of(Agent(watched.page, mode).call("part")) == "Goodbye!"
    theirs = watched.page.evaluate("""document.modelContext.getTools().then((tools) =>
      document.modelContext.executeTool(tools.find(({name}) => name === "greet"), {}))""")
    assert theirs == "theirs"
