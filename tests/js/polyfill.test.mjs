import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

import { apply, isPolyfilled, isSupported } from "../../static/polyfill.js";
import { fakeDocument } from "./fakes.mjs";
import { runRequirement } from "./model_context_table.mjs";

process.on("warning", (warning) => {
  throw warning;
});

const EVENT_TYPES = ["toolchange", "toolactivated", "toolcancel"];
const INTERFACES = ["ModelContext", "ToolActivatedEvent", "ToolCancelEvent"];
const REQUIREMENTS = JSON.parse(
  await readFile(new URL("../model_context.json", import.meta.url), "utf8"),
);
/** Those that need no page. @type {any[]} */
const IN_STEPS = REQUIREMENTS.filter((/** @type {any} */ { steps }) => steps);

/** @returns {any} */
function newContext() {
  const doc = fakeDocument();
  apply(doc);
  return doc.modelContext;
}

/** Registers a tool called `a` and answers what executes it. @param {any} context @param {any} execute */
async function callable(context, execute, definition = {}) {
  await context.registerTool({ name: "a", description: "d", execute, ...definition });
  const [tool] = await context.getTools();
  return (/** @type {any[]} */ ...rest) => context.executeTool(tool, ...rest);
}

/** @param {any} context @returns {string[]} filled as events come */
function record(context) {
  /** @type {string[]} */
  const events = [];
  for (const type of EVENT_TYPES) {
    context.addEventListener(type, (/** @type {any} */ event) => {
      events.push(event.toolName === undefined ? type : `${type} ${event.toolName}`);
    });
  }
  return events;
}

/** Answers when what the context queued before has run. @param {any} context */
async function turn(context) {
  await context.getTools();
}

const nothing = () => ({});
const tool = { name: "a", description: "d", execute: nothing };

describe("apply", () => {
  test("importing the module installs nothing", () => {
    assert.equal("modelContext" in globalThis, false);
    for (const name of INTERFACES) assert.equal(name in globalThis, false);
  });

  test("a document gets one context, which is always the same object", () => {
    const doc = fakeDocument();
    assert.equal(isSupported(doc), false);
    apply(doc);
    assert.equal(isSupported(doc), true);
    assert.equal(isPolyfilled(doc), true);
    assert.equal(doc.modelContext, doc.modelContext);
    assert.throws(() => Object.assign(doc, { modelContext: 1 }), TypeError);
  });

  test("without any document nothing is supported and nothing happens", () => {
    assert.equal(isSupported(), false);
    assert.equal(isPolyfilled(), false);
    apply()();
  });

  test("an insecure context gets nothing, by force neither", () => {
    const doc = fakeDocument({ view: { isSecureContext: false } });
    apply(doc, { force: true });
    assert.equal("modelContext" in doc, false);
    assert.equal("ModelContext" in doc.defaultView, false);
  });

  test("a native context stays, and the undo does nothing", () => {
    // A bound function has no source either.
    const constructor = Object.defineProperty(nothing.bind(null), "name", {
      value: "ModelContext",
    });
    const native = { constructor };
    const doc = fakeDocument({ modelContext: native });
    apply(doc)();
    assert.equal(doc.modelContext, native);
    assert.equal(isSupported(doc), true);
    assert.equal(isPolyfilled(doc), false);
    assert.equal("ModelContext" in doc.defaultView, false);
  });

  test("force replaces a native context until the undo", () => {
    const native = {};
    const doc = fakeDocument({ modelContext: native, view: { ModelContext: Map } });
    const before = descriptors(doc);
    const undo = apply(doc, { force: true });
    assert.equal(isPolyfilled(doc), true);
    undo();
    assert.deepEqual(descriptors(doc), before);
    assert.equal(doc.modelContext, native);
  });

  test("the undo restores every descriptor, and the absence of one", () => {
    const doc = fakeDocument();
    const hidden = { value: 1, writable: false, enumerable: true, configurable: true };
    Object.defineProperty(doc.defaultView, "ToolCancelEvent", hidden);
    const before = descriptors(doc);
    const undo = apply(doc);
    assert.notDeepEqual(descriptors(doc), before);
    undo();
    assert.deepEqual(descriptors(doc), before);
    assert.equal("modelContext" in doc, false);
  });

  test("a name that the page has fixed is a TypeError, and nothing is replaced", () => {
    const doc = fakeDocument();
    Object.defineProperty(doc.defaultView, "ToolCancelEvent", { value: 1 }); // as `var` does
    const before = descriptors(doc);
    assert.throws(() => apply(doc), TypeError);
    assert.deepEqual(descriptors(doc), before);
    assert.equal("modelContext" in doc, false);
  });

  test("applying twice keeps the first context, and only the first undo takes it away", () => {
    const doc = fakeDocument();
    const undo = apply(doc);
    const context = doc.modelContext;
    apply(doc, { force: true })();
    assert.equal(doc.modelContext, context);
    undo();
    assert.equal("modelContext" in doc, false);
  });

  test("an undo that runs twice leaves alone what came in between", () => {
    const doc = fakeDocument();
    const undo = apply(doc);
    undo();
    apply(doc);
    undo();
    assert.equal(isPolyfilled(doc), true);
  });

  test("a context of another copy of the module is recognised", async () => {
    const copy = await import(`../../static/polyfill.js?${"copy"}`);
    const doc = fakeDocument();
    copy.apply(doc);
    const context = doc.modelContext;
    assert.equal(isPolyfilled(doc), true);
    apply(doc, { force: true });
    assert.equal(doc.modelContext, context);
  });

  test("a minified copy is known, works, and has the interfaces' names", async () => {
    const entryPoints = [fileURLToPath(new URL("../../static/polyfill.js", import.meta.url))];
    const { outputFiles } = await build({
      ...{ entryPoints, bundle: true, minify: true, format: "esm", write: false },
    });
    const copy = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
    const doc = fakeDocument();
    copy.apply(doc);
    assert.equal(isPolyfilled(doc), true);
    for (const name of INTERFACES) assert.equal(doc.defaultView[name].name, name);
    const call = await callable(doc.modelContext, () => "done");
    assert.equal(await call(), "done");
  });

  test("nothing is open, and no timer runs, while nothing is under way", async () => {
    const open = () =>
      process.getActiveResourcesInfo().filter((name) => /^(MessagePort|Timeout)$/.test(name))
        .length;
    const before = open();
    const call = await callable(newContext(), () => "done");
    const answer = call();
    assert.notEqual(open(), before);
    await answer;
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(open(), before);
  });

  test("the window gets the three interfaces as WebIDL shapes them", () => {
    const doc = fakeDocument();
    apply(doc);
    for (const name of INTERFACES) {
      const { value, ...flags } = descriptors(doc)[name] ?? {};
      assert.deepEqual(flags, { writable: true, enumerable: false, configurable: true });
      assert.equal(Object.prototype.toString.call(value.prototype), `[object ${name}]`);
    }
    const { ModelContext, ToolCancelEvent } = doc.defaultView;
    assert.equal(doc.modelContext instanceof ModelContext, true);
    assert.equal(doc.modelContext instanceof EventTarget, true);
    assert.throws(() => new ModelContext(), TypeError);
    assert.equal(new ToolCancelEvent("toolcancel", { toolName: "a" }).toolName, "a");
    assert.equal(new ToolCancelEvent("toolcancel").toolName, "");
    const members = Object.keys(ModelContext.prototype).sort();
    const events = EVENT_TYPES.map((type) => `on${type}`);
    assert.deepEqual(members, [...events, "executeTool", "getTools", "registerTool"].sort());
  });
});

/** @param {any} doc @returns {Record<string, PropertyDescriptor | undefined>} */
function descriptors(doc) {
  const all = INTERFACES.map((name) => [
    name,
    Object.getOwnPropertyDescriptor(doc.defaultView, name),
  ]);
  for (const [key, target] of Object.entries({
    own: doc,
    inherited: doc.defaultView.Document.prototype,
  })) {
    all.push([key, Object.getOwnPropertyDescriptor(target, "modelContext")]);
  }
  return Object.fromEntries(all);
}

describe("the table of requirements", () => {
  for (const requirement of IN_STEPS) {
    const { id, must } = requirement;
    test(`${id}: ${must}`, () => runRequirement(requirement, newContext()));
  }

  test("every entry has an id of its own, a source and a sentence", () => {
    const ids = REQUIREMENTS.map((/** @type {any} */ { id }) => id);
    assert.equal(new Set(ids).size, ids.length);
    for (const { source, must, steps, check } of REQUIREMENTS) {
      assert.match(
        source,
        /^(https:\/\/[a-z0-9.]+\/[a-z/.-]*#|platform\.md: |docs\/polyfill\.md: )/,
      );
      assert.match(must, /^[A-Z`].+\.$/);
      assert.ok(check ? !steps : steps.length > 0);
    }
  });

  test("where native differs, the entry names the draft's sentence, and the documentation the entry", async () => {
    const docs = await readFile(new URL("../../docs/polyfill.md", import.meta.url), "utf8");
    const differing = REQUIREMENTS.filter((/** @type {any} */ { native }) => native);
    const listed = Array.from(docs.matchAll(/^\| (R\d+) \|/gm), ([, id]) => id);
    assert.deepEqual(
      listed,
      differing.map((/** @type {any} */ { id }) => id),
    );
    for (const { native } of differing) assert.match(native, /; the .+: .*"/);
  });

  test("entries leave nothing behind for the next one", async () => {
    const context = newContext();
    for (const requirement of IN_STEPS) await runRequirement(requirement, context);
    assert.deepEqual(await context.getTools(), []);
  });

  test("what a context does not meet is reported with its entry and step", async () => {
    const steps = [{ list: [] }, { register: { name: "a", description: "" } }];
    await assert.rejects(
      runRequirement({ id: "X1", steps }, newContext()),
      /^Error: X1, step 2, \{.*\}: expected "ok", got "InvalidStateError"$/,
    );
  });

  test("a step that the runner does not know is an error", async () => {
    const unknown = { id: "X2", steps: [{ sleep: 1 }] };
    await assert.rejects(runRequirement(unknown, newContext()), /no such step/);
  });
});

describe("registerTool", () => {
  /** @type {any} */
  const circular = {};
  circular.self = circular;

  test("arguments of a wrong type reject with a TypeError and never throw", async () => {
    const context = newContext();
    const wrong = [
      [],
      ["a"],
      [{ ...tool, name: undefined }],
      [{ ...tool, name: Symbol("a") }],
      [{ ...tool, execute: undefined }],
      [{ ...tool, inputSchema: "{}" }],
      [{ ...tool, inputSchema: null }],
      [{ ...tool, annotations: "readOnlyHint" }],
      [tool, "options"],
      [tool, { signal: {} }],
      [tool, { signal: null }],
      [tool, { exposedTo: "https://shop.example" }],
      [tool, { exposedTo: {} }],
    ];
    for (const args of wrong) await assert.rejects(context.registerTool(...args), TypeError);
    await assert.rejects(context.registerTool.call({}, tool), TypeError);
    assert.deepEqual(await context.getTools(), []);
  });

  test("a schema without a JSON form is refused, before an aborted signal is", async () => {
    const context = newContext();
    const options = { signal: AbortSignal.abort() };
    const schemas = [circular, { toJSON() {} }, { a: 1n }, nothing];
    for (const inputSchema of schemas) {
      await assert.rejects(context.registerTool({ ...tool, inputSchema }, options), TypeError);
    }
  });

  test("what a schema throws while it is serialised is what the caller gets", async () => {
    const error = new RangeError("mine");
    const inputSchema = {
      toJSON() {
        throw error;
      },
    };
    await assert.rejects(newContext().registerTool({ ...tool, inputSchema }), error);
  });

  test("a bad name and an empty description are reported before a bad schema", async () => {
    const context = newContext();
    for (const wrong of [{ name: "a b" }, { description: "" }]) {
      const definition = { ...tool, ...wrong, inputSchema: circular };
      await assert.rejects(context.registerTool(definition), { name: "InvalidStateError" });
    }
  });

  test("an aborted signal rejects with its reason, whatever that is", async () => {
    const options = { signal: AbortSignal.abort("why") };
    const outcome = newContext().registerTool(tool, options);
    assert.equal(await outcome.catch((/** @type {unknown} */ reason) => reason), "why");
  });

  test("an abort before the answer rejects, and the tool has come and gone", async () => {
    const context = newContext();
    const events = record(context);
    const controller = new AbortController();
    const outcome = context.registerTool(tool, { signal: controller.signal });
    controller.abort("why");
    assert.equal(await outcome.catch((/** @type {unknown} */ reason) => reason), "why");
    assert.deepEqual(await context.getTools(), []);
    assert.deepEqual(events, ["toolchange", "toolchange"]);
  });

  test("a refused registration leaves no listener on its signal", async () => {
    const context = newContext();
    const { signal } = new AbortController();
    const wrong = [
      [{ ...tool, name: "" }, { signal }],
      [tool, { signal, exposedTo: ["*"] }],
    ];
    for (const args of wrong) await assert.rejects(context.registerTool(...args));
    assert.equal(getEventListeners(signal, "abort").length, 0);
  });

  test("a tool without a signal stays", async () => {
    const context = newContext();
    await context.registerTool(tool);
    assert.equal((await context.getTools()).length, 1);
  });

  test("later changes of the author's objects change nothing", async () => {
    const context = newContext();
    const inputSchema = { type: "object" };
    const annotations = { readOnlyHint: true };
    const definition = { ...tool, inputSchema, annotations };
    await context.registerTool(definition);
    inputSchema.type = "string";
    annotations.readOnlyHint = false;
    definition.name = "b";
    const [listed] = await context.getTools();
    assert.equal(listed.name, "a");
    assert.equal(listed.annotations.readOnlyHint, true);
    assert.deepEqual(listed.inputSchema, { type: "object" });
  });
});

describe("getTools", () => {
  test("a listed tool has its members, its window and its origin, and no others", async () => {
    const doc = fakeDocument();
    apply(doc);
    await doc.modelContext.registerTool({ ...tool, title: "T\ud800" });
    const [listed] = await doc.modelContext.getTools();
    const { window, ...members } = listed;
    assert.equal(window, doc.defaultView);
    const origin = "https://shop.example";
    assert.deepEqual(members, { name: "a", title: "T\ufffd", description: "d", origin });
  });

  test("two listings share no object", async () => {
    const context = newContext();
    await context.registerTool({ ...tool, inputSchema: {}, annotations: {} });
    const [[first], [second]] = [await context.getTools(), await context.getTools()];
    assert.notEqual(first, second);
    assert.notEqual(first.inputSchema, second.inputSchema);
    assert.notEqual(first.annotations, second.annotations);
  });

  test("the origins that are asked for must be secure", async () => {
    const context = newContext();
    await assert.rejects(context.getTools({ fromOrigins: ["*"] }), { name: "SecurityError" });
    await assert.rejects(context.getTools({ fromOrigins: "https://a.example" }), TypeError);
    assert.deepEqual(await context.getTools({ fromOrigins: ["https://a.example"] }), []);
  });
});

describe("executeTool", () => {
  const circular = [/** @type {unknown} */ (0)];
  circular[0] = circular;

  test("primitives are answered by String, objects by JSON, an empty text by a sentence", async () => {
    /** @type {[unknown, string][]} */
    const answers = [
      [undefined, "undefined"],
      [null, "null"],
      [NaN, "NaN"],
      [-0, "0"],
      [10n, "10"],
      [true, "true"],
      ['say "é"', 'say "é"'],
      ["", "Operation succeeded"],
      [{ a: undefined, b: "é" }, '{"b":"é"}'],
      [[1, undefined], "[1,null]"],
      [new Date(0), '"1970-01-01T00:00:00.000Z"'],
      [new String(""), '""'],
      [nothing, "undefined"],
      [{ toJSON() {} }, "undefined"],
    ];
    /** @type {unknown} */
    let answer;
    const call = await callable(newContext(), () => answer);
    for (const [value, text] of answers) {
      answer = value;
      assert.equal(await call({}), text);
    }
  });

  test("what cannot become text is an UnknownError, a Symbol too", async () => {
    /** @type {unknown} */
    let answer;
    const call = await callable(newContext(), () => answer);
    for (answer of [Symbol("s"), circular, { a: 1n }]) {
      await assert.rejects(call({}), { name: "UnknownError" });
    }
  });

  test("a handler that throws at once fails as one that rejects", async () => {
    const call = await callable(newContext(), () => {
      throw new Error("mine");
    });
    await assert.rejects(call({}), { name: "UnknownError", constructor: DOMException });
  });

  test("the handler gets a copy of the input and a signal, and no this", async () => {
    const input = { list: [1], gone: undefined };
    /** @type {any[]} */
    let seen = [];
    const call = await callable(newContext(), function (/** @type {any[]} */ ...args) {
      // @ts-expect-error: what `this` is, is the point.
      seen = [this, ...args];
    });
    const answer = call(input);
    input.list.push(2);
    await answer;
    const [self, got, options, ...more] = seen;
    assert.equal(self, undefined);
    assert.deepEqual(got, { list: [1] });
    assert.equal(options.signal.aborted, false);
    assert.deepEqual(more, []);
  });

  test("input that is left out is an empty object", async () => {
    const call = await callable(newContext(), (/** @type {object} */ input) => input);
    assert.equal(await call(), "{}");
    assert.equal(await call(undefined), "{}");
    assert.equal(await call([1]), "[1]");
  });

  test("input that is no object, or has no JSON form, rejects before the handler runs", async () => {
    let calls = 0;
    const call = await callable(newContext(), () => ++calls);
    for (const input of [null, "{}", 1, Symbol("s"), circular, { a: 1n }, nothing]) {
      await assert.rejects(call(input), TypeError);
    }
    await assert.rejects(call(new Date(0)), { name: "UnknownError" });
    assert.equal(calls, 0);
  });

  test("a tool that is not as getTools lists it is refused, each in its way", async () => {
    const context = newContext();
    await context.registerTool(tool);
    const [listed] = await context.getTools();
    const other = fakeDocument().defaultView;
    const signal = AbortSignal.abort("why");
    /** @type {[any, string][]} */
    const wrong = [
      ["a", "TypeError"],
      [{ ...listed, description: undefined }, "TypeError"],
      [{ ...listed, window: {} }, "TypeError"],
      [{ ...listed, window: undefined }, "TypeError"],
      [{ ...listed, origin: "null" }, "NotSupportedError"],
      [{ ...listed, origin: "data:x" }, "NotSupportedError"],
      [{ ...listed, origin: "https://other.example" }, "UnknownError"],
      [{ ...listed, window: other }, "UnknownError"],
      [{ ...listed, name: "b" }, "UnknownError"],
    ];
    for (const [handle, name] of wrong) await assert.rejects(context.executeTool(handle), { name });
    const opaque = context.executeTool({ ...listed, origin: "null" }, circular, { signal });
    await assert.rejects(opaque, { name: "NotSupportedError" });
    await assert.rejects(context.executeTool(listed, circular, { signal }), TypeError);
    const outcome = context.executeTool(listed, {}, { signal });
    assert.equal(await outcome.catch((/** @type {unknown} */ reason) => reason), "why");
  });

  test("a tool that goes between the call and its task is an UnknownError", async () => {
    const context = newContext();
    const controller = new AbortController();
    let calls = 0;
    await context.registerTool({ ...tool, execute: () => ++calls }, { signal: controller.signal });
    const [listed] = await context.getTools();
    const answer = context.executeTool(listed);
    controller.abort();
    await assert.rejects(answer, { name: "UnknownError" });
    assert.equal(calls, 0);
  });

  test("a tool may unregister itself inside its handler and still answer", async () => {
    const context = newContext();
    const controller = new AbortController();
    const execute = () => controller.abort() ?? { done: true };
    await context.registerTool({ ...tool, execute }, { signal: controller.signal });
    const [listed] = await context.getTools();
    assert.equal(await context.executeTool(listed), '{"done":true}');
  });

  test("a caller's abort rejects at once, and reaches the handler in a later task", async () => {
    const context = newContext();
    const caller = new AbortController();
    /** @type {string[]} */
    const trace = [];
    const call = await callable(
      context,
      (/** @type {object} */ _, /** @type {any} */ { signal }) => {
        signal.addEventListener("abort", () => trace.push(`signal ${signal.reason.name}`));
        return new Promise(() => {});
      },
    );
    context.addEventListener("toolcancel", () => trace.push("toolcancel"));
    const answer = call({}, { signal: caller.signal });
    await turn(context);
    caller.abort("why");
    await assert.rejects(answer, (reason) => reason === "why");
    assert.deepEqual(trace, []);
    await turn(context);
    assert.deepEqual(trace, ["signal AbortError", "toolcancel"]);
  });

  test("an abort in the same turn as the call still lets the handler begin, then aborts it", async () => {
    const context = newContext();
    const caller = new AbortController();
    const call = await callable(context, () => new Promise(() => {}));
    const events = record(context);
    const answer = call({}, { signal: caller.signal });
    caller.abort();
    await assert.rejects(answer, { name: "AbortError" });
    await turn(context);
    assert.deepEqual(events, ["toolactivated a", "toolcancel a"]);
  });

  test("an abort between the handler's end and the answer rejects without toolcancel", async () => {
    const context = newContext();
    const caller = new AbortController();
    const call = await callable(context, () => {
      // Some microtasks on, the handler's promise is settled, and no task has run since.
      void Promise.resolve().then(nothing).then(nothing).then(nothing).then(abort);
    });
    const abort = () => caller.abort("late");
    const events = record(context);
    const answer = call({}, { signal: caller.signal });
    await assert.rejects(answer, (reason) => reason === "late");
    await turn(context);
    assert.deepEqual(events, ["toolactivated a"]);
  });

  test("an answered call leaves no listener on the caller's signal", async () => {
    const { signal } = new AbortController();
    const call = await callable(newContext(), nothing);
    for (let n = 0; n < 20; n += 1) await call({}, { signal });
    assert.equal(getEventListeners(signal, "abort").length, 0);
  });

  test("toolactivated comes before the handler is entered", async () => {
    const context = newContext();
    /** @type {string[]} */
    const trace = [];
    context.addEventListener("toolactivated", () => trace.push("toolactivated"));
    const call = await callable(context, () => trace.push("handler"));
    await call({});
    assert.deepEqual(trace, ["toolactivated", "handler"]);
  });
});

describe("tasks and events", () => {
  test("nothing is announced, answered or run before the caller's microtasks are done", async () => {
    const context = newContext();
    const call = await callable(context, () => trace.push("handler"));
    await turn(context);
    /** @type {string[]} */
    const trace = [];
    context.ontoolchange = () => trace.push("toolchange");
    const registered = context.registerTool({ ...tool, name: "b" });
    const all = [
      registered.then(() => trace.push("registered")),
      call({}).then(() => trace.push("answered")),
    ];
    for (let n = 0; n < 10; n += 1) await null;
    trace.push("microtasks");
    await Promise.all(all);
    const order = ["microtasks", "toolchange", "registered", "handler", "answered"];
    assert.deepEqual(trace, order);
  });

  test("an idle context keeps no port and no timer", async () => {
    const call = await callable(newContext(), nothing);
    await call({});
    const open = () => process.getActiveResourcesInfo().filter((name) => /Port|Time/.test(name));
    // A closed port is gone some turns of the loop later.
    for (let n = 0; n < 100 && open().length; n += 1) await new Promise(setImmediate);
    assert.deepEqual(open(), []);
  });

  test("an on… attribute is called with the event until it is null", async () => {
    const context = newContext();
    /** @type {any[]} */
    const seen = [];
    /** @this {unknown} @param {Event} event */
    function handler(event) {
      seen.push(this, event.type);
    }
    assert.equal(context.ontoolchange, null);
    context.ontoolchange = "no function";
    assert.equal(context.ontoolchange, null);
    context.ontoolchange = handler;
    assert.equal(context.ontoolchange, handler);
    await context.registerTool(tool);
    assert.deepEqual(seen, [context, "toolchange"]);
    context.ontoolchange = null;
    await context.registerTool({ ...tool, name: "b" });
    assert.equal(seen.length, 2);
  });
});

describe("where tools may be used", () => {
  /** @param {any} doc @param {string} name */
  async function assertRefused(doc, name) {
    apply(doc);
    const handle = { ...tool, window: doc.defaultView, origin: "https://shop.example" };
    const context = doc.modelContext;
    await assert.rejects(context.registerTool({ ...tool, name: "" }), { name });
    await assert.rejects(context.getTools({ fromOrigins: ["*"] }), { name });
    await assert.rejects(context.executeTool({ ...handle, origin: "null" }), { name });
  }

  /** @param {boolean} allowed */
  const policy = (allowed) => ({ features: () => ["tools"], allowsFeature: () => allowed });

  test("a document that is not active is reported before anything else", async () => {
    const doc = fakeDocument();
    apply(doc);
    const context = doc.modelContext;
    doc.defaultView = null;
    await assert.rejects(context.registerTool({ ...tool, name: "" }), {
      name: "InvalidStateError",
    });
    await assert.rejects(context.getTools({ fromOrigins: ["*"] }), { name: "InvalidStateError" });
  });

  test("a permissions policy that knows tools decides", async () => {
    await assertRefused(fakeDocument({ permissionsPolicy: policy(false) }), "NotAllowedError");
    await assertRefused(fakeDocument({ featurePolicy: policy(false) }), "NotAllowedError");
    const doc = fakeDocument({ permissionsPolicy: policy(true), view: { parent: {} } });
    apply(doc);
    assert.deepEqual(await doc.modelContext.getTools(), []);
  });

  test("a frame that is removed while its tools are being listed has none", async () => {
    const doc = fakeDocument();
    apply(doc);
    await doc.modelContext.registerTool(tool);
    const listed = doc.modelContext.getTools();
    doc.defaultView.top = null; // as in a browser
    assert.deepEqual(await listed, []);
  });

  test("elsewhere a frame may use tools if all its ancestors are of its origin", async () => {
    const top = fakeDocument().defaultView;
    const foreign = {
      get document() {
        throw new DOMException("cross-origin", "SecurityError");
      },
    };
    const unknown = { features: () => [], allowsFeature: () => false };
    const child = fakeDocument({ view: { parent: top }, featurePolicy: unknown });
    apply(child);
    assert.deepEqual(await child.modelContext.getTools(), []);
    await assertRefused(fakeDocument({ view: { parent: foreign } }), "NotAllowedError");
    const between = fakeDocument({ view: { parent: foreign } }).defaultView;
    await assertRefused(fakeDocument({ view: { parent: between } }), "NotAllowedError");
  });
});

describe("a context that cancels calls, as Chromium up to 152", () => {
  /** A context with a tool that is called and about to answer. @param {object} options */
  async function calling(options) {
    const doc = fakeDocument();
    apply(doc, options);
    const controller = new AbortController();
    const { promise: done, resolve: answer } = deferred();
    await doc.modelContext.registerTool({ ...tool, execute: () => done }, controller);
    const [listed] = await doc.modelContext.getTools();
    return { controller, answer, call: doc.modelContext.executeTool(listed, {}) };
  }

  /** What Promise.withResolvers gives, which Node 20 has not. */
  function deferred() {
    /** @type {(value: object) => void} */
    let resolve = () => {};
    const promise = new Promise((settle) => (resolve = settle));
    return { promise, resolve };
  }

  test("loses a call whose tool goes while it runs", async () => {
    const { controller, call } = await calling({ cancelsCalls: "onUnregister" });
    controller.abort();
    await assert.rejects(call, { name: "UnknownError" });
  });

  test("loses a call whose tool goes while its answer is on the way", async (context) => {
    const { controller, answer, call } = await calling({
      cancelsCalls: "onUnregister",
      postbackMs: 50,
    });
    const posted = new Promise((resolve) => {
      context.mock.method(globalThis, "setTimeout", (/** @type {() => void} */ post) =>
        resolve(post),
      );
    });
    answer({ ok: true });
    /** @type {any} */
    const post = await posted;
    controller.abort();
    post();
    await assert.rejects(call, { name: "UnknownError" });
  });

  test("delivers an answer whose tool goes afterwards, and loses no other tool's calls", async () => {
    const first = await calling({ cancelsCalls: "onUnregister" });
    first.answer({ ok: true });
    assert.equal(await first.call, '{"ok":true}');
    first.controller.abort();
  });
});
