/** What the polyfill does later: in a task, at an abort, at an event. */

/** @type {(() => void)[]} */
const tasks = [];

/** @type {MessageChannel | undefined} open only while tasks wait */
let channel;

/**
 * https://webmachinelearning.github.io/webmcp/#webmcp-task-source
 *
 * Runs each task in a turn of its own, in order; no timer, so it is not slower in a hidden page.
 *
 * @param {() => void} task must not throw
 */
export function queueTask(task) {
  if (!channel) {
    channel = new MessageChannel();
    channel.port1.onmessage = runTask;
  }
  tasks.push(task);
  channel.port2.postMessage(null);
}

function runTask() {
  const task = tasks.shift();
  if (!tasks.length) {
    channel?.port1.close();
    channel = undefined;
  }
  task?.();
}

/**
 * @param {AbortSignal | undefined} signal
 * @param {(reason: unknown) => void} steps
 * @returns {() => void} takes the steps off the signal
 */
export function onAbort(signal, steps) {
  return once(signal, "abort", () => steps(signal?.reason));
}

/**
 * @param {EventTarget | undefined} target
 * @param {string} type
 * @param {() => void} listener
 * @returns {() => void} takes the listener off again
 */
export function once(target, type, listener) {
  target?.addEventListener(type, listener, { once: true });
  return () => target?.removeEventListener(type, listener);
}
