/** Where tools are registered: the browser's model context, or the polyfill's. */
import { attempt } from "./fetching.js";

/** @typedef {"auto" | "force" | "off"} PolyfillMode */

/**
 * The browser's own model context, where there is one and the page wants it.
 *
 * @param {PolyfillMode} polyfill
 * @returns {WebMCP.ModelContext | undefined}
 */
export function nativeContext(polyfill) {
  return polyfill === "force" ? undefined : document.modelContext;
}

/**
 * The polyfill's, where the browser has none.
 *
 * @param {PolyfillMode} polyfill
 * @returns {Promise<WebMCP.ModelContext | undefined>} undefined, and a warning, where there can be none
 */
export async function polyfilledContext(polyfill) {
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
