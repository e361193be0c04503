/** Runs one call's handler that is written in JavaScript. */
import { cancelled, failure, invalidInput, leftBefore, stale } from "./answers.js";
import { Asking } from "./asking.js";
import { succeeded, thrown } from "./encoding.js";
import { Countdown } from "./limit.js";

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
 * @property {(message: string) => Promise<true>} confirm asks the person; rejects where they do not allow it
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
 * @property {(question: import("./confirm.js").Question, signal: AbortSignal) => Promise<string>} ask asks the person
 */

/**
 * A handler that has been entered.
 *
 * @typedef {object} Running
 * @property {Answer | Promise<Answer>} answer at once where the handler's value is; the promise never rejects
 * @property {(answer: Answer) => void} end answers a call that still runs, and tells its handler
 * @property {() => boolean} isAsking whether it asks the person
 * @property {() => void} look closes what a call asks that has gone stale
 */

const nothing = () => {};

/** How long a handler may take. */
export const LIMIT_MS = 60_000;

/**
 * Run it.
 *
 * @param {Handler} handler
 * @param {string} text the input, JSON text
 * @param {Run} run
 * @returns {Running}
 */
export function runHandler(handler, text, run) {
  const input = parsed(text);
  if (!input) return answered(invalidInput("The input must be a JSON object."));
  const controller = new AbortController();
  let late = nothing;
  const countdown = new Countdown(LIMIT_MS, () => late());
  const asking = askingOf(run, text, countdown);
  try {
    const context = contextOf(run, controller.signal, asking);
    const value = /** @type {any} */ (handler(input, context));
    if (typeof value?.then === "function") {
      const running = waiting(value, run, controller, asking, countdown);
      late = () => running.end(tooLate(run.tool));
      return running;
    }
    asking.end();
    run.progress.end();
    return answered(succeeded(run.tool, value, run.definition));
  } catch (error) {
    asking.end();
    run.progress.end();
    return answered(thrown(run.tool, error));
  }
}

/**
 * Run it once what comes before is done, unless the call is over by then, or stale.
 *
 * @param {Promise<void>} before never rejects
 * @param {() => Running} enter
 * @param {Pick<Run, "tool" | "signal" | "isCurrent">} run
 * @returns {Running}
 */
export function runAfter(before, enter, { tool, signal, isCurrent }) {
  /** @type {Running | undefined} */
  let running;
  let isOver = false;
  /** @type {(answer: Answer | Promise<Answer>) => void} */
  let settle = nothing;
  /** @type {Promise<Answer>} */
  const answer = new Promise((resolve) => (settle = resolve));
  /** @param {() => Answer | Promise<Answer>} give called for the first end only */
  const over = (give) => {
    if (isOver) return;
    isOver = true;
    signal?.removeEventListener("abort", onAbort);
    settle(give());
  };
  const onAbort = () => over(() => cancelled("none"));
  signal?.addEventListener("abort", onAbort, { once: true });
  const go = () => (isCurrent() ? (running = enter()).answer : stale(tool));
  before.then(() => over(go));
  return {
    answer,
    end: (given) => (running ? running.end(given) : over(() => leftBefore(tool))),
    isAsking: () => running?.isAsking() ?? false,
    look: () => running?.look(),
  };
}

/** @param {Answer} answer of a call that is over already @returns {Running} */
function answered(answer) {
  return { answer, end: nothing, isAsking: () => false, look: nothing };
}

/**
 * @param {Run} run
 * @param {string} text the input: as the handler got it, whatever it does to it
 * @param {Countdown} countdown stands still while the person is being asked
 */
function askingOf(run, text, countdown) {
  const { tool, definition, ask } = run;
  return new Asking({
    tool,
    ask: (message, signal) => {
      const { title } = JSON.parse(definition);
      return ask({ tool, title, message, arguments: JSON.parse(text) }, signal);
    },
    ensureCurrent: () => ensureCurrent(run),
    onBegin: () => countdown.stop(),
    onEnd: () => countdown.start(),
  });
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

/** @param {Run} run @param {AbortSignal} signal @param {Asking} asking @returns {HandlerContext} */
function contextOf(run, signal, { confirm }) {
  const { callId, isCurrent, progress } = run;
  return Object.freeze({
    signal,
    callId,
    isCurrent,
    ensureCurrent: () => ensureCurrent(run),
    progress: progress.report,
    confirm,
  });
}

/** @param {Run} run */
function ensureCurrent({ tool, isCurrent }) {
  if (isCurrent()) return;
  const [{ text }] = stale(tool).content;
  throw Object.assign(new Error(text), { code: "STALE_TOOL_CALL" });
}

/**
 * @param {PromiseLike<unknown>} value
 * @param {Run} run
 * @param {AbortController} controller the handler's
 * @param {Asking} asking
 * @param {Countdown} countdown
 * @returns {Running}
 */
function waiting(value, run, controller, asking, countdown) {
  const { tool, definition, signal, isCurrent, progress } = run;
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
    asking.end();
    countdown.stop();
    signal?.removeEventListener("abort", onAbort);
    settle(give());
  };
  const end = (/** @type {Answer} */ given) => {
    if (isOver) return;
    over(() => given);
    controller.abort();
  };
  const onAbort = () => end(cancelled("unknown"));
  if (!asking.isOpen) countdown.start();
  signal?.addEventListener("abort", onAbort, { once: true });
  Promise.resolve(value).then(
    (given) => over(() => succeeded(tool, given, definition)),
    (error) => over(() => thrown(tool, error)),
  );
  if (signal?.aborted) onAbort(); // by the handler's own first lines
  const look = () => {
    if (asking.isOpen && !isCurrent()) asking.close("stale");
  };
  return { answer, end, isAsking: () => asking.isOpen, look };
}

/** @param {string} tool */
export function tooLate(tool) {
  const said = `${tool} did not finish within ${LIMIT_MS / 1000} s; its effect may still land.`;
  return failure("TOOL_TIMEOUT", said, "unknown");
}
