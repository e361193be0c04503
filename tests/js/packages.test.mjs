/** Packages that a page names: when micropip comes, what it is asked for, and what is said where that fails. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { BootError } from "../../static/fetching.js";
import { packageInstaller } from "../../static/packages.js";
import { forbidWarnings } from "./fakes.mjs";
import { newPage, responding } from "./page.mjs";

forbidWarnings();

const HOME = "https://shop.example/webtools/packages";
const MICROPIP = `${HOME}/micropip.whl`;

/**
 * A page whose Python notes what it installs.
 *
 * @param {import("node:test").TestContext} context
 * @param {{files?: Record<string, () => any>, problem?: string, home?: string, loaded?: object}} [parts]
 */
function newInstaller(context, { files, problem, home = HOME, loaded = {} } = {}) {
  const { fetch } = newPage(context, { files: files ?? { [MICROPIP]: responding("wheel") } });
  /** @type {any[][]} */
  const done = [];
  const pyodide = {
    loadedPackages: loaded,
    unpackArchive: (/** @type {ArrayBuffer} */ bytes, /** @type {string} */ format) =>
      done.push(["unpack", new TextDecoder().decode(bytes), format]),
    pyimport: (/** @type {string} */ name) => {
      assert.equal(name, "webtools.browser.packages");
      return { install: async (/** @type {any[]} */ ...args) => (done.push(args), problem) };
    },
  };
  const prepare = async (/** @type {any} */ app) => void done.push(["prepare", app.entry]);
  return { install: packageInstaller(pyodide, prepare, home), done, fetch };
}

/** @param {Promise<void>} installing @param {RegExp} message */
const assertFails = (installing, message) =>
  assert.rejects(installing, (error) => error instanceof BootError && message.test(error.message));

describe("a page's packages", () => {
  test("are installed by micropip, which is fetched once, from the index beside it", async (context) => {
    const { install, done, fetch } = newInstaller(context);
    await install(" humanize\n attrs>=25 ");
    await install("idna");
    assert.deepEqual(done, [
      ["prepare", "micropip"],
      ["unpack", "wheel", "wheel"],
      ["humanize attrs>=25", HOME],
      ["idna", HOME],
    ]);
    assert.deepEqual(
      fetch.calls.map(({ arguments: [url] }) => url),
      [MICROPIP],
    );
  });

  test("are installed by the page's own micropip, where its Python has one", async (context) => {
    const loaded = { micropip: "default channel" };
    const { install, done, fetch } = newInstaller(context, { loaded });
    await install("idna");
    assert.deepEqual([done, fetch.callCount()], [[["idna", HOME]], 0]);
  });

  test("fetch nothing where there are none", async (context) => {
    const { install, done, fetch } = newInstaller(context);
    await install("");
    await install(" \n");
    assert.deepEqual([done, fetch.callCount()], [[], 0]);
  });

  test("are wheels of the page where a path is given, and of others by a full URL only", async (context) => {
    const { install, done } = newInstaller(context);
    await install(
      "/lib/a-1-py3-none-any.whl b.whl https://cdn.example/c.whl d@https://cdn.example/d.whl",
    );
    assert.deepEqual(done.at(-1)?.[0].split(" "), [
      "https://shop.example/lib/a-1-py3-none-any.whl",
      "https://shop.example/b.whl",
      "https://cdn.example/c.whl",
      "d@https://cdn.example/d.whl",
    ]);
  });

  test("that cannot be installed are told with the traceback", async (context) => {
    const problem = JSON.stringify({ message: "data-packages: no", traceback: "Traceback" });
    const { install } = newInstaller(context, { problem });
    await assert.rejects(install("a"), { message: "data-packages: no", cause: "Traceback" });
  });

  for (const [name, response, message] of /** @type {[string, () => any, RegExp][]} */ ([
    ["missing", responding("", { status: 404 }), /micropip\.whl could not be loaded \(HTTP 404\)/],
    [
      "an HTML page",
      responding("<!doctype html>", { headers: { "content-type": "text/html" } }),
      /micropip\.whl is an HTML page, not micropip/,
    ],
  ])) {
    test(`are told of where micropip is ${name}, and the next start tries again`, async (context) => {
      let answer = response;
      const { install, done } = newInstaller(context, { files: { [MICROPIP]: () => answer() } });
      await assertFails(install("a"), message);
      assert.deepEqual(done, []);
      answer = responding("wheel");
      await install("a");
      assert.deepEqual(done.at(-1), ["a", HOME]);
    });
  }

  test("do not come from another origin, where the library does", async (context) => {
    const home = "https://cdn.example/webtools/packages";
    const { install, fetch } = newInstaller(context, { home });
    await assertFails(install("a"), /is on another origin than the page. Serve webtools from/);
    assert.equal(fetch.callCount(), 0);
  });
});
