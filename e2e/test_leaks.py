"""Many calls leave nothing behind."""

from __future__ import annotations

from e2e.agents import Agent

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


def test_20_000_calls_leave_the_numbers_of_proxies_and_objects_where_they_were(agent: Agent) -> None:
    agent.page.evaluate(STORM, 1000)
    before = agent.page.evaluate(MEASURE)
    agent.page.evaluate(STORM, CALLS)
    after = agent.page.evaluate(MEASURE)
    assert after["proxies"] == before["proxies"]
    assert abs(after["objects"] - before["objects"]) < FEW
