/** The runtime's folder and its index. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { BootError } from "../../static/fetching.js";
import { openRuntime } from "../../static/runtime.js";
import { network, responding } from "./page.mjs";
import { entryOf } from "./zips.mjs";

const BASE = "https://shop.example/webtools/runtime/";

/** @param {import("node:test").TestContext} context @param {Record<string, string>} files */
async function runtimeWith(context, files) {
  const answers = Object.entries(files).map(([name, text]) => [BASE + name, responding(text)]);
  const answer = network(Object.fromEntries(answers));
  context.mock.method(globalThis, "fetch", async (/** @type {any} */ url) => answer(url));
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

  it("is taken by its length where the origin is not secure", async (context) => {
    context.mock.getter(globalThis, "crypto", () => ({}));
    const runtime = await runtimeWith(context, { "runtime.json": "{}", "a-1.zip": "abd" });
    assert.equal((await runtime.fetch(entry)).length, 3);
  });
});
