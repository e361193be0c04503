/**
 * What a page alone can show of a model context: the shapes and conversions of its IDL, and the timing inside a task.
 * `model_context.json` has what each one is about, and `model_context.md` when they run.
 */

import { equal, outcomeOf, rejects, same, throws, toolOf } from "./model_context_asserts.mjs";

const INTERFACES = {
  ModelContext: "EventTarget",
  ToolActivatedEvent: "Event",
  ToolCancelEvent: "Event",
};
const EVENTS = ["toolactivated", "toolcancel", "toolchange"];
const tool = { name: "a", description: "d", execute: () => ({}) };

/** @type {any} */
const { modelContext } = document;
const view = /** @type {any} */ (window);

export const checks = {
  /** The attribute of documents. */
  attribute() {
    const { get, set, ...flags } = descriptor(Document.prototype, "modelContext");
    same(flags, { enumerable: true, configurable: true });
    same([get.name, get.length, set], ["get modelContext", 0, undefined]);
    equal(Object.hasOwn(document, "modelContext"), false);
    equal(modelContext, document.modelContext);
    for (const self of [{}, undefined, Document.prototype]) throws(() => get.call(self), TypeError);
  },

  detachedDocument() {
    /** @type {any} */
    const other = document.implementation.createHTMLDocument("");
    equal(other.modelContext === modelContext, false);
    return rejects(other.modelContext.registerTool(tool), "InvalidStateError");
  },

  interfaces() {
    for (const [name, parent] of Object.entries(INTERFACES)) {
      const { value, ...flags } = descriptor(window, name);
      same(flags, { writable: true, enumerable: false, configurable: true });
      same([value.name, value.length], [name, name === "ModelContext" ? 0 : 1]);
      equal(descriptor(value, "prototype").writable, false);
      equal(Object.getPrototypeOf(value), view[parent]);
      equal(Object.getPrototypeOf(value.prototype), view[parent].prototype);
      same(descriptor(value.prototype, Symbol.toStringTag), {
        value: name,
        writable: false,
        enumerable: false,
        configurable: true,
      });
      throws(() => value(), TypeError);
    }
    equal(modelContext instanceof view.ModelContext, true);
    throws(() => new view.ModelContext(), TypeError);
  },

  members() {
    const { prototype } = view.ModelContext;
    const handlers = EVENTS.map((type) => `on${type}`);
    const methods = { executeTool: 1, getTools: 0, registerTool: 1 };
    same(Object.keys(prototype).sort(), [...Object.keys(methods), ...handlers].sort());
    for (const [name, length] of Object.entries(methods)) {
      const { value, ...flags } = descriptor(prototype, name);
      same(flags, { writable: true, enumerable: true, configurable: true });
      same([value.name, value.length, "prototype" in value], [name, length, false]);
    }
    for (const name of handlers) {
      const { get, set, ...flags } = descriptor(prototype, name);
      same(flags, { enumerable: true, configurable: true });
      same([get.name, set.name], [`get ${name}`, `set ${name}`]);
    }
  },

  async brand() {
    const { prototype } = view.ModelContext;
    const { get, set } = descriptor(prototype, "ontoolchange");
    for (const self of [{}, undefined, prototype, new EventTarget()]) {
      for (const name of ["registerTool", "getTools", "executeTool"]) {
        await rejects(prototype[name].call(self, tool), "TypeError");
      }
      throws(() => get.call(self), TypeError);
      throws(() => set.call(self, null), TypeError);
    }
  },

  eventConstructors() {
    for (const Class of [view.ToolActivatedEvent, view.ToolCancelEvent]) {
      throws(() => new Class(), TypeError);
      for (const init of [1, "x", true, { toolName: Symbol("s") }]) {
        throws(() => new Class("x", init), TypeError);
      }
      const names = [
        undefined,
        null,
        {},
        { toolName: undefined },
        { toolName: null },
        { toolName: 5 },
      ];
      const got = names.map((init) => new Class("x", init).toolName);
      same(got, ["", "", "", "", "null", "5"]);
      const { bubbles, cancelable, composed, isTrusted, type } = new Class(
        { toString: () => "y" },
        { bubbles: true, cancelable: true, composed: true },
      );
      same([bubbles, cancelable, composed, isTrusted, type], [true, true, true, false, "y"]);
      const reads = readsOf((watch) => new Class("x", watch({}, "")));
      same(reads, ["bubbles", "cancelable", "composed", "toolName"]);
    }
  },

  toolNameAttribute() {
    const { ToolActivatedEvent, ToolCancelEvent } = view;
    const { get, set, ...flags } = descriptor(ToolActivatedEvent.prototype, "toolName");
    same(flags, { enumerable: true, configurable: true });
    same([get.name, set], ["get toolName", undefined]);
    for (const self of [{}, new Event("x"), new ToolCancelEvent("x")]) {
      throws(() => get.call(self), TypeError);
    }
  },

  async registerReads() {
    const controller = new AbortController();
    /** @type {string[]} */
    const reads = [];
    const note = (/** @type {string} */ name) => ({
      toString() {
        reads.push(`${name} as text`);
        return name === "tool.name" ? "a" : "d";
      },
    });
    const watch = watcher(reads);
    const texts = { name: note("tool.name"), description: note("tool.description") };
    const annotations = watch({}, "annotations.");
    await modelContext.registerTool(
      watch({ ...tool, ...texts, title: note("tool.title"), annotations }, "tool."),
      watch({ signal: controller.signal, exposedTo: [] }, "options."),
    );
    controller.abort();
    same(reads, [
      "tool.annotations",
      ...HINTS.map((hint) => `annotations.${hint}`),
      ...["tool.description", "tool.description as text", "tool.execute", "tool.inputSchema"],
      ...["tool.name", "tool.name as text", "tool.title", "tool.title as text"],
      ...["options.exposedTo", "options.signal"],
    ]);
  },

  async executeReads() {
    /** @type {string[]} */
    const reads = [];
    const watch = watcher(reads);
    const annotations = watch({}, "annotations.");
    const handle = { name: "a", description: "d", window, origin, annotations };
    await rejects(
      modelContext.executeTool(watch(handle, ""), {}, watch({}, "options.")),
      "UnknownError",
    );
    same(reads, [
      "annotations",
      ...HINTS.map((hint) => `annotations.${hint}`),
      ...["description", "inputSchema", "name", "origin", "title", "window", "options.signal"],
    ]);
  },

  async registerConversions() {
    const wrong = [
      [],
      ["a"],
      [1],
      [{}],
      [{ ...tool, name: undefined }],
      [{ ...tool, name: Symbol("a") }],
      [{ ...tool, description: undefined }],
      [{ ...tool, execute: undefined }],
      [{ ...tool, execute: null }],
      [{ ...tool, execute: {} }],
      [{ ...tool, inputSchema: null }],
      [{ ...tool, inputSchema: "{}" }],
      [{ ...tool, annotations: "readOnlyHint" }],
      [{ ...tool, title: Symbol("t") }],
      [tool, 1],
      [tool, { signal: null }],
      [tool, { signal: {} }],
      [tool, { signal: Object.create(AbortSignal.prototype) }],
      [tool, { signal: new Proxy(new AbortController().signal, {}) }],
      [tool, { exposedTo: null }],
      [tool, { exposedTo: "https://shop.example" }],
      [tool, { exposedTo: {} }],
      [tool, { exposedTo: [Symbol("s")] }],
    ];
    for (const args of wrong) await rejects(modelContext.registerTool(...args), "TypeError", args);
    same(await modelContext.getTools(), []);
  },

  async texts() {
    const texts = [12, null, true, { toString: () => "q" }];
    const wanted = ["12", "null", "true", "q"];
    for (const [index, text] of texts.entries()) {
      const { name, title, description } = await listed({
        name: text,
        title: text,
        description: text,
      });
      same([name, title, description], Array(3).fill(wanted[index]));
    }
  },

  async scalarTitle() {
    const { title } = await listed({ title: "\ud800x\udc00 \u{1f600}" });
    equal(title, "\ufffdx\ufffd \u{1f600}");
  },

  async surrogates() {
    const { description } = await listed({ description: "\ud800x" });
    equal(description, "\ud800x");
  },

  async schemaText() {
    /** @type {any} */
    const circular = {};
    circular.self = circular;
    const options = { signal: AbortSignal.abort() };
    for (const inputSchema of [circular, { a: 1n }, () => {}, { toJSON() {} }]) {
      await rejects(modelContext.registerTool({ ...tool, inputSchema }, options), "TypeError");
    }
    const thrown = new RangeError("mine");
    const toJSON = () => {
      throw thrown;
    };
    const refused = modelContext.registerTool({ ...tool, inputSchema: { toJSON } });
    equal(await refused.catch((/** @type {unknown} */ error) => error), thrown);
    same((await listed({ inputSchema: [1, { a: undefined }] })).inputSchema, [1, {}]);
  },

  async primitiveSchema() {
    equal((await listed({ inputSchema: { toJSON: () => "text" } })).inputSchema, "text");
  },

  async annotations() {
    const none = Object.fromEntries(HINTS.map((hint) => [hint, false]));
    for (const annotations of [null, {}, [], () => {}]) {
      same((await listed({ annotations })).annotations, none);
    }
    const annotations = { readOnlyHint: "no", debugging: 0, destructiveHint: true };
    same((await listed({ annotations })).annotations, { ...none, readOnlyHint: true });
    equal("annotations" in (await listed({ annotations: undefined })), false);
  },

  async listedShape() {
    const handle = await listed({ title: "t", inputSchema: {}, annotations: {} });
    const keys = ["annotations", "description", "inputSchema", "name", "origin", "title", "window"];
    same(Object.keys(handle), keys);
    equal(Object.getPrototypeOf(handle), Object.prototype);
    same([handle.window === window, handle.origin], [true, origin]);
    same(Object.keys(await listed({})), ["description", "name", "origin", "title", "window"]);
  },

  async origins() {
    const secure = [
      "https://a.example/path?q",
      "wss://a.example",
      "HTTPS://A.EXAMPLE",
      "http://[::1]:80",
    ];
    const local = ["http://localhost:1", "http://x.localhost", "http://localhost.", "http://127.1"];
    const insecure = [
      "",
      "*",
      "/",
      "null",
      "https://",
      "ws://a.example",
      "http://a.example",
      "data:,",
    ];
    const others = [
      "about:blank",
      "http://0.0.0.0",
      "http://128.0.0.1",
      "http://localhost.example",
    ];
    for (const given of [...secure, ...local, "blob:https://a.example/1"]) {
      await listed({}, { exposedTo: [given] });
      await modelContext.getTools({ fromOrigins: [given] });
    }
    for (const given of [...insecure, ...others, "blob:http://a.example/1", 1]) {
      const exposedTo = ["https://a.example", given];
      await rejects(modelContext.registerTool(tool, { exposedTo }), "SecurityError", given);
      await rejects(modelContext.getTools({ fromOrigins: exposedTo }), "SecurityError", given);
    }
    await listed({}, { exposedTo: new Set(["https://a.example"]) });
    for (const fromOrigins of [null, "https://a.example", {}]) {
      await rejects(modelContext.getTools({ fromOrigins }), "TypeError");
    }
    await rejects(modelContext.getTools(1), "TypeError");
  },

  async opaqueFile() {
    const controller = new AbortController();
    const options = { exposedTo: ["file:///x"], signal: controller.signal };
    const outcome = await outcomeOf(modelContext.registerTool(tool, options));
    controller.abort();
    equal(outcome.rejected?.name, "SecurityError");
  },

  async executeConversions() {
    const { handle, release } = await toolOf(modelContext, tool);
    const wrong = [
      [],
      [null],
      ["a"],
      [{ ...handle, description: undefined }],
      [{ ...handle, origin: undefined }],
      [{ ...handle, window: undefined }],
      [{ ...handle, window: null }],
      [{ ...handle, window: {} }],
      [{ ...handle, inputSchema: "x" }],
      [{ ...handle, annotations: 1 }],
      [{ ...handle, title: Symbol("t") }],
      [handle, null],
      [handle, "{}"],
      [handle, 1],
      [handle, () => {}],
      [handle, { toJSON() {} }],
      [handle, {}, 1],
      [handle, {}, { signal: null }],
      [handle, {}, { signal: {} }],
    ];
    for (const args of wrong) await rejects(modelContext.executeTool(...args), "TypeError", args);
    for (const origin of ["/", "null", "*", "", "data:x", "about:blank"]) {
      await rejects(modelContext.executeTool({ ...handle, origin }), "NotSupportedError", origin);
    }
    const other = { ...handle, origin: "https://other.example" };
    await rejects(modelContext.executeTool(other), "UnknownError");
    await rejects(modelContext.executeTool({ ...handle, name: "b" }), "UnknownError");
    for (const input of [new Date(0), new String("x"), { toJSON: () => null }]) {
      await rejects(modelContext.executeTool(handle, input), "UnknownError");
    }
    for (const args of [[], [undefined], [{}, null], [[1]], [{}, undefined]]) {
      equal(await modelContext.executeTool(handle, ...args), "{}");
    }
    release();
  },

  async inputBeforeOrigin() {
    const handle = { name: "a", description: "d", window, origin: "null" };
    await rejects(modelContext.executeTool(handle, null), "TypeError");
  },

  async executeOrder() {
    const { handle, release } = await toolOf(modelContext, tool);
    const signal = AbortSignal.abort("why");
    const circular = [/** @type {unknown} */ (0)];
    circular[0] = circular;
    const opaque = modelContext.executeTool({ ...handle, origin: "null" }, circular, { signal });
    await rejects(opaque, "NotSupportedError");
    await rejects(modelContext.executeTool(handle, circular, { signal }), "TypeError");
    same(await outcomeOf(modelContext.executeTool(handle, {}, { signal })), { rejected: "why" });
    release();
  },

  async handlerArguments() {
    /** @type {any[]} */
    let seen = [];
    const execute = function (/** @type {any[]} */ ...args) {
      // @ts-expect-error: what `this` is, is the point.
      seen = [this, ...args];
      return {};
    };
    const { handle, release } = await toolOf(modelContext, { ...tool, execute });
    const input = { list: [1], gone: undefined };
    const answer = modelContext.executeTool(handle, input);
    input.list.push(2);
    await answer;
    const [self, got, options, ...more] = seen;
    same([self, got, Object.keys(options), more], [undefined, { list: [1] }, ["signal"], []]);
    equal(options.signal instanceof AbortSignal, true);
    release();
  },

  handlerAttributes() {
    /** @type {string[]} */
    const seen = [];
    const listener = () => seen.push("listener");
    const say = (/** @type {string} */ word) => () => void seen.push(word);
    const fire = () => {
      modelContext.dispatchEvent(new Event("toolchange"));
      return seen.splice(0);
    };
    equal(modelContext.ontoolchange, null);
    modelContext.ontoolchange = say("first");
    modelContext.addEventListener("toolchange", listener);
    modelContext.ontoolchange = say("second");
    same(fire(), ["second", "listener"]);
    modelContext.ontoolchange = null;
    same(fire(), ["listener"]);
    modelContext.ontoolchange = say("third");
    same(fire(), ["listener", "third"]);
    const object = { handleEvent: say("object") };
    modelContext.ontoolchange = object;
    equal(modelContext.ontoolchange, object);
    same(fire(), ["listener"]);
    modelContext.ontoolchange = () => false;
    const event = new Event("toolchange", { cancelable: true });
    modelContext.dispatchEvent(event);
    equal(event.defaultPrevented, true);
    for (const value of [5, "text", undefined]) {
      modelContext.ontoolchange = value;
      equal(modelContext.ontoolchange, null);
    }
    modelContext.removeEventListener("toolchange", listener);
  },

  async activatedEvent() {
    const { handle, release } = await toolOf(modelContext, tool);
    const fired = nextEvent("toolactivated");
    await modelContext.executeTool(handle);
    const event = await fired;
    equal(event instanceof view.ToolActivatedEvent, true);
    const { bubbles, cancelable, composed, target, toolName } = event;
    same([bubbles, cancelable, composed, toolName], [false, false, false, "a"]);
    equal(target, modelContext);
    release();
  },

  async activatedFirst() {
    /** @type {string[]} */
    const trace = [];
    const execute = () => trace.push("handler");
    const { handle, release } = await toolOf(modelContext, { ...tool, execute });
    const fired = nextEvent("toolactivated").then(() => trace.push("toolactivated"));
    modelContext.addEventListener("toolactivated", () => trace.push("event"), { once: true });
    await Promise.all([modelContext.executeTool(handle), fired]);
    same(trace.slice(0, 2), ["event", "handler"]);
    release();
  },

  async tasks() {
    const { handle, release } = await toolOf(modelContext, {
      ...tool,
      execute: () => trace.push("handler"),
    });
    /** @type {string[]} */
    const trace = [];
    const controller = new AbortController();
    const registered = modelContext.registerTool({ ...tool, name: "b" }, controller);
    const all = [
      registered.then(() => trace.push("registered")),
      modelContext.getTools().then(() => trace.push("listed")),
      modelContext.executeTool(handle).then(() => trace.push("answered")),
      nextEvent("toolchange").then(() => trace.push("toolchange")),
    ];
    for (let count = 0; count < 20; count += 1) await null;
    same(trace, []);
    await Promise.all(all);
    equal(trace.indexOf("toolchange") < trace.indexOf("registered"), true);
    equal(trace.indexOf("handler") < trace.indexOf("answered"), true);
    controller.abort();
    release();
  },

  async callerAborts() {
    /** @type {string[]} */
    const trace = [];
    const entered = nextEvent("toolactivated");
    const { handle, release } = await toolOf(modelContext, {
      ...tool,
      execute(/** @type {object} */ _, /** @type {any} */ { signal }) {
        signal.addEventListener("abort", () => trace.push(`signal ${signal.reason.name}`));
        return new Promise(() => {});
      },
    });
    const caller = new AbortController();
    const answer = modelContext.executeTool(handle, {}, caller);
    await entered;
    const cancelled = nextEvent("toolcancel").then(() => trace.push("toolcancel"));
    const rejected = outcomeOf(answer).then(({ rejected: reason }) =>
      trace.push(`rejected ${reason}`),
    );
    caller.abort("why");
    trace.push("aborted");
    await Promise.all([cancelled, rejected]);
    same(trace, ["aborted", "rejected why", "signal AbortError", "toolcancel"]);
    release();
  },

  async abortsItsRegistration() {
    const controller = new AbortController();
    const registered = modelContext.registerTool(tool, controller);
    controller.abort("why");
    same(await outcomeOf(registered), { rejected: "why" });
    same(await modelContext.getTools(), []);
  },

  async symbolAnswer() {
    const { handle, release } = await toolOf(modelContext, { ...tool, execute: () => Symbol("s") });
    await rejects(modelContext.executeTool(handle), "UnknownError");
    release();
  },

  async loneSurrogateAnswer() {
    const execute = () => "\ud800";
    const { handle, release } = await toolOf(modelContext, { ...tool, execute });
    equal(await modelContext.executeTool(handle), "\ud800");
    release();
  },

  async answersWithoutText() {
    /** @type {any} */
    const circular = {};
    circular.self = circular;
    for (const answer of [circular, { a: 1n }]) {
      const { handle, release } = await toolOf(modelContext, { ...tool, execute: () => answer });
      await rejects(modelContext.executeTool(handle), "UnknownError");
      release();
    }
  },

  async constructedHandler() {
    const { handle, release } = await toolOf(modelContext, { ...tool, execute: class {} });
    await rejects(modelContext.executeTool(handle), "UnknownError");
    release();
  },
};

const HINTS = ["consequentialHint", "debugging", "readOnlyHint", "untrustedContentHint"];

/** @param {object} target @param {PropertyKey} name @returns {any} */
function descriptor(target, name) {
  return Object.getOwnPropertyDescriptor(target, name) ?? {};
}

/** What is read of objects, in its order. @param {(watch: ReturnType<typeof watcher>) => void} action */
function readsOf(action) {
  /** @type {string[]} */
  const reads = [];
  action(watcher(reads));
  return reads;
}

/** @param {string[]} reads */
function watcher(reads) {
  return (/** @type {any} */ object, /** @type {string} */ prefix) =>
    new Proxy(object, {
      get(target, name) {
        reads.push(`${prefix}${String(name)}`);
        return target[name];
      },
    });
}

/** How a tool is listed. @param {object} members @param {object} [options] @returns {Promise<any>} */
async function listed(members, options) {
  const { handle, release } = await toolOf(modelContext, { ...tool, ...members }, options);
  release();
  if (!handle) throw new Error("the tool is not listed");
  return handle;
}

/** @param {string} type @returns {Promise<any>} */
function nextEvent(type) {
  return new Promise((resolve) => modelContext.addEventListener(type, resolve, { once: true }));
}
