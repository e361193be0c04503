/** As much of a document as who watches elements looks at: trees, shadow trees, and who observes them. */

import { replace } from "./fakes.mjs";

/** A node of a tree: a document, an element, or the root of a shadow tree. */
export class FakeNode {
  /** @type {FakeNode | undefined} */
  parent;
  /** @type {FakeNode | undefined} */
  host;

  /** @param {number} nodeType @param {FakeNode} [ownerDocument] */
  constructor(nodeType, ownerDocument) {
    this.nodeType = nodeType;
    this.ownerDocument = ownerDocument;
  }

  /** @returns {FakeNode} */
  getRootNode() {
    return this.parent?.getRootNode() ?? this;
  }

  /** @returns {boolean} */
  get isConnected() {
    const root = this.getRootNode();
    return root.host ? root.host.isConnected : root.nodeType === 9;
  }

  /** @param {FakeNode} child */
  append(child) {
    child.remove();
    child.parent = this;
    child.ownerDocument = this.ownerDocument ?? this;
    FakeObserver.changed(this);
  }

  remove() {
    const { parent } = this;
    this.parent = undefined;
    if (parent) FakeObserver.changed(parent);
  }

  /** @returns {FakeNode} */
  attachShadow() {
    return Object.assign(new FakeNode(11, this.ownerDocument), { host: this });
  }
}

/** A MutationObserver of whole trees: told in a microtask that something has changed in one of them. */
export class FakeObserver {
  /** Those that were made. @type {FakeObserver[]} */
  static all = [];
  /** @type {Set<FakeNode>} */
  roots = new Set();
  isQueued = false;

  /** @param {() => void} callback */
  constructor(callback) {
    this.callback = callback;
    FakeObserver.all.push(this);
  }

  /** @param {FakeNode} parent */
  static changed(parent) {
    for (const observer of FakeObserver.all) observer.#changed(parent.getRootNode());
  }

  /** @param {FakeNode} root */
  #changed(root) {
    if (this.isQueued || !this.roots.has(root)) return;
    this.isQueued = true;
    queueMicrotask(() => {
      this.isQueued = false;
      if (this.roots.size > 0) this.callback();
    });
  }

  /** @param {FakeNode} root */
  observe(root) {
    this.roots.add(root);
  }

  disconnect() {
    this.roots.clear();
  }
}

/**
 * Gives the test a page with an empty document.
 *
 * @param {import("node:test").TestContext} context
 */
export function giveDocument(context) {
  const document = new FakeNode(9);
  FakeObserver.all = [];
  replace(context, "document", document);
  replace(context, "MutationObserver", FakeObserver);
  replace(context, "Node", { DOCUMENT_FRAGMENT_NODE: 11 });
  return { document, newElement: () => new FakeNode(1, document) };
}
