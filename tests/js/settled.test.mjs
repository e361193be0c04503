import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { describe, test } from "node:test";

import { untilSettled } from "../../static/settled.js";
import { forbidWarnings, turn } from "./fakes.mjs";

forbidWarnings();

/**
 * Begins a wait at a context, on a clock that stands still.
 *
 * @param {import("node:test").TestContext} test
 * @param {import("../../static/settled.js").SettledOptions} [options]
 */
function waiting({ mock }, options) {
  mock.timers.enable({ apis: ["setTimeout"] });
  const context = new EventTarget();
  let now = 0;
  /** When it went on. @type {number | undefined} */
  let wentOn;
  untilSettled(context, options).then(() => (wentOn = now));
  /** Goes through time, millisecond by millisecond, while tools change. @param {number[]} changes */
  const pass = async (changes, until = 10_000) => {
    for (; now < until && wentOn === undefined;) {
      if (changes.includes(now)) context.dispatchEvent(new Event("toolchange"));
      mock.timers.tick(1);
      now += 1;
      await turn();
    }
    return wentOn;
  };
  return { context, pass };
}

describe("settled", () => {
  test("W12: goes on 150 ms after the last of the changes at 40, 90 and 200 ms", async (context) => {
    assert.equal(await waiting(context).pass([40, 90, 200]), 350);
  });

  test("goes on after 150 ms where nothing changes", async (context) => {
    assert.equal(await waiting(context).pass([]), 150);
  });

  test("does not wait for a change that comes later", async (context) => {
    assert.equal(await waiting(context).pass([40, 191]), 190);
  });

  test("waits for 2 s at most, however much changes", async (context) => {
    const always = Array.from({ length: 100 }, (_, index) => index * 100);
    assert.equal(await waiting(context).pass(always), 2000);
  });

  test("takes other times", async (context) => {
    assert.equal(await waiting(context, { quietMs: 20 }).pass([10]), 30);
  });

  test("takes another limit, also below the time of quiet", async (context) => {
    assert.equal(await waiting(context, { capMs: 100 }).pass([40]), 100);
  });

  test("leaves no listener, whether it was quiet or not", async (test) => {
    const { context, pass } = waiting(test, { capMs: 200 });
    const listeners = () => getEventListeners(context, "toolchange").length;
    assert.equal(listeners(), 1);
    await pass([100]);
    assert.equal(listeners(), 0);
  });

  test("leaves no timer", async (test) => {
    test.mock.timers.enable({ apis: ["setTimeout"] });
    /** @type {Set<unknown>} */
    const timers = new Set();
    const { setTimeout, clearTimeout } = globalThis;
    test.mock.method(globalThis, "setTimeout", (/** @type {[() => void, number]} */ ...args) => {
      const timer = setTimeout(...args);
      timers.add(timer);
      return timer;
    });
    test.mock.method(globalThis, "clearTimeout", (/** @type {any} */ timer) => {
      timers.delete(timer);
      clearTimeout(timer);
    });
    const context = new EventTarget();
    const settled = untilSettled(context);
    context.dispatchEvent(new Event("toolchange"));
    assert.equal(timers.size, 2);
    test.mock.timers.tick(150);
    await settled;
    assert.equal(timers.size, 0);
  });

  test("works without a model context", async ({ mock }) => {
    mock.timers.enable({ apis: ["setTimeout"] });
    const settled = untilSettled(undefined);
    mock.timers.tick(150);
    await settled;
  });

  test("lets many wait at once, each for itself", async ({ mock }) => {
    mock.timers.enable({ apis: ["setTimeout"] });
    const context = new EventTarget();
    /** @type {number[]} */
    const done = [];
    for (const quietMs of [30, 10, 20]) {
      untilSettled(context, { quietMs }).then(() => done.push(quietMs));
    }
    mock.timers.tick(5);
    context.dispatchEvent(new Event("toolchange"));
    mock.timers.tick(20);
    await turn();
    assert.deepEqual(done, [10, 20]);
    mock.timers.tick(10);
    await turn();
    assert.deepEqual(done, [10, 20, 30]);
  });

  for (const options of [
    { quietMs: -1 },
    { quietMs: "150" },
    { quietMs: NaN },
    { capMs: Infinity },
    { capMs: 2 ** 31 },
    { capMs: null },
  ]) {
    test(`refuses ${Object.entries(options)} with a TypeError that names it`, async () => {
      const context = new EventTarget();
      await assert.rejects(untilSettled(context, /** @type {any} */ (options)), {
        name: "TypeError",
        message: `webtools.settled: ${Object.keys(options)} must be a number of milliseconds from 0 to 2147483647.`,
      });
      assert.deepEqual(getEventListeners(context, "toolchange"), []);
    });
  }
});
