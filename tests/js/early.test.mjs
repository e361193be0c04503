/** The page that has to do without Python: the table of scripts of ../shared/spec/lifecycle.md, on a browser that cancels. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { forbidWarnings } from "./fakes.mjs";
import { POSTBACK_MS, withTool, World } from "./world.mjs";

forbidWarnings();

const A_MINUTE = 60_000;

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

  test("a remount of what was once leaving is no traffic either", async (context) => {
    const { world, hold } = await withTool(context);
    (await world.call("a")).finish();
    hold.release();
    await world.advance(200);
    const again = world.define("a");
    await world.advance(1000);
    again.release();
    world.define("a");
    await world.advance(A_MINUTE);
    assert.deepEqual(world.traffic, ["0 register a"]);
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
