/** Whether the page's apps are up; what keeps one from it is told in the console. */
import { BootError } from "./fetching.js";
import { OptionError } from "./options.js";
import { describe } from "./wire.js";

/** @typedef {"loading" | "ready" | "failed"} Status */

export class Readiness {
  #onStatus;
  /** @type {Status} */
  #status = "loading";
  /** Set while an app of the latest starts has failed. @type {Error | undefined} */
  #failure;
  #pending = 0;
  /** @type {(all: Promise<void>) => void} */
  #settleReady = () => {};
  /** What the console has been told. @type {WeakSet<Error>} */
  #reported = new WeakSet();

  /** @param {(status: Status, reason?: string) => void} onStatus told when the status is another */
  constructor(onStatus) {
    this.#onStatus = onStatus;
    /** Settles with the first apps; see `Host`. @type {Promise<void>} */
    this.ready = new Promise((resolve) => {
      this.#settleReady = resolve;
    });
    this.ready.catch(() => {});
  }

  /** "loading" until the apps asked for are up; "failed" when Python or one of them could not be started. */
  get status() {
    return this.#status;
  }

  /** Why an app of the latest starts has failed, if one has. */
  get failure() {
    return this.#failure;
  }

  /** Whether an app is being started. */
  get isComing() {
    return this.#pending > 0;
  }

  /** So many starts more. What failed before does not speak of the next one. @param {number} count */
  expect(count) {
    if (this.#pending === 0) this.#failure = undefined;
    this.#pending += count;
  }

  /** They are on their way. @param {Promise<void>} all settles with them */
  begun(all) {
    this.#settleReady(all);
    this.#setStatus();
  }

  /** One of them is over. */
  over() {
    this.#pending -= 1;
    this.#setStatus();
  }

  /** What was up is not any more. @param {Error} problem */
  spoil(problem) {
    this.#report(problem);
    this.#setStatus();
  }

  /**
   * @param {unknown} error
   * @returns {never}
   */
  fail(error) {
    const problem = asProblem(error);
    this.#report(problem);
    throw problem;
  }

  /** @param {Error} problem it comes here once for each app that it keeps from loading, and is told once */
  #report(problem) {
    this.#failure ??= problem;
    if (this.#reported.has(problem)) return;
    this.#reported.add(problem);
    const trace = typeof problem.cause === "string" && problem.cause ? `\n${problem.cause}` : "";
    console.error(`webtools: ${problem.message}${trace}`);
  }

  #setStatus() {
    const status = this.#pending > 0 ? "loading" : this.#failure ? "failed" : "ready";
    if (status === this.#status) return;
    this.#status = status;
    this.#onStatus(status, this.#failure?.message);
  }
}

/** @param {unknown} error @returns {Error} it as it may be shown: with what to do */
export function asProblem(error) {
  if (error instanceof BootError || error instanceof OptionError) return error;
  const message = `Python could not be started (${describe(error)}). Reload the page.`;
  return new BootError(message, error);
}
