import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { Apps } from "../../static/apps.js";
import { Border } from "../../static/border.js";
import {
  answerText,
  deferred,
  fakeContext,
  fakeDocument,
  fakePython,
  forbidWarnings,
  replace,
  turn,
  until,
  verdict,
} from "./fakes.mjs";
import { newLoop } from "./loop.mjs";

forbidWarnings();

/** @typedef {import("node:test").TestContext} TestContext */

const TARGET = { name: "a", description: "d", title: "The A", target: "#a" };
const PLAIN = { name: "a", description: "d" };
const SCHEMA = { type: "object", properties: { query: {}, limit: {} } };

/**
 * A page whose cursor notes what it is to do.
 *
 * @param {object} [options]
 * @param {any} [options.context] the model context
 * @param {Record<string, (...args: any[]) => any>} [options.python] functions of Python's host; none: it is not up
 * @param {boolean} [options.isThere] whether the cursor is loaded at once
 */
function newPage({ context = fakeContext(), python, isThere = true } = {}) {
  /** @type {any[]} */
  const told = [];
  /** What came to pass, with the tools' states. @type {string[]} */
  const order = [];
  let loaded = deferred();
  let loads = 0;
  /** What ends the filling of fields, where it is to take a moment. @type {Promise<void> | undefined} */
  let filling;
  class Cursor {
    constructor() {
      order.push("installed");
    }
    point = (/** @type {any[]} */ ...args) => void told.push(["point", ...args]);
    report = (/** @type {any[]} */ ...args) => void told.push(["report", ...args]);
    end = (/** @type {any[]} */ ...args) => void told.push(["end", ...args]);
    fill = (/** @type {any[]} */ ...args) => (told.push(["fill", ...args]), filling);
  }
  const load = () => ((loads += 1), loaded.promise);
  /** @type {any} */
  const nothing = () => {};
  const listeners = {
    ...{ onCallStart: nothing, onCallProgress: nothing, onCallEnd: nothing },
    ...{ onTeardown: nothing, onNeed: nothing, onDeath: nothing },
    onState: (/** @type {string} */ name, /** @type {string} */ state) =>
      void order.push(`${name} ${state}`),
  };
  const border = new Border(new Map(), listeners, load);
  if (isThere) loaded.resolve({ Cursor });
  if (context) border.attachContext(/** @type {any} */ (context));
  if (python) border.attach(fakePython(python).host);
  return {
    ...{ border, told, order, loaded, Cursor },
    loads: () => loads,
    reload: () => (loaded = deferred()),
    slowly: () => {
      const { promise, resolve } = deferred();
      filling = promise;
      return resolve;
    },
  };
}

/** @param {any[]} told */
const verbs = (told) => told.map(([verb]) => verb);

describe("the cursor", () => {
  test("is not loaded while no tool says where it is", async () => {
    const { border, loads, told } = newPage();
    border.holds.define(PLAIN, () => {});
    await border.callNamed("a", {});
    assert.deepEqual([loads(), told], [0, []]);
  });

  for (const [what, hold] of /** @type {[string, (border: Border) => unknown][]} */ ([
    ["a tool of Python's", (border) => border.port.register(1, JSON.stringify(TARGET))],
    [
      "one whose calls say where",
      (border) => border.port.register(1, JSON.stringify({ ...TARGET, target: true })),
    ],
    ["a hold", (border) => border.holds.hold("a", { target: "#a" })],
    [
      "fields",
      (border) =>
        border.holds.define({ ...PLAIN, inputSchema: SCHEMA }, () => {}, {
          fields: { query: "#q" },
        }),
    ],
    [
      "a manifest",
      (border) =>
        border.promise("/a.py", [
          { name: "a", text: JSON.stringify(TARGET), held: false, match: [], timeout: 60 },
        ]),
    ],
  ])) {
    test(`is loaded once for ${what}`, () => {
      const { border, loads } = newPage({ python: undefined });
      hold(border);
      border.port.register(9, JSON.stringify({ ...TARGET, name: "b" }));
      assert.equal(loads(), 1);
    });
  }

  test("points at a tool while a call of it runs, says its title and progress, and lets go", async () => {
    const { border, told } = newPage({ python: { call_named: () => undefined } });
    border.port.register(1, JSON.stringify(TARGET));
    await turn();
    const answer = border.callNamed("a", { x: 1 });
    const [[, callId, subject, target]] = told;
    assert.deepEqual([subject, target], [{ tool: "a", title: "The A", text: '{"x":1}' }, "#a"]);
    border.port.callProgress("a", callId, '{"message": "half"}');
    border.port.settle(callId, answerText("done"));
    await answer;
    assert.deepEqual(told.slice(1), [
      ["report", callId, { message: "half" }],
      ["end", callId, true],
    ]);
  });

  test("is told that a refused call has nothing to show", async () => {
    const refusal = { error: { code: "NOT_ALLOWED", message: "no", effect: "none" } };
    const text = JSON.stringify({ content: [], structuredContent: refusal, isError: true });
    const { border, told } = newPage({ python: { call_named: () => text } });
    border.port.register(1, JSON.stringify(TARGET));
    await turn();
    await border.callNamed("a", {});
    assert.deepEqual(
      told.map(([verb, , what]) => (verb === "end" ? what : verb)),
      ["point", false],
    );
  });

  test("shows a call that began, and even ended, before it was loaded", async () => {
    const { border, told, loaded, Cursor } = newPage({ isThere: false, python: {} });
    border.port.register(1, JSON.stringify(TARGET));
    await border.callNamed("a", {});
    assert.deepEqual(told, []);
    loaded.resolve({ Cursor });
    await turn();
    assert.deepEqual(verbs(told), ["point", "end"]);
  });

  test("goes where the newest hold says that says where, and back when that is released", async () => {
    const { border, told } = newPage({ python: {} });
    border.port.register(1, JSON.stringify(TARGET));
    const element = /** @type {any} */ ({ nodeType: 1 });
    border.holds.hold("a", { target: "#older" });
    const newest = border.holds.hold("a", { target: element });
    border.holds.hold("a");
    await turn();
    await border.callNamed("a", {});
    newest.release();
    await border.callNamed("a", {});
    const targets = told.filter(([verb]) => verb === "point").map(([, , , target]) => target);
    assert.deepEqual(targets, [element, "#older"]);
  });

  test("goes where Python says of a call, unless the page's hold says it", async () => {
    const { border, told } = newPage({ python: {} });
    border.port.register(1, JSON.stringify({ ...TARGET, target: true }));
    await turn();
    const wanted = JSON.stringify({ tool: "a", target: "#a-7", fields: [] });
    assert.equal(border.port.showCall(1, "c1", wanted), true);
    border.holds.hold("a", { target: "#mine" });
    border.port.showCall(2, "c2", wanted);
    assert.deepEqual(
      told.map(([verb, callId, , target]) => [verb, callId, target]),
      [["point", "c1", "#a-7"]],
    );
  });

  test("points at what handlers call, too", async () => {
    const { border, told } = newPage({ python: {} });
    border.port.register(1, JSON.stringify(TARGET));
    await turn();
    border.port.innerCall("a", "c1#inner-1", undefined);
    border.port.innerCall("a", "c1#inner-1", answerText("done"));
    assert.deepEqual(
      told.map(([verb, callId]) => [verb, callId]),
      [
        ["point", "c1#inner-1"],
        ["end", "c1#inner-1"],
      ],
    );
  });

  test("is not there where the page wants none, and no call waits for fields", async () => {
    const { border, loads } = newPage({ python: {} });
    border.pointing.mode = "off";
    border.port.register(1, JSON.stringify(TARGET));
    const wanted = { tool: "a", fields: [["#q", "x"]] };
    assert.equal(border.port.showCall(1, "c1", JSON.stringify(wanted)), true);
    await border.callNamed("a", {});
    assert.equal(loads(), 0);
  });

  test("that cannot be loaded is done without", async () => {
    const { border, loaded } = newPage({ isThere: false, python: {} });
    border.port.register(1, JSON.stringify(TARGET));
    loaded.reject(new TypeError("no network"));
    await turn();
    assert.equal((await border.callNamed("a", {})).isError, undefined);
    const shown = border.port.showCall(1, "c1", '{"tool": "a", "fields": [["#q", "x"]]}');
    assert.equal(shown, false); // it waits for the next attempt
  });

  test("that could not be loaded is tried again by the next call", async () => {
    const page = newPage({ isThere: false, python: {} });
    const { border, loaded, loads, told, Cursor } = page;
    border.port.register(1, JSON.stringify(TARGET));
    loaded.reject(new TypeError("no network"));
    await turn();
    page.reload().resolve({ Cursor });
    await border.callNamed("a", {});
    await turn();
    assert.deepEqual([loads(), verbs(told)], [2, ["point", "end"]]);
  });

  test("that cannot draw is told in the console once, and the calls go on", async (context) => {
    const { mock } = context.mock.method(console, "error", () => {});
    const { border, loaded } = newPage({ isThere: false, python: {} });
    class Broken {
      point() {
        throw new Error("no top layer");
      }
    }
    border.port.register(1, JSON.stringify(TARGET));
    loaded.resolve({ Cursor: Broken });
    await turn();
    for (const _ of "ab") assert.equal((await border.callNamed("a", {})).isError, undefined);
    assert.equal(mock.calls.length, 1);
  });
});

describe("fields", () => {
  const define = (/** @type {Border} */ border, /** @type {any} */ handler) =>
    border.holds.define({ ...PLAIN, inputSchema: SCHEMA }, handler, {
      fields: { query: "#q", limit: "#limit" },
    });

  test("show the input before a handler in JavaScript runs", async () => {
    const { border, told, slowly } = newPage();
    let ran = 0;
    define(border, () => void (ran += 1));
    await turn();
    const fill = slowly();
    const answer = border.callNamed("a", { query: "boots" });
    const [[verb, , , fields]] = told;
    assert.deepEqual(
      [verb, fields],
      [
        "fill",
        [
          ["#q", "boots"],
          ["#limit", undefined],
        ],
      ],
    );
    await turn();
    assert.equal(ran, 0);
    fill();
    await answer;
    assert.equal(ran, 1);
  });

  test("keep one call waiting for a cursor that is slow to come, and for 0.4 s only", async (context) => {
    const loop = newLoop(context);
    const { border, loaded, told, Cursor } = newPage({ isThere: false });
    let ran = 0;
    define(border, () => void (ran += 1));
    await loop.advance(0);
    const first = border.callNamed("a", { query: "boots" });
    await loop.advance(399);
    assert.equal(ran, 0);
    await loop.advance(1);
    assert.equal(ran, 1);
    const second = border.callNamed("a", { query: "boots" });
    await loop.advance(0);
    assert.equal(ran, 2);
    loaded.resolve({ Cursor });
    await Promise.all([first, second]);
    assert.ok(!verbs(told).includes("fill")); // the handlers have run
  });

  test("that are filled at once leave the call as quick as it was", async () => {
    const { border } = newPage();
    define(border, () => "done");
    await turn();
    assert.equal(border.callNamed("a", {}) instanceof Promise, false);
  });

  test("keep a handler in Python waiting by the number that it gave", async () => {
    const answered = /** @type {any[]} */ ([]);
    const python = { page_answered: (/** @type {any[]} */ ...args) => answered.push(args) };
    const { border, slowly } = newPage({ python });
    border.port.register(1, JSON.stringify({ ...TARGET, target: true }));
    await turn();
    const fill = slowly();
    const wanted = { tool: "a", fields: [["#q", "x"]] };
    assert.equal(border.port.showCall(7, "c1", JSON.stringify(wanted)), false);
    await turn();
    assert.deepEqual(answered, []);
    fill();
    await turn();
    assert.deepEqual(answered, [[7, "null"]]);
  });

  for (const [what, act, verdicts] of /** @type {[string, (page: any) => void, any[]][]} */ ([
    ["gives up", ({ controller }) => controller.abort(), ["CANCELLED", "none", false]],
    ["is stale", ({ hold }) => hold.release(), ["STALE_TOOL_CALL", "none", false]],
    ["loses its page", ({ border }) => border.leave(false), ["CANCELLED", "none", false]],
  ])) {
    test(`that fill while the call ${what} run no handler`, async () => {
      const { border, slowly, told } = newPage();
      let ran = 0;
      const hold = define(border, () => void (ran += 1));
      await turn();
      const fill = slowly();
      const controller = new AbortController();
      const answer = border.callNamed("a", {}, controller.signal);
      act({ border, hold, controller });
      await turn();
      fill();
      assert.deepEqual(verdict(await answer), verdicts);
      assert.deepEqual([ran, told.at(-1)?.[0], told.at(-1)?.[2]], [0, "end", false]);
      assert.equal(border.states().find(({ name }) => name === "a")?.inFlight ?? 0, 0);
    });
  }
});

describe("holds", () => {
  for (const [options, said] of /** @type {[any, RegExp][]} */ ([
    [{ target: 7 }, /target must be an element, a CSS selector, or a function/],
    [{ target: {} }, /target must be an element/],
    [{ fields: "#q" }, /fields maps arguments to their controls/],
    [{ fields: { query: 7 } }, /fields maps arguments to their controls/],
    [{ fields: { quarry: "#q" } }, /fields names quarry.*query, limit/],
  ])) {
    test(`refuse ${JSON.stringify(options)}`, () => {
      const { border } = newPage();
      const define = () =>
        border.holds.define({ ...PLAIN, inputSchema: SCHEMA }, () => {}, options);
      assert.throws(define, said);
      assert.deepEqual(border.states(), []);
    });
  }

  test("refuse what is no selector, where there is a document to ask", (context) => {
    const querySelector = () => {
      throw new SyntaxError("no selector");
    };
    replace(context, "document", { createDocumentFragment: () => ({ querySelector }) });
    const { border } = newPage();
    assert.throws(() => border.holds.hold("a", { target: "##" }), /target must be/);
  });

  test("refuse fields of a tool of Python's, which says them itself", () => {
    const { border } = newPage();
    assert.throws(() => border.holds.hold("a", { fields: { q: "#q" } }), /@tool\(fields=/);
  });
});

describe("a page without a model context", () => {
  test("W9: three holds wait, the cursor is installed, then three tools register", async (context) => {
    const page = newPage({ context: null, isThere: false });
    const { border, order, loaded, Cursor } = page;
    const doc = fakeDocument();
    Object.setPrototypeOf(doc, doc.defaultView.Document.prototype);
    replace(context, "document", doc);
    const apps = new Apps({
      ...{ border, version: "1", runtime: "/runtime/" },
      ...{ polyfill: "auto", cursor: "auto", onStatus: () => {} },
    });
    const options = { target: /** @type {any} */ ({ nodeType: 1 }) };
    for (const name of "abc") border.holds.define({ ...PLAIN, name }, () => {}, options);
    apps.needContext();
    await until(() => doc.modelContext);
    await turn();
    assert.deepEqual(order, ["a waiting", "b waiting", "c waiting"]);
    loaded.resolve({ Cursor });
    await until(() => order.at(-1) === "c registered");
    assert.equal(order[3], "installed");
    const registered = order.slice(4).filter((each) => each.endsWith("registered"));
    assert.deepEqual(registered, ["a registered", "b registered", "c registered"]);
  });
});
