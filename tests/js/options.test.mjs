import assert from "node:assert/strict";
import { describe, test } from "node:test";

import {
  checkOptions,
  cursorOf,
  inspectorOf,
  OptionError,
  polyfillOf,
  readScripts,
} from "../../static/options.js";
import { forbidWarnings } from "./fakes.mjs";

forbidWarnings();

/** A document with these scripts, given by their `data-…` attributes. @param {object[]} scripts @returns {any} */
const documentOf = (...scripts) => ({
  /** @param {string} selector */
  querySelectorAll(selector) {
    assert.equal(selector, "script[data-app]");
    return scripts.map((dataset) => ({ dataset }));
  },
});

describe("readScripts", () => {
  test("gives each script's options, in the document's order", () => {
    const scripts = [
      {
        ...{ app: "/a.zip", entry: "a.b", packages: "x", manifest: "/a.json", boot: "call" },
        ...{ runtime: "/py/", snapshot: "off" },
        ...{ polyfill: "force", artifacts: "indexeddb", cursor: "off", debug: "" },
      },
      { app: "/b.py" },
    ];
    const read = readScripts(documentOf(...scripts));
    assert.deepEqual(
      read.map(([script]) => script.dataset),
      scripts,
    );
    const options = read.map(([, each]) => each);
    assert.deepEqual(options, [
      { ...scripts[0], debug: true },
      {
        ...{ app: "/b.py", entry: undefined, packages: undefined, manifest: undefined },
        ...{ boot: undefined, runtime: undefined, snapshot: undefined },
        ...{ polyfill: undefined, artifacts: undefined, cursor: undefined, debug: false },
      },
    ]);
  });

  test("reads words in whichever case, as HTML does", () => {
    const words = { boot: "Call", snapshot: "OFF", polyfill: "Force" };
    const [[, options]] = readScripts(
      documentOf({ app: "/A.py", ...words, artifacts: "IndexedDB", cursor: "Off" }),
    );
    const { app, boot, snapshot, polyfill, artifacts, cursor } = options;
    assert.deepEqual(
      [app, boot, snapshot, polyfill, artifacts, cursor],
      ["/A.py", "call", "off", "force", "indexeddb", "off"],
    );
  });

  test("gives nothing for a page without apps", () => {
    assert.deepEqual(readScripts(documentOf()), []);
  });
});

describe("polyfillOf", () => {
  const documentOf = (/** @type {any} */ script) =>
    /** @type {any} */ ({
      querySelector: () => script,
    });

  test("gives what a script tag says", () => {
    assert.equal(polyfillOf(documentOf({ dataset: { polyfill: "off" } })), "off");
  });

  test("gives nothing where none says anything", () => {
    assert.equal(polyfillOf(documentOf(null)), undefined);
  });
});

describe("cursorOf", () => {
  test("gives what the first script tag says that says something", () => {
    const querySelector = (/** @type {string} */ selector) =>
      selector === "script[data-cursor]" ? { dataset: { cursor: "off" } } : null;
    assert.equal(cursorOf(/** @type {any} */ ({ querySelector })), "off");
    assert.equal(cursorOf(/** @type {any} */ ({ querySelector: () => null })), undefined);
    const shouting = { querySelector: () => ({ dataset: { cursor: "OFF" } }) };
    assert.equal(cursorOf(/** @type {any} */ (shouting)), "off");
  });
});

describe("inspectorOf", () => {
  const documentOf = (/** @type {any} */ script) =>
    /** @type {any} */ ({
      querySelector: () => script,
    });

  test("gives what a script tag says, and nothing where none says anything", () => {
    assert.equal(inspectorOf(documentOf({ dataset: { inspector: "key" } })), "key");
    assert.equal(inspectorOf(documentOf(null)), undefined);
  });
});

describe("checkOptions", () => {
  Object.assign(globalThis, { document: { baseURI: "https://shop.example/" } });

  for (const options of /** @type {any[]} */ ([
    { app: "/a.py" },
    { app: "a.py", runtime: "", polyfill: undefined },
    { app: "https://shop.example/a.py", runtime: "../py", polyfill: "off" },
    { app: "/a.zip", entry: "a" },
    { app: "dist/a-1.0-py3-none-any.whl?v=1", entry: "a.b_2.läden" },
    { app: "/A.ZIP", entry: "a" },
    { app: "/a.py", entry: undefined },
    { app: "/a.py", packages: "" },
    { app: "/a.py", packages: "humanize  attrs>=25" },
    { app: "/a.py", manifest: "a.json" },
    { app: "/a.py", boot: "eager" },
    { app: "/a.py", boot: "idle" },
    { app: "/a.py", boot: "call" },
    { app: "/a.py", snapshot: "auto" },
    { app: "/a.py", snapshot: "off" },
    { app: "/a.py", polyfill: "auto" },
    { app: "/a.py", polyfill: "force" },
    { app: "/a.py", artifacts: "memory" },
    { app: "/a.py", artifacts: "indexeddb" },
    { app: "/a.py", artifacts: "off" },
    { app: "/a.py", artifacts: undefined },
    { app: "/a.py", cursor: "auto" },
    { app: "/a.py", cursor: "off" },
    { app: "/a.py", cursor: undefined },
    { app: "/a.py", inspector: "open" },
    { app: "/a.py", inspector: "key" },
  ])) {
    test(`takes ${JSON.stringify(options)}`, () => checkOptions(options));
  }

  for (const [options, message] of /** @type {[any, RegExp][]} */ ([
    [undefined, /no app/],
    [null, /no app/],
    [{}, /no app/],
    ["/a.py", /webtools\.start: the options must be an object/],
    [{ app: "/a.py", entries: "a" }, /webtools\.start: there is no option entries/],
    [{ app: "" }, /no app/],
    [{ app: "\n" }, /no app/],
    [{ app: 5 }, /no app/],
    [{ app: "http://[" }, /data-app="http:\/\/\[" is no URL/],
    [{ app: "/a.zip" }, /data-app="\/a\.zip" is an archive: .*data-entry="pkg\.module"/],
    [{ app: "/a.whl?v=1" }, /is an archive/],
    [
      { app: "/a.py", entry: "a" },
      /data-entry="a" is for an archive, .*"\/a\.py" is not\. Leave it/,
    ],
    [{ app: "/a.py?b.zip", entry: "" }, /data-entry="" is for an archive/],
    [{ app: "/a.zip", entry: "" }, /data-entry="" must be a module's name, such as pkg\.module/],
    [{ app: "/a.zip", entry: "a/b.py" }, /data-entry="a\/b\.py" must be/],
    [{ app: "/a.zip", entry: "a." }, /must be a module's name/],
    [{ app: "/a.zip", entry: "2a" }, /must be a module's name/],
    [{ app: "/a.zip", entry: null }, /must be a module's name/],
    [{ app: "/a.py", packages: ["humanize"] }, /must be a text, names with spaces between them/],
    [{ app: "/a.py", packages: null }, /must be a text/],
    [{ app: "/a.py", runtime: "//" }, /data-runtime="\/\/" is no URL/],
    [{ app: "/a.py", manifest: "//" }, /data-manifest="\/\/" is no URL/],
    [{ app: "/a.py", boot: "lazy" }, /data-boot="lazy" must be eager, idle, call or attach/],
    [{ app: "/a.py", boot: "" }, /data-boot="" must be eager, idle, call or attach/],
    [{ app: "/a.py", snapshot: "on" }, /data-snapshot="on" must be auto or off/],
    [{ app: "/a.py", polyfill: "" }, /data-polyfill="" must be auto, force or off/],
    [{ app: "/a.py", polyfill: "constructor" }, /data-polyfill="constructor" must be/],
    [{ app: "/a.py", artifacts: "" }, /data-artifacts="" must be memory, indexeddb or off/],
    [{ app: "/a.py", artifacts: "IndexedDB" }, /data-artifacts="IndexedDB" must be memory/],
    [{ app: "/a.py", artifacts: true }, /data-artifacts="true" must be memory/],
    [{ app: "/a.py", cursor: "on" }, /data-cursor="on" must be auto or off/],
    [{ app: "/a.py", cursor: false }, /data-cursor="false" must be auto or off/],
    [{ app: "/a.py", inspector: "" }, /data-inspector="" must be open or key/],
    [{ app: "/a.py", inspector: true }, /data-inspector="true" must be open or key/],
  ])) {
    test(`refuses ${JSON.stringify(options)}, a mistake of the page's author`, () => {
      assert.throws(
        () => checkOptions(options),
        (error) =>
          error instanceof OptionError && error instanceof TypeError && message.test(error.message),
      );
    });
  }
});
