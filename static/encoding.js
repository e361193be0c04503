/**
 * The answer for what a handler in JavaScript returned or threw, by the rules that Python's answers follow.
 *
 * A value that JSON cannot hold must not turn a finished effect into a failure: what has no meaning outside of the
 * page becomes a short placeholder, and the console is told once.
 *
 * Source of the rules: ../shared/spec/tool-context.md, §3.
 */
import { failure } from "./answers.js";
import { kindOf } from "./wire.js";

/** @typedef {import("./answers.js").Answer} Answer */

/** Of an answer's text, in characters. */
const MAX_CHARS = 100_000;

/** Of a value; what is nested more deeply is a placeholder. */
const MAX_DEPTH = 40;

/** In all: a few lists that share others are millions when written. */
const MAX_VALUES = 250_000;

/** Placeholders that the console is told of. */
const MAX_TOLD = 5;

const EFFECTS = ["none", "done", "unknown"];

/**
 * @param {string} tool its name
 * @param {unknown} value what its handler returned
 * @param {string} definition the tool's canonical text
 * @returns {Answer}
 */
export function succeeded(tool, value, definition) {
  const encoder = new Encoder();
  const encoded = encoder.encode(value);
  const plain = encoded ?? null;
  if (encoder.lost.length > 0) {
    const lost = encoder.lost.slice(0, MAX_TOLD).join("; ");
    console.warn(`webtools: ${tool} returned what JSON cannot hold: ${lost}`);
  }
  const error = returnedError(plain);
  if (error) return failed(error);
  if (value === null || encoded === undefined) return { content: [{ type: "text", text: "done" }] };
  if (typeof value === "string")
    return sized({ content: [{ type: "text", text: plain }] }, definition);
  const isObject = typeof plain === "object" && !Array.isArray(plain);
  const structuredContent = isObject ? plain : { result: plain };
  const text = JSON.stringify(structuredContent);
  return sized({ content: [{ type: "text", text }], structuredContent }, definition);
}

/**
 * An error that has a `code`, a text, is the author's: the agent reads it. Any other one is for the console.
 *
 * @param {string} tool its name
 * @param {unknown} error what its handler threw
 * @returns {Answer}
 */
export function thrown(tool, error) {
  const own = authored(error);
  if (own) return failed(own);
  console.error(`webtools: ${tool} threw`, error);
  const said = `${tool} failed with ${kindOf(error)}, an error of the page, not of your arguments.`;
  return failure("TOOL_HANDLER_ERROR", said, "unknown");
}

/** @param {unknown} error @returns {Record<string, any> | undefined} its fields as data, where it has a code */
function authored(error) {
  try {
    const { code, message, details, retryable, effect } = Object(error);
    if (typeof code !== "string" || !code || typeof message !== "string") return undefined;
    return new Encoder().encode({ code, message, details, retryable, effect });
  } catch {
    return undefined;
  }
}

/** @param {any} plain @returns {Record<string, any> | undefined} of `{"error": {"code", "message", …}}` */
function returnedError(plain) {
  if (plain === null || typeof plain !== "object" || Object.keys(plain).join() !== "error") return;
  const { code, message } = Object(plain.error);
  return typeof code === "string" && typeof message === "string" ? plain.error : undefined;
}

/** @param {Record<string, any>} error */
function failed({ code, message, details, retryable, effect }) {
  const known = EFFECTS.includes(effect) ? effect : "unknown";
  return failure(code, message, known, retryable === true, details ?? undefined);
}

/** @param {Answer} answer @param {string} definition @returns {Answer} it, or why it is too long and what may narrow it */
function sized(answer, definition) {
  const chars = [...answer.content[0].text].length;
  if (chars <= MAX_CHARS) return answer;
  const { annotations, inputSchema } = JSON.parse(definition);
  const parameters = Object.keys(Object(inputSchema?.properties));
  const cure = parameters.length > 0 ? ` Narrow it with ${parameters.join(", ")}.` : "";
  const said = `The answer has ${chars} characters, more than the ${MAX_CHARS} that this tool may return.`;
  const details = { chars, max_chars: MAX_CHARS, parameters };
  const isReadOnly = annotations?.readOnlyHint === true;
  return failure("ANSWER_TOO_LONG", said + cure, "done", isReadOnly, details);
}

/** Encodes one value. */
export class Encoder {
  /** What could only be kept as a placeholder. @type {string[]} */
  lost = [];
  /** @type {unknown[]} */
  #open = [];
  #left = MAX_VALUES;

  /** @param {unknown} value @returns {any} what JSON can hold; undefined only for undefined */
  encode(value) {
    try {
      return this.#plain(value);
    } catch (error) {
      return this.#placeholder(value, `threw ${kindOf(error)}`);
    }
  }

  /** @param {any} value */
  #plain(value) {
    if (value === null || value === undefined || typeof value === "boolean") return value;
    if (typeof value === "string") return value.replace(/\p{Surrogate}/gu, "\uFFFD");
    if (typeof value === "number") return Number.isFinite(value) ? value : null;
    if (typeof value === "bigint") return integer(value);
    if (typeof value !== "object") return this.#placeholder(value, "is not data");
    if (this.#open.includes(value)) return this.#placeholder(value, "contains itself");
    if (this.#open.length >= MAX_DEPTH) return this.#placeholder(value, "is nested too deeply");
    this.#open.push(value);
    try {
      return this.#container(value);
    } finally {
      this.#open.pop();
    }
  }

  /** @param {any} value */
  #container(value) {
    if (typeof value.toJSON === "function") return this.encode(value.toJSON());
    if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return base64(value);
    if (value instanceof Map) return this.#object(value, value);
    if (Array.isArray(value) || value instanceof Set) return this.#list(value);
    if (isForeign(value)) return this.#placeholder(value, "is not data");
    return this.#object(
      value,
      Object.keys(value).map((key) => [key, this.#read(value, key)]),
    );
  }

  /** @param {any} value @param {string} key */
  #read(value, key) {
    try {
      return value[key];
    } catch (error) {
      return this.#placeholder(value, `threw ${kindOf(error)} for ${key}`);
    }
  }

  /** @param {unknown} key of a Map */
  #key(key) {
    const plain = this.encode(key);
    return typeof plain === "object" ? JSON.stringify(plain) : `${plain}`;
  }

  /** @param {object} value @param {Iterable<[unknown, unknown]>} entries of it */
  #object(value, entries) {
    /** @type {[string, unknown][]} */
    const plain = [];
    for (const [key, item] of entries) {
      if (this.#left <= 0) {
        const placeholder = this.#cut(value);
        plain.push([placeholder, placeholder]);
        break;
      }
      this.#left -= 1;
      const encoded = this.encode(item);
      if (encoded !== undefined) plain.push([this.#key(key), encoded]);
    }
    return Object.fromEntries(plain);
  }

  /** @param {Iterable<unknown>} value */
  #list(value) {
    const plain = [];
    for (const item of value) {
      if (this.#left <= 0) {
        plain.push(this.#cut(value));
        break;
      }
      this.#left -= 1;
      plain.push(this.encode(item) ?? null);
    }
    return plain;
  }

  /** @param {object} value */
  #cut(value) {
    return this.#placeholder(value, `is cut after ${MAX_VALUES} values in all`);
  }

  /** @param {any} value @param {string} why */
  #placeholder(value, why) {
    const name = typeof value === "object" ? nameOf(value) : typeof value;
    this.lost.push(`${name} ${why}`);
    return `<${name}>`;
  }
}

/** @param {bigint} value @returns {number | string} text beyond ±(2^53−1), where a number would be another one */
function integer(value) {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : `${value}`;
}

/** @param {ArrayBuffer | ArrayBufferView} value */
function base64(value) {
  const { buffer, byteOffset, byteLength } = ArrayBuffer.isView(value)
    ? value
    : { buffer: value, byteOffset: 0, byteLength: value.byteLength };
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

/**
 * Whether it is a piece of the page or of the program rather than data, as is whatever has a class and shows no field:
 * a Promise, a Blob, a RegExp.
 *
 * @param {object} value
 */
function isForeign(value) {
  return (
    value instanceof Error ||
    (typeof EventTarget === "function" && value instanceof EventTarget) ||
    (Object.keys(value).length === 0 && hasClass(value))
  );
}

/** Plain objects of other frames have none either. @param {object} value */
function hasClass(value) {
  const prototype = Object.getPrototypeOf(value);
  return prototype !== null && Object.getPrototypeOf(prototype) !== null;
}

/** @param {any} value whose constructor may be anything, and may throw */
function nameOf(value) {
  try {
    const { name } = value.constructor;
    return typeof name === "string" && name ? name : "object";
  } catch {
    return "object";
  }
}
