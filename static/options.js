/** What a script tag says, by its `data-…` attributes. */

/**
 * Options of `start`, named as the script tag's attributes are.
 *
 * @typedef {object} StartOptions
 * @property {string} app URL of a `.py` file, against the page's address.
 * @property {string} [runtime] Base URL of the runtime; default: `runtime/` beside `webtools.js`. First start only.
 * @property {"auto" | "force" | "off"} [polyfill] Whether a model context is put where the browser has none
 *   (`auto`), even over a native one (`force`), or never (`off`). First start only.
 * @property {boolean} [debug] Whether the text of an unexpected exception reaches the agent, too. First start only.
 */

/**
 * @param {Document} doc
 * @returns {StartOptions[]} one for each `script[data-app]`, in document order
 */
export function readScripts(doc) {
  const scripts = /** @type {NodeListOf<HTMLScriptElement>} */ (
    doc.querySelectorAll("script[data-app]")
  );
  return [...scripts].map(({ dataset }) => ({
    app: /** @type {string} */ (dataset.app),
    runtime: dataset.runtime,
    polyfill: /** @type {StartOptions["polyfill"]} */ (dataset.polyfill),
    debug: dataset.debug !== undefined,
  }));
}

/**
 * Refuse options that mean nothing, before anything is started.
 *
 * @param {StartOptions} options
 */
export function checkOptions(options) {
  const { app, runtime = "", polyfill = "auto" } = options ?? {};
  if (typeof app !== "string" || !app.trim()) {
    throw new OptionError('There is no app. Name a .py file: data-app="/shop.py".');
  }
  for (const [name, url] of [
    ["app", app],
    ["runtime", runtime],
  ]) {
    if (!URL.canParse(url, document.baseURI))
      throw new OptionError(`data-${name}="${url}" is no URL.`);
  }
  if (!["auto", "force", "off"].includes(polyfill)) {
    throw new OptionError(`data-polyfill="${polyfill}" must be auto, force or off.`);
  }
}

/** An option means nothing; the text names the cure. */
export class OptionError extends TypeError {}
