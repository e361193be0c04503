/** The page that has to do without Python: the table of scripts of ../shared/spec/lifecycle.md, on a browser that cancels. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { forbidWarnings, verdict } from "./fakes.mjs";
import { POSTBACK_MS, World } from "./world.mjs";

forbidWarnings();

const A_MINUTE = 60_000;

/**
 * A page with a tool called "a" that is registered.
 *
 * @param {import("node:test").TestContext} context
 * @param {any} [options]
 */
async function withTool(context, options) {
  const world = new World(context);
  const hold = world.define("a", options);
  await world.advance();
  return { world, hold };
}

describe("the table of scripts, alone", () => {
  test("W1: hold, release and hold in one tick is one register", async (context) => {
    const world = new World(context);
    world.define("a").release();
    world.define("a");
    await world.advance(A_MINUTE);
    assert.deepEqual(world.traffic, ["0 register a"]);
  });

  test("W2: a release while a call runs unregisters after its end and the grace", async (context) => {
    const { world, hold } = await withTool(context);
    const call = await world.call("a");
    hold.release();
    await world.advance(300);
    call.finish("late");
    await world.advance(A_MINUTE);
    assert.equal(call.answer.content[0].text, "late");
    assert.deepEqual(world.traffic, ["0 register a", "800 unregister a"]);
  });

  test("W3: a tool that releases itself in its handler is answered", async (context) => {
    const world = new World(context);
    const hold = world.border.holds.define({ name: "a", description: "d" }, () => hold.release());
    await world.advance();
    const call = await world.call("a");
    await world.advance(A_MINUTE);
    assert.equal(call.answer.content[0].text, "done");
    assert.deepEqual(world.traffic, ["0 register a", "500 unregister a"]);
  });

  test("W4: a call that settles in the grace begins it anew", async (context) => {
    const { world, hold } = await withTool(context);
    const [first, second] = [await world.call("a"), await world.call("a")];
    hold.release();
    first.finish();
    await world.advance(300);
    second.finish();
    await world.advance(A_MINUTE);
    assert.ok(first.answer && second.answer);
    assert.deepEqual(world.traffic, ["0 register a", "800 unregister a"]);
  });

  test("W5: an equal hold in the grace causes no traffic, and stops the timer", async (context) => {
    const { world, hold } = await withTool(context);
    (await world.call("a")).finish();
    hold.release();
    await world.advance(200);
    assert.equal(world.loop.timers.size, 1);
    world.define("a");
    assert.equal(world.loop.timers.size, 0);
    await world.advance(A_MINUTE);
    assert.deepEqual(world.traffic, ["0 register a"]);
    assert.equal(world.tool("a").state, "registered");
  });

  test("W6: another description waits for the call and the grace", async (context) => {
    const { world } = await withTool(context);
    const call = await world.call("a");
    world.define("a", { description: "new" });
    await world.advance(300);
    call.finish();
    await world.advance(A_MINUTE);
    assert.ok(call.answer);
    assert.deepEqual(world.traffic, ["0 register a", "800 unregister a", "800 register a"]);
    assert.deepEqual(await world.listed(), { a: "new" });
  });

  test("W7: another handler causes no traffic and serves the next call", async (context) => {
    const { world } = await withTool(context);
    world.border.holds.define({ name: "a", description: "d" }, () => "the new one");
    await world.advance(A_MINUTE);
    const call = await world.call("a");
    await world.advance(POSTBACK_MS);
    assert.equal(call.answer.content[0].text, "the new one");
    assert.deepEqual(world.traffic, ["0 register a"]);
  });

  test("W8: what is released before there is a context is never registered", async (context) => {
    const world = new World(context, { hasContext: false });
    const hold = world.define("a");
    assert.equal(hold.status, "waiting");
    hold.release();
    world.attachContext();
    await world.advance(A_MINUTE);
    assert.deepEqual(world.traffic, []);
  });

  test("what waits for the context is registered when it comes", async (context) => {
    const world = new World(context, { hasContext: false });
    for (const name of "abc") world.define(name);
    await world.advance(10);
    world.attachContext();
    world.attachContext();
    await world.advance(A_MINUTE);
    assert.deepEqual(world.traffic, ["10 register a", "10 register b", "10 register c"]);
  });

  test("W13: of a catalogue only what changed is registered anew", async (context) => {
    const world = new World(context);
    const old = [..."abcde"].map((name) => world.define(name));
    await world.advance();
    const renewed = [..."abcde"].map((name) =>
      world.define(name, name === "c" ? { description: "new" } : {}),
    );
    for (const hold of old) hold.release();
    await world.advance(A_MINUTE);
    assert.deepEqual(world.traffic.slice(5), ["0 unregister c", "0 register c"]);
    assert.ok(renewed.every(({ status }) => status === "registered"));
  });

  test("W14: a handler that throws has settled, and its tool leaves by the rule", async (context) => {
    const { world, hold } = await withTool(context);
    const call = await world.call("a");
    hold.release();
    call.fail(Object.assign(new Error("no"), { code: "SOLD_OUT" }));
    await world.advance(A_MINUTE);
    assert.equal(call.code, "SOLD_OUT");
    assert.deepEqual(world.traffic, ["0 register a", "500 unregister a"]);
  });

  test("W15: a late rejection of an old attempt leaves the new one", async (context) => {
    const world = new World(context);
    world.oddities[1] = () =>
      new Promise((_, reject) => setTimeout(() => reject(new Error("late")), 50));
    world.define("a").release();
    await world.advance(10);
    const second = world.define("a");
    await world.advance(1000);
    assert.equal(second.status, "registered");
    second.release();
    await world.advance(1000);
    assert.deepEqual(await world.listed(), {});
    assert.deepEqual(world.states.slice(-3), ["a registered", "a leaving", "a unknown"]);
  });

  test("a late acceptance of an old attempt says nothing of the new one", async (context) => {
    const world = new World(context);
    const late = () =>
      /** @type {Promise<void>} */ (new Promise((resolve) => setTimeout(resolve, 50)));
    world.oddities[1] = late;
    world.oddities[2] = () => new Promise(() => {});
    world.define("a").release();
    await world.advance(10);
    const second = world.define("a");
    await world.advance(1000);
    assert.equal(second.status, "registering");
  });

  test("W16: the signal of a refused attempt is never aborted", async (context) => {
    const world = new World(context);
    world.oddities[1] = () => Promise.reject(new DOMException("no", "SecurityError"));
    const refused = world.define("a");
    await world.advance();
    assert.equal(world.tool("a").reason, "SecurityError: no");
    const proper = world.define("a");
    await world.advance();
    refused.release();
    await world.advance(A_MINUTE);
    assert.deepEqual(world.traffic, ["0 register a", "0 register a"]);
    assert.equal(proper.status, "registered");
    assert.equal(world.tool("a").reason, undefined);
  });

  test("W17: twenty tools in one tick are twenty registers and no warning", async (context) => {
    const warn = context.mock.method(console, "warn", () => {});
    const world = new World(context);
    for (let index = 0; index < 20; index += 1) {
      world.define(`t${index}`).release();
      world.define(`t${index}`);
    }
    await world.advance(A_MINUTE);
    assert.equal(world.traffic.length, 20);
    assert.equal(warn.mock.callCount(), 0);
  });

  test("W18: a release before the outcome leaves nothing registered", async (context) => {
    const world = new World(context);
    world.oddities[1] = async (real) => {
      await real();
      await new Promise((resolve) => setTimeout(resolve, 50));
    };
    world.define("a").release();
    await world.advance(A_MINUTE);
    assert.deepEqual(world.traffic, ["0 register a", "0 unregister a"]);
    assert.deepEqual(await world.listed(), {});
  });

  test("W19: an abort handler that throws leaves the slot usable", async (context) => {
    /** @type {unknown[]} */
    const uncaught = [];
    process.setUncaughtExceptionCaptureCallback((error) => uncaught.push(error));
    context.after(() => process.setUncaughtExceptionCaptureCallback(null));
    const world = new World(context);
    world.oddities[1] = (real, { signal }) => {
      signal.addEventListener("abort", () => {
        throw new Error("an abort handler of the page's");
      });
      return real();
    };
    world.define("a", { description: "old" });
    await world.advance();
    const hold = world.define("a");
    await world.advance();
    assert.equal(uncaught.length, 1); // the platform tells the page's own console
    assert.equal(hold.status, "registered");
    assert.deepEqual(await world.listed(), { a: "d" });
  });

  test("W20: a tool that was never called leaves in the next macrotask", async (context) => {
    const { world, hold } = await withTool(context);
    hold.release();
    assert.deepEqual(world.traffic, ["0 register a"]);
    await world.advance();
    assert.deepEqual(world.traffic, ["0 register a", "0 unregister a"]);
  });
});

describe("a registration that the browser refuses", () => {
  /** @type {Record<string, import("./world.mjs").Oddity>} */
  const ways = {
    rejects: () => Promise.reject(new DOMException("taken", "InvalidStateError")),
    throws: () => {
      throw new DOMException("taken", "InvalidStateError");
    },
  };
  for (const [how, oddity] of Object.entries(ways)) {
    test(`is failed with the reason when the browser ${how}, alone`, async (context) => {
      const world = new World(context);
      world.oddities[1] = oddity;
      const [refused, other] = [world.define("a"), world.define("b")];
      await world.advance(A_MINUTE);
      assert.deepEqual([refused.status, other.status], ["failed", "registered"]);
      assert.equal(world.tool("a").reason, "InvalidStateError: taken");
      assert.equal(world.traffic.length, 2); // it is not tried again
    });
  }

  test("is forgotten with its last hold, and the page is told", async (context) => {
    const world = new World(context);
    world.oddities[1] = ways.rejects;
    const hold = world.define("a");
    await world.advance();
    hold.release();
    await world.advance();
    assert.deepEqual(world.states, ["a registering", "a failed", "a unknown"]);
    assert.deepEqual(world.border.states(), []);
  });
});

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
      await world.advance();
      assert.equal(call.context.isCurrent(), false);
      assert.equal(later.context.isCurrent(), true);
      assert.deepEqual(world.traffic, ["0 register a"]);
    });
  }

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

describe("when all is quiet", () => {
  test("nothing is left of what was released", async (context) => {
    const { world, hold } = await withTool(context);
    (await world.call("a")).finish();
    hold.release();
    hold.release();
    await world.advance(A_MINUTE);
    assert.deepEqual(world.border.states(), []);
    assert.deepEqual(world.states, ["a registering", "a registered", "a leaving", "a unknown"]);
    assert.deepEqual([world.loop.timers.size, world.loop.tasks.length], [0, 0]);
    const handed = world.attachPython();
    assert.deepEqual([handed.slots, handed.wishes, handed.calls], [[], [], []]);
    assert.equal(handed.attempts, 1);
  });

  test("nothing is left after ten thousand holds and releases", async (context) => {
    const world = new World(context);
    for (let count = 0; count < 10_000; count += 1) {
      world.define(`t${count % 7}`).release();
      if (count % 50 === 0) await world.advance();
    }
    await world.advance();
    assert.deepEqual(world.border.states(), []);
    assert.deepEqual([...world.border.holds.wishes()], []);
    assert.deepEqual([world.loop.timers.size, world.loop.tasks.length], [0, 0]);
    assert.deepEqual(await world.listed(), {});
  });
});
