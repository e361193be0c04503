import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";

import { deferred, fakeContext, forbidWarnings, turn } from "./fakes.mjs";
import { newPage } from "./page.mjs";

forbidWarnings();

const NAME = "webtools.interrupted";

/** @type {Map<string, string>} */
let stored;

beforeEach(() => {
  stored = new Map();
  Object.defineProperty(globalThis, "sessionStorage", {
    configurable: true,
    value: {
      getItem: (/** @type {string} */ name) => stored.get(name) ?? null,
      setItem: (/** @type {string} */ name, /** @type {string} */ text) => stored.set(name, text),
      removeItem: (/** @type {string} */ name) => stored.delete(name),
    },
  });
});

afterEach(() => {
  Reflect.deleteProperty(globalThis, "sessionStorage");
});

/**
 * A page with a tool whose calls do not end before the test says so.
 *
 * @param {import("node:test").TestContext} context
 */
function newShop(context) {
  const page = newPage(context, { modelContext: fakeContext() });
  const end = deferred();
  page.host.define({ name: "pay", description: "Pay." }, () => end.promise);
  const leave = () => page.window.dispatchEvent(new Event("pagehide"));
  const comeBack = () =>
    page.window.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true }));
  return { ...page, end, leave, comeBack };
}

describe("calls that a page load interrupts", () => {
  test("are what the next page in the tab is told of, once, without their arguments", async (context) => {
    context.mock.method(Date, "now", () => 1_800_000_000_000);
    const { host, leave } = newShop(context);
    const calls = [host.call("pay", { card: "4242" }), host.call("pay", { card: "4343" })];
    await turn();
    leave();
    await Promise.all(calls);
    assert.ok(!String(stored.get(NAME)).includes("4242"));
    const { interrupted } = newPage(context).host;
    assert.deepEqual(
      interrupted.map(({ tool, startedAt }) => [tool, startedAt]),
      [
        ["pay", 1_800_000_000_000],
        ["pay", 1_800_000_000_000],
      ],
    );
    assert.equal(new Set(interrupted.map(({ callId }) => callId)).size, 2);
    assert.ok(Object.isFrozen(interrupted) && interrupted.every(Object.isFrozen));
    assert.deepEqual(stored, new Map());
    assert.deepEqual(newPage(context).host.interrupted, []);
  });

  test("are not those that have their answer", async (context) => {
    const { host, end, leave } = newShop(context);
    const call = host.call("pay");
    end.resolve();
    await call;
    leave();
    assert.deepEqual(stored, new Map());
  });

  test("are the fifty newest", async (context) => {
    const { host, leave } = newShop(context);
    /** @type {string[]} */
    const ids = [];
    host.addEventListener("callstart", (event) =>
      ids.push(/** @type {any} */ (event).detail.callId),
    );
    for (let count = 0; count < 60; count += 1) host.call("pay");
    await turn();
    leave();
    const { interrupted } = newPage(context).host;
    assert.deepEqual(
      interrupted.map(({ callId }) => callId),
      ids.slice(10),
    );
  });

  test("are none for a page that has come back and answered them", async (context) => {
    const { host, leave, comeBack } = newShop(context);
    host.call("pay");
    await turn();
    leave();
    assert.ok(stored.has(NAME));
    comeBack();
    assert.deepEqual(stored, new Map());
    await turn();
    leave();
    assert.deepEqual(stored, new Map());
  });

  test("stay another page's, where the one that has come back finds them", async (context) => {
    const { host, leave, comeBack } = newShop(context);
    host.call("pay");
    await turn();
    leave();
    stored.set(NAME, "[]");
    comeBack();
    assert.deepEqual(stored, new Map([[NAME, "[]"]]));
  });

  test("are the outermost page's only: a frame takes none and keeps none", async (context) => {
    const frame = newPage(context);
    frame.window.parent = new EventTarget();
    const text = '[{"tool":"pay","callId":"c1","startedAt":1}]';
    stored.set(NAME, text);
    const { Host } = await import("../../static/host.js");
    const inFrame = new Host({ runtime: "", version: "1" });
    assert.deepEqual(inFrame.interrupted, []);
    inFrame.define({ name: "pay", description: "Pay." }, () => new Promise(() => {}));
    inFrame.call("pay");
    await turn();
    frame.window.dispatchEvent(new Event("pagehide"));
    assert.equal(stored.get(NAME), text);
  });

  for (const text of [
    "",
    "5",
    "{}",
    "[5]",
    '[{"tool":"pay"}]',
    '[{"tool":1,"callId":"c","startedAt":1}]',
  ]) {
    test(`are none where the storage has something else: ${text}`, (context) => {
      stored.set(NAME, text);
      assert.deepEqual(newPage(context).host.interrupted, []);
      assert.deepEqual(stored, new Map());
    });
  }

  test("are none, quietly, where the browser refuses to store", async (context) => {
    Object.defineProperty(globalThis, "sessionStorage", {
      configurable: true,
      get() {
        throw new DOMException("no", "SecurityError");
      },
    });
    const { host, leave, comeBack, errors, warnings } = newShop(context);
    host.call("pay");
    await turn();
    leave();
    comeBack();
    assert.deepEqual([host.interrupted, errors(), warnings()], [[], [], []]);
  });
});
