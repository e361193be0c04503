/**
 * What a handler in JavaScript reports of its call while it runs, by the rules of Python's (`webtools/calls/progress.py`):
 * an event for people, nothing for the agent.
 */
import { Encoder } from "./encoding.js";

/**
 * @typedef {object} Report
 * @property {number} iteration of the caller's loop; 0 where there is none
 * @property {unknown} progress a copy of what was reported, JSON data
 * @property {string} message a sentence for people
 * @property {number} [done] how far it is,
 * @property {number} [total] and how far it goes
 */

/**
 * One call's.
 *
 * @typedef {object} Reporter
 * @property {(payload?: unknown) => void} report never throws
 * @property {() => void} end the call has its answer: later reports move nothing
 */

/** Code points of a message that are shown. */
const MAX_MESSAGE = 120;

/** Placeholders that the console is told of. */
const MAX_TOLD = 5;

export class Progress {
  #tell;
  /** The tools that the console was told of. @type {Set<string>} */
  #warned = new Set();

  /** @param {(tool: string, callId: string, report: Report) => void} tell told of each report at once */
  constructor(tell) {
    this.#tell = tell;
  }

  /**
   * @param {string} tool
   * @param {string} callId
   * @param {number} iteration
   * @returns {Reporter}
   */
  reporter(tool, callId, iteration) {
    let isOver = false;
    let reports = 0;
    const report = (/** @type {unknown} */ payload) => {
      if (isOver) return;
      reports += 1;
      const encoder = new Encoder();
      const progress = encoder.encode(payload) ?? null;
      if (encoder.lost.length > 0) return this.#warn(tool, encoder.lost);
      const message = messageOf(progress) || `${tool} reported progress (${reports})`;
      this.#tell(tool, callId, { iteration, progress, message, ...numbersOf(progress) });
    };
    const end = () => {
      isOver = true;
    };
    return { report, end };
  }

  /** @param {string} tool @param {string[]} lost */
  #warn(tool, lost) {
    if (this.#warned.has(tool)) return;
    this.#warned.add(tool);
    const what = lost.slice(0, MAX_TOLD).join("; ");
    console.warn(
      `webtools: ${tool} reported progress that is not plain data, which is dropped: ${what}`,
    );
  }
}

/** @param {any} progress @returns {string} the payload's own sentence, cut where it is long; empty where it has none */
function messageOf(progress) {
  const said = isObject(progress) && typeof progress.message === "string" ? progress.message : "";
  const points = [...said.trim()];
  const rest = points.length - MAX_MESSAGE;
  return points.slice(0, MAX_MESSAGE).join("") + (rest > 0 ? `… (+${rest} more)` : "");
}

/** @param {any} progress @returns {{done?: number, total?: number}} */
function numbersOf(progress) {
  const { done, total } = isObject(progress) ? progress : {};
  return {
    ...(typeof done === "number" && { done }),
    ...(typeof total === "number" && { total }),
  };
}

/** @param {unknown} value @returns {boolean} */
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
