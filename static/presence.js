/** Which elements are in the page's document: one MutationObserver for all that are watched. */

/** @typedef {(element: Element) => void} Look */

/** @typedef {{ref: WeakRef<Element>, looks: Set<Look>}} Watched */

/** Whether an element is in the page's document, be it in a shadow tree. @param {Element} element */
export function isPresent(element) {
  return element.isConnected && element.ownerDocument === document;
}

/** @param {Element} element @returns {Node[]} of its tree, of that of the tree's host, and so on */
function rootsOf(element) {
  const root = element.getRootNode();
  if (root === element) return []; // nothing happens there that moves it
  const { host } = /** @type {ShadowRoot} */ (root);
  return [root, ...(host && root.nodeType === Node.DOCUMENT_FRAGMENT_NODE ? rootsOf(host) : [])];
}

/** It observes while something is watched, and keeps no element alive. */
export class Presence {
  /** A look may refer to its element, so it is kept by the element. @type {WeakMap<Element, Watched>} */
  #watched = new WeakMap();
  /** @type {Set<WeakRef<Element>>} */
  #refs = new Set();
  /** @type {MutationObserver | undefined} */
  #observer;
  /** Roots of trees. @type {WeakSet<Node>} */
  #observed = new WeakSet();

  /**
   * Look at an element now, and whenever it may have come into the document or left it: a microtask later. Into a
   * shadow tree where nothing is watched it comes unnoticed, until something else is.
   *
   * @param {Element} element
   * @param {Look} look may be told though nothing has changed
   * @returns {() => void} ends it
   */
  watch(element, look) {
    const watched = this.#watched.get(element) ?? { ref: new WeakRef(element), looks: new Set() };
    this.#watched.set(element, watched);
    this.#refs.add(watched.ref);
    watched.looks.add(look);
    this.#observe(element);
    look(element);
    // its author may put it into a shadow tree next
    if (!isPresent(element)) queueMicrotask(() => this.#lookAt(watched.ref));
    return () => {
      watched.looks.delete(look);
      if (watched.looks.size === 0) this.#forget(watched.ref);
    };
  }

  #lookAtAll = () => {
    for (const ref of this.#refs) this.#lookAt(ref);
  };

  /** @param {WeakRef<Element>} ref */
  #lookAt(ref) {
    if (!this.#refs.has(ref)) return;
    const element = ref.deref();
    if (!element) {
      this.#forget(ref);
      return;
    }
    this.#observe(element);
    for (const look of this.#watched.get(element)?.looks ?? []) look(element);
  }

  /**
   * Observe the document, and each tree that the element is in: an observer does not see into shadow trees.
   *
   * @param {Element} element
   */
  #observe(element) {
    this.#observer ??= new MutationObserver(this.#lookAtAll);
    for (const root of new Set([document, ...rootsOf(element)])) {
      if (this.#observed.has(root)) continue;
      this.#observed.add(root);
      this.#observer.observe(root, { childList: true, subtree: true });
    }
  }

  /** @param {WeakRef<Element>} ref */
  #forget(ref) {
    this.#refs.delete(ref);
    if (this.#refs.size > 0) return;
    this.#observer?.disconnect();
    this.#observed = new WeakSet();
  }
}
