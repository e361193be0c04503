/** Where tools are registered: the browser's model context, or the polyfill's. */

/**
 * @param {"auto" | "force" | "off"} polyfill
 * @returns {Promise<WebMCP.ModelContext | undefined>} undefined, and a warning, where there can be none
 */
export async function modelContext(polyfill) {
  if (document.modelContext && polyfill !== "force") return document.modelContext;
  if (polyfill !== "off") {
    const { apply } = await import("./polyfill.js");
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
