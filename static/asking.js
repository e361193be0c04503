/** What one call asks the person, where its handler is JavaScript. */

/** @typedef {import("./confirm.js").Outcome} Outcome */

/** How long one call may ask in all. */
const LIMIT_MS = 120_000;

/**
 * @typedef {object} Owner
 * @property {string} tool its name
 * @property {(message: string, signal: AbortSignal) => Promise<Outcome>} ask never rejects
 * @property {() => void} ensureCurrent throws where the call is not
 * @property {() => void} onBegin nothing was being asked before
 * @property {() => void} onEnd nothing is being asked any more
 */

export class Asking {
  /** @type {Set<AbortController>} */
  #open = new Set();
  #spentMs = 0;
  #since = 0;
  #isOver = false;
  #owner;

  /** @param {Owner} owner */
  constructor(owner) {
    this.#owner = owner;
  }

  /** Whether something is being asked. */
  get isOpen() {
    return this.#open.size > 0;
  }

  /**
   * Ask the person in front of the page; go on only where they allow it.
   *
   * @param {string} message what will happen, for a person; the input is shown with it
   * @returns {Promise<true>} rejects with an error that has the code `USER_DENIED`, `CONFIRMATION_UNAVAILABLE` or
   *   `UI_CONTEXT_CLOSED`, and `details.reason`; or with that of `ensureCurrent`
   */
  confirm = async (message) => {
    if (typeof message !== "string" || !message.trim()) {
      throw new TypeError("confirm: say in a text what will happen.");
    }
    this.#owner.ensureCurrent();
    const outcome = await this.#outcome(message);
    if (outcome !== "allowed") throw refusal(this.#owner.tool, outcome);
    this.#owner.ensureCurrent();
    return true;
  };

  /** Close what is open, for this reason. @param {string} reason */
  close(reason) {
    for (const controller of this.#open) controller.abort(reason);
  }

  /** The call has its answer. */
  end() {
    this.#isOver = true;
    this.close("over");
  }

  /** @param {string} message @returns {Promise<Outcome>} */
  async #outcome(message) {
    if (this.#isOver) return "over";
    const leftMs = LIMIT_MS - this.#askedMs();
    if (leftMs <= 0) return "timeout";
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort("timeout"), leftMs);
    this.#begin(controller);
    const outcome = await this.#owner.ask(message, controller.signal);
    clearTimeout(timer);
    this.#end(controller);
    return outcome;
  }

  #askedMs() {
    return this.#spentMs + (this.isOpen ? performance.now() - this.#since : 0);
  }

  /** @param {AbortController} controller */
  #begin(controller) {
    if (!this.isOpen) {
      this.#since = performance.now();
      this.#owner.onBegin();
    }
    this.#open.add(controller);
  }

  /** @param {AbortController} controller */
  #end(controller) {
    this.#spentMs = this.#askedMs();
    this.#since = performance.now();
    this.#open.delete(controller);
    if (!this.isOpen && !this.#isOver) this.#owner.onEnd();
  }
}

/** @param {string} tool @param {Outcome} reason */
function refusal(tool, reason) {
  const [code, said] = wordsFor(tool, reason);
  return Object.assign(new Error(said), { code, details: { reason } });
}

/** As Python has them (`webtools/calls/confirmation.py`). @param {string} tool @param {Outcome} reason */
function wordsFor(tool, reason) {
  if (reason === "denied" || reason === "dismissed") {
    const said = `The person in front of the page does not allow ${tool}. Do not call it again unless they ask.`;
    return ["USER_DENIED", said];
  }
  if (reason === "stale") {
    const said = `The part of the page that ${tool} belonged to went away before the person had answered.`;
    return ["UI_CONTEXT_CLOSED", said];
  }
  const said = `${tool} needs a yes of the person in front of the page, and there is none (${reason}).`;
  return ["CONFIRMATION_UNAVAILABLE", said];
}
