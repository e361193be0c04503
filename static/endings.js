/** Says that a run or a session is over, and waits until Python has closed what its tools keep for it. */
import { knownOptions } from "./known.js";
import { statedText } from "./wire.js";

/**
 * What has become of a cleanup that a tool in Python keeps.
 *
 * @typedef {object} Teardown
 * @property {string} tool
 * @property {"call" | "run" | "session" | "page"} scope what it belongs to
 * @property {string} key 12 hex digits, the same for the same call, run or session
 * @property {"started" | "reused" | "fired" | "idle" | "evicted" | "failed" | "timed out"} what
 */

/**
 * @typedef {object} EndOptions
 * @property {{conversationId: string, tenant?: string, principal?: string}} [identity] as the caller of its calls states
 *   it: what is kept for another tenant or principal stays
 */

/**
 * @callback End
 * @param {number} number
 * @param {"run" | "session"} scope
 * @param {string} id
 * @param {string} [identity] JSON text
 * @returns {string | undefined} what is wrong with the identity
 */

export class Endings {
  /** @type {Map<number, () => void>} */
  #waiting = new Map();
  #count = 0;

  /**
   * @param {End | undefined} end Python's, where it is up
   * @param {"run" | "session"} scope
   * @param {string} id
   * @param {EndOptions} [options]
   * @returns {Promise<void>} rejects with a TypeError where an argument is of another kind
   */
  async end(end, scope, id, options) {
    if (typeof id !== "string" || !id) {
      throw new TypeError(`webtools: the id of a ${scope} is a text that is not empty.`);
    }
    const where = scope === "run" ? "webtools.endRun" : "webtools.endSession";
    const { identity } = knownOptions(where, options, ["identity"]);
    const text = statedText("identity", identity);
    if (!end) return; // nothing is kept without Python
    this.#count += 1;
    const number = this.#count;
    /** @type {Promise<void>} */
    const ended = new Promise((resolve) => this.#waiting.set(number, resolve));
    const problem = end(number, scope, id, text);
    if (problem === undefined) return ended;
    this.#waiting.delete(number);
    throw new TypeError(`webtools: ${problem}.`);
  }

  /** Python is done. @param {number} number */
  ended(number) {
    this.#waiting.get(number)?.();
    this.#waiting.delete(number);
  }

  /** Python has died, and what its tools kept with it. */
  endAll() {
    for (const number of [...this.#waiting.keys()]) this.ended(number);
  }
}
