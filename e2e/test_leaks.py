"""Many calls and many holds leave nothing behind."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, CDPSession, Page

from e2e.agents import Agent, Mode
from e2e.conftest import Watched

CALLS = 20_000
FEW = CALLS // 100
"""Every kind of call below is one of 20, so one object left by each call of a kind is five times as much."""

STORM = """async (count) => {
  const tools = Object.fromEntries((await document.modelContext.getTools()).map((tool) => [tool.name, tool]));
  const run = (name, input) => document.modelContext.executeTool(tools[name], input);
  for (let call = 0; call < count; call += 1) {
    const kind = call % 20;
    if (kind === 0) await run("use", {function: "later0", arguments: [call]});
    else if (kind === 1) await run("find", {sku: call});
    else if (kind === 2) await run("numbers", {values: "no list"});
    else if (kind === 3) await run("use", {function: "add", arguments: [call, 1]});
    else await run("text", {value: "x".repeat(100)});
  }
}"""

MEASURE = """async () => {
  const tool = (await document.modelContext.getTools()).find(({name}) => name === "measure");
  return JSON.parse(await document.modelContext.executeTool(tool, {})).structuredContent;
}"""

CYCLES = {"inOneTick": 3600, "registered": 1000, "called": 400}
"""How often a tool is held and released, in each of two equal batches."""

WARM_UP = {"inOneTick": 200, "registered": 100, "called": 40}

FEW_BYTES = 20 * sum(CYCLES.values())
"""Less than anything that each cycle could leave in JavaScript's heap, more than what V8 learns meanwhile.

Python, which learns nothing, must do with a tenth.
"""

CYCLE = "([owner, cycles]) => cycle(owner, cycles)"

TIMERS = """() => {
  window.timers = new Set();
  const {setTimeout, clearTimeout} = window;
  window.setTimeout = (callback, ms, ...rest) => {
    const fire = () => { timers.delete(timer); callback(...rest); };
    const timer = setTimeout(fire, ms);
    timers.add(timer);
    return timer;
  };
  window.clearTimeout = (timer) => { timers.delete(timer); clearTimeout(timer); };
}"""


def test_20_000_calls_leave_the_numbers_of_proxies_and_objects_where_they_were(agent: Agent) -> None:
    agent.page.evaluate(STORM, 1000)
    before = agent.page.evaluate(MEASURE)
    agent.page.evaluate(STORM, CALLS)
    after = agent.page.evaluate(MEASURE)
    assert after["proxies"] == before["proxies"]
    assert abs(after["objects"] - before["objects"]) < FEW


ENDS = """async (count) => {
  const heard = new Map();
  webtools.addEventListener("callstart", ({detail}) => heard.get(detail.tool)?.shift()?.());
  heard.set("wait", []);
  const aborted = () => {
    const giveUp = new AbortController();
    heard.get("wait").push(() => setTimeout(() => giveUp.abort()));
    return webtools.call("wait", {name: "x"}, {signal: giveUp.signal});
  };
  const ways = [
    () => webtools.call("never"),
    aborted,
    () => webtools.call("wait", {name: "x"}, {signal: AbortSignal.abort()}),
    () => webtools.call("text", {value: "x"}),
  ];
  const answers = await Promise.all(Array.from({length: count}, (_, n) => ways[n % ways.length]()));
  answers.push(await aborted()); // by itself: nothing else takes its timer away
  const ends = {};
  for (const {structuredContent} of answers) {
    const {code, effect} = structuredContent?.error ?? {code: "done", effect: ""};
    ends[`${code} ${effect}`] = (ends[`${code} ${effect}`] ?? 0) + 1;
  }
  return ends;
}"""


def test_1_000_calls_that_are_overdue_or_given_up_leave_no_timer_and_no_task(
    agent: Agent, booted: Watched
) -> None:
    agent.page.evaluate(TIMERS)
    agent.page.evaluate(ENDS, 40)
    before = agent.page.evaluate(MEASURE)
    ends = agent.page.evaluate(ENDS, 1000)
    assert ends == {
        "TOOL_TIMEOUT unknown": 250,
        "CANCELLED unknown": 251,
        "CANCELLED none": 250,
        "done ": 250,
    }
    after = agent.page.evaluate(MEASURE)
    assert (after["tasks"], after["proxies"]) == (before["tasks"], before["proxies"])
    assert abs(after["objects"] - before["objects"]) < FEW
    assert agent.page.evaluate("timers.size") == 0
    assert booted.problems == []


@pytest.fixture(scope="module")
def cycling(browsers: Callable[[Mode], Browser], mode: Mode, pages: str) -> Iterator[Watched]:
    """A page whose tools are to be held, and whose timers are counted."""
    context = browsers(mode).new_context()
    watched = Watched(context.new_page())
    watched.page.goto(f"{pages}storm-cycles.html")
    assert watched.ready() == "ready"
    watched.page.evaluate(TIMERS)
    yield watched
    context.close()
    assert watched.problems == []
    assert watched.foreign == []
    assert watched.uncaught == []


@pytest.mark.parametrize("owner", ["hold", "define", "python"])
def test_10_000_holds_leave_nothing_behind(cycling: Watched, owner: str) -> None:
    page = cycling.page
    session = page.context.new_cdp_session(page)
    page.evaluate(CYCLE, [owner, WARM_UP])
    page.evaluate(CYCLE, [owner, CYCLES])
    before = count(page, session)
    page.evaluate(CYCLE, [owner, CYCLES])
    after = count(page, session)
    session.detach()
    assert (after["tools"], after["timers"]) == (before["tools"], 0)
    assert (after["proxies"], after["listeners"]) == (before["proxies"], before["listeners"])
    assert abs(after["objects"] - before["objects"]) < FEW
    assert after["size"] - before["size"] < FEW_BYTES // 10
    assert after["bytes"] - before["bytes"] < FEW_BYTES


def count(page: Page, session: CDPSession) -> dict[str, int]:
    """What there is, garbage aside: Python's objects, and JavaScript's listeners, timers and bytes."""
    counts: dict[str, int] = page.evaluate("count()")
    session.send("HeapProfiler.collectGarbage")
    listeners = session.send("Memory.getDOMCounters")["jsEventListeners"]
    used = session.send("Runtime.getHeapUsage")["usedSize"]
    return {**counts, "listeners": listeners, "bytes": used}
