"""Many calls and many holds leave nothing behind."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, CDPSession, Page

from e2e.agents import Agent, Mode
from e2e.conftest import Watched

CALLS = 4_000
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

CYCLES = {"inOneTick": 720, "registered": 200, "called": 80}
"""How often a tool is held and released, in each of some equal batches."""

WARM_UP = {"inOneTick": 200, "registered": 100, "called": 40}

MOST_BATCHES = 8
"""V8, and Python at first, keep what they learn. What a cycle leaves behind it leaves in each batch."""

FEW_BYTES = 10 * sum(CYCLES.values())
"""Less than anything that each cycle could leave in JavaScript's heap; Python must do with a fifth."""

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


def test_thousands_of_calls_leave_the_numbers_of_proxies_and_objects_where_they_were(agent: Agent) -> None:
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
def test_thousands_of_holds_leave_nothing_behind(cycling: Watched, owner: str) -> None:
    page = cycling.page
    session = page.context.new_cdp_session(page)
    page.evaluate(CYCLE, [owner, WARM_UP])
    after = count(page, session)
    grown: list[dict[str, int]] = []
    while not grown or not is_little(grown[-1]):
        assert len(grown) < MOST_BATCHES, grown
        before = after
        page.evaluate(CYCLE, [owner, CYCLES])
        after = count(page, session)
        assert (after["tools"], after["timers"]) == (before["tools"], 0)
        assert (after["proxies"], after["listeners"]) == (before["proxies"], before["listeners"])
        grown.append({each: after[each] - before[each] for each in ("objects", "size", "bytes")})
    session.detach()


def is_little(grown: dict[str, int]) -> bool:
    """Whether each cycle of a batch has left nothing."""
    is_python_as_before = abs(grown["objects"]) < FEW and grown["size"] < FEW_BYTES // 5
    return is_python_as_before and grown["bytes"] < FEW_BYTES


def count(page: Page, session: CDPSession) -> dict[str, int]:
    """What there is, garbage aside: Python's objects, and JavaScript's listeners, timers and bytes."""
    counts: dict[str, int] = page.evaluate("count()")
    session.send("HeapProfiler.collectGarbage")
    listeners = session.send("Memory.getDOMCounters")["jsEventListeners"]
    used = session.send("Runtime.getHeapUsage")["usedSize"]
    return {**counts, "listeners": listeners, "bytes": used}
