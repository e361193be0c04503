/** The late part of Python's standard library: when it is fetched, and what is said where it cannot be had. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { installLateStdlib } from "../../static/late-stdlib.js";
import { Runtime } from "../../static/runtime.js";
import { entryOf } from "./zips.mjs";

const BASE = "https://shop.example/webtools/runtime/";
const WHOLE = `${BASE}python_stdlib_whole-1.zip`;
const RUNTIME = new Runtime(
  BASE,
  /** @type {any} */ ({ wholeStdlib: entryOf("python_stdlib_whole-1.zip", "zip") }),
);

/** Python, whose apps need the late part when their source says so. */
function fakePython() {
  const python = {
    /** @type {Uint8Array[]} */ given: [],
    /** @type {() => Uint8Array | string} */ fetch: () => "not installed",
    pyimport: (/** @type {string} */ name) => {
      assert.equal(name, "webtools.browser.late_stdlib");
      return {
        install(/** @type {any} */ fetch) {
          python.fetch = fetch;
          return {
            is_needed: (/** @type {string} */ source) => source.includes("tomllib"),
            is_needed_by_archive: (/** @type {Uint8Array} */ archive) => archive.length > 0,
            give: (/** @type {Uint8Array} */ whole) => python.given.push(whole),
          };
        },
      };
    },
  };
  return python;
}

/**
 * The browser's request, as far as it can be synchronous.
 *
 * @param {{status?: number, responseText?: string, fails?: Error}} answer
 */
function requestThat({ status = 200, responseText = "", fails }) {
  return class {
    /** @type {any[][]} */ static opened = [];
    status = status;
    responseText = responseText;
    overrideMimeType() {}
    /** @param {any[]} args */
    open(...args) {
      /** @type {any} */ (this.constructor).opened.push(args);
    }
    send() {
      if (fails) throw fails;
    }
  };
}

/** @param {import("node:test").TestContext} context @param {any} Request */
function withRequest(context, Request) {
  const page = /** @type {any} */ (globalThis);
  page.XMLHttpRequest = Request;
  context.after(() => delete page.XMLHttpRequest);
}

describe("before an app is loaded", () => {
  it("is fetched for a source that imports of it", async (context) => {
    const fetch = context.mock.method(globalThis, "fetch", async () => new Response("zip"));
    const python = fakePython();
    await installLateStdlib(python, RUNTIME)({ source: "import tomllib" });
    assert.deepEqual(fetch.mock.calls[0].arguments, [WHOLE]);
    assert.deepEqual(python.given, [new TextEncoder().encode("zip")]);
  });

  it("is fetched for an archive with such a source", async (context) => {
    const fetch = context.mock.method(globalThis, "fetch", async () => new Response("zip"));
    const prepare = installLateStdlib(fakePython(), RUNTIME);
    await prepare({ archive: new Uint8Array(0), entry: "a" });
    assert.equal(fetch.mock.callCount(), 0);
    await prepare({ archive: new Uint8Array(1), entry: "a" });
    assert.equal(fetch.mock.callCount(), 1);
  });

  it("is not fetched for another", async (context) => {
    const fetch = context.mock.method(globalThis, "fetch", async () => new Response("zip"));
    await installLateStdlib(fakePython(), RUNTIME)({ source: "import json" });
    assert.equal(fetch.mock.callCount(), 0);
  });

  it("that is missing keeps the app from loading, and says so", async (context) => {
    context.mock.method(globalThis, "fetch", async () => new Response("", { status: 404 }));
    const prepare = installLateStdlib(fakePython(), RUNTIME);
    await assert.rejects(
      prepare({ source: "import tomllib" }),
      /python_stdlib_whole-1\.zip .*HTTP 404/,
    );
  });

  it("is not looked for in a runtime whose library is whole", async (context) => {
    const fetch = context.mock.method(globalThis, "fetch", async () => new Response("zip"));
    const python = { pyimport: () => ({ install: () => undefined }) };
    await installLateStdlib(python, RUNTIME)({ source: "import tomllib" });
    const whole = new Runtime(BASE, /** @type {any} */ ({}));
    await installLateStdlib(fakePython(), whole)({ source: "import tomllib" });
    assert.equal(fetch.mock.callCount(), 0);
  });
});

describe("while an app runs", () => {
  it("is fetched at once, byte by byte", (context) => {
    const Request = requestThat({ responseText: "PK\x00\x7f\uf780\uf7ff" });
    withRequest(context, Request);
    const python = fakePython();
    installLateStdlib(python, RUNTIME);
    assert.deepEqual(python.fetch(), Uint8Array.of(80, 75, 0, 127, 128, 255));
    assert.deepEqual(Request.opened, [["GET", WHOLE, false]]);
  });

  for (const [answer, said] of /** @type {const} */ ([
    [{ status: 404 }, `${WHOLE}: HTTP 404`],
    [{ fails: new Error("offline") }, `${WHOLE}: offline`],
  ])) {
    it(`says why not: ${said}`, (context) => {
      withRequest(context, requestThat(answer));
      const python = fakePython();
      installLateStdlib(python, RUNTIME);
      assert.equal(python.fetch(), said);
    });
  }
});
