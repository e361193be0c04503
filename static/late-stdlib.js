/** The part of Python's standard library that a page does not load at its start (`webtools/browser/late_stdlib.py`). */

/**
 * Make it findable by imports, where the runtime's standard library is a trimmed one.
 *
 * @param {any} pyodide
 * @param {import("./runtime.js").Runtime} runtime
 * @returns {(app: import("./sources.js").App) => Promise<void>} fetches what an app's source imports of it; to be
 *   awaited before the app is loaded
 */
export function installLateStdlib(pyodide, runtime) {
  const { wholeStdlib } = runtime.index;
  if (!wholeStdlib) return async () => {};
  const late = pyodide
    .pyimport("webtools.browser.late_stdlib")
    .install(() => fetchNow(runtime.urlOf(wholeStdlib)), wholeStdlib.sha256);
  return async (app) => {
    const isNeeded =
      "source" in app ? late?.is_needed(app.source) : late?.is_needed_by_archive(app.archive);
    if (!isNeeded) return;
    late.give(await runtime.fetch(wholeStdlib));
  };
}

/**
 * Fetch a file while the page stands still: an import that shows only as an app runs cannot wait otherwise.
 *
 * @param {string} url
 * @returns {Uint8Array | string} its bytes, or why it cannot be had
 */
function fetchNow(url) {
  try {
    const request = new XMLHttpRequest();
    request.open("GET", url, false);
    // a window may not ask for bytes that way: so each is a character, the low half of which counts
    request.overrideMimeType("text/plain; charset=x-user-defined");
    request.send();
    if (request.status !== 200) return `${url}: HTTP ${request.status}`;
    return Uint8Array.from(request.responseText, (character) => character.charCodeAt(0) & 0xff);
  } catch (error) {
    return `${url}: ${error instanceof Error ? error.message : error}`;
  }
}
