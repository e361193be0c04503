/** Calls of promised tools, while they wait for Python: as those of `webtools/calls/early.py`, which takes them over. */
import { cancelled, failure } from "./answers.js";
import { MAX_DELAY_MS } from "./limit.js";

/** @typedef {import("./answers.js").Answer} Answer */
/** @typedef {import("./promised.js").Promised} Promised */

/** @typedef {{input: string, facts?: string, ageMs: number}} EarlyCall as Python is given it */

export class EarlyCalls {
  /** @type {Map<string, {name: string, text: string, facts?: string, began: number, timer: ReturnType<typeof setTimeout>}>} */
  #calls = new Map();
  #onAnswer;

  /** @param {(callId: string, answer: Answer) => void} onAnswer told of each that does not come to its tool */
  constructor(onAnswer) {
    this.#onAnswer = onAnswer;
  }

  /**
   * Let a call wait, as long as its tool's calls may take.
   *
   * @param {string} callId
   * @param {Promised} tool
   * @param {string} text the input, JSON text
   * @param {string} [facts] what the caller states of the call, JSON text
   */
  begin(callId, { name, timeout }, text, facts) {
    const said = `${name} could not begin within ${timeout} s; it has done nothing.`;
    const onOver = () => this.#end(callId, failure("TOOL_TIMEOUT", said, "none"));
    const timer = setTimeout(onOver, Math.min(timeout * 1000, MAX_DELAY_MS));
    this.#calls.set(callId, { name, text, facts, began: performance.now(), timer });
  }

  /** The caller gave up; harmless for a call that does not wait here. @param {string} callId */
  abort(callId) {
    this.#end(callId, cancelled("none"));
  }

  /** Answer all of them. @param {(name: string) => Answer} answer by the tool's name */
  endAll(answer) {
    for (const [callId, { name }] of [...this.#calls]) this.#end(callId, answer(name));
  }

  /** They are Python's from now on. @returns {Map<string, EarlyCall>} in the order in which they came */
  handOver() {
    const calls = [...this.#calls];
    this.#calls.clear();
    return new Map(
      calls.map(([callId, { text, facts, began, timer }]) => {
        clearTimeout(timer);
        const ageMs = performance.now() - began;
        return [callId, { input: text, ...(facts !== undefined && { facts }), ageMs }];
      }),
    );
  }

  /** @param {string} callId @param {Answer} answer */
  #end(callId, answer) {
    const call = this.#calls.get(callId);
    if (!call) return;
    clearTimeout(call.timer);
    this.#calls.delete(callId);
    this.#onAnswer(callId, answer);
  }
}
