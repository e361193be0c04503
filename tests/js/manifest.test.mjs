/** Manifests: which can be used, and what a page does with one that cannot. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { MAX_CHARS, readManifest } from "../../static/manifest.js";
import { deferred, forbidWarnings, turn, until } from "./fakes.mjs";
import { newPage, responding } from "./page.mjs";

forbidWarnings();

const APP = "https://shop.example/a.py";
const URL = "https://shop.example/a.json";

const TEXT = '{"name":"a","description":"d"}';
const TOOL = { definition: TEXT, held: false, match: [], timeout: 60 };

/** @param {any} [more] @returns {any} what `webtools manifest` writes */
const manifest = (more) => ({ webtools: "1", app: "0", tools: [TOOL], ...more });

/** @param {any} tool */
const withTool = (tool) => manifest({ tools: [TOOL, { ...TOOL, ...tool }] });

/** @param {any} definition */
const defining = (definition) =>
  withTool({ definition: JSON.stringify({ name: "b", description: "d", ...definition }) });

describe("a manifest", () => {
  test("is read", () => {
    const more = { definition: '{"name":"b","description":"d"}', match: ["/cart/*"], timeout: 1.5 };
    assert.deepEqual(readManifest(JSON.stringify(withTool(more)), "1"), [
      { name: "a", text: TEXT, held: false, match: [], timeout: 60 },
      { name: "b", text: more.definition, held: false, match: ["/cart/*"], timeout: 1.5 },
    ]);
  });

  /** @type {Record<string, any>} */ let deep = {};
  for (let depth = 0; depth < 250; depth += 1) deep = { deep };

  for (const [what, given] of Object.entries({
    "no JSON": "{",
    "no JSON object": [],
    "written by webtools": manifest({ webtools: "2" }),
    "written by webtools undefined": {},
    "no list of tools": manifest({ tools: {} }),
    "tools[0] has no definition": manifest({ tools: [null] }),
    "tools[1] has no definition": withTool({ definition: {} }),
    "tools[1].definition is no JSON": withTool({ definition: "a" }),
    "tools[1].definition is no JSON object": withTool({ definition: "null" }),
    "tools[1] has no name": defining({ name: "a b" }),
    "tools[1] has no name ": defining({ name: 1 }),
    "tools[1] has no description": defining({ description: "" }),
    "tools[1] is nested too deeply": defining({ inputSchema: deep }),
    "tools[1].held": withTool({ definition: '{"name":"b","description":"d"}', held: 1 }),
    "tools[1].match": withTool({ definition: '{"name":"b","description":"d"}', match: "/" }),
    "tools[1].match is no list": withTool({ ...defining({}).tools[1], match: [1] }),
    "tools[1].timeout": withTool({ ...defining({}).tools[1], timeout: 0 }),
    "tools[1].timeout is": withTool({ ...defining({}).tools[1], timeout: "60" }),
    'two tools called "a"': withTool({}),
    "more than 500000 characters": manifest({ app: "0".repeat(MAX_CHARS) }),
  })) {
    test(`cannot be used: ${what}`, () => {
      const text = typeof given === "string" ? given : JSON.stringify(given);
      assert.throws(
        () => readManifest(text, "1"),
        (/** @type {any} */ error) => error.message.includes(what.trim()),
      );
    });
  }
});

describe("a page with a manifest", () => {
  test("has its tools before Python is fetched", async (context) => {
    const answer = deferred();
    const page = newPage(context, { files: { [URL]: () => answer.promise } });
    const started = page.host.start({ app: "/a.py", manifest: "/a.json" });
    await turn();
    assert.deepEqual(
      page.fetch.calls.map((call) => String(call.arguments[0])),
      [URL],
    );
    answer.resolve(responding(JSON.stringify(manifest()))());
    await turn();
    assert.deepEqual(
      page.host.tools().map(({ name, state }) => [name, state]),
      [["a", "registered"]],
    );
    assert.equal(page.host.status, "loading");
    await started;
    assert.deepEqual(page.warnings(), []);
  });

  test("does not wait for it for long, and not for what comes after Python", async (context) => {
    const answer = deferred();
    const page = newPage(context, { files: { [URL]: () => answer.promise } });
    const started = page.host.start({ app: "/a.py", manifest: "/a.json" });
    await turn();
    page.limits[0]();
    await started;
    answer.resolve(responding(JSON.stringify(manifest()))());
    await turn();
    assert.deepEqual(page.document.modelContext.registered, []);
  });

  for (const [what, file, line] of /** @type {[string, () => any, RegExp][]} */ ([
    ["is missing", () => new Response("", { status: 404 }), /HTTP 404/],
    [
      "is a page",
      responding("<html>", { headers: { "content-type": "text/html; charset=utf-8" } }),
      /it is an HTML page/,
    ],
    ["is no JSON", responding("# a"), /it is no JSON/],
    ["is another version's", responding(JSON.stringify(manifest({ webtools: "0" }))), /"0"/],
    [
      "cannot be reached",
      () => {
        throw new TypeError("network down");
      },
      /network down/,
    ],
  ])) {
    test(`goes on without one that ${what}, and says so once`, async (context) => {
      const page = newPage(context, { files: { [URL]: file } });
      await page.host.start({ app: "/a.py", manifest: "/a.json" });
      assert.equal(page.host.status, "ready");
      assert.equal(page.warnings().length, 1);
      assert.match(page.warnings()[0], line);
      assert.match(page.warnings()[0], /^webtools: the manifest https:\/\/shop.example\/a.json/);
      assert.deepEqual(page.errors(), []);
    });
  }

  test("answers calls why Python did not start", async (context) => {
    const files = { [URL]: responding(JSON.stringify(manifest())) };
    const page = newPage(context, { files });
    const booted = deferred();
    page.loadPyodide.mockImplementation(() => booted.promise);
    const started = page.host.start({ app: "/a.py", manifest: "/a.json" });
    await until(() => page.loadPyodide.callCount());
    const { tool } = page.document.modelContext.registered[0];
    const answer = tool.execute({}, {});
    booted.reject(new Error("no memory"));
    await assert.rejects(started);
    const { error } = (await answer).structuredContent;
    assert.deepEqual([error.code, error.effect], ["HOST_FAILED", "none"]);
    assert.match(error.message, /no memory/);
  });

  test("tells Python of an app that cannot be loaded", async (context) => {
    /** @type {any[]} */
    const given = [];
    const python = { give_up: (/** @type {any} */ ...args) => void given.push(args) };
    const files = { [APP]: () => new Response("", { status: 404 }) };
    const page = newPage(context, { files, python });
    await assert.rejects(page.host.start({ app: "/a.py" }));
    assert.equal(given.length, 1);
    assert.equal(given[0][0], APP);
    assert.match(given[0][1], /HTTP 404/);
  });

  test("promises nothing to a boot that has failed", async (context) => {
    const answer = deferred();
    const page = newPage(context, { files: { [URL]: () => answer.promise } });
    page.loadPyodide.mockImplementation(async () => {
      throw new Error("no memory");
    });
    const first = page.host.start({ app: "/b.py" });
    const second = page.host.start({ app: "/a.py", manifest: "/a.json" });
    await assert.rejects(first);
    answer.resolve(responding(JSON.stringify(manifest()))());
    await assert.rejects(second);
    assert.deepEqual(page.host.tools(), []);
  });
});
