/**
 * @typedef {{release: () => void}} Hold
 * @typedef {import("./activity.js").Webtools & {expose: (name: string, functions: object) => void, hold: (name: string) => Hold}} Host
 */

const WEBTOOLS_URL = "/webtools/webtools.js";
/** @type {Promise<Host | null> | undefined} */
let loading;

async function load() {
  try {
    await import(WEBTOOLS_URL);
    return /** @type {{webtools?: Host}} */ (/** @type {unknown} */ (window)).webtools ?? null;
  } catch {
    return null;
  }
}

/**
 * @returns {Promise<Host | null>} the same each time; null where the page has to do without, and the browser has told its
 *   console why
 */
export const loadWebtools = () => (loading ??= load());
