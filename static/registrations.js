/** What the browser has been asked to register, each attempt with a number and a controller of its own. */
import { Losses } from "./losses.js";
import { describe } from "./wire.js";

/**
 * @typedef {object} Owner
 * @property {(number: number, name: string, input: unknown, signal?: AbortSignal) => unknown} onCall the browser enters
 *   a registration; it must not throw
 * @property {(number: number) => void} onRegistered the browser has accepted it
 * @property {(number: number, reason: string) => void} onRejected the browser has refused it, in these words
 * @property {(number: number) => void} onLost the browser has dropped it without being asked
 * @property {() => void} onTarget a tool says where it is in the page
 */

/** @typedef {{name: string, description: string, title?: string, target?: string | true}} Shown of a definition, what is used here */
/** @typedef {Shown & {text: string, controller: AbortController, isAccepted: boolean}} Entry */

export class Registrations {
  #owner;
  /** @type {WebMCP.ModelContext | undefined} */
  #context;
  /** @type {Losses | undefined} */
  #losses;
  /** @type {Map<number, Entry>} */
  #entries = new Map();
  /** The newest of each name. @type {Map<string, number>} */
  #numbers = new Map();
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
    if (!context) return;
    const accepted = () =>
      [...this.#entries]
        .filter(([, { isAccepted }]) => isAccepted)
        .map(([number, { name, description }]) => ({ number, name, description }));
    this.#losses = new Losses(context, accepted, (number) => this.#lost(number));
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

  /** @param {string} name @returns {Shown | undefined} of the tool of that name that the browser has, or is deciding on */
  definitionOf(name) {
    return this.#entries.get(this.#numbers.get(name) ?? -1);
  }

  /**
   * Ask the browser, which decides at once or later.
   *
   * @param {number} number higher than all before
   * @param {string} text the definition's canonical text
   */
  register(number, text) {
    const { exposedTo, confirm, target, ...definition } = JSON.parse(text);
    const controller = new AbortController();
    const { name, description, title } = definition;
    const shown = { name, description, title, target };
    this.#last = number;
    this.#entries.set(number, { ...shown, text, controller, isAccepted: false });
    this.#numbers.set(name, number);
    if (target !== undefined) this.#owner.onTarget();
    this.#losses?.expect();
    /** @type {WebMCP.Execute} */
    const execute = (input, client) => this.#owner.onCall(number, name, input, client?.signal);
    const options = { signal: controller.signal, ...(exposedTo && { exposedTo }) };
    const context = /** @type {WebMCP.ModelContext} */ (this.#context);
    // registerTool may throw as well as reject; inside an async function both are one
    const attempt = async () => context.registerTool({ ...definition, execute }, options);
    const decided = attempt().then(
      () => this.#accepted(number),
      (error) => this.#rejected(number, error),
    );
    this.#undecided.add(decided);
    decided.finally(() => this.#undecided.delete(decided));
  }

  /** @param {number} number its signal is aborted; harmless twice */
  unregister(number) {
    const entry = this.#forget(number);
    if (!entry) return;
    this.#losses?.expect();
    entry.controller.abort();
  }

  /** The page was away: what the browser has may be another list. */
  look() {
    this.#losses?.look();
  }

  /** Resolves when the browser has decided on every registration that was asked for until now. */
  async decided() {
    await Promise.all(this.#undecided);
  }

  /** @param {number} number */
  #accepted(number) {
    const entry = this.#entries.get(number);
    if (!entry) return;
    entry.isAccepted = true;
    this.#owner.onRegistered(number);
  }

  /** Its controller is not aborted either. @param {number} number */
  #lost(number) {
    this.#forget(number);
    this.#owner.onLost(number);
  }

  /**
   * The controller of what was rejected is never aborted, since that could remove another tool of that name.
   *
   * @param {number} number
   * @param {unknown} error
   */
  #rejected(number, error) {
    if (!this.#forget(number)) return;
    this.#losses?.expectNot();
    this.#owner.onRejected(number, describe(error));
  }

  /** @param {number} number @returns {Entry | undefined} what there was */
  #forget(number) {
    const entry = this.#entries.get(number);
    this.#entries.delete(number);
    if (entry && this.#numbers.get(entry.name) === number) this.#numbers.delete(entry.name);
    return entry;
  }
}
