import assert from "node:assert/strict";
import { describe, test } from "node:test";

import * as React from "react";
import { renderToString } from "react-dom/server";

import { givePage } from "./fake_webtools.mjs";
import { forbidWarnings, replace, turn } from "./fakes.mjs";

forbidWarnings();

/** @typedef {import("node:test").TestContext} TestContext */

let count = 0;

/** Loads the module anew, as another page does. @returns {Promise<typeof import("../../static/react.js")>} */
const load = () => import(`../../static/react.js?${(count += 1)}`);

const DEFINITION = { name: "zoom", description: "Zoom the map.", inputSchema: { type: "object" } };
const zoom = () => "zoomed";

/** React for one component: its hooks, and effects that run when it is committed. */
function fakeReact() {
  /** @type {any[]} */
  const cells = [];
  /** @type {(() => void)[]} */
  let effects = [];
  let next = 0;
  let renders = 0;
  const isEqual = (/** @type {any} */ one, /** @type {any} */ other) =>
    one &&
    other &&
    one.every((/** @type {any} */ each, /** @type {number} */ at) => Object.is(each, other[at]));

  const cell = (/** @type {() => any} */ make) => (cells[next++] ??= make());
  const useEffect = (/** @type {() => any} */ run, /** @type {any[]} */ deps) => {
    const mine = cell(() => ({}));
    if (isEqual(mine.deps, deps)) return;
    effects.push(() => {
      mine.undo?.();
      mine.undo = run();
      mine.run = run;
      mine.deps = deps;
    });
  };
  const React = {
    useEffect,
    useInsertionEffect: useEffect,
    useMemo: (/** @type {() => any} */ make, /** @type {any[]} */ deps) => {
      const mine = cell(() => ({}));
      if (!isEqual(mine.deps, deps)) Object.assign(mine, { deps, value: make() });
      return mine.value;
    },
    useRef: (/** @type {any} */ current) => cell(() => ({ current })),
    useState: (/** @type {() => any} */ make) => [cell(() => make())],
    useSyncExternalStore: (
      /** @type {(onChange: () => void) => () => void} */ subscribe,
      /** @type {() => any} */ getSnapshot,
    ) => {
      useEffect(() => subscribe(() => (renders += 1)), [subscribe]);
      return getSnapshot();
    },
  };

  return {
    React: /** @type {any} */ (React),
    /** How often a subscription asked for a new rendering. */
    get renders() {
      return renders;
    },
    /** Renders, and commits unless it is thrown away. @param {() => any} component */
    render(component, { isCommitted = true } = {}) {
      next = 0;
      effects = [];
      const result = component();
      if (isCommitted) for (const effect of effects) effect();
      return result;
    },
    unmount() {
      for (const each of cells) if (each.run) each.undo?.();
    },
    /** What StrictMode and `<Activity>` do. */
    mountAgain() {
      for (const each of cells) if (each.run) each.undo = each.run();
    },
  };
}

/** A component that wants tools, in a page that has webtools. @param {TestContext} context */
async function newComponent(context) {
  const webtools = givePage(context);
  const fake = fakeReact();
  const { useWebTool } = (await load()).bindReact(fake.React);
  const use =
    (/** @type {any[]} */ ...args) =>
    () =>
      useWebTool(.../** @type {[any]} */ (args));
  return { webtools, fake, use };
}

/** @param {string} name @param {string} state */
const toolState = (name, state, inFlight = 0) => ({ name, state, inFlight, calls: 0 });

describe("on a server", () => {
  test("a component is rendered, and holds nothing", async () => {
    const { useWebTool } = (await load()).bindReact(React);
    const Component = () => {
      const result = useWebTool([[DEFINITION, zoom], "search"]);
      return React.createElement("i", null, JSON.stringify(result));
    };
    const html = renderToString(React.createElement(Component)).replaceAll("&quot;", '"');
    assert.equal(html, '<i>{"status":"unknown","inFlight":0,"lastResult":null,"error":null}</i>');
    assert.equal("window" in globalThis, false);
  });

  test("what is no React is refused when it is bound", async () => {
    const { bindReact } = await load();
    for (const wrong of [undefined, {}, { useEffect() {}, useSyncExternalStore() {} }]) {
      assert.throws(() => bindReact(/** @type {any} */ (wrong)), /version 18 or newer/);
    }
  });
});

describe("what means nothing is refused in render", () => {
  /** @type {Record<string, [any[], RegExp]>} */
  const table = {
    "no tool": [[undefined], /give a tool's name/],
    "a number": [[7], /give a tool's name/],
    "an empty name": [[""], /give a tool's name/],
    "a name that no tool can have": [["read cart"], /"read cart" is no tool's name/],
    "a definition without a name": [
      [{ description: "Zoom." }, { execute: zoom }],
      /its name is missing/,
    ],
    "a definition without a description": [
      [{ name: "zoom" }, { execute: zoom }],
      /its description/,
    ],
    "a definition with execute inside": [[{ ...DEFINITION, execute: zoom }], /has no execute/],
    "a definition without execute": [[DEFINITION], /"zoom" needs a function/],
    "an execute that is none": [[DEFINITION, { execute: "zoom" }], /"zoom" needs a function/],
    "a name with execute": [["search", { execute: zoom }], /Leave execute out/],
    "a list with execute": [[["search"], { execute: zoom }], /in its pairs/],
    "a pair that is not in a list": [[[DEFINITION, zoom]], /"zoom" needs a function/],
    "a list with null": [[[null]], /give a tool's name/],
    "a list with one name twice": [[["zoom", [DEFINITION, zoom]]], /two tools .* "zoom"/],
    "a resource that is no text": [["search", { resourceId: 7 }], /resourceId must be a text/],
    "a target that is none": [["search", { target: 7 }], /target must be an element/],
    "fields of a tool of Python's": [["search", { fields: { by: "#by" } }], /@tool\(fields=/],
    "a field that no definition has": [
      [DEFINITION, { execute: zoom, fields: { by: "#by" } }],
      /fields names by/,
    ],
  };
  for (const [what, [args, expected]] of Object.entries(table)) {
    test(what, async () => {
      const { useWebTool } = (await load()).bindReact(React);
      const Component = () => void useWebTool(.../** @type {[any]} */ (args));
      assert.throws(() => renderToString(React.createElement(Component)), {
        name: "TypeError",
        message: expected,
      });
    });
  }
});

describe("a component", () => {
  test("holds a Python tool from its commit to its end", async (context) => {
    const { webtools, fake, use } = await newComponent(context);
    fake.render(use("search", { resourceId: "doc-1" }), { isCommitted: false });
    assert.deepEqual(webtools.asked, []);
    fake.render(use("search", { resourceId: "doc-1" }));
    assert.deepEqual(webtools.asked, [["hold", "search", { resourceId: "doc-1" }]]);
    fake.unmount();
    assert.deepEqual(webtools.news(), ["hold search", "release search"]);
    assert.equal(webtools.listeners, 0);
  });

  test("says where its tool is, the newest way, without another hold", async (context) => {
    const { webtools, fake, use } = await newComponent(context);
    for (const target of ["#first", (/** @type {any} */ { sku }) => `#${sku}`]) {
      fake.render(use("search", { target }));
    }
    const [[, , options]] = webtools.asked;
    assert.equal(options.target({ sku: "A-1" }), "#A-1");
    assert.deepEqual(webtools.news(), ["hold search"]);
    fake.render(use("search"));
    assert.deepEqual(webtools.news(), ["release search", "hold search"]);
  });

  test("says which of its controls stand for arguments", async (context) => {
    const { webtools, fake, use } = await newComponent(context);
    const definition = { ...DEFINITION, inputSchema: { type: "object", properties: { by: {} } } };
    for (const by of ["#first", () => "#second"]) {
      fake.render(use(definition, { execute: zoom, fields: { by } }));
    }
    const [[, , options]] = webtools.asked;
    assert.equal(options.fields.by({}), "#second");
    assert.deepEqual(webtools.news(), ["define zoom"]);
  });

  test("holds nothing while it is not enabled", async (context) => {
    const { webtools, fake, use } = await newComponent(context);
    fake.render(use("search", { enabled: false }));
    assert.deepEqual(webtools.news(), []);
    fake.render(use("search"));
    assert.deepEqual(webtools.news(), ["hold search"]);
    fake.render(use("search", { enabled: false }));
    assert.deepEqual(webtools.news(), ["release search"]);
  });

  test("defines a tool once, and each call runs the newest execute that was committed", async (context) => {
    const { webtools, fake, use } = await newComponent(context);
    for (const answer of ["first", "second"]) {
      fake.render(use({ ...DEFINITION }, { execute: () => answer }));
    }
    fake.render(use(DEFINITION, { execute: () => "thrown away" }), { isCommitted: false });
    const [[, [[definition, handler]]]] = webtools.asked;
    assert.deepEqual(definition, DEFINITION);
    assert.equal(handler({}, {}), "second");
    assert.deepEqual(webtools.news(), ["define zoom"]);
  });

  test("hands execute what the handler gets", async (context) => {
    const { webtools, fake, use } = await newComponent(context);
    fake.render(use(DEFINITION, { execute: (/** @type {any[]} */ ...args) => args }));
    const call = { isCurrent: () => true };
    assert.deepEqual(webtools.asked[0][1][0][1]({ by: 2 }, call), [{ by: 2 }, call]);
  });

  test("releases and holds again when the agent would see another thing, and only then", async (context) => {
    const { webtools, fake, use } = await newComponent(context);
    const swapped = {
      inputSchema: { type: "object" },
      description: DEFINITION.description,
      name: "zoom",
    };
    fake.render(use(DEFINITION, { execute: zoom }));
    fake.render(use(swapped, { execute: zoom, perInstance: false, enabled: true }));
    assert.deepEqual(webtools.news(), ["define zoom"]);
    for (const [definition, options] of /** @type {[object, object][]} */ ([
      [{ ...DEFINITION, description: "Zoom." }, {}],
      [DEFINITION, { resourceId: "map-1" }],
      [{ ...DEFINITION, inputSchema: { type: "object", required: ["by"] } }, {}],
    ])) {
      fake.render(use(definition, { execute: zoom, ...options }));
      assert.deepEqual(webtools.news(), ["release zoom", "define zoom"]);
    }
  });

  test("a call that comes between a commit and its effects runs what was held", async (context) => {
    const { webtools, fake, use } = await newComponent(context);
    fake.render(use(DEFINITION, { execute: zoom }));
    const handler = webtools.asked[0][1][0][1];
    fake.render(use({ ...DEFINITION, name: "pan" }, { execute: () => "panned" }));
    assert.equal(handler({}, {}), "zoomed");
  });

  test("has one owner for life, for tools whose execute it supplies", async (context) => {
    const { webtools, fake, use } = await newComponent(context);
    fake.render(use(DEFINITION, { execute: zoom }));
    fake.unmount();
    fake.mountAgain();
    fake.render(use("search"));
    fake.render(use("search", { perInstance: true }));
    const options = webtools.asked.filter(([verb]) => verb !== "release").map((asked) => asked[2]);
    const [{ owner }] = options;
    assert.equal(typeof owner, "object");
    assert.deepEqual(
      options.map((each) => each.owner),
      [owner, owner, undefined, owner],
    );

    const other = fakeReact();
    const { useWebTool } = (await load()).bindReact(other.React);
    other.render(() => useWebTool(DEFINITION, { execute: zoom }));
    assert.notEqual(webtools.asked.at(-1)?.[2].owner, owner);
  });

  test("holds a list as a set", async (context) => {
    const { webtools, fake, use } = await newComponent(context);
    const pan = { name: "pan", description: "Pan." };
    fake.render(use(["search", [DEFINITION, zoom], [pan, () => "panned"]]));
    const handlers = webtools.asked[0][1].map((/** @type {any[]} */ pair) => pair[1]());
    assert.deepEqual(handlers, ["zoomed", "panned"]);
    assert.deepEqual(webtools.news(), ["define zoom,pan", "hold search"]);
    fake.render(use(["search", [pan, () => "panned"]]));
    assert.deepEqual(webtools.news(), [
      "release zoom,pan",
      "release search",
      "define pan",
      "hold search",
    ]);
    fake.render(use([]));
    assert.deepEqual(webtools.news(), ["release pan", "release search"]);
  });
});

describe("the result", () => {
  test("follows the tool's state and calls, and is the same object while nothing changes", async (context) => {
    const { webtools, fake, use } = await newComponent(context);
    const component = use("search");
    const first = fake.render(component);
    assert.deepEqual(first, { status: "unknown", inFlight: 0, lastResult: null, error: null });
    webtools.states = [toolState("search", "registered", 1), toolState("other", "failed", 5)];
    webtools.tell("callstart", { tool: "search" });
    const second = fake.render(component);
    assert.deepEqual(second, { ...first, status: "registered", inFlight: 1 });
    webtools.tell("toolstate", { tool: "search", state: "registered" });
    webtools.tell("toolstate", { tool: "other", state: "leaving" });
    webtools.tell("status");
    assert.equal(fake.render(component), second);
    assert.equal(fake.renders, 1);
  });

  test("takes a state from its event, whatever the page has besides", async (context) => {
    const { webtools, fake, use } = await newComponent(context);
    webtools.states = [toolState("search", "registered", 1)];
    fake.render(use("search"));
    webtools.tools = () => assert.fail("the page's tools were asked for");
    webtools.tell("toolstate", { tool: "search", state: "leaving" });
    const { status, inFlight } = fake.render(use("search"));
    assert.deepEqual([status, inFlight], ["leaving", 1]);
  });

  test("knows at once the tool that another holds", async (context) => {
    const { webtools, fake, use } = await newComponent(context);
    webtools.states = [toolState("search", "registered")];
    fake.render(use("search", { enabled: false }));
    assert.equal(fake.render(use("search", { enabled: false })).status, "registered");
  });

  test("has the last answer, and its error until the next call", async (context) => {
    const { webtools, fake, use } = await newComponent(context);
    const component = use("search");
    fake.render(component);
    const error = { code: "NO_MAP", message: "There is no map." };
    const refusal = { content: [], isError: true, structuredContent: { error } };
    webtools.tell("callend", { tool: "search", answer: refusal });
    assert.equal(fake.render(component).lastResult, refusal);
    assert.equal(fake.render(component).error, error);
    const answer = { content: [], structuredContent: { error } };
    webtools.tell("callend", { tool: "search", answer });
    webtools.tell("callend", { tool: "other", answer: refusal });
    assert.equal(fake.render(component).lastResult, answer);
    assert.equal(fake.render(component).error, null);
  });

  test("tells why the browser refused the tool, while it does", async (context) => {
    const { webtools, fake, use } = await newComponent(context);
    const component = use("search");
    webtools.states = [{ ...toolState("search", "failed"), reason: "InvalidStateError: taken" }];
    fake.render(component);
    assert.deepEqual(fake.render(component).error, {
      code: "REGISTRATION_FAILED",
      message: "InvalidStateError: taken",
    });
    webtools.tell("toolstate", { tool: "search", state: "registered" });
    assert.equal(fake.render(component).error, null);
  });

  test("tells of several tools the state that wants attention most, and the sum of calls", async (context) => {
    const { webtools, fake, use } = await newComponent(context);
    const component = use(["a", "b"]);
    fake.render(component);
    const steps = ["failed", "waiting", undefined, "registering", "leaving", "registered"];
    for (const state of steps) {
      webtools.states = [toolState("b", "registered", 2)];
      if (state) webtools.states.unshift(toolState("a", state, 1));
      webtools.tell("callend", { tool: "b", answer: null });
      const { status, inFlight } = fake.render(component);
      assert.deepEqual([status, inFlight], state ? [state, 3] : ["unknown", 2]);
    }
  });

  test("forgets an answer when other tools are wanted", async (context) => {
    const { webtools, fake, use } = await newComponent(context);
    fake.render(use("search"));
    webtools.tell("callend", { tool: "search", answer: { content: [] } });
    fake.render(use("other"));
    assert.equal(fake.render(use("other")).lastResult, null);
  });
});

test("where webtools is not there yet, a tool is held when it announces itself", async (context) => {
  replace(context, "document", Object.assign(new EventTarget(), { readyState: "interactive" }));
  const window = new EventTarget();
  replace(context, "addEventListener", window.addEventListener.bind(window));
  const fake = fakeReact();
  const { useWebTool } = (await load()).bindReact(fake.React);
  fake.render(() => useWebTool("search"));
  const webtools = givePage(context);
  window.dispatchEvent(new Event("webtools"));
  await turn();
  assert.deepEqual(webtools.news(), ["hold search"]);
  fake.unmount();
  assert.deepEqual(webtools.news(), ["release search"]);
  assert.equal(webtools.listeners, 0);
});
