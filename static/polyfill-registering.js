/** Tools come, go, and are listed. */

import { jsonText } from "./polyfill-conversions.js";
import { activeView, requireUsable, statesAround } from "./polyfill-frames.js";
import { failure, requireTrustworthy } from "./polyfill-origins.js";
import { onAbort, queueTask } from "./polyfill-tasks.js";

/**
 * @typedef {import("./polyfill-types.js").Definition} Definition
 * @typedef {import("./polyfill-types.js").KeptTool} KeptTool
 * @typedef {import("./polyfill-types.js").RegisteredTool} RegisteredTool
 * @typedef {import("./polyfill-types.js").Shape} Shape
 * @typedef {import("./polyfill-types.js").State} State
 */

/** https://webmachinelearning.github.io/webmcp/#tool-definition-name */
const TOOL_NAME = /^[A-Za-z0-9_.-]{1,128}$/;

/**
 * https://webmachinelearning.github.io/webmcp/#dom-modelcontext-registertool
 *
 * @param {State} state
 * @param {Definition} tool
 * @param {{exposedTo: string[], signal: AbortSignal | undefined}} options
 * @returns {Promise<void>}
 */
export function register(state, tool, { exposedTo, signal }) {
  requireUsable(state.doc);
  void state.lookForForms(); // one that has just gone has left its name
  const { inputSchema, ...texts } = tool;
  const { name, description } = texts;
  const refusal =
    (state.tools.has(name) &&
      `A tool "${name}" is registered: abort the signal of that one first.`) ||
    (!isToolName(name) && `"${name}" is no tool name: use 1 to 128 of A-Z a-z 0-9 _ . -`) ||
    (!description && `The tool "${name}" needs a description that is not empty.`);
  if (refusal) throw failure("InvalidStateError", refusal);
  const schemaText = inputSchema ? jsonText(inputSchema, "inputSchema") : "";
  signal?.throwIfAborted();
  exposedTo.forEach(requireTrustworthy);

  return new Promise((resolve, reject) => {
    add(state, { ...texts, schemaText });
    // Only now, so that the abort of a refused registration takes no other tool of this name away.
    onAbort(signal, (reason) => {
      remove(state, name);
      reject(reason);
    });
    queueTask(resolve);
  });
}

/** @param {string} name */
export function isToolName(name) {
  return TOOL_NAME.test(name);
}

/** Puts a tool on the list, or in the place of its former self. @param {State} state @param {KeptTool} tool */
export function add(state, tool) {
  state.tools.set(tool.name, tool);
  announceChange(state);
}

/**
 * Takes a tool off the list; executions that have begun go on, but in a browser of old.
 *
 * @param {State} state @param {string} name
 */
export function remove(state, name) {
  if (!state.tools.delete(name)) return;
  announceChange(state);
  if (state.shape.cancelsCalls === "never") return;
  for (const call of state.calls) if (call.name === name) call.lose();
}

/**
 * https://webmachinelearning.github.io/webmcp/#notify-documents-of-a-tool-change
 *
 * @param {State} state
 */
function announceChange({ doc }) {
  const view = activeView(doc);
  for (const { fire } of view ? statesAround(view) : []) queueTask(() => fire("toolchange"));
}

/**
 * https://webmachinelearning.github.io/webmcp/#dom-modelcontext-gettools
 *
 * @param {State} state @param {string[]} fromOrigins
 * @returns {Promise<RegisteredTool[]>}
 */
export function list({ doc, lookForForms, shape }, fromOrigins) {
  const view = requireUsable(doc);
  fromOrigins.forEach(requireTrustworthy);
  // No await, with which Firefox would never go on in a frame that was removed.
  const looking = lookForForms(true);
  return looking ? looking.then(() => listIn(view, shape)) : listIn(view, shape);
}

/** @param {Window & typeof globalThis} view @param {Shape} shape @returns {Promise<RegisteredTool[]>} */
function listIn(view, shape) {
  return new Promise((resolve) => {
    queueTask(() => {
      const listed = statesAround(view).flatMap((state) => describeAll(state, shape));
      resolve(listed.sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name))));
    });
  });
}

/** @param {State} state @param {Shape} shape */
function describeAll({ doc, tools }, shape) {
  const view = /** @type {Window & typeof globalThis} */ (doc.defaultView);
  return Array.from(tools.values(), (tool) => describe(tool, view, shape));
}

/**
 * A new object for each caller; what the tool does not have is left out, but for the title.
 *
 * @param {KeptTool} tool @param {Window & typeof globalThis} view @param {Shape} shape
 * @returns {RegisteredTool}
 */
function describe({ annotations, description, schemaText, name, title }, view, { schemaAsText }) {
  return {
    ...(annotations && { annotations: { ...annotations } }),
    description,
    ...(schemaText && { inputSchema: schemaAsText ? schemaText : JSON.parse(schemaText) }),
    name,
    origin: view.origin,
    title,
    window: view,
  };
}
