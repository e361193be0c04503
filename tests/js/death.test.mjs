/** The page after Python's death: what Python leaves goes, what the page's JavaScript defines stays. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { forbidWarnings, verdict } from "./fakes.mjs";
import { POSTBACK_MS, World } from "./world.mjs";

forbidWarnings();

const A_MINUTE = 60_000;

/** What Python's tool "p" looks like. */
const P = JSON.stringify({ name: "p", description: "d" });

/**
 * A page where Python is up and has registered tools of its own, and the page's own "a" as the first.
 *
 * @param {import("node:test").TestContext} context
 * @param {string[]} names of Python's tools
 */
async function newWorld(context, ...names) {
  const call = (/** @type {number} */ registration) => (registration === 1 ? 1 : undefined);
  const world = new World(context, { python: { call } });
  world.border.expectPython();
  const hold = world.define("a");
  await world.advance();
  world.attachPython();
  names.forEach((name, index) => world.border.port.register(index + 2, P.replace("p", name)));
  await world.advance();
  world.traffic = [];
  world.states = [];
  return { world, hold };
}

describe("a tool of Python's", () => {
  test("says why it does not work, and goes half a second after the last answer", async (context) => {
    const { world } = await newWorld(context, "p", "q");
    const open = await world.call("p");
    await world.advance(1000);
    world.border.die("it died.");
    await world.advance(POSTBACK_MS);
    assert.deepEqual(verdict(open.answer), ["HOST_FAILED", "unknown", false]);
    await world.advance(200);
    const late = await world.call("q");
    await world.advance(POSTBACK_MS);
    assert.deepEqual(verdict(late.answer), ["HOST_FAILED", "none", false]);
    assert.match(late.answer.content[0].text, /it died\./);
    await world.advance(A_MINUTE);
    assert.deepEqual(world.traffic.sort(), ["1750 unregister p", "1750 unregister q"]);
    assert.deepEqual(Object.keys(await world.listed()), ["a"]);
    assert.equal(world.loop.timers.size, 0);
  });

  test("goes within five seconds, however often any of them is called", async (context) => {
    const { world } = await newWorld(context, "p", "q");
    world.border.die("it died.");
    for (let ms = 0; ms < 6000 && world.tool("q"); ms += 100) {
      world.callNamed("p");
      await world.advance(100);
    }
    await world.advance(A_MINUTE);
    assert.deepEqual(world.traffic.sort(), ["5000 unregister p", "5000 unregister q"]);
  });

  test("that the page only wished for by its name goes, too, and does not come back", async (context) => {
    const { world } = await newWorld(context, "p");
    world.border.holds.hold("p");
    world.border.die("it died.");
    await world.advance(A_MINUTE);
    world.border.holds.hold("p");
    await world.advance(A_MINUTE);
    assert.deepEqual(world.traffic, ["500 unregister p"]);
    assert.equal(world.tool("p"), undefined);
  });

  test("can be replaced by one of the page's own, by the rule", async (context) => {
    const { world } = await newWorld(context, "p");
    world.border.die("it died.");
    const hold = world.define("p", { description: "mine" });
    const refused = world.callNamed("p");
    await world.advance();
    assert.equal(refused.code, "TOOL_CHANGED");
    await world.advance(A_MINUTE);
    assert.deepEqual(world.traffic, ["500 unregister p", "500 register p"]);
    assert.equal(hold.status, "registered");
  });

  test("is the page's own at once where the definition is the very same", async (context) => {
    const { world } = await newWorld(context, "p");
    world.border.die("it died.");
    const hold = world.define("p");
    const call = await world.call("p");
    call.finish("mine");
    await world.advance(A_MINUTE);
    assert.equal(call.answer.content[0].text, "mine");
    assert.equal(hold.status, "registered");
    assert.deepEqual(world.traffic, []);
  });
});

describe("a tool of the page's own", () => {
  test("stays, without traffic, and goes on being called", async (context) => {
    const { world, hold } = await newWorld(context, "p");
    world.border.die("it died.");
    const call = await world.call("a");
    call.finish("alive");
    await world.advance(A_MINUTE);
    assert.equal(call.answer.content[0].text, "alive");
    assert.equal(hold.status, "registered");
    assert.deepEqual(world.traffic, ["500 unregister p"]);
  });

  test("keeps the calls that run, current and counted", async (context) => {
    const { world, hold } = await newWorld(context);
    const call = await world.call("a");
    world.border.die("it died.");
    assert.equal(call.context.isCurrent(), true);
    assert.deepEqual(world.tool("a").inFlight, 1);
    hold.release();
    assert.equal(call.context.isCurrent(), false);
    await world.advance(1000);
    call.finish("alive");
    await world.advance(A_MINUTE);
    assert.equal(call.answer.content[0].text, "alive");
    assert.deepEqual(world.traffic, ["1500 unregister a"]);
    assert.deepEqual(world.border.states(), []);
  });

  test("takes a call for stale whose own hold was released before the death", async (context) => {
    const { world, hold } = await newWorld(context);
    world.define("a");
    const call = await world.call("a");
    hold.release();
    world.border.die("it died.");
    assert.equal(call.context.isCurrent(), false);
  });

  test("keeps a call current while its hold stands, and through a remount", async (context) => {
    const { world, hold } = await newWorld(context);
    const other = world.define("a");
    const call = await world.call("a");
    world.border.die("it died.");
    other.release();
    await world.advance();
    assert.equal(call.context.isCurrent(), true);
    hold.release();
    world.define("a");
    await world.advance();
    assert.equal(call.context.isCurrent(), true);
  });

  test("that was being released stays until its call has settled, and answers as a released one", async (context) => {
    const { world, hold } = await newWorld(context);
    const call = await world.call("a");
    hold.release();
    world.border.die("it died.");
    await world.advance(A_MINUTE / 2);
    const refused = world.callNamed("a");
    call.finish("alive");
    await world.advance(A_MINUTE);
    assert.equal(refused.code, "STALE_TOOL_CALL");
    assert.equal(call.answer.content[0].text, "alive");
    assert.deepEqual(world.traffic, [`${A_MINUTE / 2 + 500} unregister a`]);
  });

  test("takes numbers above Python's, and is told of what the browser decides late", async (context) => {
    const { world } = await newWorld(context);
    /** @type {(error: Error) => void} */
    let refuse = () => {};
    world.oddities[2] = () => new Promise((_, reject) => (refuse = reject));
    const hold = world.border.holds.define({ name: "b", description: "d" }, () => {});
    world.border.port.register(7, JSON.stringify({ name: "b", description: "d" }));
    world.border.die("it died.");
    refuse(new Error("late"));
    await world.advance();
    assert.equal(hold.status, "failed");
    const again = world.define("b");
    await world.advance();
    assert.equal(again.status, "registered");
    assert.equal(hold.status, "registered");
  });
});

test("a death before anything was registered leaves a page that can define tools", async (context) => {
  const world = new World(context, { hasContext: false });
  world.border.expectPython();
  world.define("a");
  world.attachPython();
  world.border.die("it died.");
  world.attachContext();
  await world.advance(10);
  assert.deepEqual(world.traffic, ["0 register a"]);
  assert.equal(world.tool("a").state, "registered");
});
