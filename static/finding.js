/** Finds in the page what a tool says of where it is. */

/** @typedef {import("./places.js").Target} Target */
/** @typedef {{tool: string, title: string, text: string}} Subject a call's tool, its short name, and the input, JSON text */

export class Finder {
  /** What the console has been told. @type {Set<string>} */
  #told = new Set();

  /**
   * Find all elements that are meant, in the document's order.
   *
   * @param {Subject} subject
   * @param {Target} target
   * @returns {Element[]} none where there is none, or the page's function fails
   */
  all(subject, target) {
    try {
      const given = typeof target === "function" ? target(JSON.parse(subject.text)) : target;
      if (typeof given === "string") return [...document.querySelectorAll(given)];
      return given?.isConnected && given.ownerDocument === document ? [given] : [];
    } catch (error) {
      this.#tell(subject.tool, error);
      return [];
    }
  }

  /**
   * Find the first one that can be seen, wherever the page is scrolled to.
   *
   * @param {Subject} subject
   * @param {Target} target
   */
  one(subject, target) {
    return this.all(subject, target).find(isDrawn);
  }

  /** Once: calls come again. @param {string} tool @param {unknown} error */
  #tell(tool, error) {
    if (this.#told.has(tool)) return;
    this.#told.add(tool);
    console.error(`webtools: what ${tool} works on in the page cannot be found`, error);
  }
}

/** @param {Element} element @returns {boolean} whether it has a place in the page now */
export function isDrawn(element) {
  return element.isConnected && element.getClientRects().length > 0;
}
