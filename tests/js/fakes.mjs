/** Stand-ins for what `static/` meets: Python's host, a model context, a page. */

/** @typedef {import("../../static/answers.js").Answer} Answer */

/** @param {string} text @returns {string} an answer's JSON text, as Python writes it */
export function answerText(text) {
  return JSON.stringify({ content: [{ type: "text", text }] });
}

/**
 * A host without Python: each function notes its call and returns what the test put in its place.
 *
 * @param {Record<string, (...args: any[]) => any>} [functions]
 */
export function fakePython(functions = {}) {
  /** @type {any[][]} */
  const calls = [];
  /** What Python took over, read. @type {any[]} */
  const tookOver = [];
  const host = {
    load: () => undefined,
    hold: () => undefined,
    release: () => undefined,
    begin_route: () => undefined,
    retire: () => undefined,
    end_route: () => undefined,
    count_out: () => undefined,
    is_current: () => true,
    call: () => answerText("done"),
    call_named: () => answerText("done"),
    abort: () => {},
    registered: () => {},
    rejected: () => {},
    timer: () => {},
    page_answered: () => {},
    confirmed: () => {},
    states: () => "[]",
    ...functions,
  };
  const noted = Object.entries(host).map(([name, real]) => [
    name,
    (/** @type {any[]} */ ...args) => {
      calls.push([name, ...args]);
      return /** @type {any} */ (real)(...args);
    },
  ]);
  const take_over = (/** @type {string} */ text) => void tookOver.push(JSON.parse(text));
  // noted only for a test that asks for it
  const quiet = {
    take_over,
    keep_log: () => undefined,
    follow: () => undefined,
    attach_context: () => undefined,
    moved: () => undefined,
    give_up: () => undefined,
    manifest: () => undefined,
  };
  return { calls, tookOver, host: { ...quiet, ...Object.fromEntries(noted) } };
}

/**
 * `webtools.browser.crossing` around a host without Python. It keeps what Python is started with.
 *
 * @param {Record<string, any>} host
 * @param {number} [capacity] bytes of the memory at first
 */
export function fakeCrossing(host, capacity = 64) {
  const open = { proxies: 0, views: 0 };
  /** What it was started with, but for `settle`. @type {any[][]} */
  const started = [];
  let memory = new Uint8Array(capacity);
  /** @type {(callId: string, size: number) => void} */
  let settleSized = () => {};
  const grow = (/** @type {number} */ size) => void (memory = new Uint8Array(size));
  const read = (/** @type {number} */ size) => new TextDecoder().decode(memory.subarray(0, size));
  const write = (/** @type {string} */ text) => {
    const bytes = new TextEncoder().encode(text);
    if (bytes.length > memory.length) grow(bytes.length);
    memory.set(bytes);
    return bytes.length;
  };
  const given = (/** @type {unknown} */ answer) =>
    typeof answer === "string" ? write(answer) : answer === undefined ? undefined : -Number(answer);
  const python = {
    host,
    grow,
    get memory() {
      open.proxies += 1;
      const getBuffer = () => {
        open.views += 1;
        return { data: memory, release: () => void (open.views -= 1) };
      };
      return { getBuffer, destroy: () => void (open.proxies -= 1) };
    },
    call: (/** @type {any} */ number, /** @type {string} */ id, /** @type {number} */ size) =>
      given(host.call(number, id, read(size))),
    call_named: (
      /** @type {string} */ name,
      /** @type {string} */ id,
      /** @type {number} */ size,
      /** @type {any} */ facts,
    ) => given(host.call_named(name, id, read(size), facts)),
  };
  return {
    started,
    open,
    capacity: () => memory.length,
    /** WebAssembly's memory has grown: views of it are of nothing any more. */
    detach() {
      const moved = memory.slice();
      structuredClone(memory, { transfer: [memory.buffer] });
      memory = moved;
    },
    settle: (/** @type {string} */ callId, /** @type {string} */ answer) =>
      settleSized(callId, write(answer)),
    start(
      /** @type {any} */ border,
      /** @type {typeof settleSized} */ settle,
      /** @type {any[]} */ ...rest
    ) {
      settleSized = settle;
      started.push([border, ...rest]);
      return python;
    },
  };
}

/**
 * A model context that does with a registration what the test says, and lists what was accepted and not aborted.
 *
 * @param {(tool: any, options: any) => any} [register]
 */
export function fakeContext(register = () => Promise.resolve()) {
  /** @type {{tool: any, options: any}[]} */
  const registered = [];
  const registerTool = (/** @type {any} */ tool, /** @type {any} */ options) => {
    registered.push({ tool, options });
    return register(tool, options);
  };
  const getTools = async () =>
    registered
      .filter(({ options }) => !options.signal.aborted)
      .map(({ tool }) => ({ ...tool, window: globalThis }));
  return Object.assign(new EventTarget(), { registered, registerTool, getTools });
}

/**
 * A document of a secure page, as far as the polyfill looks at one.
 *
 * @param {{view?: object, [member: string]: unknown}} members
 * @returns {any}
 */
export function fakeDocument({ view = {}, ...members } = {}) {
  const Document = class extends EventTarget {};
  const tree = { querySelector: () => null, querySelectorAll: () => [] };
  const doc = Object.assign(new Document(), tree, members);
  const defaultView = Object.assign(new EventTarget(), {
    isSecureContext: true,
    Document,
    length: 0,
  });
  Object.assign(defaultView, { origin: "https://shop.example", document: doc });
  Object.assign(defaultView, {
    window: defaultView,
    parent: defaultView,
    top: defaultView,
    ...view,
  });
  return Object.assign(doc, { defaultView });
}

/** A promise and what settles it. @returns {{promise: Promise<any>, resolve: (value?: any) => void, reject: (error: unknown) => void}} */
export function deferred() {
  /** @type {any} */
  const parts = {};
  parts.promise = new Promise((resolve, reject) => Object.assign(parts, { resolve, reject }));
  return parts;
}

/** Waits until a condition holds, at most for five seconds. @param {() => unknown} condition */
export async function until(condition) {
  const end = performance.now() + 5000;
  while (performance.now() < end) {
    if (condition()) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error(`waited in vain until ${condition}`);
}

/** Lets everything that is queued run. */
export async function turn() {
  for (let count = 0; count < 3; count += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** What a page may throw, and JavaScript cannot make a text of. */
export const UNREADABLE = [
  Object.create(null),
  {
    get code() {
      throw new Error("no code");
    },
  },
  Symbol("a symbol"),
  undefined,
  null,
];

/** An error answer's code, effect and whether to try again. @param {any} answer */
export function verdict(answer) {
  const { code, effect, retryable } = answer.structuredContent.error;
  return [code, effect, retryable];
}

/** Makes warnings errors, but for Node's own of its mock timers, which are experimental in Node 20. */
export function forbidWarnings() {
  process.on("warning", (warning) => {
    if (warning.name !== "ExperimentalWarning") throw warning;
  });
}

/**
 * Gives the page another global for as long as the test runs.
 *
 * @param {import("node:test").TestContext} context
 * @param {string} name
 * @param {unknown} value
 */
export function replace(context, name, value) {
  const before = Object.getOwnPropertyDescriptor(globalThis, name);
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  context.after(() => {
    if (before) Object.defineProperty(globalThis, name, before);
    else Reflect.deleteProperty(globalThis, name);
  });
}
