/** Where the page's JavaScript says that a tool is: the options `target` and `fields` of a hold. */
import { describe } from "./wire.js";

/**
 * An element, the CSS selector of one, or a function of a call's input that gives one of them.
 *
 * @typedef {string | Element | ((input: any) => string | Element | null | undefined)} Target
 */

/**
 * @typedef {object} Place
 * @property {Target} [target] what the cursor points at while a call runs
 * @property {Record<string, Target>} [fields] by an argument's name the control that shows its value
 */

/**
 * Refuse what is no place.
 *
 * @param {string} where what was called, for the message
 * @param {Place} place
 * @param {Set<string> | undefined} known the names of arguments; none: the tool's fields are said elsewhere
 */
export function checkPlace(where, { target, fields }, known) {
  if (target !== undefined && !isTarget(target)) {
    throw new TypeError(
      `${where}: target must be an element, a CSS selector, or a function that gives one, not ${describe(target)}.`,
    );
  }
  if (fields === undefined) return;
  if (!known) {
    throw new TypeError(`${where}: the fields of Python's tools are Python's, @tool(fields={…}).`);
  }
  const isMap = typeof fields === "object" && fields !== null && !Array.isArray(fields);
  if (!isMap || !Object.values(fields).every(isTarget)) {
    throw new TypeError(
      `${where}: fields maps arguments to their controls, such as {query: "#search"}.`,
    );
  }
  const unknown = Object.keys(fields).find((name) => !known.has(name));
  if (unknown !== undefined) {
    throw new TypeError(
      `${where}: fields names ${unknown}, which is none of the arguments: ${[...known].join(", ") || "none"}.`,
    );
  }
}

/** @param {unknown} given */
function isTarget(given) {
  if (typeof given === "string") return isSelector(given);
  return typeof given === "function" || /** @type {any} */ (given)?.nodeType === 1;
}

/** @param {string} text */
function isSelector(text) {
  if (typeof document === "undefined") return true; // on a server
  try {
    document.createDocumentFragment().querySelector(text);
    return true;
  } catch {
    return false;
  }
}
