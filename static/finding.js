/** Finds in the page what a tool says of where it is. */

/** @typedef {import("./places.js").Target} Target */
/** @typedef {{left: number, top: number, right: number, bottom: number}} Box in CSS pixels of the window */
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

/** @param {Element} element @returns {boolean} whether it can be seen in the page now, wherever that is scrolled to */
export function isDrawn(element) {
  const hasPlace = [...element.getClientRects()].some(({ width, height }) => width + height > 0);
  return hasPlace && (element.checkVisibility?.({ visibilityProperty: true }) ?? true);
}

/**
 * The part of an element that what is around it lets be seen, which may be scrolled.
 *
 * @param {Element} element
 * @returns {Box | undefined} none: all of it is scrolled away
 */
export function boxInSight(element) {
  let { left, top, right, bottom } = element.getBoundingClientRect();
  for (const around of clippersOf(element)) {
    const edge = around.getBoundingClientRect();
    [left, right] = [Math.max(left, edge.left), Math.min(right, edge.right)];
    [top, bottom] = [Math.max(top, edge.top), Math.min(bottom, edge.bottom)];
  }
  return left <= right && top <= bottom ? { left, top, right, bottom } : undefined;
}

/** @param {Element} element */
function* clippersOf(element) {
  let each = element;
  while (getComputedStyle(each).position !== "fixed") {
    const { assignedSlot, parentElement } = each;
    const root = /** @type {ShadowRoot} */ (each.getRootNode());
    const around = assignedSlot ?? parentElement ?? root.host;
    if (!around || around === document.body || around === document.documentElement) return;
    if (getComputedStyle(around).overflow !== "visible") yield around;
    each = around;
  }
}
