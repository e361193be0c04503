/** What a component or an element wants to be held while it is there: names of tools, and definitions with functions. */

import { withWebtools } from "./arrival.js";
import { definitionText, NAME } from "./definitions.js";

/** @typedef {import("./definitions.js").ToolDefinition} ToolDefinition */
/** @typedef {import("./handlers.js").Handler} Handler */

/** @typedef {string | [ToolDefinition, Handler]} Item name of a tool that Python defines, or a definition and its handler */

/** @typedef {import("./places.js").Place} Place */

/**
 * @typedef {object} Tool one that is wanted
 * @property {string} name
 * @property {string} text what the agent sees of it; for a tool of Python's its name
 * @property {ToolDefinition} [definition] where JavaScript defines it
 * @property {Handler} [execute]
 */

/**
 * @typedef {object} Owning
 * @property {string} [resourceId] the resource that the tools work on; calls that began for another one are stale
 * @property {object} owner calls of tools with an `execute` are stale when they began under another one
 * @property {boolean} [perInstance] whether those of tools of Python's are, too
 * @property {Place} [place] where the tools are in the page
 */

/**
 * @param {string} where what was called, for messages
 * @param {unknown} wanted a name, a definition, or a list of names and pairs
 * @param {{execute?: Handler, resourceId?: string}} options
 * @returns {Tool[]}
 * @throws {TypeError} for what means nothing; the text names the cure
 */
export function readWanted(where, wanted, { execute, resourceId }) {
  if (resourceId !== undefined && typeof resourceId !== "string") {
    throw new TypeError(`${where}: resourceId must be a text.`);
  }
  if (!Array.isArray(wanted)) return [readTool(where, wanted, execute)];
  if (execute !== undefined) {
    throw new TypeError(`${where}: a list has its functions in its pairs, [definition, execute].`);
  }
  const tools = wanted.map((item) =>
    Array.isArray(item) ? readPair(where, item[0], item[1]) : readTool(where, item, undefined),
  );
  const names = tools.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) {
    throw new TypeError(`${where}: two tools of the list are called "${twice}".`);
  }
  return tools;
}

/**
 * @param {string} where
 * @param {unknown} wanted
 * @param {unknown} execute
 * @returns {Tool}
 */
function readTool(where, wanted, execute) {
  if (typeof wanted !== "string" || !wanted) return readPair(where, wanted, execute);
  if (!NAME.test(wanted)) {
    throw new TypeError(
      `${where}: "${wanted}" is no tool's name, which has 1 to 128 of A-Z a-z 0-9 _ . -`,
    );
  }
  if (execute === undefined) return { name: wanted, text: wanted };
  throw new TypeError(
    `${where}("${wanted}"): a name is that of a tool with a function in Python. ` +
      "Leave execute out, or give a definition.",
  );
}

/**
 * @param {string} where
 * @param {unknown} definition
 * @param {unknown} execute
 * @returns {Tool}
 */
function readPair(where, definition, execute) {
  if (typeof definition !== "object" || definition === null || Array.isArray(definition)) {
    throw new TypeError(
      `${where}: give a tool's name, a definition {name, description}, or a list of names and pairs ` +
        "[definition, execute].",
    );
  }
  const given = /** @type {ToolDefinition} */ (definition);
  const { name, text } = definitionText(given);
  if (typeof execute !== "function") {
    throw new TypeError(
      `${where}: the definition of "${name}" needs a function, in the option execute or, ` +
        "in a list, as a pair [definition, execute].",
    );
  }
  return { name, text, definition: given, execute: /** @type {Handler} */ (execute) };
}

/**
 * Two wishes of one owner are the same to the agent, and to calls in flight, when this text is.
 *
 * @param {Tool[]} tools
 * @param {Pick<Owning, "resourceId" | "perInstance">} options
 */
export function textOf(tools, { resourceId, perInstance = false }) {
  return JSON.stringify([tools.map(({ text }) => text), resourceId, perInstance]);
}

/**
 * Hold tools, now or as soon as the page's webtools is there.
 *
 * @param {Tool[]} tools
 * @param {Owning} options
 * @param {() => Tool[]} [newest] gives them with the functions that calls are to run; default: their own
 * @returns {() => void} releases them
 */
export function holdTools(tools, options, newest = () => tools) {
  const { resourceId, owner, perInstance, place = {} } = options;
  if (tools.length === 0) return () => {};
  /** @type {[ToolDefinition, Handler][]} */
  const pairs = [];
  /** @type {string[]} */
  const names = [];
  for (const { name, definition, execute } of tools) {
    if (definition && execute) {
      const find = () => newest().find((tool) => tool.name === name)?.execute ?? execute;
      pairs.push([definition, (...call) => find()(...call)]);
    } else {
      names.push(name);
    }
  }
  return withWebtools((webtools) => {
    const holds = pairs.length > 0 ? [webtools.define(pairs, { resourceId, owner, ...place })] : [];
    const { fields, ...here } = place; // those of Python's tools are Python's
    for (const name of names) {
      holds.push(webtools.hold(name, { resourceId, ...here, ...(perInstance && { owner }) }));
    }
    return () => {
      for (const hold of holds) hold.release();
    };
  });
}
