/** What the page exposes to Python by `webtools.expose`, and how a call of it goes. */
import { errorText, valueText } from "./wire.js";

/** @typedef {ReadonlyMap<string, Record<string, unknown>>} Exposed by the name that `expose` was given */

/**
 * Call an exposed function.
 *
 * @param {Exposed} exposed
 * @param {string} name
 * @param {string} functionName an own property's: what an object inherits is not exposed
 * @param {string} text JSON text of the list of arguments
 * @returns {string | Promise<string>} JSON text, `{"value"}` or `{"error": {"message", "code"?}}`; it never rejects
 */
export function callExposed(exposed, name, functionName, text) {
  try {
    const result = functionOf(exposed, name, functionName)(...JSON.parse(text));
    return isThenable(result)
      ? Promise.resolve(result).then(valueText).catch(errorText)
      : valueText(result);
  } catch (error) {
    return errorText(error);
  }
}

/**
 * @param {Exposed} exposed
 * @param {string} name
 * @param {string} functionName
 * @returns {(...args: unknown[]) => unknown}
 */
function functionOf(exposed, name, functionName) {
  const functions = exposed.get(name);
  if (!functions) {
    const message = `The page has not exposed "${name}" yet. Try again in a moment.`;
    throw new PageError("PAGE_NOT_READY", message);
  }
  const found = Object.hasOwn(functions, functionName) ? functions[functionName] : undefined;
  if (typeof found !== "function") {
    throw new PageError("PAGE_ERROR", `The page's "${name}" has no function "${functionName}".`);
  }
  return (...args) => found.apply(functions, args);
}

/** @param {unknown} value @returns {value is PromiseLike<unknown>} */
function isThenable(value) {
  return typeof (/** @type {any} */ (value)?.then) === "function";
}

/** An error with a code, thrown where an exposed function cannot be called. */
class PageError extends Error {
  /** @param {string} code @param {string} message */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}
