/** Calls of a tool while holds of it come and go, on a page that has to do without Python. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { forbidWarnings, verdict } from "./fakes.mjs";
import { POSTBACK_MS, withTool } from "./world.mjs";

forbidWarnings();

const A_MINUTE = 60_000;

describe("a call of a tool that is leaving", () => {
  test("is stale where nobody holds it", async (context) => {
    const { world, hold } = await withTool(context);
    (await world.call("a")).finish();
    hold.release();
    await world.advance(100);
    const call = await world.call("a");
    await world.advance(POSTBACK_MS);
    assert.deepEqual(verdict(call.answer), ["STALE_TOOL_CALL", "none", false]);
    assert.equal(world.entered.length, 1);
  });

  test("is told to come again where it is being replaced, no sooner than the new one is there", async (context) => {
    const { world } = await withTool(context);
    (await world.call("a")).finish();
    world.define("a", { description: "new" });
    await world.advance(100);
    const call = world.callNamed("a");
    await world.advance();
    assert.deepEqual(verdict(call.answer), ["TOOL_CHANGED", "none", true]);
    const { details } = call.answer.structuredContent.error;
    await world.advance(details.retry_after_ms - 1);
    assert.deepEqual(await world.listed(), { a: "d" });
    await world.advance(1);
    assert.deepEqual(await world.listed(), { a: "new" });
  });

  test("is told the truth about when, though the limit is near", async (context) => {
    const { world } = await withTool(context);
    (await world.call("a")).finish();
    world.define("a", { description: "new" });
    for (let ms = 0; ms < 4800; ms += 400) {
      world.callNamed("a");
      await world.advance(400);
    }
    const call = world.callNamed("a");
    await world.advance();
    assert.equal(call.answer.structuredContent.error.details.retry_after_ms, 200);
    await world.advance(200);
    assert.deepEqual(await world.listed(), { a: "new" });
  });

  test("is told to come again after the grace, however long another one has been running", async (context) => {
    const { world } = await withTool(context);
    await world.call("a");
    world.define("a", { description: "new" });
    await world.advance(20_000);
    const call = world.callNamed("a");
    await world.advance();
    assert.equal(call.answer.structuredContent.error.details.retry_after_ms, 500);
  });

  test("keeps it for five seconds at most, however often it comes", async (context) => {
    const { world, hold } = await withTool(context);
    (await world.call("a")).finish();
    hold.release();
    const calls = [];
    for (let ms = 0; ms < 6000 && world.tool("a"); ms += 100) {
      calls.push(world.callNamed("a"));
      await world.advance(100);
    }
    assert.deepEqual(world.traffic, ["0 register a", "5000 unregister a"]);
    assert.ok(calls.every(({ code }) => code === "STALE_TOOL_CALL"));
  });

  test("keeps it no longer than five seconds after the last call that was accepted", async (context) => {
    const { world, hold } = await withTool(context);
    const accepted = await world.call("a");
    hold.release();
    await world.advance(3000);
    accepted.finish();
    for (let ms = 0; ms < 9000 && world.tool("a"); ms += 100) {
      await world.advance(100);
      world.callNamed("a");
    }
    assert.deepEqual(world.traffic, ["0 register a", "8000 unregister a"]);
    assert.ok(accepted.answer);
  });

  test("that was not refused for a call that runs is counted, and the count returns to zero", async (context) => {
    const { world, hold } = await withTool(context);
    const call = await world.call("a");
    hold.release();
    await world.advance();
    world.callNamed("a");
    assert.deepEqual(world.tool("a"), { name: "a", state: "leaving", inFlight: 1, calls: 2 });
    call.finish();
    await world.advance();
    assert.equal(world.tool("a").inFlight, 0);
  });
});

describe("a call is current", () => {
  test("through a remount, until a release, and never again", async (context) => {
    const { world, hold } = await withTool(context);
    const call = await world.call("a");
    hold.release();
    assert.equal(call.context.isCurrent(), false);
    const remounted = world.define("a");
    assert.equal(call.context.isCurrent(), true);
    await world.advance();
    assert.equal(call.context.isCurrent(), true);
    remounted.release();
    await world.advance();
    world.define("a");
    assert.equal(call.context.isCurrent(), false);
    assert.throws(() => call.context.ensureCurrent(), { code: "STALE_TOOL_CALL" });
    assert.equal((await world.call("a")).context.isCurrent(), true);
  });

  const owner = {};
  for (const other of [{ resourceId: "doc-2" }, { owner: {} }]) {
    test(`until the macrotask after a hold with another ${Object.keys(other)}`, async (context) => {
      const first = { resourceId: "doc-1", owner };
      const { world } = await withTool(context, first);
      const call = await world.call("a");
      world.define("a", { ...first, ...other });
      assert.equal(call.context.isCurrent(), true);
      const later = world.callNamed("a");
      assert.equal(later.context.isCurrent(), true);
      await world.advance();
      assert.equal(call.context.isCurrent(), false);
      assert.equal(later.context.isCurrent(), true);
      assert.deepEqual(world.traffic, ["0 register a"]);
    });
  }

  test("no longer where its hold is released for one with another owner in one tick", async (context) => {
    const { world, hold } = await withTool(context, { owner });
    const call = await world.call("a");
    hold.release();
    world.define("a", { owner: {} });
    assert.equal(call.context.isCurrent(), false);
  });

  test("for the same resource and owner in another hold", async (context) => {
    const { world, hold } = await withTool(context, { resourceId: "doc-1", owner });
    const call = await world.call("a");
    hold.release();
    world.define("a", { resourceId: "doc-1", owner });
    await world.advance();
    assert.equal(call.context.isCurrent(), true);
  });

  test("no longer once it has settled", async (context) => {
    const { world } = await withTool(context);
    const call = await world.call("a");
    call.finish();
    await world.advance();
    assert.equal(call.context.isCurrent(), false);
  });
});

describe("several holds of a tool", () => {
  test("the newest decides, and the one before it when it is released", async (context) => {
    const { world } = await withTool(context);
    const newest = world.define("a", { description: "new" });
    await world.advance(1000);
    assert.equal(newest.status, "registered");
    newest.release();
    await world.advance(1000);
    assert.deepEqual(world.traffic.slice(1), [
      "0 unregister a",
      "0 register a",
      "1000 unregister a",
      "1000 register a",
    ]);
  });

  test("a call enters the handler of the newest", async (context) => {
    const { world } = await withTool(context, { resourceId: "old" });
    const newest = world.define("a", { resourceId: "new" });
    await world.call("a");
    newest.release();
    await world.call("a");
    assert.equal(world.entered.length, 2);
    await world.advance(A_MINUTE);
    assert.equal(world.tool("a").state, "registered");
  });
});
