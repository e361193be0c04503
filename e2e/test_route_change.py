"""A change of route as one verb, in Python and JavaScript: Python is up, on its way, or dead."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from e2e.agents import Agent, Host, Mode, begin, end, error_of, mode_of, text_of, wait_for
from e2e.conftest import Watched

TOOLS = {"checkout", "orders", "kept", "by_path"}


def opened(watched: Watched, host: Host, pages: str) -> Page:
    watched.page.goto(f"{pages}route.html{'?cancels' if host == 'cancelling' else ''}")
    watched.page.wait_for_function("window.startPython !== undefined")
    return watched.page


@pytest.fixture(scope="module")
def page(browsers: Callable[[Mode], Browser], host: Host, pages: str) -> Iterator[Watched]:
    context = browsers(mode_of(host)).new_context()
    watched = Watched(context.new_page())
    opened(watched, host, pages)
    watched.page.evaluate("() => { keep(); return startPython(); }")
    yield watched
    assert watched.problems == []
    context.close()
    assert watched.foreign == []
    assert watched.uncaught == []


@pytest.fixture
def agent(page: Watched, host: Host) -> Iterator[Agent]:
    """An agent at a page whose route holds nothing, before and after."""
    agent = Agent(page.page, mode_of(host))
    yield agent
    page.page.evaluate("() => { history.pushState(null, '', '/'); goOn(); return go(); }")
    page.page.evaluate("webtools.call('go_on')")
    for name in {*agent.names()} - {"kept", "js_kept", "come", "come_and_see", "see", "go_on"}:
        wait_for(agent, name, listed=False)


def come(agent: Agent, verb: str, *names: str) -> None:
    """Come to a route that holds these, by either verb."""
    if verb == "Python":
        agent.page.evaluate("(names) => webtools.call('come', {names})", list(names))
    else:
        agent.page.evaluate("(names) => go(...names)", list(names))


VERBS = [("Python", "checkout"), ("JavaScript", "checkout"), ("JavaScript", "js_pay")]
verbs = pytest.mark.parametrize(("verb", "name"), VERBS)


def asks(agent: Agent, key: str, name: str) -> None:
    """Begin a call that asks the person, and wait until it does."""
    begin(agent, key, name, {"action": "ask"})
    expect(agent.page.locator("webtools-confirm dialog")).to_be_visible()


@verbs
@pytest.mark.parametrize("other", ["Python", "JavaScript"])
def test_c8_a_change_that_lets_the_tool_go_closes_its_dialog(
    agent: Agent, verb: str, name: str, other: str
) -> None:
    come(agent, verb, name)
    wait_for(agent, name, listed=True)
    asks(agent, "x", name)
    come(agent, other, "orders")
    error = error_of(end(agent, "x"))
    assert (error["code"], error["details"]) == ("UI_CONTEXT_CLOSED", {"reason": "stale"})
    expect(agent.page.locator("webtools-confirm")).to_have_count(0)
    wait_for(agent, name, listed=False)
    wait_for(agent, "orders", listed=True)


@pytest.mark.parametrize("verb", ["Python", "JavaScript"])
@pytest.mark.parametrize("name", ["kept", "js_kept", "by_path"])
def test_c8_a_change_that_keeps_the_tool_keeps_its_dialog(agent: Agent, verb: str, name: str) -> None:
    if name == "by_path":
        agent.page.evaluate("history.pushState(null, '', '/one/by-path')")
    wait_for(agent, name, listed=True)
    asks(agent, "x", name)
    if name == "by_path":
        agent.page.evaluate("() => { leaveFor([], '/two/by-path'); return arrive(); }")
    come(agent, verb, "orders")
    wait_for(agent, "orders", listed=True)
    dialog = agent.page.locator("webtools-confirm dialog")
    expect(dialog).to_be_visible()
    dialog.get_by_role("button", name="Deny").click()
    assert error_of(end(agent, "x"))["code"] == "USER_DENIED"


@verbs
def test_calls_of_the_old_route_are_stale_at_once_and_answered(agent: Agent, verb: str, name: str) -> None:
    come(agent, verb, name)
    wait_for(agent, name, listed=True)
    begin(agent, "x", name, {"action": "wait"})
    agent.page.evaluate("leaveFor(['orders'])")
    assert error_of(agent.call(name))["code"] == "STALE_TOOL_CALL"
    agent.page.evaluate("arrive()")
    wait_for(agent, "orders", listed=True)
    agent.page.evaluate("() => { goOn(); return webtools.call('go_on'); }")
    assert text_of(end(agent, "x")) == "stale"
    wait_for(agent, name, listed=False)


@verbs
def test_a_tool_of_both_routes_does_not_flap(agent: Agent, verb: str, name: str) -> None:
    come(agent, verb, name)
    wait_for(agent, name, listed=True)
    begin(agent, "x", name, {"action": "wait"})
    agent.page.evaluate("""() => {
      window.changes = 0;
      document.modelContext.addEventListener("toolchange", () => { changes += 1; });
    }""")
    agent.page.evaluate("(name) => leaveFor([name])", name)
    agent.page.evaluate("() => new Promise((resolve) => requestAnimationFrame(resolve))")
    agent.page.evaluate("arrive()")
    come(agent, verb, name)
    assert text_of(agent.call(name)) == "current"
    agent.page.evaluate("() => { goOn(); return webtools.call('go_on'); }")
    assert text_of(end(agent, "x")) == "stale"
    assert agent.page.evaluate("webtools.settled().then(() => changes)") == 0


def test_a_tool_that_leaves_its_own_route_is_answered(agent: Agent) -> None:
    come(agent, "Python", "checkout")
    wait_for(agent, "checkout", listed=True)
    assert text_of(agent.call("checkout", {"action": "leave"})) == "stale"
    wait_for(agent, "orders", listed=True)
    wait_for(agent, "checkout", listed=False)


def test_tools_of_a_path_leave_meanwhile_and_come_at_the_end(agent: Agent) -> None:
    agent.page.evaluate("leaveFor([], '/two/by-path')")
    agent.page.evaluate("webtools.settled()")
    assert "by_path" not in agent.names()
    agent.page.evaluate("arrive()")
    wait_for(agent, "by_path", listed=True)
    agent.page.evaluate("leaveFor([], '/')")
    wait_for(agent, "by_path", listed=False)
    agent.page.evaluate("arrive()")


def test_a_change_that_fails_holds_nothing_new(agent: Agent, page: Watched) -> None:
    come(agent, "JavaScript", "checkout")
    wait_for(agent, "checkout", listed=True)
    assert error_of(agent.call("come", {"names": ["orders"], "fails": True}))["code"] == "TOOL_HANDLER_ERROR"
    wait_for(agent, "checkout", listed=False)
    assert "orders" not in agent.names()
    page.problems.clear()  # the console has the author's traceback


def test_the_newer_of_two_changes_wins_also_between_javascript_and_python(agent: Agent) -> None:
    agent.page.evaluate("leaveFor(['checkout'])")
    come(agent, "Python", "orders")
    agent.page.evaluate("arrive()")
    wait_for(agent, "orders", listed=True)
    agent.page.evaluate("webtools.settled()")
    assert "checkout" not in agent.names()


def test_an_answer_can_say_truthfully_that_the_new_routes_tool_is_there(agent: Agent) -> None:
    assert agent.call("come_and_see", {"name": "orders"})["structuredContent"] == {"result": True}
    assert "orders" in agent.names()
    assert agent.call("see", {"names": ["kept", "orders"], "seconds": 5})["structuredContent"] == {
        "result": True
    }


def test_and_that_it_did_not_come_in_time(agent: Agent) -> None:
    for names in (["kept", "checkout"], ["unheard_of"]):
        assert agent.call("see", {"names": names, "seconds": 0.05})["structuredContent"] == {"result": False}


def test_routes_change_before_python_is_up_and_python_goes_on_from_there(
    browsers: Callable[[Mode], Browser], host: Host, pages: str
) -> None:
    context = browsers(mode_of(host)).new_context()
    watched = Watched(context.new_page())
    page = opened(watched, host, pages)
    agent = Agent(page, mode_of(host))
    page.evaluate("go('js_pay', 'checkout')")
    wait_for(agent, "js_pay", listed=True)
    begin(agent, "x", "js_pay", {"action": "wait"})
    asks(agent, "y", "js_pay")
    page.evaluate("leaveFor(['js_pay', 'orders'], '/two/by-path')")
    assert error_of(end(agent, "y"))["code"] == "UI_CONTEXT_CLOSED"
    page.evaluate("startPython()")
    assert not {"checkout", "orders", "by_path"} & {*agent.names()}
    page.evaluate("arrive()")
    for name in ("js_pay", "orders", "by_path"):
        wait_for(agent, name, listed=True)
    page.evaluate("goOn()")
    assert text_of(end(agent, "x")) == "stale"
    assert text_of(agent.call("js_pay")) == "current"
    context.close()
    assert (watched.problems, watched.uncaught, watched.foreign) == ([], [], [])


def test_routes_change_after_python_has_died(
    browsers: Callable[[Mode], Browser], host: Host, pages: str
) -> None:
    context = browsers(mode_of(host)).new_context()
    watched = Watched(context.new_page())
    page = opened(watched, host, pages)
    agent = Agent(page, mode_of(host))
    page.evaluate("() => { webtools.start({app: '/dying.py'}); return webtools.ready; }")
    page.evaluate("go('js_pay')")
    wait_for(agent, "js_pay", listed=True)
    page.evaluate("webtools.call('die')")
    assert page.evaluate("webtools.status") == "failed"
    begin(agent, "x", "js_pay", {"action": "wait"})
    page.evaluate("go('js_next')")
    wait_for(agent, "js_next", listed=True)
    page.evaluate("goOn()")
    assert text_of(end(agent, "x")) == "stale"
    wait_for(agent, "js_pay", listed=False)
    context.close()
    assert watched.foreign == []
