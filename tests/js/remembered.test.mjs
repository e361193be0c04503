/** What a page remembers of the apps that it had, for its next visit. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { nameOf, recall, remember } from "../../static/remembered.js";
import { forbidWarnings, replace, turn } from "./fakes.mjs";
import { newPage, responding } from "./page.mjs";

forbidWarnings();

/** @typedef {import("node:test").TestContext} TestContext */

const APP = "https://shop.example/a.py";
const KEY = "webtools.manifests";

/** @param {string} [description] @param {string} [webtools] */
function manifest(description = "d", webtools = "1") {
  const definition = JSON.stringify({ name: "a", description });
  const tool = { definition, held: false, match: [], timeout: 60 };
  return JSON.stringify({ webtools, app: "0", tools: [tool] });
}

/**
 * A browser's storage of this page.
 *
 * @param {TestContext} context
 * @param {string} [text] what is in it
 */
function newStorage(context, text) {
  const items = new Map(text === undefined ? [] : [[KEY, text]]);
  const storage = {
    items,
    writes: 0,
    getItem: (/** @type {string} */ key) => items.get(key) ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ value) => {
      storage.writes += 1;
      items.set(key, value);
    },
  };
  replace(context, "localStorage", storage);
  return storage;
}

const described = (/** @type {any} */ tools) => JSON.parse(tools[0].text).description;

describe("what an app defined", () => {
  test("is recalled, the newest of it, by the same version", (context) => {
    newStorage(context);
    assert.equal(recall(APP, "1"), undefined);
    remember(APP, manifest());
    remember("https://shop.example/b.py", manifest("b"));
    remember(APP, manifest("new"));
    assert.equal(described(recall(APP, "1")), "new");
    assert.equal(recall(APP, "2"), undefined);
  });

  test("is not written again where it is the same", (context) => {
    const storage = newStorage(context);
    remember(APP, manifest());
    remember(APP, manifest());
    assert.equal(storage.writes, 1);
  });

  test("is kept of ten apps", (context) => {
    newStorage(context);
    for (let number = 0; number < 11; number += 1) remember(`${APP}?${number}`, manifest());
    assert.equal(recall(`${APP}?0`, "1"), undefined);
    assert.equal(described(recall(`${APP}?1`, "1")), "d");
  });

  test("is kept of few apps, where they are large", (context) => {
    const storage = newStorage(context);
    for (const name of "abc") remember(name, manifest(name.repeat(80_000)));
    assert.deepEqual(
      [..."abc"].map((name) => recall(name, "1") !== undefined),
      [false, true, true],
    );
    remember("d", manifest("d".repeat(250_000)));
    assert.ok(String(storage.items.get(KEY)).length < 10);
  });

  for (const [what, text] of Object.entries({
    "no JSON": "{",
    "another thing": '{"a": 1}',
    nothing: "null",
    "odd entries": JSON.stringify([null, [1, 2], [APP], [APP, 5], [APP, "{"]]),
  })) {
    test(`is unknown where ${what} is stored, and remembered anew`, (context) => {
      newStorage(context, text);
      assert.equal(recall(APP, "1"), undefined);
      remember(APP, manifest());
      assert.equal(described(recall(APP, "1")), "d");
    });
  }

  test("is unknown where the browser has no storage, or refuses it", (context) => {
    remember(APP, manifest());
    assert.equal(recall(APP, "1"), undefined);
    const get = () => {
      throw new DOMException("denied", "SecurityError");
    };
    Object.defineProperty(globalThis, "localStorage", { get, configurable: true });
    context.after(() => Reflect.deleteProperty(globalThis, "localStorage"));
    remember(APP, manifest());
    assert.equal(recall(APP, "1"), undefined);
  });

  test("is what it was where the storage is full", (context) => {
    const storage = newStorage(context);
    remember(APP, manifest("old"));
    storage.setItem = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
    remember(APP, manifest("new"));
    assert.equal(described(recall(APP, "1")), "old");
  });
});

describe("a page", () => {
  test("has at once what its app defined last time, and remembers what it defines now", async (context) => {
    newStorage(context);
    remember(APP, manifest("last time"));
    const page = newPage(context, { python: { manifest: () => manifest("now") } });
    const started = page.host.start({ app: "/a.py" });
    const { registered } = page.document.modelContext;
    assert.deepEqual(
      registered.map((/** @type {any} */ { tool }) => tool.description),
      ["last time"],
    );
    await started;
    assert.equal(described(recall(APP, "1")), "now");
    assert.deepEqual(page.calls.at(-1), ["manifest", APP, "1"]);
  });

  test("knows the entries of one archive apart, and other packages", async (context) => {
    newStorage(context);
    const archive = "https://shop.example/shop.zip";
    const python = { load_archive: () => undefined, manifest: () => manifest("cart's") };
    const page = newPage(context, { python, files: { [archive]: responding("PK") } });
    await page.host.start({ app: "/shop.zip", entry: "shop.cart" });
    assert.equal(described(recall(nameOf(archive, { entry: "shop.cart" }), "1")), "cart's");
    assert.equal(recall(nameOf(archive, { entry: "shop.orders" }), "1"), undefined);
    assert.equal(recall(nameOf(archive, { entry: "shop.cart", packages: "x" }), "1"), undefined);
    assert.equal(recall(nameOf(archive, {}), "1"), undefined);

    const next = newPage(context, { python, files: { [archive]: responding("PK") } });
    const started = next.host.start({ app: "/shop.zip", entry: "shop.cart" });
    const { registered } = next.document.modelContext;
    assert.equal(registered[0].tool.description, "cart's");
    await started;
  });

  test("goes by its manifest, where it has one", async (context) => {
    newStorage(context);
    remember(APP, manifest("last time"));
    const files = { "https://shop.example/a.json": responding(manifest("the manifest's")) };
    const page = newPage(context, { files });
    await page.host.start({ app: "/a.py", manifest: "/a.json" });
    const { registered } = page.document.modelContext;
    assert.deepEqual(
      registered.map((/** @type {any} */ { tool }) => tool.description),
      ["the manifest's"],
    );
  });

  test("goes by its memory where the manifest cannot be used", async (context) => {
    newStorage(context);
    remember(APP, manifest("last time"));
    const page = newPage(context);
    const started = page.host.start({ app: "/a.py", manifest: "/missing.json" });
    await turn();
    const { registered } = page.document.modelContext;
    assert.deepEqual(
      registered.map((/** @type {any} */ { tool }) => tool.description),
      ["last time"],
    );
    await started;
  });

  test("remembers nothing of an app that failed", async (context) => {
    const storage = newStorage(context);
    const problem = JSON.stringify({ message: "no", traceback: "" });
    const page = newPage(context, { python: { load: () => problem, manifest: () => manifest() } });
    await assert.rejects(page.host.start({ app: "/a.py" }));
    assert.equal(storage.writes, 0);
  });
});
