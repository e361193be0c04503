"""Tools that come and go with elements: whatever becomes of these, no call is lost.

On native, on the polyfill, and on the polyfill in its cancelling mode, which stands for Chromium up to 152.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from e2e.agents import Agent, Host, Mode, begin, end, error_of, mode_of, text_of, wait_for
from e2e.conftest import Watched, visited

COME = "document.querySelector('main').append(element)"
GO = "element.remove()"

MOVES = {
    "appended elsewhere": "footer.append(element)",
    "moved before": "footer.moveBefore(element, null)",
    "taken out and put back": "element.remove(); main.append(element)",
    "put back some microtasks later": "element.remove(); await 1; await 2; await 3; main.append(element)",
    "put back again and again": (
        "for (let time = 0; time < 50; time += 1) { element.remove(); await 1; main.append(element); }"
    ),
    "moved with what is around it": (
        "const around = document.createElement('div'); footer.append(around);"
        " around.append(element); main.append(around); footer.append(around)"
    ),
    "moved into a shadow tree": (
        "const host = document.createElement('div'); main.append(host);"
        " host.attachShadow({mode: 'closed'}).append(element)"
    ),
}


@pytest.fixture(scope="module")
def page(browsers: Callable[[Mode], Browser], host: Host, pages: str) -> Iterator[Watched]:
    url = f"{pages}elements.html{'?cancels' if host == 'cancelling' else ''}"
    with visited(browsers(mode_of(host)), url) as watched:
        yield watched
    assert watched.problems == []


@pytest.fixture
def agent(page: Watched, host: Host) -> Iterator[Agent]:
    """An agent at a page whose elements hold nothing, before and after."""
    agent = Agent(page.page, mode_of(host))
    yield agent
    run(agent, "lab.goOn(); main.replaceChildren(); footer.replaceChildren(); window.element = undefined")
    agent.page.wait_for_function("webtools.tools().length === 0")
    run(agent, "traffic.length = 0")


@pytest.fixture(params=["holdWhile", "tool-panel", "reactive-panel"])
def owner(request: pytest.FixtureRequest) -> str:
    """How an element owns its tools."""
    chosen: str = request.param
    return chosen


def run(agent: Agent, script: str, argument: Any = None) -> Any:
    """Run some statements in the page, which knows `main`, `footer` and `element`."""
    known = "const [main, footer] = document.querySelectorAll('main, footer'); const {element} = window;"
    return agent.page.evaluate(f"async (argument) => {{ {known} {script} }}", argument)


def make(agent: Agent, owner: str) -> None:
    """Make an element that owns tools, in no document yet."""
    run(agent, "window.element = lab.make[argument]()", owner)


def come(agent: Agent) -> None:
    run(agent, COME)
    for name in ("alpha", "omega"):
        wait_for(agent, name, listed=True)


def traffic(agent: Agent) -> list[str]:
    """What the browser was asked for since the last time, in no order."""
    return sorted(run(agent, "return traffic.splice(0)"))


def until_gone(agent: Agent) -> None:
    agent.page.wait_for_function("webtools.tools().length === 0")


def test_a_tool_is_there_while_its_element_is_in_the_document(agent: Agent, owner: str) -> None:
    make(agent, owner)
    assert agent.names() == []
    for _ in range(2):
        come(agent)
        assert text_of(agent.call("alpha")) == "done"
        assert text_of(agent.call("omega")) == "done"
        run(agent, GO)
        until_gone(agent)
        assert traffic(agent) == ["+alpha", "+omega", "-alpha", "-omega"]


def test_calls_in_flight_outlive_their_element(agent: Agent, owner: str) -> None:
    make(agent, owner)
    come(agent)
    for name in ("alpha", "omega"):
        begin(agent, name, name, {"do": "wait"})
    run(agent, GO)
    run(agent, "await new Promise((resolve) => setTimeout(resolve))")
    for name in ("alpha", "omega"):
        assert error_of(agent.call(name))["code"] == "STALE_TOOL_CALL"
    run(agent, "lab.goOn()")
    for name in ("alpha", "omega"):
        assert text_of(end(agent, name)) == "waited"
    until_gone(agent)


def test_a_tool_that_removes_its_own_element_answers(agent: Agent, owner: str) -> None:
    run(agent, "lab.actions.close = () => window.element.remove()")
    make(agent, owner)
    come(agent)
    assert text_of(agent.call("alpha", {"do": "close"})) == "done"
    until_gone(agent)


def test_a_move_costs_no_traffic_and_its_call_is_current(agent: Agent, owner: str) -> None:
    make(agent, owner)
    come(agent)
    begin(agent, "x", "omega", {"do": "ask"})
    assert traffic(agent) == ["+alpha", "+omega"]
    for how, move in MOVES.items():
        run(agent, move)
        run(agent, "await new Promise((resolve) => setTimeout(resolve))")
        assert (how, traffic(agent)) == (how, [])
    run(agent, "lab.goOn()")
    assert text_of(end(agent, "x")) == "current"


@pytest.mark.parametrize("form", ["open", "closed"])
def test_in_a_shadow_tree_an_element_goes_by_itself_and_with_the_host(
    agent: Agent, owner: str, form: str
) -> None:
    make(agent, owner)
    run(
        agent,
        """window.outer = document.createElement("div");
        const inner = document.createElement("div");
        window.root = inner.attachShadow({mode: argument});
        outer.attachShadow({mode: argument}).append(inner);
        root.append(element);
        main.append(outer);""",
        form,
    )
    wait_for(agent, "alpha", listed=True)
    for gone, back in ((GO, "root.append(element)"), ("outer.remove()", "main.append(outer)")):
        run(agent, gone)
        until_gone(agent)
        run(agent, back)
        wait_for(agent, "alpha", listed=True)


def test_an_element_in_another_document_has_no_tools(agent: Agent, owner: str) -> None:
    make(agent, owner)
    come(agent)
    run(agent, "document.querySelector('iframe').contentDocument.body.append(element)")
    until_gone(agent)
    come(agent)


def test_another_element_in_its_place_keeps_the_calls_of_pythons_tool(agent: Agent, owner: str) -> None:
    make(agent, owner)
    come(agent)
    begin(agent, "x", "alpha", {"do": "wait"})
    begin(agent, "y", "omega", {"do": "ask"})
    run(agent, "window.element = lab.make[argument](); element.replaceWith(window.element)", owner)
    run(agent, "await new Promise((resolve) => setTimeout(resolve))")
    run(agent, "lab.goOn()")
    assert text_of(end(agent, "x")) == "waited"
    assert text_of(end(agent, "y")) == "stale"  # its handler was the other element's
    assert traffic(agent) == ["+alpha", "+omega"]


def test_what_an_element_wants_may_change(agent: Agent) -> None:
    make(agent, "reactive-panel")
    run(agent, "element.setAttribute('doc', 'one')")
    come(agent)
    begin(agent, "x", "omega", {"do": "ask"})
    run(agent, "element.setAttribute('doc', 'two')")
    run(agent, "await new Promise((resolve) => setTimeout(resolve))")
    assert traffic(agent) == ["+alpha", "+omega"]
    run(agent, "lab.goOn()")
    assert text_of(end(agent, "x")) == "stale"
    run(agent, "element.toggleAttribute('closed')")
    until_gone(agent)
    run(agent, "element.toggleAttribute('closed')")
    wait_for(agent, "alpha", listed=True)


def test_elements_that_are_there_before_their_class_have_its_tools(agent: Agent) -> None:
    run(agent, "main.append(document.createElement('late-panel'))")
    run(agent, "customElements.define('late-panel', class extends withTools() { static tools = ['beta']; })")
    wait_for(agent, "beta", listed=True)


def test_100_elements_have_one_observer_and_the_last_one_keeps_the_tool(agent: Agent) -> None:
    before = run(agent, "return observers")
    run(
        agent,
        """for (let count = 0; count < 100; count += 1) {
          const each = document.createElement("p");
          main.append(each);
          holdWhile(each, "gamma");
        }""",
    )
    wait_for(agent, "gamma", listed=True)
    run(agent, "while (main.childElementCount > 1) { main.firstChild.remove(); }")
    run(agent, "await new Promise((resolve) => setTimeout(resolve))")
    assert traffic(agent) == ["+gamma"]
    run(agent, "main.replaceChildren()")
    until_gone(agent)
    assert run(agent, "return observers") - before <= 1


def test_an_element_that_is_gone_is_not_kept_alive(agent: Agent, owner: str) -> None:
    make(agent, owner)
    come(agent)
    for name in ("alpha", "omega"):
        assert text_of(agent.call(name)) == "done"
    run(agent, "window.ref = new WeakRef(element); element.remove(); window.element = undefined")
    until_gone(agent)
    for _ in range(20):
        agent.page.request_gc()
        if run(agent, "return ref.deref() === undefined"):
            return
    pytest.fail("the element is still there")


def test_a_page_without_the_script_tag_gets_webtools_by_itself(watched: Watched, pages: str) -> None:
    watched.page.route(
        "**/alone", lambda route: route.fulfill(body="<!doctype html>", content_type="text/html")
    )
    watched.page.goto(f"{pages}alone")
    watched.page.evaluate("""async () => {
      const {holdWhile} = await import("/webtools/elements.js");
      const definition = {name: "greet", description: "Greet."};
      window.hold = holdWhile(document.body, definition, {execute: () => "hello"});
    }""")
    watched.page.wait_for_function("window.hold.status === 'registered'")
    assert text_of(watched.page.evaluate("webtools.call('greet')")) == "hello"
    assert watched.problems == []
