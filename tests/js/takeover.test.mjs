/** The page while Python is on its way, and the step in which Python takes over. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { forbidWarnings } from "./fakes.mjs";
import { handedOver, SITUATIONS, TABLE } from "./situations.mjs";
import { POSTBACK_MS, World } from "./world.mjs";

forbidWarnings();

const A_MINUTE = 60_000;

/**
 * A page that expects Python.
 *
 * @param {import("node:test").TestContext} context
 * @param {{hasContext?: boolean}} [options]
 */
function newWorld(context, options) {
  const world = new World(context, options);
  world.border.expectPython();
  return world;
}

describe("while Python is on its way", () => {
  test("nothing is unregistered, however long it takes", async (context) => {
    const world = newWorld(context);
    const released = world.define("a");
    world.define("b");
    await world.advance();
    released.release();
    world.define("b", { description: "new" });
    await world.advance(A_MINUTE);
    assert.deepEqual(world.traffic, ["0 register a", "0 register b"]);
    assert.equal(world.loop.timers.size, 0);
  });

  test("calls of what is to go are refused and recorded, and told to come again", async (context) => {
    const world = newWorld(context);
    const released = world.define("a");
    world.define("b");
    await world.advance();
    released.release();
    world.define("b", { description: "new" });
    for (const wait of [0, A_MINUTE]) {
      await world.advance(wait);
      const [stale, changed] = [await world.call("a"), await world.call("b")];
      await world.advance(POSTBACK_MS);
      assert.deepEqual([stale.code, changed.code], ["STALE_TOOL_CALL", "TOOL_CHANGED"]);
      assert.equal(changed.answer.structuredContent.error.details.retry_after_ms, 500);
    }
    assert.deepEqual(
      world.border.states().map(({ state, calls }) => [state, calls]),
      [
        ["leaving", 2],
        ["leaving", 2],
      ],
    );
  });

  test("a timer that was running stops, and what was to go stays", async (context) => {
    const world = new World(context);
    const hold = world.define("a");
    await world.advance();
    (await world.call("a")).finish();
    hold.release();
    await world.advance(200);
    assert.equal(world.loop.timers.size, 1);
    world.border.expectPython();
    assert.equal(world.loop.timers.size, 0);
    await world.advance(A_MINUTE);
    assert.deepEqual(world.traffic, ["0 register a"]);
  });

  test("what is released leaves by the rule once Python is given up", async (context) => {
    const world = newWorld(context);
    const [a, b] = [world.define("a"), world.define("b")];
    await world.advance();
    const call = await world.call("a");
    a.release();
    b.release();
    await world.advance(A_MINUTE);
    world.border.goOnAlone("it did not start");
    assert.deepEqual(world.traffic.slice(2), [`${A_MINUTE} unregister b`]);
    call.finish();
    await world.advance(A_MINUTE);
    assert.deepEqual(world.traffic.slice(3), [`${A_MINUTE + 500} unregister a`]);
    assert.ok(call.answer);
  });
});

describe("what Python is given", () => {
  test("is the table's, of each of its situations", () => {
    assert.deepEqual(Object.keys(SITUATIONS), Object.keys(TABLE));
  });

  for (const [name, play] of Object.entries(SITUATIONS)) {
    test(`of ${name}`, async (context) => {
      const world = newWorld(context, { hasContext: false });
      await play(world);
      assert.deepEqual(handedOver(world), TABLE[name]);
    });
  }
});

describe("once Python has taken over", () => {
  for (const [name, play] of Object.entries(SITUATIONS)) {
    test(`nothing happens here any more, after ${name}`, async (context) => {
      const world = newWorld(context, { hasContext: false });
      await play(world);
      const { traffic, states } = world;
      world.attachPython();
      const before = [traffic.length, states.length, world.loop.timers.size];
      await world.advance(1000);
      assert.deepEqual([traffic.length, states.length, world.loop.timers.size], before);
      const handlers = TABLE[name].calls.filter((/** @type {any} */ call) => !call.early).length;
      assert.equal(world.loop.timers.size, handlers, "the limits of those that run");
    });
  }

  test("no timer of the page's is left, though nobody had said that Python would come", async (context) => {
    const world = new World(context);
    const hold = world.define("a");
    await world.advance();
    (await world.call("a")).finish();
    hold.release();
    await world.advance(POSTBACK_MS);
    assert.equal(world.loop.timers.size, 1);
    world.attachPython();
    assert.equal(world.loop.timers.size, 0);
  });

  test("it is told of everything, also of what began before", async (context) => {
    const world = newWorld(context);
    /** @type {(value?: unknown) => void} */
    let accept = () => {};
    world.oddities[2] = () => new Promise((resolve) => (accept = () => resolve()));
    const hold = world.define("a");
    world.define("b");
    await world.advance();
    const call = await world.call("a");
    world.attachPython();
    hold.release();
    world.define("c");
    accept();
    assert.equal(call.context.isCurrent(), true); // says the fake
    call.finish("in time");
    await world.advance(POSTBACK_MS);
    assert.equal(call.answer.content[0].text, "in time");
    assert.deepEqual(
      world.python.calls.map(([what, first]) => [what, first]),
      [
        ["release", 1],
        ["hold", 3],
        ["is_current", call.context.callId],
        ["registered", 2],
        ["count_out", call.context.callId],
      ],
    );
  });
});
