/** One call, from its caller's side and from the tool's, which may live in different frames. */

import { FormFailure } from "./form-failure.js";
import { isObject, jsonText, requireObject } from "./polyfill-conversions.js";
import { requireUsable, stateBeside } from "./polyfill-frames.js";
import { failure, tupleOrigin } from "./polyfill-origins.js";
import { onAbort, once, queueTask } from "./polyfill-tasks.js";

/**
 * @typedef {import("./polyfill-types.js").Call} Call
 * @typedef {import("./polyfill-types.js").Complete} Complete
 * @typedef {import("./polyfill-types.js").State} State
 */

/** What Chromium 156 answers instead of an empty text. */
const EMPTY_ANSWER = "Operation succeeded";

/**
 * https://webmachinelearning.github.io/webmcp/#dom-modelcontext-executetool
 *
 * @param {State} state
 * @param {{name: string, origin: string, window: Window}} target
 * @param {object | string} input
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<string | null>}
 */
export function execute(state, target, input, signal) {
  const view = requireUsable(state.doc);
  const origin = tupleOrigin(target.origin);
  if (!origin) throw failure("NotSupportedError", `No tools live in "${target.origin}".`);
  const inputText = typeof input === "string" ? input : jsonText(input, "inputObject");
  signal?.throwIfAborted();
  const owner = stateBeside(view, target.window, origin);
  return new Promise((resolve, reject) => {
    const { name } = target;
    /** @type {(() => void)[]} */
    const cleanups = [];
    let isOver = false;
    /** @param {() => void} settle */
    const finish = (settle) => {
      isOver = true;
      cleanups.splice(0).forEach((cleanUp) => cleanUp());
      settle();
    };
    const lose = (reason = `"${name}" is gone or failed.`) =>
      finish(() => reject(failure("UnknownError", reason)));
    const call = { name, lose };
    /** @type {Complete} */
    const complete = (text, reason) => {
      const post = () => (text === undefined ? lose(reason) : finish(() => resolve(text)));
      if (isOver) return;
      if (state.shape.postbackMs > 0) setTimeout(post, state.shape.postbackMs);
      else queueTask(post);
    };
    if (!owner) return complete();

    cleanups.push(() => owner.calls.delete(call));
    const abandon = (/** @type {() => void} */ settle) => {
      finish(settle);
      owner.cancel(call);
    };
    cleanups.push(onAbort(signal, (reason) => abandon(() => reject(reason))));
    if (owner !== state) {
      const ownerView = owner.doc.defaultView ?? undefined;
      cleanups.push(once(ownerView, "pagehide", () => queueTask(() => lose())));
      cleanups.push(once(view, "pagehide", () => abandon(() => {})));
    }
    owner.begin(call, inputText, complete);
  });
}

/**
 * https://webmachinelearning.github.io/webmcp/#tool-execute-steps
 *
 * @param {State} state
 * @param {Call} call
 * @param {string} inputText
 * @param {Complete} complete
 */
export function begin(state, call, inputText, complete) {
  state.calls.add(call);
  const fail = (/** @type {unknown} */ error) => {
    complete(undefined, error instanceof FormFailure ? error.message : undefined);
  };
  queueTask(() => run(state, call, inputText).then(complete, fail));
}

/**
 * https://webmachinelearning.github.io/webmcp/#imperative-execute-steps
 *
 * @param {State} state @param {Call} call @param {string} inputText
 */
async function run({ fire, shape, tools }, call, inputText) {
  const { name } = call;
  const { execute: handler, runForm } = requireObject(tools.get(name), name);
  const input = requireObject(JSON.parse(inputText), "inputObject");
  const activate = () => fire("toolactivated", name);
  if (!runForm) activate();
  call.controller = new AbortController();
  const { signal } = call.controller;
  try {
    if (runForm) return await runForm(input, { signal, activate });
    return answerText(await (shape.signalArgument ? handler(input, { signal }) : handler(input)));
  } finally {
    call.controller = undefined;
  }
}

/**
 * https://webmachinelearning.github.io/webmcp/#cancel-a-pending-tool-execution
 *
 * @param {State} state @param {Call} call
 */
export function cancel({ fire }, call) {
  queueTask(() => {
    const { controller, name } = call;
    if (!controller) return;
    controller.abort();
    fire("toolcancel", name);
  });
}

/**
 * As Chromium 156 makes it, and as the draft's own tests want it; its words would have JSON text always. Throws for a
 * Symbol.
 *
 * @param {unknown} value
 */
function answerText(value) {
  return textOf(value) || EMPTY_ANSWER;
}

/** @param {unknown} value */
export function textOf(value) {
  return `${isObject(value) ? JSON.stringify(value) : value}`;
}
