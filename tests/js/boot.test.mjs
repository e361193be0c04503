import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { BootError, bootPython } from "../../static/boot.js";
import { deferred, forbidWarnings, until } from "./fakes.mjs";
import { LOCK, newPage, responding, RUNTIME } from "./page.mjs";

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
  test("gives the runtime's own files to Pyodide and installs what the lock names", async (context) => {
    const { pyodide, loadPyodide } = newPage(context);
    assert.equal(await bootPython(RUNTIME), pyodide);
    const [options] = loadPyodide.calls[0].arguments;
    assert.deepEqual(
      [options.indexURL, options.packageBaseUrl, options.lockFileContents],
      [RUNTIME, RUNTIME, LOCK],
    );
    assert.deepEqual(Object.keys(pyodide.loadedPackages), ["webtools-host"]);
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
    const lock = `${RUNTIME}pyodide-lock.json`;
    const { fetch } = newPage(context, { files: { [lock]: inTurn(GONE) } });
    assert.match(
      await failureOf(bootPython(RUNTIME)),
      /pyodide-lock\.json could not be loaded \(Failed to fetch\)\. Check the network/,
    );
    assert.equal(fetch.calls.filter(({ arguments: [url] }) => url === lock).length, 3);
  });

  test("goes on where the network was gone, or died in the middle, for a moment only", async (context) => {
    const lock = `${RUNTIME}pyodide-lock.json`;
    const { pyodide } = newPage(context, {
      files: { [lock]: inTurn(GONE, broken, responding(LOCK)) },
    });
    assert.equal(await bootPython(RUNTIME), pyodide);
  });

  test("asks once for a file that is not there, and says how it gets there", async (context) => {
    const lock = `${RUNTIME}pyodide-lock.json`;
    const { fetch } = newPage(context, { files: { [lock]: responding("", { status: 404 }) } });
    assert.match(await failureOf(bootPython(RUNTIME)), /HTTP 404.*python -m webtools serve/);
    assert.equal(fetch.calls.filter(({ arguments: [url] }) => url === lock).length, 1);
  });

  test("names a module of the runtime that is not there", async (context) => {
    const nowhere = new URL("./fixtures/nowhere/", import.meta.url).href;
    newPage(context, {
      files: Object.fromEntries(
        ["pyodide-lock.json", "pyodide.asm.wasm", "python_stdlib.zip"].map((name) => [
          nowhere + name,
          responding(LOCK),
        ]),
      ),
    });
    assert.match(await failureOf(bootPython(nowhere)), /nowhere\/pyodide.*mjs could not be loaded/);
  });

  test("installs what the first attempt did not get", async (context) => {
    const { pyodide } = newPage(context);
    const load = pyodide.loadPackage;
    let attempts = 0;
    pyodide.loadPackage = async (name) => {
      attempts += 1;
      if (attempts === 1) throw new TypeError("Failed to fetch");
      if (attempts === 3) await load(String(name));
    };
    await bootPython(RUNTIME);
    assert.equal(attempts, 3);
  });

  test("names the wheel that cannot be installed, and why", async (context) => {
    const { pyodide } = newPage(context);
    /** @type {any} */ (pyodide).loadPackage = async (
      /** @type {string} */ _name,
      /** @type {any} */ { errorCallback },
    ) => errorCallback("no such wheel");
    assert.match(
      await failureOf(bootPython(RUNTIME)),
      /^webtools_host\.whl of the runtime could not be installed \(no such wheel\)\. Run /,
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
