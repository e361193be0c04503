"""An order that is made again with its key is placed once: replayed or awaited, also after a reload."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from e2e.agents import Agent, Answer, Mode, error_of
from e2e.conftest import Watched

BEGIN = """async ([key, name, input]) => {
  const tool = (await document.modelContext.getTools()).find((each) => each.name === name);
  const began = new Promise((resolve) => webtools.addEventListener("callstart", resolve, {once: true}));
  const controller = new AbortController();
  const {signal} = controller;
  window.calls ??= {};
  window.calls[key] = {controller, answer: document.modelContext.executeTool(tool, input, {signal})
    .then(JSON.parse, (error) => ({lost: error.name}))};
  await began;
}"""

END = "(key) => window.calls[key].answer"
ABORT = "(key) => window.calls[key].controller.abort()"
PLACED = "() => window.placed()"
REPLAYED = {"replayed": True}


def opened(watched: Watched, pages: str, query: str = "") -> None:
    watched.page.goto(f"{pages}orders.html{query}")
    assert watched.ready() == "ready"


@pytest.fixture(scope="module")
def orders(browsers: Callable[[Mode], Browser], mode: Mode, pages: str) -> Iterator[Watched]:
    """One page for the module, since each boot takes seconds; only a test of a reload boots it again."""
    context = browsers(mode).new_context()
    watched = Watched(context.new_page())
    opened(watched, pages)
    yield watched
    context.close()
    assert (watched.problems, watched.foreign, watched.uncaught) == ([], [], [])


@pytest.fixture
def agent(orders: Watched, mode: Mode) -> Agent:
    """An agent at a shop that nothing was ordered from."""
    orders.page.evaluate("localStorage.clear()")
    return Agent(orders.page, mode)


def begin(agent: Agent, call: str, arguments: dict[str, Any]) -> None:
    agent.page.evaluate(BEGIN, [call, "order", arguments])


def end(agent: Agent, call: str) -> Answer:
    answer: Answer = agent.page.evaluate(END, call)
    return answer


def placed(agent: Agent) -> list[str]:
    """What the shop was told to deliver."""
    skus: list[str] = agent.page.evaluate(PLACED)
    return skus


def test_a_replay_is_answered_as_before_and_marked_and_places_no_second_order(agent: Agent) -> None:
    first = agent.call("order", {"sku": "A1", "order_key": "replay"})
    again = agent.call("order", {"sku": "A1", "order_key": "replay"})
    assert first["structuredContent"] == {"number": 1, "sku": "A1", "note": "größe"}
    assert again == {**first, "_meta": REPLAYED}
    assert placed(agent) == ["A1"]


def test_a_replay_after_a_reload_of_the_page_is_answered_and_places_no_second_order(
    agent: Agent, orders: Watched
) -> None:
    first = agent.call("order", {"sku": "A1", "order_key": "reload"})
    agent.page.reload()
    assert orders.ready() == "ready"
    again = agent.call("order", {"sku": "A1", "order_key": "reload"})
    assert again == {**first, "_meta": REPLAYED}
    assert placed(agent) == ["A1"]


def test_one_key_with_other_arguments_is_a_conflict_and_places_no_second_order(agent: Agent) -> None:
    agent.call("order", {"sku": "A1", "order_key": "conflict"})
    error = error_of(agent.call("order", {"sku": "B2", "order_key": "conflict"}))
    assert (error["code"], error["effect"], error["retryable"]) == ("IDEMPOTENCY_CONFLICT", "none", False)
    assert placed(agent) == ["A1"]


def test_a_replay_while_the_first_is_pending_waits_for_its_answer(agent: Agent) -> None:
    wish = {"sku": "A1", "order_key": "pending", "wait": True}
    begin(agent, "first", wish)
    begin(agent, "second", wish)
    agent.page.wait_for_function("() => window.placed().length > 0")
    agent.page.evaluate("deliver()")
    first, second = end(agent, "first"), end(agent, "second")
    assert first["structuredContent"]["number"] == 1
    assert second == {**first, "_meta": REPLAYED}
    assert placed(agent) == ["A1"]


def test_an_abort_of_the_first_leaves_the_order_to_the_one_that_waits(agent: Agent) -> None:
    wish = {"sku": "A1", "order_key": "abort", "wait": True}
    begin(agent, "first", wish)
    begin(agent, "second", wish)
    agent.page.wait_for_function("() => window.placed().length > 0")
    agent.page.evaluate(ABORT, "first")
    assert end(agent, "first") == {"lost": "AbortError"}
    agent.page.evaluate("deliver()")
    assert end(agent, "second")["structuredContent"]["number"] == 1
    assert placed(agent) == ["A1"]


def test_an_order_that_a_reload_cut_off_is_not_placed_again(agent: Agent, orders: Watched) -> None:
    wish = {"sku": "A1", "order_key": "cut off", "wait": True}
    begin(agent, "first", wish)
    agent.page.wait_for_function("() => window.placed().length > 0")
    agent.page.reload()
    assert orders.ready() == "ready"
    again = agent.call("order", wish)
    error = error_of(again)
    assert (error["code"], error["effect"], again["_meta"]) == ("CANCELLED", "unknown", REPLAYED)
    assert placed(agent) == ["A1"]


def test_a_derived_key_is_that_of_the_calls_place_in_the_callers_run(agent: Agent) -> None:
    script = "(options) => webtools.call('order_in_run', {sku: 'A1'}, options)"
    facts = {"runId": "r1", "iteration": 1, "callId": "toolu_1"}
    first = agent.page.evaluate(script, facts)
    again = agent.page.evaluate(script, facts)
    other = agent.page.evaluate(script, {**facts, "callId": "toolu_2"})
    assert again == {**first, "_meta": REPLAYED}
    assert (first["structuredContent"], other["structuredContent"]) == ({"result": 1}, {"result": 2})
    assert placed(agent) == ["A1", "A1"]


def test_c4_a_call_is_led_to_its_own_session_while_the_page_shows_another(agent: Agent) -> None:
    script = "(options) => webtools.call('add', {sku: 'A1'}, options)"
    assert agent.page.evaluate(script, {"sessionId": "A"})["structuredContent"] == {"result": ["A1"]}
    for unknown in ({"sessionId": "X"}, {}):
        error = error_of(agent.page.evaluate(script, unknown))
        assert (error["code"], error["effect"]) == ("SESSION_NOT_FOUND", "none")
    assert error_of(agent.call("add", {"sku": "A1"}))["code"] == "SESSION_NOT_FOUND"
    assert agent.call("read_shown")["structuredContent"] == {"result": []}


def test_nothing_that_the_agent_sent_as_key_or_argument_is_written_down(agent: Agent) -> None:
    agent.call("order", {"sku": "A1", "order_key": "a secret key", "wait": False})
    stored = agent.page.evaluate("sessionStorage.getItem('webtools.idempotency')")
    assert "a secret key" not in stored
    assert all(len(row) == 4 for row in json.loads(stored))


def test_where_the_browser_refuses_storage_the_page_remembers_and_one_warning_says_so(
    watched: Watched, mode: Mode, pages: str
) -> None:
    opened(watched, pages, "?refused")
    agent = Agent(watched.page, mode)
    answers = [agent.call("order", {"sku": "A1", "order_key": key}) for key in ("a", "a", "b", "b")]
    assert ["_meta" in each for each in answers] == [False, True, False, True]
    assert placed(agent) == ["A1", "A1"]
    assert ["full or refused" in each for each in watched.problems] == [True]
