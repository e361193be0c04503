/** The page as a client of its own tools: `webtools.call`. */
import { cancelled, failure, hostFailed } from "./answers.js";
import { describe } from "./wire.js";

/** @typedef {import("./answers.js").Answer} Answer */

/**
 * What the caller of a tool states of the call, for its `ToolContext`; what is left out is absent there.
 *
 * @typedef {object} CallFacts
 * @property {string} [sessionId]
 * @property {string} [turnId]
 * @property {number} [turnStartedAt] milliseconds since the Unix epoch
 * @property {string} [runId]
 * @property {string} [callId] the caller's own, the same when it makes the call again
 * @property {number} [iteration]
 * @property {{conversationId: string, tenant?: string, principal?: string}} [identity]
 * @property {string} [provider]
 * @property {string} [effortLevel]
 */

/** @typedef {CallFacts & {signal?: AbortSignal}} CallOptions */

export const CALL_OPTIONS = [
  ...["sessionId", "turnId", "turnStartedAt", "runId", "callId", "iteration"],
  ...["identity", "provider", "effortLevel", "signal"],
];

/** How long a call waits for Python before it is answered `TOOL_TIMEOUT`, as any call is by default. */
const WAIT_MS = 60_000;

export class Client {
  #border;
  #apps;
  #host;

  /**
   * @param {import("./border.js").Border} border
   * @param {import("./apps.js").Apps} apps
   * @param {EventTarget} host fires "status"
   */
  constructor(border, apps, host) {
    this.#border = border;
    this.#apps = apps;
    this.#host = host;
  }

  /**
   * Call a tool; see `Host.call`.
   *
   * @param {string} name
   * @param {unknown} input
   * @param {AbortSignal | undefined} signal
   * @param {string | undefined} facts JSON text
   * @returns {Promise<Answer>}
   */
  async call(name, input, signal, facts) {
    const text = typeof name === "string" ? name : describe(name);
    const { readiness } = this.#apps;
    // a page that has loaded and started nothing is not going to have it in a moment
    const isComing = readiness.isComing || document.readyState !== "complete";
    const isEarly = readiness.status === "loading" && isComing && !this.#border.has(text);
    const problem = isEarly ? await this.wait(signal) : undefined;
    if (problem) return problem;
    const answer = await this.#border.callNamed(text, input, signal, facts);
    const isMissing = answer.structuredContent?.error?.code === "TOOL_NOT_FOUND" && answer.isError;
    const { failure: why } = readiness;
    return isMissing && why ? hostFailed(why.message, "none") : answer;
  }

  /**
   * Wait until the page is not loading any more.
   *
   * @param {AbortSignal} [signal]
   * @returns {Promise<Answer | undefined>} the answer of a call that did not live to see it
   */
  async wait(signal) {
    this.#apps.need(true);
    /** @type {(answer?: Answer) => void} */
    let settle = () => {};
    const waited = new Promise((/** @type {typeof settle} */ resolve) => {
      settle = resolve;
    });
    const onAbort = () => settle(cancelled("none"));
    const timer = setTimeout(
      () =>
        settle(failure("TOOL_TIMEOUT", "Python was not up in time; the tool did not run.", "none")),
      WAIT_MS,
    );
    const onStatus = () => this.#apps.readiness.status !== "loading" && settle();
    this.#host.addEventListener("status", onStatus);
    try {
      if (signal?.aborted) onAbort();
      signal?.addEventListener("abort", onAbort, { once: true });
      return await waited;
    } finally {
      clearTimeout(timer);
      this.#host.removeEventListener("status", onStatus);
      signal?.removeEventListener("abort", onAbort);
    }
  }
}
