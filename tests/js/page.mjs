/** A page without a browser: its document, its network, and a runtime that is not Pyodide. */
import { Host } from "../../static/host.js";
import { fakeContext, fakeCrossing, fakePython } from "./fakes.mjs";
import { entryOf, zipOf } from "./zips.mjs";

export const RUNTIME = new URL("./fixtures/runtime/", import.meta.url).href;

/** A pack with one file. */
export const PACK = zipOf({ "shop.py": "" });

/** The runtime's index, without a snapshot. */
export const INDEX = {
  engine: "",
  info: { python: "3.14.2" },
  sitePackages: "/site",
  stdlib: entryOf("stdlib-1.zip", "zip"),
  packages: entryOf("packages-1.zip", PACK),
};

/** @typedef {import("node:test").TestContext} TestContext */
/** @typedef {(url: string) => any} Network answers with a Response, or throws */

/** @param {string} text @param {ResponseInit} [init] */
export const responding = (text, init) => () => new Response(text, init);

/**
 * @param {Record<string, () => any>} files by URL; what is not there is a 404
 * @returns {Network}
 */
export function network(files) {
  return (url) => files[url]?.() ?? new Response("not found", { status: 404 });
}

/**
 * Pyodide, as far as boot.js looks at it.
 *
 * @param {Record<string, any>} host Python's host
 */
export function fakePyodide(host) {
  /** @type {string[]} */
  const files = [];
  const { start, started } = fakeCrossing(host);
  return {
    files,
    started,
    FS: { mkdirTree() {}, writeFile: (/** @type {string} */ path) => void files.push(path) },
    pyimport: (/** @type {string} */ name) => ({
      start,
      install: () => undefined,
      invalidate_caches() {},
      awake: () => void files.push(`${name}.awake()`),
    }),
    _api: /** @type {{on_fatal?: (error: unknown) => void}} */ ({}),
  };
}

/**
 * Answers the smallest module there is.
 *
 * @param {string} type
 * @param {number[]} [rest] what follows in it
 * @returns {() => Response}
 */
export function wasmAs(type, rest = []) {
  const bytes = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, ...rest);
  return () => new Response(bytes, { headers: { "content-type": type } });
}

/**
 * Puts a page around the test, whose apps are `/a.py` and `/b.py`. Its console is quiet, its short pauses last one
 * turn of the loop, and its long limits never pass unless the test says so.
 *
 * @param {TestContext} context
 * @param {object} [parts]
 * @param {Record<string, (...args: any[]) => any>} [parts.python] functions of Python's host
 * @param {Record<string, () => any>} [parts.files]
 * @param {any} [parts.modelContext]
 */
export function newPage(context, { python = {}, files = {}, modelContext = fakeContext() } = {}) {
  const fake = fakePython(python);
  const pyodide = fakePyodide(fake.host);
  const fetched = network({
    [`${RUNTIME}runtime.json`]: responding(JSON.stringify(INDEX)),
    [`${RUNTIME}pyodide.asm.wasm`]: wasmAs("application/wasm"),
    [`${RUNTIME}stdlib-1.zip`]: responding("zip"),
    [`${RUNTIME}packages-1.zip`]: () => new Response(PACK),
    "https://shop.example/a.py": responding("# a"),
    "https://shop.example/b.py": responding("# b"),
    ...files,
  });
  const page = /** @type {any} */ (globalThis);
  page.document = { baseURI: "https://shop.example/", modelContext };
  page.window = Object.assign(new EventTarget(), {
    location: { pathname: "/", hash: "", origin: "https://shop.example" },
    history: { pushState() {}, replaceState() {} },
  });
  page.window.parent = page.window;
  page.navigator ??= {}; // Node has one from 21 on
  page.fakeLoadPyodide = context.mock.fn(async () => pyodide);
  context.after(() => {
    delete page.document;
    delete page.window;
    delete page.fakeLoadPyodide;
  });
  const fetch = context.mock.method(globalThis, "fetch", async (/** @type {any} */ url) =>
    fetched(url),
  );
  /** @type {(() => void)[]} */
  const limits = [];
  context.mock.method(
    globalThis,
    "setTimeout",
    (/** @type {() => void} */ callback, /** @type {number} */ ms) =>
      ms <= 1000 ? setImmediate(callback) : limits.push(callback),
  );
  const errors = context.mock.method(console, "error", () => {});
  const warnings = context.mock.method(console, "warn", () => {});
  const texts = (/** @type {any} */ { mock }) =>
    mock.calls.map((/** @type {any} */ call) => call.arguments[0]);
  return {
    host: new Host({ runtime: RUNTIME, version: "1" }),
    document: page.document,
    window: page.window,
    loadPyodide: page.fakeLoadPyodide.mock,
    pyodide,
    calls: fake.calls,
    fetch: fetch.mock,
    limits,
    errors: () => texts(errors),
    warnings: () => texts(warnings),
  };
}
