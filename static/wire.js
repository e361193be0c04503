/** JSON text of what crosses the border to Python. Nothing here throws what it was not asked for. */
import { invalidInput } from "./answers.js";

const LOST = ["function", "symbol"];

/**
 * The input as JSON text. Browsers up to 154 hand text over: it is taken as it is.
 *
 * @param {unknown} input
 * @returns {string | import("./answers.js").Answer} an answer where the input cannot be written as JSON
 */
export function inputText(input) {
  if (typeof input === "string") return input;
  if (input === undefined) return "{}";
  try {
    return JSON.stringify(input) ?? "null";
  } catch (error) {
    return invalidInput(
      `The input cannot be written as JSON (${describe(error)}). Give a plain object.`,
    );
  }
}

/** @param {unknown} value @returns {string} `{"value"}`; it throws where JSON cannot hold the value */
export function valueText(value) {
  return JSON.stringify({ value });
}

/**
 * What a caller states, as JSON text. JSON leaves out what it cannot hold, as if it had not been stated.
 *
 * @param {string} name
 * @param {unknown} value
 * @returns {string | undefined} undefined where nothing is stated
 * @throws {TypeError} it has a function, a symbol, or a number that is none
 */
export function statedText(name, value) {
  return JSON.stringify(value, (part, each) => {
    const isLost = typeof each === "number" ? !Number.isFinite(each) : LOST.includes(typeof each);
    if (!isLost) return each;
    const kind = typeof each === "number" ? String(each) : `a ${typeof each}`;
    throw new TypeError(`${part || name} is ${kind}, which JSON cannot hold`);
  });
}

/** @param {unknown} error @returns {string} `{"error": {"message", "code"?}}`, whatever was thrown */
export function errorText(error) {
  const { message, code } = read(error);
  return JSON.stringify({ error: { message, code } });
}

/** @param {unknown} error @returns {string} its name and text, whatever was thrown */
export function describe(error) {
  const { name, message } = read(error);
  return name ? `${name}: ${message}` : message;
}

/** @param {unknown} error @returns {string} its name without its text, which is for developers only */
export function kindOf(error) {
  return read(error).name || typeof error;
}

/**
 * What a thrown value says of itself. Reading it may throw anew: a getter, an object without a prototype.
 *
 * @param {unknown} error
 * @returns {{name?: string, message: string, code?: string}} `code` only where it is a text
 */
function read(error) {
  try {
    const { code, name, message } = Object(error);
    return {
      ...(typeof name === "string" && { name }),
      message: typeof message === "string" ? message : String(error),
      ...(typeof code === "string" && { code }),
    };
  } catch {
    return { message: "an error that cannot be read" };
  }
}
