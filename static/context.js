/** Where tools are registered: the browser's model context, or the polyfill's. */
import { attempt } from "./fetching.js";

/** @typedef {"auto" | "force" | "off"} PolyfillMode */

/**
 * The browser's own model context, where there is one and the page wants it.
 *
 * @param {PolyfillMode} polyfill
 * @returns {WebMCP.ModelContext | undefined}
 */
function nativeContext(polyfill) {
  return polyfill === "force" ? undefined : document.modelContext;
}

/**
 * The polyfill's, where the browser has none.
 *
 * @param {PolyfillMode} polyfill
 * @returns {Promise<WebMCP.ModelContext | undefined>} undefined, and a warning, where there can be none
 */
async function polyfilledContext(polyfill) {
  if (polyfill !== "off") {
    const { apply } = await attempt("polyfill.js", () => import("./polyfill.js"));
    apply(document, { force: polyfill === "force" });
  }
  if (!document.modelContext) {
    console.warn(
      "webtools: no tool is registered, for this page has no document.modelContext. " +
        'It needs a browser with WebMCP or data-polyfill="auto", and https or localhost.',
    );
  }
  return document.modelContext;
}

/** The page's, found once for its border. */
export class PageContext {
  #border;
  #polyfill;
  /** @type {Promise<void> | undefined} */
  #context;

  /**
   * @param {import("./border.js").Border} border
   * @param {PolyfillMode} polyfill what holds where a start does not say
   */
  constructor(border, polyfill) {
    this.#border = border;
    this.#polyfill = polyfill;
  }

  /**
   * Find where tools are registered, once: at the first start, or the first definition.
   *
   * @param {PolyfillMode} [polyfill]
   */
  async find(polyfill = this.#polyfill) {
    if (this.#border.hasContext) return;
    const native = nativeContext(polyfill);
    if (native) return this.#border.attachContext(native);
    this.#context ??= polyfilledContext(polyfill)
      .then(async (context) => {
        await this.#border.pointing.installed(); // before the tools that wait are registered
        this.#border.attachContext(context);
      })
      .catch((error) => {
        this.#context = undefined; // the next one tries again
        throw error;
      });
    return this.#context;
  }
}
