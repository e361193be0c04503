/**
 * The documents around a context: which may use tools, and which of them have contexts of ours.
 *
 * Frames of another origin cannot be looked into, so their tools are out of reach.
 */

import { failure } from "./polyfill-origins.js";

/**
 * @typedef {import("./polyfill-types.js").State} State
 * @typedef {Window & typeof globalThis} View
 * @typedef {{features(): string[], allowsFeature(name: string): boolean}} Policy
 */

/** By this a context of ours is known from others, however the code was renamed or copied. */
export const MARKER = Symbol.for("webtools.modelContextPolyfill");

/** Grows when what contexts of different frames ask of each other changes: see `State`. */
export const PROTOCOL = 1;

/** Where a document keeps the frames that are in its shadow trees. */
const SHADOW_FRAMES = Symbol.for("webtools.shadowFrames");

/** https://webmachinelearning.github.io/webmcp/#permissions-policy */
const POLICY = "tools";

/** The document's window, if tools may be used there. @param {Document} doc @returns {View} */
export function requireUsable(doc) {
  const view = activeView(doc);
  if (!view) throw failure("InvalidStateError", "The document is not active.");
  if (!isAllowed(view)) {
    throw failure("NotAllowedError", `The permissions policy forbids "${POLICY}".`);
  }
  return view;
}

/** Whether tools may be used in the document. @param {Document} doc */
export function isUsable(doc) {
  const view = activeView(doc);
  return view !== undefined && isAllowed(view);
}

/** The document's window while it shows that document. @param {Document} doc @returns {View | undefined} */
export function activeView(doc) {
  const view = doc.defaultView;
  return view?.document === doc ? view : undefined;
}

/**
 * The contexts of all documents that the draft's tree walk meets, the top's first.
 *
 * @param {View} view
 * @returns {State[]}
 */
export function statesAround(view) {
  const { top } = view; // none, where the frame has been removed in the meantime
  return [...new Set(top ? windowsIn(top) : [])]
    .map(stateIn)
    .filter((state) => state !== undefined)
    .filter(({ doc }) => isAllowed(/** @type {View} */ (doc.defaultView)));
}

/**
 * The context of the document that a tool says it lives in.
 *
 * @param {View} caller
 * @param {Window} view
 * @param {string} origin
 * @returns {State | undefined}
 */
export function stateBeside(caller, view, origin) {
  const state = view.top === caller.top ? stateIn(view) : undefined;
  return state?.doc.defaultView?.origin !== origin ? undefined : state;
}

/** @param {Window} view @returns {State | undefined} */
function stateIn(view) {
  try {
    const { modelContext } = /** @type {any} */ (view.document);
    const state = modelContext?.[MARKER];
    return state?.protocol === PROTOCOL ? state : undefined;
  } catch {
    return undefined; // of another origin
  }
}

/** In tree order, but for frames in a shadow tree, which come last. @param {Window} view @returns {Generator<Window>} */
function* windowsIn(view) {
  yield view;
  for (let index = 0; index < view.length; index += 1) yield* windowsIn(view[index]);
  for (const frame of shadowFramesOf(view)) yield* windowsIn(frame);
}

/**
 * A window does not list the frames in its shadow trees, so such a frame leaves its name at its parent's document.
 *
 * @param {View} view
 * @returns {() => void} takes it away
 */
export function makeKnown(view) {
  const { frameElement, parent } = view;
  const doc = frameElement?.ownerDocument; // none below another origin
  if (!doc || frameElement.getRootNode() === doc) return () => {};
  const frames = shadowFramesOf(parent);
  frames.add(view);
  Object.defineProperty(doc, SHADOW_FRAMES, { value: frames, configurable: true });
  return () => {
    frames.delete(view);
    if (!frames.size) Reflect.deleteProperty(doc, SHADOW_FRAMES);
  };
}

/** @param {Window} view @returns {Set<Window>} without those that are gone */
function shadowFramesOf(view) {
  /** @type {Set<Window>} */
  let frames = new Set();
  try {
    frames = Reflect.get(view.document, SHADOW_FRAMES) ?? frames;
  } catch {} // of another origin
  for (const frame of frames) if (frame.parent !== view) frames.delete(frame);
  return frames;
}

/** @param {View} view */
function isAllowed(view) {
  const doc = /** @type {Document & {permissionsPolicy?: Policy, featurePolicy?: Policy}} */ (
    view.document
  );
  const policy = doc.permissionsPolicy ?? doc.featurePolicy;
  return policy && isKnownTo(policy) ? policy.allowsFeature(POLICY) : canReachTop(view);
}

/** Whether a document's policy is of a browser that knows of tools; kept, since its list is long. @type {WeakMap<Policy, boolean>} */
const knowing = new WeakMap();

/** @param {Policy} policy */
function isKnownTo(policy) {
  const isKnown = knowing.get(policy) ?? policy.features().includes(POLICY);
  knowing.set(policy, isKnown);
  return isKnown;
}

/** Whether all ancestors are of the same origin, as the policy's default asks. @param {Window} view @returns {boolean} */
function canReachTop(view) {
  try {
    return view.parent === view || (Boolean(view.parent.document) && canReachTop(view.parent));
  } catch {
    return false;
  }
}
