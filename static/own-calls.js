/** The calls that Python makes itself, as the page's own client: by the same way as `webtools.call`. */

/** @typedef {import("./answers.js").Answer} Answer */

export class OwnCalls {
  /** @type {Map<number, AbortController>} */
  #open = new Map();
  #call;

  /** @param {(name: string, text: string, signal: AbortSignal, facts: string) => Answer | Promise<Answer>} call */
  constructor(call) {
    this.#call = call;
  }

  /**
   * @param {number} number for `abort`
   * @param {string} name
   * @param {string} text the input
   * @param {string} facts JSON text of what Python states of the call
   * @returns {Promise<string>} the answer, JSON text; it never rejects
   */
  async make(number, name, text, facts) {
    const controller = new AbortController();
    this.#open.set(number, controller);
    const answer = await this.#call(name, text, controller.signal, facts);
    this.#open.delete(number);
    return JSON.stringify(answer);
  }

  /** Give a call up; harmless when it has its answer. @param {number} number */
  abort(number) {
    this.#open.get(number)?.abort();
  }
}
