/** What the browser has been asked to register, each attempt with a number and a controller of its own. */
import { describe } from "./wire.js";

/**
 * @typedef {object} Owner
 * @property {(number: number, name: string, input: unknown, signal?: AbortSignal) => unknown} onCall the browser enters
 *   a registration; it must not throw
 * @property {(number: number) => void} onRegistered the browser has accepted it
 * @property {(number: number, reason: string) => void} onRejected the browser has refused it, in these words
 */

export class Registrations {
  #owner;
  /** @type {WebMCP.ModelContext | undefined} */
  #context;
  /** @type {Map<number, {name: string, text: string, controller: AbortController}>} */
  #entries = new Map();
  /** Those that the browser has not decided on. @type {Set<Promise<void>>} */
  #undecided = new Set();
  #last = 0;

  /** @param {Owner} owner */
  constructor(owner) {
    this.#owner = owner;
  }

  /** @param {WebMCP.ModelContext | undefined} context where tools are registered, if there is one */
  attach(context) {
    this.#context = context;
  }

  /** Whether there is a model context to register with. */
  get hasContext() {
    return this.#context !== undefined;
  }

  /** The highest number of all attempts. */
  get last() {
    return this.#last;
  }

  /** @returns {{number: number, name: string, text: string}[]} what the browser has, or is deciding on */
  list() {
    return [...this.#entries].map(([number, { name, text }]) => ({ number, name, text }));
  }

  /**
   * Ask the browser, which decides at once or later.
   *
   * @param {number} number higher than all before
   * @param {string} text the definition's canonical text
   */
  register(number, text) {
    const { exposedTo, ...definition } = JSON.parse(text);
    const controller = new AbortController();
    const { name } = definition;
    this.#last = number;
    this.#entries.set(number, { name, text, controller });
    /** @type {WebMCP.Execute} */
    const execute = (input, client) => this.#owner.onCall(number, name, input, client?.signal);
    const options = { signal: controller.signal, ...(exposedTo && { exposedTo }) };
    const context = /** @type {WebMCP.ModelContext} */ (this.#context);
    // registerTool may throw as well as reject; inside an async function both are one
    const attempt = async () => context.registerTool({ ...definition, execute }, options);
    const decided = attempt().then(
      () => this.#owner.onRegistered(number),
      (error) => this.#rejected(number, error),
    );
    this.#undecided.add(decided);
    decided.finally(() => this.#undecided.delete(decided));
  }

  /** @param {number} number its signal is aborted; harmless twice */
  unregister(number) {
    const entry = this.#entries.get(number);
    this.#entries.delete(number);
    entry?.controller.abort();
  }

  /** Resolves when the browser has decided on every registration that was asked for until now. */
  async decided() {
    await Promise.all(this.#undecided);
  }

  /**
   * The controller of what was rejected is never aborted, since that could remove another tool of that name.
   *
   * @param {number} number
   * @param {unknown} error
   */
  #rejected(number, error) {
    if (this.#entries.delete(number)) this.#owner.onRejected(number, describe(error));
  }
}
