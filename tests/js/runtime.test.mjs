/** The runtime's folder and its index. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import { BootError } from "../../static/fetching.js";
import { openRuntime } from "../../static/runtime.js";
import { until } from "./fakes.mjs";
import { network, responding } from "./page.mjs";
import { entryOf } from "./zips.mjs";

const BASE = "https://shop.example/webtools/runtime/";

/** @type {string[]} */
let urls = [];

/** What has been asked for. */
const asked = () => urls.map((url) => url.slice(BASE.length));

/** @param {Uint8Array} bytes */
const textOf = (bytes) => new TextDecoder().decode(bytes);

/**
 * @param {import("node:test").TestContext} context
 * @param {Record<string, string>} files
 * @param {Record<string, () => Response>} [others]
 */
async function runtimeWith(context, files, others = {}) {
  const texts = Object.entries(files).map(([name, text]) => [name, responding(text)]);
  const answers = [...texts, ...Object.entries(others)].map(([name, give]) => [BASE + name, give]);
  const answer = network(Object.fromEntries(answers));
  urls = [];
  context.mock.method(globalThis, "fetch", async (/** @type {any} */ url) => {
    urls.push(url);
    return answer(url);
  });
  return openRuntime(BASE);
}

/** @param {RegExp} said */
const saying = (said) => (/** @type {unknown} */ error) =>
  error instanceof BootError && said.test(error.message);

describe("the index", () => {
  it("says where things are", async (context) => {
    const index = JSON.stringify({ engine: "pyodide-1/", stdlib: { file: "std-2.zip" } });
    const runtime = await runtimeWith(context, { "runtime.json": index });
    assert.equal(runtime.engine, `${BASE}pyodide-1/`);
    assert.equal(runtime.urlOf(runtime.index.stdlib), `${BASE}std-2.zip`);
  });

  it("may lie elsewhere than the files", async (context) => {
    const index = {
      engine: "../../runtime/pyodide-1/",
      stdlib: { file: "../../runtime/std-2.zip" },
    };
    const runtime = await runtimeWith(context, { "runtime.json": JSON.stringify(index) });
    assert.equal(runtime.engine, "https://shop.example/runtime/pyodide-1/");
    assert.equal(runtime.urlOf(runtime.index.stdlib), "https://shop.example/runtime/std-2.zip");
  });

  it("that is not there, or none, is told with the cure", async (context) => {
    await assert.rejects(runtimeWith(context, {}), saying(/runtime\.json .*HTTP 404.* serve/));
    await assert.rejects(
      runtimeWith(context, { "runtime.json": "<!doctype html>" }),
      saying(/runtime\.json is no JSON\. Run "python -m webtools serve"/),
    );
  });
});

describe("a file", () => {
  const entry = entryOf("a-1.zip", "abc");

  it("is given if it is the one that the index tells of", async (context) => {
    const runtime = await runtimeWith(context, { "runtime.json": "{}", "a-1.zip": "abc" });
    assert.deepEqual(await runtime.fetch(entry), new TextEncoder().encode("abc"));
  });

  for (const [what, text] of [
    ["shorter", "ab"],
    ["other", "abd"],
  ]) {
    it(`that is ${what} is refused`, async (context) => {
      const runtime = await runtimeWith(context, { "runtime.json": "{}", "a-1.zip": String(text) });
      await assert.rejects(runtime.fetch(entry), saying(/a-1\.zip is not the file that/));
    });
  }

  for (const isUnpacked of [false, true]) {
    const what = isUnpacked ? "that the browser has unpacked is taken" : "is unpacked";
    it(`is fetched as gzip from a server that compresses nothing, and ${what}`, async (context) => {
      const gzip = isUnpacked ? "abc" : gzipSync("abc");
      const headers = isUnpacked ? { "content-encoding": "gzip" } : undefined;
      const files = { "runtime.json": "{}", "a-1.zip": "abc" };
      const runtime = await runtimeWith(context, files, {
        "a-1.zip.gz": () => new Response(gzip, { headers }),
      });
      assert.equal(textOf(await runtime.fetch({ ...entry, gzip: true })), "abc");
      assert.deepEqual(asked(), ["runtime.json", "a-1.zip", "a-1.zip.gz"]);
    });
  }

  it("is taken as it is where no gzip can be had", async (context) => {
    const runtime = await runtimeWith(context, { "runtime.json": "{}", "a-1.zip": "abc" });
    assert.equal(textOf(await runtime.fetch({ ...entry, gzip: true })), "abc");
    assert.deepEqual(asked(), ["runtime.json", "a-1.zip", "a-1.zip.gz"]);
  });

  it("is taken as it comes from a server that compresses, or before a browser that unpacks nothing", async (context) => {
    const packed = responding("abc", { headers: { "content-encoding": "br" } });
    const runtime = await runtimeWith(context, { "runtime.json": "{}" }, { "a-1.zip": packed });
    assert.equal(textOf(await runtime.fetch({ ...entry, gzip: true })), "abc");
    assert.deepEqual(asked(), ["runtime.json", "a-1.zip"]);
    const name = "DecompressionStream";
    const whole = Object.getOwnPropertyDescriptor(globalThis, name) ?? {};
    context.after(() => Object.defineProperty(globalThis, name, whole));
    Object.defineProperty(globalThis, name, { value: undefined, configurable: true });
    const plain = await runtimeWith(context, { "runtime.json": "{}", "a-1.zip": "abc" });
    assert.equal(textOf(await plain.fetch({ ...entry, gzip: true })), "abc");
    assert.deepEqual(asked(), ["runtime.json", "a-1.zip"]);
  });

  it("whose gzip is damaged is no file", async (context) => {
    const files = { "runtime.json": "{}", "a-1.zip": "abc", "a-1.zip.gz": "no gzip" };
    context.mock.timers.enable({ apis: ["setTimeout"] });
    const runtime = await runtimeWith(context, files);
    const fetched = runtime.fetch({ ...entry, gzip: true });
    let isOver = false;
    const refused = assert
      .rejects(fetched, saying(/a-1\.zip could not be loaded/))
      .finally(() => (isOver = true));
    await until(() => {
      context.mock.timers.tick(1000); // the pauses between attempts
      return isOver;
    });
    await refused;
  });

  it("is taken by its length where the origin is not secure", async (context) => {
    context.mock.getter(globalThis, "crypto", () => ({}));
    const runtime = await runtimeWith(context, { "runtime.json": "{}", "a-1.zip": "abd" });
    assert.equal((await runtime.fetch(entry)).length, 3);
  });
});
