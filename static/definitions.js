/** What an agent can see of a tool that JavaScript defines. */
import { describe } from "./wire.js";

/**
 * @typedef {object} ToolDefinition named as WebMCP names it
 * @property {string} name 1 to 128 of `A-Za-z0-9_.-`
 * @property {string} description
 * @property {string} [title] a short name for people
 * @property {object} [inputSchema] JSON Schema of an object
 * @property {Record<string, boolean>} [annotations] `readOnlyHint`, `untrustedContentHint`, `consequentialHint`,
 *   `debugging`
 * @property {string[]} [exposedTo] other origins that may see the tool
 */

/** In the order in which the text has them. */
const FIELDS = ["name", "description", "inputSchema", "title", "annotations", "exposedTo"];

/** https://webmachinelearning.github.io/webmcp/#tool-definition-name */
export const NAME = /^[A-Za-z0-9_.-]{1,128}$/;

/** Of a schema; far more would overflow Python's stack. */
const MAX_DEPTH = 50;

/**
 * Write a definition down. What breaks WebMCP's own rules is left to the browser, whose refusal is the tool's state.
 *
 * @param {unknown} definition
 * @param {string} [where] what was called, for the message
 * @returns {{name: string, text: string}} the canonical text: two definitions are equal when theirs are
 * @throws {TypeError} it is no definition
 */
export function definitionText(definition, where = "webtools.define") {
  if (typeof definition !== "object" || definition === null || Array.isArray(definition)) {
    throw new TypeError(`${where}: give a definition, {name, description, inputSchema}.`);
  }
  const given = /** @type {Record<string, unknown>} */ (definition);
  const { name } = given;
  for (const field of ["name", "description"]) {
    if (typeof given[field] !== "string" || !given[field])
      throw new TypeError(`${where}(${describe(name)}): its ${field} is missing.`);
  }
  const unknown = Object.keys(given).find((field) => !FIELDS.includes(field));
  if (unknown !== undefined) {
    throw new TypeError(
      `${where}("${name}"): a definition has no ${unknown}; it has ${FIELDS.join(", ")}.`,
    );
  }
  if (isTooDeep(given.inputSchema)) {
    throw new TypeError(
      `${where}("${name}"): its inputSchema is nested more deeply than ${MAX_DEPTH} times, or in itself.`,
    );
  }
  const entries = FIELDS.map((field) => [field, given[field]]);
  return { name: String(name), text: jsonText(`${where}("${name}")`, Object.fromEntries(entries)) };
}

/** @param {string[]} texts of definitions @returns {Set<string>} the names of all their arguments */
export function parametersOf(texts) {
  const properties = texts.map((text) => JSON.parse(text).inputSchema?.properties ?? {});
  return new Set(properties.flatMap(Object.keys));
}

/** @param {unknown} value @param {number} [depth] how much is allowed @returns {boolean} */
export function isTooDeep(value, depth = MAX_DEPTH) {
  if (typeof value !== "object" || value === null) return false;
  return depth === 0 || Object.values(value).some((item) => isTooDeep(item, depth - 1));
}

/** @param {string} where @param {object} value */
function jsonText(where, value) {
  try {
    return JSON.stringify(value);
  } catch (error) {
    throw new TypeError(`${where}: it cannot be written as JSON (${describe(error)}).`);
  }
}
