/** What happens to tools that the page did not ask for. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { forbidWarnings } from "./fakes.mjs";
import { World } from "./world.mjs";

forbidWarnings();

describe("a page that is left", () => {
  test("answers what runs, which is stale from then on, and keeps its tools", async (context) => {
    const world = new World(context);
    world.define("a");
    await world.advance();
    const call = await world.call("a");
    world.border.leave(false);
    world.border.restore();
    await world.advance(1000);
    assert.equal(call.code, "CANCELLED");
    assert.deepEqual([call.context.signal.aborted, call.context.isCurrent()], [true, false]);
    assert.deepEqual(world.traffic, ["0 register a"]);
    const next = await world.call("a");
    assert.equal(next.context.isCurrent(), true);
    next.finish();
    await world.advance();
  });

  test("does not take a call for current that began in the tick of another owner's hold", async (context) => {
    const world = new World(context);
    world.define("a", { owner: {} });
    await world.advance();
    world.define("a", { owner: {} });
    const call = await world.call("a");
    world.border.leave(false);
    assert.equal(call.context.isCurrent(), false);
    await world.advance();
    assert.equal(call.context.isCurrent(), false);
  });
});

describe("the newest hold that has failed", () => {
  test("gives way, when it is released, to the one before", async (context) => {
    const world = new World(context);
    const first = world.define("a");
    await world.advance();
    world.oddities[2] = () => Promise.reject(new Error("refused"));
    const second = world.define("a", { description: "another" });
    await world.advance(1000);
    assert.equal(first.status, "failed");
    second.release();
    await world.advance(1000);
    assert.equal(first.status, "registered");
  });
});

describe("a registration that something else takes away", () => {
  /** Remove a tool as a form of the same name does. @param {World} world @param {string} name */
  async function take(world, name) {
    world.take(name);
    await world.advance(1000);
  }

  test("is made again, twice, and given up at the third time within a minute", async (context) => {
    const world = new World(context);
    const hold = world.define("a");
    await world.advance();
    await take(world, "a");
    await take(world, "a");
    assert.equal(hold.status, "registered");
    await take(world, "a");
    assert.equal(hold.status, "failed");
    assert.equal(world.traffic.length, 3);
    world.define("a");
    await world.advance();
    assert.equal(hold.status, "registered");
  });

  test("is made again however often, where it happens once in a minute", async (context) => {
    const world = new World(context);
    const hold = world.define("a");
    await world.advance();
    for (let count = 0; count < 5; count += 1) {
      await take(world, "a");
      await world.advance(60_000);
    }
    assert.equal(hold.status, "registered");
  });

  test("is forgotten where nobody holds it", async (context) => {
    const world = new World(context);
    const hold = world.define("a");
    await world.advance();
    const call = await world.call("a");
    hold.release();
    await take(world, "a");
    assert.deepEqual(world.states.at(-1), "a unknown");
    call.finish();
    await world.advance(1000);
    assert.deepEqual(world.traffic, ["0 register a"]);
  });
});

describe("a call that began under a hold which came and went within a tick", () => {
  test("stays stale, also when an equal hold comes later", async (context) => {
    const world = new World(context);
    world.define("a", { resourceId: "one" });
    await world.advance();
    const passing = world.define("a", { resourceId: "two" });
    const began = world.callNamed("a");
    passing.release();
    await world.advance();
    assert.equal(began.context.isCurrent(), false);
    world.define("a", { resourceId: "two" });
    await world.advance();
    assert.equal(began.context.isCurrent(), false);
    began.finish();
    await world.advance();
  });
});
