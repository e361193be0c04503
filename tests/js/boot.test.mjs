import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { bootPython } from "../../static/boot.js";
import { BootError } from "../../static/fetching.js";
import { deferred, forbidWarnings, until } from "./fakes.mjs";
import { entryOf } from "./zips.mjs";
import { INDEX, newPage, responding, RUNTIME, wasmAs } from "./page.mjs";

forbidWarnings();

/** What a boot that must fail rejects with. @param {Promise<unknown>} boot @returns {Promise<string>} */
const failureOf = (boot) =>
  boot.then(
    () => assert.fail("it did not fail"),
    (error) => {
      assert.ok(error instanceof BootError, String(error));
      return error.message;
    },
  );

/** Answers in turn; an Error is thrown, as a network that is gone does. @param {any[]} answers */
function inTurn(...answers) {
  return () => {
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (answer instanceof Error) throw answer;
    return answer();
  };
}

/** A response that breaks off in its middle. */
function broken() {
  const body = new ReadableStream({
    pull: (controller) => controller.error(new TypeError("terminated")),
  });
  return new Response(body);
}

const GONE = new TypeError("Failed to fetch");

describe("bootPython", () => {
  const FIRST = `${RUNTIME}runtime.json`;
  const WASM = `${RUNTIME}pyodide.asm.wasm`;

  test("gives the runtime's own files to Pyodide, and unpacks the packages", async (context) => {
    const { pyodide, loadPyodide } = newPage(context);
    assert.equal((await bootPython(RUNTIME)).pyodide, pyodide);
    const [options] = loadPyodide.calls[0].arguments;
    assert.deepEqual(
      [options.indexURL, options.stdLibURL, options.packageBaseUrl],
      [RUNTIME, `${RUNTIME}stdlib-1.zip`, RUNTIME],
    );
    assert.deepEqual(JSON.parse(options.lockFileContents), { info: INDEX.info, packages: {} });
    assert.deepEqual(pyodide.files, ["/site/shop.py"]);
  });

  test("asks no other host for anything", async (context) => {
    const { fetch } = newPage(context);
    await bootPython(RUNTIME);
    assert.ok(fetch.callCount() > 0);
    for (const { arguments: args } of fetch.calls) assert.ok(String(args[0]).startsWith(RUNTIME));
  });

  test("names what the Content-Security-Policy has to allow", async (context) => {
    newPage(context);
    context.mock.method(WebAssembly, "Module", function () {
      throw new WebAssembly.CompileError("blocked");
    });
    assert.match(await failureOf(bootPython(RUNTIME)), /Add 'wasm-unsafe-eval' to script-src/);
  });

  test("says so where there is no WebAssembly at all", async (context) => {
    newPage(context);
    const before = globalThis.WebAssembly;
    context.after(() => Object.assign(globalThis, { WebAssembly: before }));
    Object.assign(globalThis, { WebAssembly: undefined });
    assert.match(await failureOf(bootPython(RUNTIME)), /has no WebAssembly/);
  });

  test("tries a file three times before it gives up, and names it", async (context) => {
    const { fetch } = newPage(context, { files: { [FIRST]: inTurn(GONE) } });
    assert.match(
      await failureOf(bootPython(RUNTIME)),
      /runtime\.json could not be loaded \(Failed to fetch\)\. Check the network/,
    );
    assert.equal(fetch.calls.filter(({ arguments: [url] }) => url === FIRST).length, 3);
  });

  test("goes on where the network was gone, or died in the middle, for a moment only", async (context) => {
    const files = { [FIRST]: inTurn(GONE, broken, responding(JSON.stringify(INDEX))) };
    const { pyodide } = newPage(context, { files });
    assert.equal((await bootPython(RUNTIME)).pyodide, pyodide);
  });

  test("asks once for a file that is not there, and says how it gets there", async (context) => {
    const { fetch } = newPage(context, { files: { [FIRST]: responding("", { status: 404 }) } });
    assert.match(await failureOf(bootPython(RUNTIME)), /HTTP 404.*python -m webtools serve/);
    assert.equal(fetch.calls.filter(({ arguments: [url] }) => url === FIRST).length, 1);
  });

  test("names a module of the runtime that is not there", async (context) => {
    const index = JSON.stringify({ ...INDEX, engine: "nowhere/" });
    const wasm = `${RUNTIME}nowhere/pyodide.asm.wasm`;
    newPage(context, { files: { [FIRST]: responding(index), [wasm]: wasmAs("application/wasm") } });
    assert.match(await failureOf(bootPython(RUNTIME)), /nowhere\/pyodide.*mjs could not be loaded/);
  });

  test("names a file that is another than the index tells of", async (context) => {
    newPage(context, { files: { [`${RUNTIME}packages-1.zip`]: responding("PK not really") } });
    assert.match(await failureOf(bootPython(RUNTIME)), /packages-1\.zip is not the file that/);
  });

  /**
   * Starts as Pyodide does.
   *
   * @param {() => Response} refetch what is there when it fetches its WebAssembly itself
   * @param {unknown} pyodide
   */
  const starting =
    (refetch, pyodide) =>
    async (/** @type {any} */ { createPyodideModule }) => {
      /** @type {any} */
      const settings = {
        preRun: [],
        instantiateWasm(/** @type {any} */ imports, /** @type {any} */ done) {
          const response = (async () => refetch())();
          WebAssembly.instantiateStreaming(response, imports).then(
            ({ instance }) => done(instance),
            () => {}, // it says so, and nothing else
          );
        },
        createdBy: (/** @type {any} */ own) =>
          new Promise((resolve) => own.instantiateWasm({}, resolve)),
      };
      assert.ok((await createPyodideModule(settings)) instanceof WebAssembly.Instance);
      return pyodide;
    };

  const known = wasmAs("application/wasm");
  const unknown = wasmAs("application/octet-stream");
  for (const [what, file, refetch] of /** @type {[string, () => Response, () => Response][]} */ ([
    ["as it comes", known, known],
    ["as a whole where the server does not know what it is", unknown, unknown],
    ["as it came before where the network has died since", known, inTurn(GONE)],
    ["where the network has died once", inTurn(GONE, known), known],
  ])) {
    test(`compiles Python ${what}`, async (context) => {
      const { pyodide, loadPyodide } = newPage(context, { files: { [WASM]: file } });
      const { instantiateStreaming } = WebAssembly;
      loadPyodide.mockImplementation(starting(refetch, pyodide));
      assert.equal((await bootPython(RUNTIME)).pyodide, pyodide);
      assert.equal(WebAssembly.instantiateStreaming, instantiateStreaming);
    });
  }

  test("names WebAssembly that is damaged", async (context) => {
    const damaged = wasmAs("application/wasm", [1, 255]);
    const { pyodide, loadPyodide } = newPage(context, { files: { [WASM]: damaged } });
    loadPyodide.mockImplementation(starting(damaged, pyodide));
    assert.match(await failureOf(bootPython(RUNTIME)), /pyodide\.asm\.wasm cannot be compiled/);
  });

  test("names a page that comes instead of WebAssembly", async (context) => {
    newPage(context, { files: { [WASM]: responding("<!doctype html>") } });
    assert.match(
      await failureOf(bootPython(RUNTIME)),
      /pyodide\.asm\.wasm is no WebAssembly\. Run "python -m webtools serve"/,
    );
  });

  test("does not wait for ever for Pyodide", async (context) => {
    const { loadPyodide, limits } = newPage(context);
    loadPyodide.mockImplementation(() => deferred().promise);
    const failure = failureOf(bootPython(RUNTIME));
    await until(() => limits.length);
    for (const limit of limits) limit();
    assert.match(await failure, /did not start within 60 s/);
  });
});

describe("a snapshot", () => {
  const HEAP = new Uint8Array(4);
  const snapshot = {
    ...entryOf("snapshot-1.bin", HEAP),
    header: btoa("head"),
    memory: 0,
    handles: {},
  };

  /**
   * @param {import("node:test").TestContext} context
   * @param {object} [link] of the browser's timing
   * @param {() => any} [heap] what comes for the snapshot's file
   */
  function pageWithSnapshot(
    context,
    link = { transferSize: 1e6, responseStart: 1, responseEnd: 11 },
    heap = () => new Response(HEAP),
  ) {
    context.mock.method(performance, "getEntriesByName", () => [link]);
    return newPage(context, {
      files: {
        [`${RUNTIME}runtime.json`]: responding(JSON.stringify({ ...INDEX, snapshot })),
        [`${RUNTIME}snapshot-1.bin`]: heap,
      },
    });
  }

  test("is used over a fast link, and Python made one of its own", async (context) => {
    const { pyodide, loadPyodide, warnings } = pageWithSnapshot(context);
    assert.equal((await bootPython(RUNTIME)).pyodide, pyodide);
    const [options] = loadPyodide.calls[0].arguments;
    assert.deepEqual(options._loadSnapshot, new TextEncoder().encode("head"));
    assert.deepEqual(pyodide.files, ["/site/shop.py", "webtools.browser.awakening.awake()"]);
    assert.deepEqual(warnings(), []);
  });

  for (const [what, link] of [
    ["slow", { transferSize: 1e5, responseStart: 1, responseEnd: 1001 }],
    [
      "not known, since nothing has come over it",
      { transferSize: 0, responseStart: 1, responseEnd: 2 },
    ],
    ["not told of", undefined],
  ]) {
    test(`waits for the next visit where the link is ${what}`, async (context) => {
      const { loadPyodide, fetch } = pageWithSnapshot(context, /** @type {any} */ (link));
      if (!link) context.mock.method(performance, "getEntriesByName", () => []);
      await bootPython(RUNTIME);
      assert.equal(loadPyodide.calls[0].arguments[0]._loadSnapshot, undefined);
      assert.ok(
        fetch.calls.every(({ arguments: [url] }) => !String(url).endsWith("snapshot-1.bin")),
      );
    });
  }

  test("is not used by a page that does not want it", async (context) => {
    const { loadPyodide } = pageWithSnapshot(context);
    await bootPython(RUNTIME, "off");
    assert.equal(loadPyodide.calls[0].arguments[0]._loadSnapshot, undefined);
  });

  for (const [what, spoil] of /** @type {[string, (page: any) => void][]} */ ([
    [
      "that Pyodide refuses",
      ({ loadPyodide, pyodide }) =>
        loadPyodide.mockImplementation(async (/** @type {any} */ { _loadSnapshot }) => {
          if (_loadSnapshot) throw new Error("build id mismatch");
          return pyodide;
        }),
    ],
    [
      "that cannot be woken",
      ({ pyodide }) => {
        const { pyimport } = pyodide;
        pyodide.pyimport = (/** @type {string} */ name) => {
          if (name.endsWith("awakening")) throw new Error("no such module");
          return pyimport(name);
        };
      },
    ],
  ])) {
    test(`${what} is told once, and Python is started from its files`, async (context) => {
      const page = pageWithSnapshot(context);
      spoil(page);
      assert.equal((await bootPython(RUNTIME)).pyodide, page.pyodide);
      assert.equal(page.loadPyodide.callCount(), 2);
      assert.equal(page.warnings().length, 1);
      assert.match(
        page.warnings()[0],
        /^webtools: the snapshot is not used, which costs time only: /,
      );
    });
  }

  for (const [
    what,
    settle,
  ] of /** @type {[string, (limits: (() => void)[]) => Promise<unknown>][]} */ ([
    [
      "does not come is not waited for any longer when all else is there",
      async (limits) => {
        await until(() => limits.length === 2); // of Python's start, and the heap's
        limits[1]?.();
      },
    ],
    ["is of no use is not waited for at all", async () => {}],
  ])) {
    test(`that ${what}`, async (context) => {
      const isOfNoUse = what.startsWith("is of");
      const page = pageWithSnapshot(context, undefined, () => deferred().promise);
      const { loadPyodide, pyodide } = page;
      loadPyodide.mockImplementation(async (/** @type {any} */ options) => {
        if (options._loadSnapshot) {
          if (isOfNoUse) throw new Error("build id mismatch");
          await options.createPyodideModule({ preRun: [], createdBy: async () => ({}) });
        }
        return pyodide;
      });
      const booted = bootPython(RUNTIME);
      await settle(page.limits);
      assert.equal((await booted).pyodide, pyodide);
      assert.equal(page.warnings().length, 1);
      if (!isOfNoUse) assert.match(page.warnings()[0], /it did not come within 5 s/);
    });
  }
});
