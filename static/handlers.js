/** Runs one call's handler that is written in JavaScript. */
import { cancelled, failure, invalidInput } from "./answers.js";
import { succeeded, thrown } from "./encoding.js";

/** @typedef {import("./answers.js").Answer} Answer */

/**
 * What a handler is given of its call.
 *
 * @typedef {object} HandlerContext
 * @property {AbortSignal} signal aborted when the caller gives up, when the time is over, and when the page is left
 * @property {string} callId
 * @property {() => boolean} isCurrent whether the part of the page that the call was meant for is still there
 * @property {() => void} ensureCurrent throws the error `STALE_TOOL_CALL` where it is not
 * @property {(payload?: unknown) => void} progress tells the people at the page how far the call is; it never throws,
 *   and does nothing once the call has its answer
 */

/** @typedef {(input: any, context: HandlerContext) => unknown} Handler */

/**
 * @typedef {object} Run
 * @property {string} tool its name
 * @property {string} definition its canonical text
 * @property {string} callId
 * @property {AbortSignal} [signal] the caller's
 * @property {() => boolean} isCurrent
 * @property {import("./progress.js").Reporter} progress
 */

/** How long a handler may take. */
const LIMIT_MS = 60_000;

/**
 * Run it. The answer is there at once where the handler's value is.
 *
 * @param {Handler} handler
 * @param {string} text the input, JSON text
 * @param {Run} run
 * @returns {{answer: Answer | Promise<Answer>, end: (answer: Answer) => void}} the promise never rejects; `end` answers
 *   a call that still runs, and tells its handler
 */
export function runHandler(handler, text, run) {
  const input = parsed(text);
  if (!input) return { answer: invalidInput("The input must be a JSON object."), end: () => {} };
  const controller = new AbortController();
  try {
    const value = /** @type {any} */ (handler(input, contextOf(run, controller.signal)));
    if (typeof value?.then === "function") return waiting(value, run, controller);
    run.progress.end();
    return { answer: succeeded(run.tool, value, run.definition), end: () => {} };
  } catch (error) {
    run.progress.end();
    return { answer: thrown(run.tool, error), end: () => {} };
  }
}

/** @param {string} text from the browser, which may be anything @returns {object | undefined} */
function parsed(text) {
  try {
    const input = JSON.parse(text);
    return typeof input === "object" && input !== null && !Array.isArray(input) ? input : undefined;
  } catch {
    return undefined;
  }
}

/** @param {Run} run @param {AbortSignal} signal @returns {HandlerContext} */
function contextOf({ tool, callId, isCurrent, progress }, signal) {
  const ensureCurrent = () => {
    if (isCurrent()) return;
    const said = `${tool} belonged to a part of the page that is gone. Read the page's state before going on.`;
    throw Object.assign(new Error(said), { code: "STALE_TOOL_CALL" });
  };
  return Object.freeze({ signal, callId, isCurrent, ensureCurrent, progress: progress.report });
}

/**
 * @param {PromiseLike<unknown>} value
 * @param {Run} run
 * @param {AbortController} controller the handler's
 */
function waiting(value, { tool, definition, signal, progress }, controller) {
  let isOver = false;
  /** @type {(answer: Answer) => void} */
  let settle = () => {};
  /** @type {Promise<Answer>} */
  const answer = new Promise((resolve) => (settle = resolve));
  /** @param {() => Answer} give called for the first end only */
  const over = (give) => {
    if (isOver) return;
    isOver = true;
    progress.end();
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
    settle(give());
  };
  const end = (/** @type {Answer} */ given) => {
    if (isOver) return;
    over(() => given);
    controller.abort();
  };
  const onAbort = () => end(cancelled("unknown"));
  const timer = setTimeout(() => end(late(tool)), LIMIT_MS);
  signal?.addEventListener("abort", onAbort, { once: true });
  Promise.resolve(value).then(
    (given) => over(() => succeeded(tool, given, definition)),
    (error) => over(() => thrown(tool, error)),
  );
  if (signal?.aborted) onAbort(); // by the handler's own first lines
  return { answer, end };
}

/** @param {string} tool */
function late(tool) {
  const said = `${tool} did not finish within ${LIMIT_MS / 1000} s; its effect may still land.`;
  return failure("TOOL_TIMEOUT", said, "unknown");
}
