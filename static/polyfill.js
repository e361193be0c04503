/**
 * `document.modelContext` (WebMCP) for browsers that lack it: the part that scripts use.
 *
 * Importing this module changes nothing; `apply` installs the context and returns the way back. A context lives as
 * long as its document, sees the tools of all frames of its origin that loaded the polyfill, too, and owns no timer
 * and no open port while nothing is under way.
 *
 * It follows the draft's algorithms; docs/polyfill.md has what script cannot do as a browser does.
 *
 * Source: https://webmachinelearning.github.io/webmcp/
 */

import { makeKnown, MARKER } from "./polyfill-frames.js";
import { noticeForms } from "./polyfill-forms.js";
import { INTERFACES, newContext } from "./polyfill-interfaces.js";
import { removeProperty, replaceProperty } from "./polyfill-properties.js";

/**
 * @typedef {import("./polyfill-types.js").Shape} Shape
 *
 * @typedef {object} OwnOptions
 * @property {boolean} [force] Stand before a native context, too.
 * @property {"auto" | "watch" | "off"} [forms] `auto`: forms with `toolname` are tools from the first listing that meets
 *   one, or from when the document is parsed. `watch`: from when they come.
 *
 * @typedef {Partial<Shape> & OwnOptions} Options The others are for tests; without them the context is as the draft
 *   demands.
 */

/** @type {Shape} */
const DRAFT = {
  cancelsCalls: "never",
  postbackMs: 0,
  signalArgument: true,
  schemaAsText: false,
  inputAsText: false,
};

/**
 * Whether the document has a model context, native or not.
 *
 * @param {Document | undefined} doc
 */
export function isSupported(doc = globalThis.document) {
  return contextOf(doc) !== undefined;
}

/**
 * Whether the document's model context is a polyfill's: of this one, whichever copy of the module made it, or of
 * another one.
 *
 * @param {Document | undefined} doc
 */
export function isPolyfilled(doc = globalThis.document) {
  const context = contextOf(doc);
  return context !== undefined && (Boolean(context[MARKER]) || !isNative(context));
}

/**
 * Gives the documents of this one's window a model context, and the window the three interfaces. Does nothing in an
 * insecure context, where there is a context of this polyfill already, or (unless `force`) any other one.
 *
 * @param {Document | undefined} doc
 * @param {Options} [options]
 * @returns {() => void} Puts back every property that this very call replaced, if any; harmless twice.
 * @throws {TypeError} An option is unknown, or the page has fixed one of the names; nothing is replaced then.
 */
export function apply(
  doc = globalThis.document,
  { force = false, forms = "auto", ...options } = {},
) {
  const shape = { ...DRAFT, ...options };
  if (!["never", "onUnregister"].includes(shape.cancelsCalls)) {
    throw new TypeError(`cancelsCalls is "never" or "onUnregister", not "${shape.cancelsCalls}".`);
  }
  if (!["auto", "watch", "off"].includes(forms)) {
    throw new TypeError(`forms is "auto", "watch" or "off", not "${forms}".`);
  }
  const view = doc?.defaultView;
  const context = contextOf(doc);
  const isTaken = context !== undefined && (!force || context[MARKER]);
  if (!doc || !view?.isSecureContext || isTaken) return () => {};

  /** @type {(() => void)[]} */
  const undos = [];
  const undo = () => {
    for (const each of undos.splice(0).reverse()) each();
  };
  try {
    undos.push(removeProperty(doc, "modelContext"));
    undos.push(replaceProperty(view.Document.prototype, "modelContext", attributeOf(view, shape)));
    for (const [name, value] of Object.entries(INTERFACES)) {
      const descriptor = { value, writable: true, enumerable: false, configurable: true };
      undos.push(replaceProperty(view, name, descriptor));
    }
  } catch (error) {
    undo(); // a page has fixed one of them, such as by `var ModelContext`
    throw error;
  }
  undos.push(makeKnown(view));
  undos.push(noticeForms(contextOf(doc)[MARKER], forms));
  return undo;
}

/** @param {Document | undefined} doc @returns {any} */
function contextOf(doc) {
  return /** @type {any} */ (doc)?.modelContext ?? undefined;
}

/** Whether the browser made the context, and no script. @param {{constructor?: Function}} context */
function isNative({ constructor }) {
  if (constructor?.name !== "ModelContext") return false;
  return Function.prototype.toString.call(constructor).includes("[native code]");
}

/**
 * https://webmachinelearning.github.io/webmcp/#document-extension
 *
 * @param {Window & typeof globalThis} view
 * @param {Shape} shape
 */
function attributeOf({ Document }, shape) {
  /** @type {WeakMap<Document, EventTarget>} */
  const contexts = new WeakMap();
  /** @type {ThisType<Document>} */
  const attribute = {
    get modelContext() {
      if (!(this instanceof Document)) throw new TypeError("Illegal invocation");
      const context = contexts.get(this) ?? newContext(this, shape);
      contexts.set(this, context);
      return context;
    },
  };
  return /** @type {PropertyDescriptor} */ (
    Object.getOwnPropertyDescriptor(attribute, "modelContext")
  );
}
