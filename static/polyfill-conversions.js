/**
 * From what a page hands over to the draft's types. Whatever does not fit is a TypeError, and members are read in
 * WebIDL's order, by their names, each converted before the next is read.
 *
 * Source: https://webidl.spec.whatwg.org/#js-type-mapping
 */

/**
 * @typedef {import("./polyfill-types.js").Definition} Definition
 * @typedef {import("./polyfill-types.js").Shape} Shape
 * @typedef {import("./polyfill-types.js").ToolAnnotations} ToolAnnotations
 */

/** @param {unknown} value @returns {Definition} */
export function readTool(value) {
  const tool = dictionary(value, "tool");
  return {
    annotations: readAnnotations(tool.annotations),
    description: requireText(tool.description, "tool.description"),
    execute: requireFunction(tool.execute, "tool.execute"),
    inputSchema: optionalObject(tool.inputSchema, "tool.inputSchema"),
    name: requireText(tool.name, "tool.name"),
    title: scalarText(optionalText(tool.title)),
  };
}

/**
 * @param {unknown} value
 * @param {Shape} shape
 * @returns {{name: string, origin: string, window: Window}}
 */
export function readRegisteredTool(value, { schemaAsText }) {
  const tool = dictionary(value, "tool");
  readAnnotations(tool.annotations);
  requireText(tool.description, "tool.description");
  const readSchema = schemaAsText ? optionalText : optionalObject;
  readSchema(tool.inputSchema, "tool.inputSchema");
  const name = requireText(tool.name, "tool.name");
  const origin = scalarText(requireText(tool.origin, "tool.origin"));
  optionalText(tool.title);
  return { name, origin, window: requireWindow(tool.window) };
}

/** @param {unknown} value @returns {{exposedTo: string[], signal: AbortSignal | undefined}} */
export function readRegisterOptions(value) {
  const options = dictionary(value, "options");
  return {
    exposedTo: readOrigins(options.exposedTo, "exposedTo"),
    signal: readSignal(options.signal),
  };
}

/** @param {unknown} value @returns {string[]} `fromOrigins` */
export function readListOptions(value) {
  return readOrigins(dictionary(value, "options").fromOrigins, "fromOrigins");
}

/** @param {unknown} value @returns {AbortSignal | undefined} */
export function readExecuteOptions(value) {
  return readSignal(dictionary(value, "options").signal);
}

/** @param {unknown} value @param {string} what @returns {any} */
export function requireObject(value, what) {
  if (!isObject(value)) throw new TypeError(`${what} must be an object.`);
  return value;
}

/** @param {unknown} value @param {string} what */
export function requireText(value, what) {
  if (value === undefined) throw new TypeError(`${what} is required.`);
  return `${value}`;
}

/** @param {unknown} value @returns {boolean} */
export function isObject(value) {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

/**
 * https://infra.spec.whatwg.org/#serialize-a-javascript-value-to-a-json-string
 *
 * @param {object} value @param {string} what
 */
export function jsonText(value, what) {
  const text = JSON.stringify(value);
  if (text === undefined) throw new TypeError(`${what} has no JSON form.`);
  return text;
}

/** @param {unknown} value @param {string} what */
function dictionary(value, what) {
  return requireObject(value ?? {}, what);
}

/** @param {unknown} value @returns {ToolAnnotations | undefined} */
function readAnnotations(value) {
  if (value === undefined) return undefined;
  const hints = dictionary(value, "tool.annotations");
  const names = ["consequentialHint", "debugging", "readOnlyHint", "untrustedContentHint"];
  return Object.fromEntries(names.map((name) => [name, Boolean(hints[name])]));
}

/** @param {any} value @param {string} what @returns {string[]} */
function readOrigins(value, what) {
  if (value === undefined) return [];
  return Array.from(requireIterable(value, what), (text) => scalarText(`${text}`));
}

/** @param {any} value @param {string} what @returns {Iterable<unknown>} */
function requireIterable(value, what) {
  const isIterable = isObject(value) && typeof value[Symbol.iterator] === "function";
  if (!isIterable) throw new TypeError(`${what} must be a list of origins.`);
  return value;
}

/** @param {any} value @returns {AbortSignal | undefined} also one of another frame */
function readSignal(value) {
  if (value !== undefined)
    Reflect.get(AbortSignal.prototype, "aborted", requireObject(value, "signal"));
  return value;
}

/** @param {any} value @returns {Window} also one of another origin */
function requireWindow(value) {
  if (isObject(value) && value.window === value) return value;
  throw new TypeError("tool.window must be a window: pass what getTools listed.");
}

/** @param {any} value @param {string} what */
function requireFunction(value, what) {
  if (typeof value !== "function") throw new TypeError(`${what} must be a function.`);
  return value;
}

/** @param {unknown} value @param {string} what @returns {object | undefined} */
function optionalObject(value, what) {
  return value === undefined ? undefined : requireObject(value, what);
}

/** @param {unknown} value */
function optionalText(value) {
  return value === undefined ? "" : `${value}`;
}

/** @param {string} text */
function scalarText(text) {
  return text.replace(/\p{Surrogate}/gu, "\uFFFD");
}
