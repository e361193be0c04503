import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { Confirmations } from "../../static/confirm.js";
import { deferred, forbidWarnings, turn } from "./fakes.mjs";

forbidWarnings();

/** @typedef {import("node:test").TestContext} TestContext */

const QUESTION = { tool: "pay", message: "Pay now?", arguments: {} };

/**
 * Confirmations of a page, whose dialog says what the test does.
 *
 * @param {TestContext} context
 */
function newPage(context) {
  const doc = Object.assign(new EventTarget(), { visibilityState: "visible" });
  const global = /** @type {any} */ (globalThis);
  global.document = doc;
  context.after(() => delete global.document);
  const { mock: errors } = context.mock.method(console, "error", () => {});
  /** @type {{message: string, signal: AbortSignal, says: (outcome: string) => void, fails: (error: unknown) => void}[]} */
  const shown = [];
  const show = async (/** @type {any} */ { message }, /** @type {AbortSignal} */ signal) => {
    const { promise, resolve, reject } = deferred();
    signal.addEventListener("abort", () => resolve(signal.reason));
    shown.push({ message, signal, says: resolve, fails: reject });
    return promise;
  };
  const confirmations = new Confirmations(show);
  const ask = (message = "Pay now?", controller = new AbortController()) => {
    const outcome = confirmations.ask({ ...QUESTION, message }, controller.signal);
    return { outcome, controller };
  };
  const see = (/** @type {string} */ state) => {
    doc.visibilityState = state;
    doc.dispatchEvent(new Event("visibilitychange"));
  };
  const messages = () => shown.map(({ message }) => message);
  return { confirmations, ask, see, shown, messages, errors };
}

describe("questions", () => {
  test("are asked one after another, in their order", async (context) => {
    const { ask, shown, messages } = newPage(context);
    const asked = ["a", "b", "c"].map((message) => ask(message));
    await turn();
    assert.deepEqual(messages(), ["a"]);
    shown[0].says("denied");
    await turn();
    assert.deepEqual(messages(), ["a", "b"]);
    shown[1].says("allowed");
    await turn();
    shown[2].says("dismissed");
    const outcomes = await Promise.all(asked.map(({ outcome }) => outcome));
    assert.deepEqual(outcomes, ["denied", "allowed", "dismissed"]);
  });

  test("that are withdrawn while they wait are never shown, and let none overtake", async (context) => {
    const { ask, shown, messages } = newPage(context);
    const [first, second, third] = ["a", "b", "c"].map((message) => ask(message));
    await turn();
    second.controller.abort("timeout");
    assert.equal(await second.outcome, "timeout");
    await turn();
    assert.deepEqual(messages(), ["a"]);
    shown[0].says("allowed");
    await turn();
    assert.deepEqual(messages(), ["a", "c"]);
    shown[1].says("denied");
    assert.deepEqual([await first.outcome, await third.outcome], ["allowed", "denied"]);
  });

  test("that are withdrawn while they are shown end for that reason, and the next is asked", async (context) => {
    const { ask, shown, messages } = newPage(context);
    const [first, second] = ["a", "b"].map((message) => ask(message));
    await turn();
    first.controller.abort("over");
    shown[0].says("allowed");
    assert.equal(await first.outcome, "over");
    await turn();
    assert.deepEqual(messages(), ["a", "b"]);
    shown[1].says("allowed");
    assert.equal(await second.outcome, "allowed");
  });

  test("that were withdrawn before are never shown", async (context) => {
    const { ask, shown } = newPage(context);
    const controller = new AbortController();
    controller.abort("over");
    assert.equal(await ask("a", controller).outcome, "over");
    await turn();
    assert.deepEqual(shown, []);
  });

  test("wait until the page can be seen", async (context) => {
    const { ask, see, shown } = newPage(context);
    see("hidden");
    const { outcome } = ask();
    await turn();
    assert.equal(shown.length, 0);
    see("hidden");
    await turn();
    assert.equal(shown.length, 0);
    see("visible");
    await turn();
    shown[0].says("allowed");
    assert.equal(await outcome, "allowed");
  });

  test("that are withdrawn while the page is hidden are never shown", async (context) => {
    const { ask, see, shown } = newPage(context);
    see("hidden");
    const { outcome, controller } = ask();
    await turn();
    controller.abort("timeout");
    assert.equal(await outcome, "timeout");
    see("visible");
    await turn();
    assert.deepEqual(shown, []);
  });

  test("are refused where no dialog can be shown, and the console says why", async (context) => {
    const { ask, shown, errors } = newPage(context);
    const [first, second] = [ask("a"), ask("b")];
    await turn();
    shown[0].fails(new Error("no showModal"));
    assert.equal(await first.outcome, "unavailable");
    assert.equal(errors.callCount(), 1);
    await turn();
    shown[1].says("allowed");
    assert.equal(await second.outcome, "allowed");
  });
});

describe("a page's own way of asking", () => {
  test("is told everything, and only true allows", async (context) => {
    const { confirmations, ask, shown, errors } = newPage(context);
    /** @type {any[]} */
    const told = [];
    confirmations.askWith((question) => {
      told.push(question);
      return question.message === "a";
    });
    assert.equal(await ask("a").outcome, "allowed");
    assert.equal(await ask("b").outcome, "denied");
    const { signal, ...question } = told[0];
    assert.deepEqual(question, { ...QUESTION, message: "a" });
    assert.equal(signal.aborted, false);
    assert.deepEqual(shown, []);
    assert.equal(errors.callCount(), 0);
  });

  for (const value of ["true", 1, {}, undefined, null, "allowed"]) {
    test(`that gives ${JSON.stringify(value)} is a refusal, and the console says so`, async (context) => {
      const { confirmations, ask, errors } = newPage(context);
      confirmations.askWith(async () => /** @type {any} */ (value));
      assert.equal(await ask().outcome, "failed");
      assert.equal(errors.callCount(), 1);
    });
  }

  for (const [name, way] of /** @type {[string, any][]} */ ([
    ["throws", () => assert.fail("no")],
    ["rejects", async () => assert.fail("no")],
  ])) {
    test(`that ${name} is a refusal, and the console says so`, async (context) => {
      const { confirmations, ask, errors } = newPage(context);
      confirmations.askWith(way);
      assert.equal(await ask().outcome, "failed");
      assert.equal(errors.callCount(), 1);
    });
  }

  test("that never comes back is left behind when the question is withdrawn", async (context) => {
    const { confirmations, ask, errors } = newPage(context);
    /** @type {any[]} */
    const signals = [];
    confirmations.askWith(({ signal, message }) => {
      signals.push(signal);
      return message === "b" || new Promise(() => {});
    });
    const first = ask("a");
    const second = ask("b");
    await turn();
    first.controller.abort("over");
    assert.equal(signals[0].aborted, true);
    assert.equal(await first.outcome, "over");
    assert.equal(await second.outcome, "allowed");
    assert.equal(errors.callCount(), 0);
  });

  test("may throw when it is told to stop, and that is no news", async (context) => {
    const { confirmations, ask, errors } = newPage(context);
    confirmations.askWith(
      ({ signal }) =>
        new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    );
    const { outcome, controller } = ask();
    await turn();
    controller.abort("over");
    assert.equal(await outcome, "over");
    await turn();
    assert.equal(errors.callCount(), 0);
  });

  test("can be taken back", async (context) => {
    const { confirmations, ask, shown } = newPage(context);
    confirmations.askWith(() => true);
    confirmations.askWith(undefined);
    const { outcome } = ask();
    await turn();
    shown[0].says("denied");
    assert.equal(await outcome, "denied");
  });

  test("that never comes back is told to stop when it is taken back, and the dialog asks instead", async (context) => {
    const { confirmations, ask, shown, messages, errors } = newPage(context);
    /** @type {AbortSignal[]} */
    const signals = [];
    confirmations.askWith(({ signal }) => {
      signals.push(signal);
      signal.throwIfAborted();
      return new Promise((_, reject) =>
        signal.addEventListener("abort", () => reject(signal.reason)),
      );
    });
    const [first, second] = [ask("a"), ask("b")];
    await turn();
    assert.equal(signals.length, 1);
    confirmations.askWith(undefined);
    await turn();
    assert.equal(signals[0].aborted, true);
    assert.deepEqual(messages(), ["a"]);
    shown[0].says("allowed");
    assert.equal(await first.outcome, "allowed");
    await turn();
    shown[1].says("denied");
    assert.equal(await second.outcome, "denied");
    assert.equal(errors.callCount(), 0);
  });

  test("takes over what the dialog asks, but not what was asked before", async (context) => {
    const { confirmations, ask, shown } = newPage(context);
    const first = ask("a");
    await turn();
    shown[0].says("denied");
    await first.outcome;
    const second = ask("b");
    await turn();
    /** @type {string[]} */
    const told = [];
    confirmations.askWith(({ message }) => told.push(message) > 0);
    await turn();
    assert.equal(shown[1].signal.aborted, true);
    assert.equal(await second.outcome, "allowed");
    assert.deepEqual(told, ["b"]);
  });

  test("that has an answer in the moment of its end is asked no more", async (context) => {
    const { confirmations, ask, shown } = newPage(context);
    const { promise, resolve } = deferred();
    confirmations.askWith(() => promise);
    const { outcome } = ask();
    await turn();
    resolve(true);
    confirmations.askWith(undefined);
    assert.equal(await outcome, "allowed");
    await turn();
    assert.deepEqual(shown, []);
  });

  test("tells that nobody can see the page where the bridge says so", async (context) => {
    const { confirmations, ask } = newPage(context);
    confirmations.askWith(() => {
      throw new Error("no window", { cause: "headless" });
    });
    assert.equal(await ask().outcome, "headless");
  });

  test("is left alone where it is taken back for a moment, as by a component that renders", async (context) => {
    const { confirmations, ask, shown } = newPage(context);
    const { promise, resolve } = deferred();
    let count = 0;
    const own = () => {
      count += 1;
      return promise;
    };
    confirmations.askWith(own);
    const { outcome } = ask();
    await turn();
    confirmations.askWith(undefined);
    confirmations.askWith(own);
    await turn();
    resolve(true);
    assert.equal(await outcome, "allowed");
    assert.equal(count, 1);
    assert.deepEqual(shown, []);
  });

  test("that is changed leaves a withdrawn question alone, and a hidden page asks when it is seen", async (context) => {
    const { confirmations, ask, see, shown, messages } = newPage(context);
    confirmations.askWith(() => new Promise(() => {}));
    const [first, second] = [ask("a"), ask("b")];
    await turn();
    first.controller.abort("over");
    assert.equal(await first.outcome, "over");
    await turn();
    see("hidden");
    confirmations.askWith(undefined);
    await turn();
    assert.equal(shown.length, 0);
    see("visible");
    await turn();
    assert.deepEqual(messages(), ["b"]);
    shown[0].says("denied");
    assert.equal(await second.outcome, "denied");
  });
});
