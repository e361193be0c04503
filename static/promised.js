/** Tools that apps are going to define, as their manifests say: which of them are held while Python is not up. */
import { fits } from "./paths.js";

/**
 * @typedef {object} PromisedTool
 * @property {string} name
 * @property {string} text the definition's canonical text, as Python wrote it
 * @property {boolean} held whether only the page's own wishes hold it
 * @property {string[]} match patterns of the paths on which it is held; none: on every path
 * @property {number} timeout seconds that a call may wait
 */

/** @typedef {PromisedTool & {app: string, number: number}} Promised `number` is that of its own wish, below 0 */

export class Promises {
  /** @type {Map<string, Promised>} */
  #tools = new Map();
  /** @type {Set<Promised>} */
  #held = new Set();
  /** @type {import("./navigation.js").Place | undefined} */
  #place;
  #count = 0;
  #hold;
  #release;

  /**
   * @param {(tool: Promised) => void} hold
   * @param {(number: number) => void} release
   */
  constructor(hold, release) {
    this.#hold = hold;
    this.#release = release;
  }

  /** @param {string} name */
  get(name) {
    return this.#tools.get(name);
  }

  /** @returns {Promised[]} */
  list() {
    return [...this.#tools.values()];
  }

  /**
   * Add what an app promises. The first who promises a name has it.
   *
   * @param {string} app its URL
   * @param {PromisedTool[]} tools
   * @returns {Promised[]} the new ones
   */
  add(app, tools) {
    const fresh = tools.filter(({ name }) => !this.#tools.has(name));
    const added = fresh.map((tool) => ({ ...tool, app, number: (this.#count -= 1) }));
    for (const tool of added) this.#tools.set(tool.name, tool);
    return added;
  }

  /** The page is there now. @param {import("./navigation.js").Place} place */
  moved({ pathname, hash }) {
    this.#place = { pathname, hash };
  }

  /** Hold and release what the path says. @param {boolean} mayHold whether no change of route is open */
  look(mayHold) {
    for (const tool of this.#tools.values()) {
      if (tool.held) continue;
      if (!this.#isInPlace(tool)) {
        if (this.#held.delete(tool)) this.#release(tool.number);
      } else if (!this.#held.has(tool) && (mayHold || tool.match.length === 0)) {
        this.#held.add(tool);
        this.#hold(tool);
      }
    }
  }

  /** Nothing is promised any more. */
  clear() {
    this.#tools.clear();
    this.#held.clear();
  }

  /** @param {Promised} tool */
  #isInPlace({ match }) {
    return match.length === 0 || (this.#place !== undefined && fits(match, this.#place));
  }
}
