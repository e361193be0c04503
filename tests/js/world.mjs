/**
 * A page whose time stands still, without Python at first, at a browser of old: it loses the calls of a tool that goes.
 */
import { Border } from "../../static/border.js";
import { apply } from "../../static/polyfill.js";
import { deferred, fakeDocument, fakePython } from "./fakes.mjs";
import { newLoop } from "./loop.mjs";

/** How long an answer is on its way, in which a browser of old can still lose it. */
export const POSTBACK_MS = 50;

/** @typedef {(real: () => Promise<void>, options: any) => Promise<void>} Oddity what a browser does instead */

/**
 * One call of an agent. Its handler waits for the test, unless it was refused.
 *
 * @typedef {object} Call
 * @property {any} [answer] which the caller has
 * @property {unknown} [lost] what the caller got instead
 * @property {any} [context] what the handler was given
 * @property {(value?: unknown) => void} finish
 * @property {(error: unknown) => void} fail
 * @property {string | undefined} code of the error that is the answer
 */

export class World {
  /** What the browser was asked for: "<ms> register|unregister <name>". @type {string[]} */
  traffic = [];
  /** What the page was told of its tools: "<name> <state>". @type {string[]} */
  states = [];
  /** What waited for Python: "call" or "other". @type {string[]} */
  needs = [];
  /** By the number of an attempt, what the browser does with it. @type {Record<number, Oddity>} */
  oddities = {};
  /** Of the handlers that were entered, the newest last. @type {{context: any, input: any, promise: any, definition: any}[]} */
  entered = [];
  #attempts = 0;
  /** By the tool's name, what takes it away. @type {Map<string, AbortController>} */
  #takers = new Map();

  /**
   * @param {import("node:test").TestContext} context
   * @param {object} [options]
   * @param {boolean} [options.hasContext] from the start on
   * @param {Record<string, (...args: any[]) => any>} [options.python] functions of Python's host
   */
  constructor(context, { hasContext = true, python } = {}) {
    this.python = fakePython(python);
    this.loop = newLoop(context);
    this.document = fakeDocument();
    apply(this.document, { cancelsCalls: "onUnregister", postbackMs: POSTBACK_MS });
    this.border = new Border(new Map(), {
      onState: (name, state) => void this.states.push(`${name} ${state}`),
      onCallStart: () => {},
      onCallProgress: () => {},
      onCallEnd: () => {},
      onTeardown: () => {},
      onNeed: (isUrgent) => void this.needs.push(isUrgent ? "call" : "other"),
      onDeath: () => {},
    });
    if (hasContext) this.attachContext();
  }

  attachContext() {
    const { modelContext } = this.document;
    const registerTool = this.#registerTool.bind(this);
    const getTools = async () =>
      (await modelContext.getTools()).map((/** @type {any} */ tool) => ({
        ...tool,
        window: globalThis,
      }));
    const changes = new EventTarget();
    modelContext.addEventListener("toolchange", () =>
      changes.dispatchEvent(new Event("toolchange")),
    );
    this.border.attachContext(
      /** @type {any} */ (Object.assign(changes, { registerTool, getTools })),
    );
  }

  /** @param {number} [ms] */
  advance = (ms = 0) => this.loop.advance(ms);

  /**
   * Define a tool whose handler waits for the test.
   *
   * @param {string} name
   * @param {any} [options]
   */
  define(name, { description = "d", ...options } = {}) {
    const definition = { name, description };
    const handler = (/** @type {any} */ input, /** @type {any} */ context) => {
      const end = deferred();
      this.entered.push({ context, input, definition, promise: end });
      return end.promise;
    };
    return this.border.holds.define(definition, handler, options);
  }

  /**
   * An app promises tools.
   *
   * @param {any[]} tools
   * @param {string} [app]
   */
  promise(tools, app = "https://shop.example/shop.py") {
    this.border.promise(app, tools.map(promised));
  }

  /**
   * An agent calls a tool that the browser has; its handler is entered in this turn.
   *
   * @param {string} name
   * @param {{signal?: AbortSignal, input?: object}} [options]
   * @returns {Promise<Call>}
   */
  async call(name, { input = {}, ...options } = {}) {
    const { defaultView: window, modelContext } = this.document;
    const before = this.entered.length;
    const tool = { name, description: "d", origin: window.origin, window };
    const call = this.#watched(modelContext.executeTool(tool, input, options));
    await this.advance();
    return this.#entered(call, before);
  }

  /**
   * The page itself calls a tool, at once.
   *
   * @param {string} name
   * @param {AbortSignal} [signal]
   * @param {string} [facts]
   */
  callNamed(name, signal, facts) {
    const before = this.entered.length;
    const answer = this.border.callNamed(name, {}, signal, facts);
    const text = Promise.resolve(answer).then((given) => JSON.stringify(given));
    return this.#entered(this.#watched(text), before);
  }

  /** @param {string} name @returns {any} */
  tool = (name) => this.border.states().find((tool) => tool.name === name);

  /** @returns {Promise<Record<string, string>>} the descriptions of what the browser has, by name */
  async listed() {
    const tools = this.document.modelContext.getTools();
    await this.advance();
    return Object.fromEntries(
      (await tools).map((/** @type {any} */ tool) => [tool.name, tool.description]),
    );
  }

  /** Remove a tool without the page's asking, as Chromium does with a form of the same name. @param {string} name */
  take(name) {
    this.#takers.get(name)?.abort();
  }

  /** Python takes over. @returns {any} what it was given, read */
  attachPython() {
    this.border.attach(this.python.host);
    return this.python.tookOver[0];
  }

  /** @param {Promise<string>} text @returns {Call} */
  #watched(text) {
    const call = /** @type {Call} */ ({
      finish: () => {},
      fail: () => {},
      get code() {
        return this.answer?.structuredContent?.error?.code;
      },
    });
    text.then(
      (given) => void (call.answer = JSON.parse(given)),
      (error) => void (call.lost = error),
    );
    return call;
  }

  /** @param {Call} call @param {number} before */
  #entered(call, before) {
    const entered = this.entered[before];
    if (!entered) return call;
    const { context, promise } = entered;
    return Object.assign(call, { context, finish: promise.resolve, fail: promise.reject });
  }

  /** @param {any} tool @param {any} options */
  #registerTool(tool, options) {
    const oddity = this.oddities[(this.#attempts += 1)];
    const theirs = new AbortController();
    this.#takers.set(tool.name, theirs);
    const signal = AbortSignal.any([options.signal, theirs.signal]);
    const real = () => this.document.modelContext.registerTool(tool, { ...options, signal });
    const note = (/** @type {string} */ what) =>
      void this.traffic.push(`${this.loop.now} ${what} ${tool.name}`);
    note("register");
    options.signal.addEventListener("abort", () => note("unregister"));
    return oddity ? oddity(real, options) : real();
  }
}

/** A manifest's entry. @param {any} tool */
export function promised({ name, description = "d", held = false, match = [], timeout = 60 }) {
  return { name, text: JSON.stringify({ name, description }), held, match, timeout };
}

/**
 * A page with a tool called "a" that is registered.
 *
 * @param {import("node:test").TestContext} context
 * @param {any} [options]
 */
export async function withTool(context, options) {
  const world = new World(context);
  const hold = world.define("a", options);
  await world.advance();
  return { world, hold };
}
