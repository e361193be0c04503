import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { deferred, forbidWarnings, turn, until } from "./fakes.mjs";
import { INDEX, newPage, responding, RUNTIME } from "./page.mjs";
import { entryOf, zipOf } from "./zips.mjs";

forbidWarnings();

/** @param {string} name @param {string} version @param {string} module @param {string} [needs] */
const wheel = (name, version, module, needs = "") => ({
  [`${module}/__init__.pyc`]: "",
  [`${module}/data.json`]: "{}",
  [`${module}-${version}.dist-info/METADATA`]: `Name: ${name}\nVersion: ${version}\n${needs}`,
  [`${module}-${version}.dist-info/RECORD`]: `${module}/__init__.py,,\n${module}/data.json,,\n${module}-${version}.dist-info/METADATA,,`,
});

const PACK = zipOf({
  ...wheel("webtools-host", "0.1.0", "webtools", "Requires-Dist: pydantic>=2.14\n"),
  ...wheel("pydantic", "2.14.4", "pydantic"),
});

const INFO = { python: "3.14.2", abi_version: "2026_0" };

/**
 * A page, and a Pyodide that it has made itself.
 *
 * @param {import("node:test").TestContext} context
 * @param {object} [has]
 * @param {Record<string, string | null>} [has.versions]
 * @param {string} [has.python]
 * @param {string | null} [has.abi]
 */
function pageWithPython(context, { versions = {}, python = "3.14.5", abi = "2026_0" } = {}) {
  const index = { ...INDEX, info: INFO, packages: entryOf("packages-2.zip", PACK) };
  /** @type {string[]} */
  const followed = [];
  const page = newPage(context, {
    python: { follow: () => followed.push("follow"), keep_log: () => followed.push("keep_log") },
    files: {
      [`${RUNTIME}runtime.json`]: responding(JSON.stringify(index)),
      [`${RUNTIME}packages-2.zip`]: () => new Response(PACK),
    },
  });
  /** @type {string[][][]} */
  const asked = [];
  let open = 0;
  const own = Object.assign(page.pyodide, {
    version: "314.0.7",
    toPy: (/** @type {{asked: string}} */ globals) => {
      open += 1;
      asked.push(JSON.parse(globals.asked));
      return { destroy: () => void (open -= 1) };
    },
    runPython: () => JSON.stringify({ python, abi, versions }),
  });
  return { ...page, own, asked, followed, open: () => open };
}

describe("attach", () => {
  test("takes what is missing into the page's Python, and follows its code", async (context) => {
    const page = pageWithPython(context);
    await page.host.attach(page.own);
    assert.deepEqual(page.own.files, [
      "/site/webtools/__init__.pyc",
      "/site/webtools/data.json",
      "/site/webtools-0.1.0.dist-info/METADATA",
      "/site/webtools-0.1.0.dist-info/RECORD",
      "/site/pydantic/__init__.pyc",
      "/site/pydantic/data.json",
      "/site/pydantic-2.14.4.dist-info/METADATA",
      "/site/pydantic-2.14.4.dist-info/RECORD",
    ]);
    assert.deepEqual(page.asked, [
      [
        ["webtools-host", ["webtools"]],
        ["pydantic", ["pydantic"]],
      ],
    ]);
    assert.deepEqual([page.followed, page.open()], [["follow"], 0]);
    assert.equal(page.loadPyodide.callCount(), 0);
    assert.equal(page.host.status, "ready");
    await page.host.ready;
  });

  test("leaves packages alone that the page has", async (context) => {
    const page = pageWithPython(context, { versions: { pydantic: "2.15.0" } });
    await page.host.attach(page.own);
    assert.deepEqual(
      page.own.files.filter((file) => /pydantic\//.test(file)),
      [],
    );
  });

  for (const [what, has, said] of /** @type {[string, object, RegExp][]} */ ([
    [
      "another Python",
      { python: "3.13.2", abi: "2025_0" },
      /this page's Python is 3\.13\.2 \(ABI 2025_0\), and webtools has files for Python 3\.14 \(ABI 2026_0\) only/,
    ],
    ["another ABI", { abi: "2027_0" }, /3\.14\.5 \(ABI 2027_0\)/],
    ["an ABI that is not told", { abi: null }, /ABI unknown/],
    ["a package that does not fit", { versions: { pydantic: "2.9" } }, /has pydantic 2\.9, and/],
  ])) {
    test(`refuses ${what}, and unpacks nothing`, async (context) => {
      const page = pageWithPython(context, has);
      await assert.rejects(page.host.attach(page.own), said);
      assert.deepEqual([page.own.files, page.open()], [[], 0]);
      assert.equal(page.host.status, "failed");
      assert.equal(page.errors().length, 1);
      await assert.rejects(page.host.ready, said);
    });
  }

  for (const [what, given] of Object.entries({
    nothing: undefined,
    "MicroPython's interpreter": { runPython() {}, pyimport() {}, FS: {} },
    "an object of a worker": { version: Promise.resolve("314.0.7"), runPython() {}, pyimport() {} },
  })) {
    test(`refuses ${what}`, async (context) => {
      const { host, loadPyodide } = pageWithPython(context);
      await assert.rejects(host.attach(given), /no Pyodide of the page's own thread/);
      assert.equal(loadPyodide.callCount(), 0);
    });
  }

  test("refuses options that it has not", async (context) => {
    const { host, own } = pageWithPython(context);
    const wrong = /** @type {any} */ ({ snapshot: "off" });
    await assert.rejects(host.attach(own, wrong), /webtools\.attach: there is no option snapshot/);
    await assert.rejects(
      host.attach(own, /** @type {any} */ ({ artifacts: "on" })),
      /artifacts="on" must be/,
    );
  });

  test("gives the options to Python's host", async (context) => {
    const { host, own } = pageWithPython(context);
    await host.attach(own, { artifacts: "off", debug: true });
    assert.deepEqual(own.started[0].slice(1), [true, "off"]);
  });

  test("may be asked for again with the same Python, or a promise of it", async (context) => {
    const { host, own } = pageWithPython(context);
    const first = host.attach(own);
    assert.equal(host.attach(own), first);
    await host.attach(Promise.resolve(own));
    assert.equal(own.started.length, 1);
    await assert.rejects(host.attach({ ...own }), /another Python is attached already/);
    assert.equal(host.status, "ready");
  });

  test("can be tried again where it failed", async (context) => {
    const { host, own } = pageWithPython(context);
    await assert.rejects(host.attach({}));
    await host.attach(own);
    assert.equal(host.status, "ready");
  });

  test("keeps early calls until the promised Python is there", async (context) => {
    const { host, own } = pageWithPython(context);
    const arriving = deferred();
    host.attach(arriving.promise);
    const answer = host.call("greet", {});
    assert.equal(host.status, "loading");
    arriving.resolve(own);
    assert.equal((await answer).content[0].text, "done");
  });

  test("has apps loaded in the page's Python, those that wait for it and those that come", async (context) => {
    const { host, own, calls, loadPyodide } = pageWithPython(context);
    const waiting = host.start({ app: "/a.py", runtime: RUNTIME, boot: "attach" });
    await turn();
    assert.equal(calls.length, 0);
    await host.attach(own);
    await waiting;
    await host.start({ app: "/b.py" });
    assert.deepEqual(
      calls.filter(([name]) => name === "load").map(([, url]) => url),
      ["https://shop.example/a.py", "https://shop.example/b.py"],
    );
    assert.equal(loadPyodide.callCount(), 0);
  });

  test("fails the apps that wait for it where it fails, and later ones wait again", async (context) => {
    const { host, own, loadPyodide } = pageWithPython(context);
    const waiting = host.start({ app: "/a.py", boot: "attach" });
    await assert.rejects(host.attach({}), /no Pyodide/);
    await assert.rejects(waiting, /no Pyodide/);
    const again = host.start({ app: "/a.py", boot: "attach" });
    await turn();
    assert.equal(loadPyodide.callCount(), 0);
    await host.attach(own);
    await again;
  });

  test("is refused where an app has started Python", async (context) => {
    const { host, own, followed } = pageWithPython(context);
    await host.start({ app: "/a.py" });
    await assert.rejects(host.attach(own), /have a Python already.*data-boot="attach"/);
    assert.deepEqual(followed, ["keep_log"]);
  });

  test("hears of Python's death beside whoever heard of it before, and that is the end", async (context) => {
    const { host, own } = pageWithPython(context);
    /** @type {unknown[]} */
    const heard = [];
    own._api.on_fatal = (error) => void heard.push(error);
    await host.attach(own);
    const death = new RangeError("stack");
    own._api.on_fatal(death);
    await until(() => host.status === "failed");
    assert.deepEqual(heard, [death]);
    await assert.rejects(host.start({ app: "/a.py" }), /Python died/);
  });
});
