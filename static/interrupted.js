/** Calls that the page was left in the middle of: the next page in the tab can tell of them. */
import { readStored, removeStored, writeStored } from "./stored.js";

/**
 * A call that the tab's page before did not get to answer. What it has done nobody can tell.
 *
 * @typedef {object} InterruptedCall
 * @property {string} tool
 * @property {string} callId
 * @property {number} startedAt milliseconds since the Unix epoch
 */

const NAME = "webtools.interrupted";

/** How many are kept, the newest. */
const MAX_KEPT = 50;

/**
 * One page's. Of a tab's pages only the outermost keeps and takes any: its frames have the same storage, and would take
 * each other's.
 */
export class Interrupted {
  /** Those in flight. @type {Map<string, InterruptedCall>} */
  #open = new Map();
  #isOutermost;
  /** What was written as the page was left. @type {string | undefined} */
  #written;

  /** @param {Window} view the page's */
  constructor(view) {
    this.#isOutermost = view.parent === view;
  }

  /** @returns {readonly Readonly<InterruptedCall>[]} those of the page before, in their order; nobody gets them again */
  take() {
    const text = this.#isOutermost ? readStored(NAME) : undefined;
    if (text === undefined) return Object.freeze([]);
    removeStored(NAME);
    return Object.freeze(read(text).map((call) => Object.freeze(call)));
  }

  /** @param {string} tool @param {string} callId */
  started(tool, callId) {
    this.#open.set(callId, { tool, callId, startedAt: Date.now() });
  }

  /** @param {string} callId */
  ended(callId) {
    this.#open.delete(callId);
  }

  /** The page is being left: keep those in flight, without what they were called with. */
  keep() {
    if (!this.#isOutermost || this.#open.size === 0) return;
    const text = JSON.stringify([...this.#open.values()].slice(-MAX_KEPT));
    this.#written = writeStored(NAME, text) ? text : undefined;
  }

  /** The page is back, and has answered them: the next page need not tell of them. */
  forget() {
    if (this.#written !== undefined && readStored(NAME) === this.#written) removeStored(NAME);
    this.#written = undefined;
  }
}

/** @param {string} text which anybody on the origin may have written @returns {InterruptedCall[]} */
function read(text) {
  try {
    return JSON.parse(text)
      .slice(-MAX_KEPT)
      .map((/** @type {InterruptedCall} */ { tool, callId, startedAt }) => {
        if (typeof tool !== "string" || typeof callId !== "string") throw new TypeError();
        if (typeof startedAt !== "number") throw new TypeError();
        return { tool, callId, startedAt };
      });
  } catch {
    return [];
  }
}
