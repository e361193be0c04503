/**
 * The page's calls: each from the moment the browser enters until its answer is handed back.
 *
 * Whoever keeps the tools (Python, or the page before it is up) says what becomes of a call; this is where it waits.
 */
import { cancelled, hostFailed, invalidInput } from "./answers.js";
import { runAfter, runHandler } from "./handlers.js";
import { Progress } from "./progress.js";
import { describe, inputText } from "./wire.js";

/** @typedef {import("./answers.js").Answer} Answer */
/** @typedef {import("./holds.js").Wish} Wish */
/** @typedef {import("./handlers.js").Handler} Handler */
/** @typedef {import("./handlers.js").Running} Running */

/**
 * What calls ask of their owner.
 *
 * @typedef {object} Owner
 * @property {(number: number) => Wish} wish a wish that stands, of a tool that JavaScript defines
 * @property {(callId: string) => void} countOut the handler of this call is done
 * @property {(callId: string) => boolean} isCurrent
 * @property {(callId: string) => void} abort the caller of a call that Python runs gave up
 * @property {import("./handlers.js").Run["ask"]} ask asks the person
 * @property {(tool: string, callId: string, text: string) => void} onInput a call has an input, JSON text
 * @property {(tool: string, callId: string, wish: Wish, text: string) => Promise<void> | undefined} show shows the person
 *   what a handler is called with; something to wait for where that takes a moment
 * @property {import("./border.js").Listeners["onCallStart"]} onCallStart
 * @property {(tool: string, callId: string, report: import("./progress.js").Report) => void} onCallProgress
 * @property {(tool: string, callId: string, answer: Answer, ms: number) => void} onCallEnd
 */

export class Calls {
  #owner;
  #callIds = callIds();
  /** Those that Python answers later. @type {Map<string, (answer: Answer) => void>} */
  #waiting = new Map();
  /** Those whose handler runs here. @type {Map<string, {wish: Wish, running?: Running}>} */
  #running = new Map();
  #progress;

  /** @param {Owner} owner */
  constructor(owner) {
    this.#owner = owner;
    this.#progress = new Progress((...report) => owner.onCallProgress(...report));
  }

  /** @returns {[string, Wish][]} of the calls whose handler runs here, their ids and the wishes they began under */
  running() {
    return [...this.#running].map(([callId, { wish }]) => [callId, wish]);
  }

  /**
   * Run one call from its input to its answer. What is answered at once is returned at once: each turn through a
   * promise costs a call more than the handler of a small tool does.
   *
   * @param {string} tool
   * @param {unknown} input
   * @param {AbortSignal | undefined} signal
   * @param {(callId: string, text: string) => string | number | undefined} enter gives the answer's JSON text, or the
   *   number of the wish whose handler is to run here, or undefined where Python will `settle` it
   * @param {number} [iteration] of the caller's loop
   * @returns {Answer | Promise<Answer>} never rejects
   */
  run(tool, input, signal, enter, iteration = 0) {
    const callId = this.#callIds();
    const began = performance.now();
    const ended = (/** @type {Answer} */ answer) => {
      this.#owner.onCallEnd(tool, callId, answer, performance.now() - began);
      return answer;
    };
    this.#owner.onCallStart(tool, callId, input);
    const answer = this.#answer(tool, callId, input, signal, enter, iteration);
    return answer instanceof Promise ? answer.then(ended) : ended(answer);
  }

  /**
   * Answer a call that Python runs; the first answer counts.
   *
   * @param {string} callId
   * @param {Answer} answer
   */
  settle(callId, answer) {
    const settle = this.#waiting.get(callId);
    this.#waiting.delete(callId);
    settle?.(answer);
  }

  /** Answer every call that Python runs. @param {Answer} answer */
  settleAll(answer) {
    for (const callId of [...this.#waiting.keys()]) this.settle(callId, answer);
  }

  /** End every call whose handler runs here. @param {Answer} answer */
  endAll(answer) {
    for (const { running } of [...this.#running.values()]) running?.end(answer);
  }

  /** Whether a call whose handler runs here asks the person. */
  get isAsking() {
    return [...this.#running.values()].some(({ running }) => running?.isAsking());
  }

  /** Calls may have gone stale. */
  look() {
    for (const { running } of this.#running.values()) running?.look();
  }

  /**
   * @param {string} tool
   * @param {string} callId
   * @param {unknown} input
   * @param {AbortSignal | undefined} signal
   * @param {Parameters<Calls["run"]>[3]} enter
   * @param {number} iteration
   * @returns {Answer | Promise<Answer>}
   */
  #answer(tool, callId, input, signal, enter, iteration) {
    try {
      if (signal && typeof signal.addEventListener !== "function") {
        return invalidInput("The call's signal is no AbortSignal.");
      }
      if (signal?.aborted) return cancelled("none");
      const text = inputText(input);
      if (typeof text !== "string") return text;
      this.#owner.onInput(tool, callId, text);
      const answered = enter(callId, text);
      if (typeof answered === "string") return JSON.parse(answered);
      if (typeof answered === "number") {
        return this.#handle(answered, tool, callId, text, signal, iteration);
      }
      return this.#later(callId, signal);
    } catch (error) {
      // for instance a signal that is none: whatever it is, execute neither throws nor rejects
      return hostFailed(describe(error), "unknown");
    }
  }

  /**
   * @param {string} callId
   * @param {AbortSignal | undefined} signal
   * @returns {Promise<Answer>}
   */
  #later(callId, signal) {
    const abort = () => this.#owner.abort(callId);
    signal?.addEventListener("abort", abort, { once: true });
    return new Promise((resolve) => {
      this.#waiting.set(callId, (answer) => {
        signal?.removeEventListener("abort", abort);
        resolve(answer);
      });
      if (signal?.aborted) abort(); // by the handler's own first lines
    });
  }

  /**
   * @param {number} number
   * @param {string} tool
   * @param {string} callId
   * @param {string} text
   * @param {AbortSignal | undefined} signal
   * @param {number} iteration
   * @returns {Answer | Promise<Answer>}
   */
  #handle(number, tool, callId, text, signal, iteration) {
    const isCurrent = () => this.#owner.isCurrent(callId);
    const out = (/** @type {Answer} */ answer) => {
      this.#running.delete(callId);
      this.#owner.countOut(callId);
      return answer;
    };
    const wish = this.#owner.wish(number);
    const { ask } = this.#owner;
    const progress = this.#progress.reporter(tool, callId, iteration);
    const definition = String(wish.text);
    const run = { tool, definition, callId, signal, isCurrent, progress, ask };
    this.#running.set(callId, { wish });
    const enter = () => runHandler(/** @type {Handler} */ (wish.handler), text, run);
    const showing = this.#owner.show(tool, callId, wish, text);
    const running = showing ? runAfter(showing, enter, run) : enter();
    if (!(running.answer instanceof Promise)) return out(running.answer);
    this.#running.set(callId, { wish, running });
    return running.answer.then(out);
  }
}

/** Unique for every call of every page: some entropy for the page, then a count. @returns {() => string} */
function callIds() {
  const entropy = crypto.getRandomValues(new Uint32Array(2));
  const page = [...entropy].map((word) => word.toString(36)).join("");
  let count = 0;
  return () => `${page}-${(count += 1)}`;
}
