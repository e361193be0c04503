/** Where snapshots' heaps are kept for the next visit. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { dropHeap, keepLater, lookAfterHeap, quickHeap } from "../../static/heaps.js";
import { Runtime } from "../../static/runtime.js";
import { entryOf } from "./zips.mjs";

const BASE = "https://shop.example/webtools/runtime/";
const HEAP = new TextEncoder().encode("heap");
const ENTRY = entryOf("snapshot-2.bin", HEAP);
const URL_OF_IT = `${BASE}snapshot-2.bin`;

/** @typedef {import("node:test").TestContext} TestContext */

/**
 * A browser that keeps responses, and is idle when it is asked.
 *
 * @param {TestContext} context
 * @param {Record<string, string>} [kept]
 * @param {object} [more]
 * @param {boolean} [more.isFull]
 * @param {boolean} [more.savesData]
 * @param {string} [more.served]
 */
function browser(context, kept = {}, { isFull, savesData, served = "heap" } = {}) {
  const page = /** @type {any} */ (globalThis);
  const store = new Map(Object.entries(kept));
  const cache = {
    match: async (/** @type {string} */ url) =>
      store.has(url) ? new Response(store.get(url)) : undefined,
    keys: async () => [...store.keys()].map((url) => ({ url })),
    delete: async (/** @type {string} */ url) => store.delete(url),
    put: async (/** @type {string} */ url, /** @type {Response} */ response) => {
      if (isFull) throw new DOMException("no room", "QuotaExceededError");
      store.set(url, await response.text());
    },
  };
  /** @type {Promise<void>[]} */
  const idle = [];
  const before = Object.getOwnPropertyDescriptor(page, "navigator"); // Node has one from 21 on
  Object.defineProperty(page, "navigator", {
    value: { connection: { saveData: savesData } },
    configurable: true,
  });
  page.caches = { open: async () => cache };
  /** @type {Map<string, string>} */
  const stored = new Map();
  page.localStorage = {
    getItem: (/** @type {string} */ key) => stored.get(key) ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ text) => void stored.set(key, text),
  };
  page.requestIdleCallback = (/** @type {() => Promise<void>} */ callback) => idle.push(callback());
  context.after(() => {
    delete page.caches;
    delete page.localStorage;
    delete page.requestIdleCallback;
    delete page.navigator;
    if (before) Object.defineProperty(page, "navigator", before);
  });
  const fetch = context.mock.method(globalThis, "fetch", async () => new Response(served));
  return { store, fetch: fetch.mock, whenIdle: () => Promise.all(idle) };
}

const runtime = new Runtime(BASE, /** @type {any} */ ({}));
const never = new Promise(() => {});

describe("a heap", () => {
  it("that was kept is taken without a look at the link", async (context) => {
    const { fetch } = browser(context, { [URL_OF_IT]: "heap" });
    const quick = await quickHeap(runtime, ENTRY, never);
    assert.deepEqual(await quick?.heap, HEAP);
    assert.equal(fetch.callCount(), 0);
  });

  it("that was damaged meanwhile is not taken", async (context) => {
    browser(context, { [URL_OF_IT]: "hea!" });
    const quick = await quickHeap(runtime, ENTRY, never);
    await assert.rejects(async () => quick?.heap, /has not kept it as it was/);
  });

  it("is fetched over a fast link", async (context) => {
    browser(context);
    const timing = { transferSize: 1e6, responseStart: 0, responseEnd: 10 };
    context.mock.method(performance, "getEntriesByName", () => [timing]);
    const quick = await quickHeap(runtime, ENTRY, Promise.resolve("a.mjs"));
    assert.deepEqual(await quick?.heap, HEAP);
  });

  it("is not fetched where the person saves data, but one that was kept is taken", async (context) => {
    const { store, fetch } = browser(context, {}, { savesData: true });
    const timing = { transferSize: 1e6, responseStart: 0, responseEnd: 10 };
    context.mock.method(performance, "getEntriesByName", () => [timing]);
    assert.equal(await quickHeap(runtime, ENTRY, Promise.resolve("a.mjs")), undefined);
    assert.equal(fetch.callCount(), 0);
    store.set(URL_OF_IT, "heap");
    const quick = await quickHeap(runtime, ENTRY, never);
    assert.deepEqual(await quick?.heap, HEAP);
  });

  it("is fetched, too, in a browser that refuses to keep anything", async (context) => {
    browser(context);
    /** @type {any} */ (globalThis).caches.open = async () => {
      throw new DOMException("not allowed", "SecurityError");
    };
    const timing = { transferSize: 1e6, responseStart: 0, responseEnd: 10 };
    context.mock.method(performance, "getEntriesByName", () => [timing]);
    const quick = await quickHeap(runtime, ENTRY, Promise.resolve("a.mjs"));
    assert.deepEqual(await quick?.heap, HEAP);
  });
});

describe("for the next visit", () => {
  const OLDER = `${BASE}snapshot-1.bin`;
  const ANOTHER = "https://shop.example/other/snapshot-1.bin";

  it("a heap is kept instead of older ones of its folder", async (context) => {
    const { store, fetch, whenIdle } = browser(context, { [OLDER]: "old", [ANOTHER]: "other" });
    keepLater(runtime, ENTRY, HEAP);
    await whenIdle();
    assert.deepEqual(Object.fromEntries(store), { [ANOTHER]: "other", [URL_OF_IT]: "heap" });
    assert.equal(fetch.callCount(), 0);
  });

  it("it is fetched where it is not here", async (context) => {
    const { store, whenIdle } = browser(context);
    keepLater(runtime, ENTRY);
    await whenIdle();
    assert.equal(store.get(URL_OF_IT), "heap");
  });

  for (const [what, kept, more] of /** @type {[string, Record<string, string>, object][]} */ ([
    ["it is kept already", { [URL_OF_IT]: "heap" }, {}],
    ["the person saves data", {}, { savesData: true }],
  ])) {
    it(`nothing is fetched where ${what}`, async (context) => {
      const { fetch, whenIdle } = browser(context, kept, more);
      keepLater(runtime, ENTRY);
      await whenIdle();
      assert.equal(fetch.callCount(), 0);
    });
  }

  for (const [what, more] of /** @type {[string, object][]} */ ([
    ["there is no room", { isFull: true }],
    ["it is not the one of the index", { served: "another" }],
  ])) {
    it(`none is kept where ${what}, and that is all`, async (context) => {
      const { store, whenIdle } = browser(context, {}, more);
      keepLater(runtime, ENTRY);
      await whenIdle();
      assert.equal(store.size, 0);
    });
  }

  it("a damaged one is forgotten, and fetched anew", async (context) => {
    const { store, whenIdle } = browser(context, { [URL_OF_IT]: "hea!", [ANOTHER]: "other" });
    await dropHeap(runtime, ENTRY, false);
    assert.deepEqual([...store.keys()], [ANOTHER]);
    keepLater(runtime, ENTRY);
    await whenIdle();
    assert.equal(store.get(URL_OF_IT), "heap");
  });

  it("one that the browser cannot use is never tried again, but another is", async (context) => {
    const { store, fetch, whenIdle } = browser(context, { [URL_OF_IT]: "heap" });
    await dropHeap(runtime, ENTRY, true);
    const timing = { transferSize: 1e6, responseStart: 0, responseEnd: 10 };
    context.mock.method(performance, "getEntriesByName", () => [timing]);
    const measured = Promise.resolve("a.mjs");
    assert.equal(await quickHeap(runtime, ENTRY, measured), undefined);
    keepLater(runtime, ENTRY);
    await whenIdle();
    assert.deepEqual([store.size, fetch.callCount()], [0, 0]);
    const another = await quickHeap(runtime, { ...ENTRY, sha256: "another" }, measured);
    await assert.rejects(async () => another?.heap, /is not the file that/);
  });

  it("one that came late is kept, and one that was of no use is not", async (context) => {
    const { store, whenIdle } = browser(context);
    await lookAfterHeap(runtime, ENTRY, Promise.resolve(HEAP));
    await whenIdle();
    assert.deepEqual([...store.keys()], [URL_OF_IT]);
    await lookAfterHeap(runtime, ENTRY, Promise.resolve(HEAP), true);
    await whenIdle();
    assert.deepEqual([...store.keys()], []);
  });

  it("a browser that stores nothing finds it out again", async (context) => {
    browser(context);
    Object.defineProperty(globalThis, "localStorage", {
      configurable: true,
      get() {
        throw new DOMException("not allowed", "SecurityError");
      },
    });
    await dropHeap(runtime, ENTRY, true);
    const timing = { transferSize: 1e6, responseStart: 0, responseEnd: 10 };
    context.mock.method(performance, "getEntriesByName", () => [timing]);
    assert.ok(await quickHeap(runtime, ENTRY, Promise.resolve("a.mjs")));
  });
});
