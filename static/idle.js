/** Waits for a page that has nothing else to do. */

/** The longest that a busy page is waited for. */
const LIMIT_MS = 2_000;

/** How long a page is left alone in a browser that does not tell when it is idle, such as Safari. */
const PAUSE_MS = 200;

/** @param {() => void} callback */
export function whenIdle(callback) {
  if (typeof requestIdleCallback === "function") {
    requestIdleCallback(() => callback(), { timeout: LIMIT_MS });
  } else {
    setTimeout(callback, PAUSE_MS);
  }
}
