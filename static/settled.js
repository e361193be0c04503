/** Waits until the page's tools have stopped changing: `webtools.settled()`. */
import { MAX_DELAY_MS } from "./limit.js";

/**
 * @typedef {object} SettledOptions
 * @property {number} [quietMs] how long nothing must have changed; 150 by default
 * @property {number} [capMs] the longest to wait however much changes; 2000 by default
 */

/**
 * Wait until the list of tools has been quiet, from now on.
 *
 * @param {EventTarget | undefined} context the model context; where there is none, nothing changes
 * @param {SettledOptions} [options]
 * @returns {Promise<void>} rejects with a TypeError where an option is no time
 */
export async function untilSettled(context, options = {}) {
  const { quietMs, capMs } = checked(options);
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(quiet);
      clearTimeout(cap);
      context?.removeEventListener("toolchange", restart);
      resolve();
    };
    const restart = () => {
      clearTimeout(quiet);
      quiet = setTimeout(end, quietMs);
    };
    let quiet = setTimeout(end, quietMs);
    const cap = setTimeout(end, capMs);
    context?.addEventListener("toolchange", restart);
  });
}

/** @param {SettledOptions} options @returns {Required<SettledOptions>} */
function checked(options) {
  const { quietMs = 150, capMs = 2000 } = Object(options);
  for (const [name, value] of Object.entries({ quietMs, capMs })) {
    if (typeof value === "number" && value >= 0 && value <= MAX_DELAY_MS) continue;
    throw new TypeError(
      `webtools.settled: ${name} must be a number of milliseconds from 0 to ${MAX_DELAY_MS}.`,
    );
  }
  return { quietMs, capMs };
}
