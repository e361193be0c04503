/** Calls that handlers of Python's make of the page's other tools: told as any call, under ids of their own. */

/** @typedef {import("./answers.js").Answer} Answer */

export class InnerCalls {
  /** @type {Map<string, {tool: string, began: number}>} */
  #open = new Map();
  #onStart;
  #onEnd;

  /**
   * @param {(tool: string, callId: string) => void} onStart
   * @param {(tool: string, callId: string, answer: Answer, ms: number) => void} onEnd
   */
  constructor(onStart, onEnd) {
    this.#onStart = onStart;
    this.#onEnd = onEnd;
  }

  /** @param {string} tool @param {string} callId */
  begin(tool, callId) {
    this.#open.set(callId, { tool, began: performance.now() });
    this.#onStart(tool, callId);
  }

  /** Harmless for one that has ended. @param {string} callId @param {Answer} answer */
  end(callId, answer) {
    const call = this.#open.get(callId);
    if (!call) return;
    this.#open.delete(callId);
    this.#onEnd(call.tool, callId, answer, performance.now() - call.began);
  }

  /** Python has died. @param {Answer} answer */
  endAll(answer) {
    for (const callId of [...this.#open.keys()]) this.end(callId, answer);
  }
}
