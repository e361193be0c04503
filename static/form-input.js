/** Judges what an agent gives for a form before anything is filled in, with the words that Python's tools use. */

import { FormFailure } from "./form-failure.js";
import { valueOf } from "./form-fields.js";
import { stepsOfField } from "./forms-filling.js";
import { schemaOf } from "./forms-schema.js";

/** @typedef {import("./forms-controls.js").Control} Control */
/** @typedef {import("./forms-controls.js").Field} Field */
/** @typedef {{path: string, expected: string, got: string}} Problem */

/** Of one message; see `webtools/tools/problems.py`. */
const MAX_LINES = 10;
const MAX_CHOICES = 20;
const MAX_SHOWN = 60;

/** @type {Record<string, (limit: any) => string>} */
const BOUNDS = {
  minimum: (limit) => `at least ${limit}`,
  maximum: (limit) => `at most ${limit}`,
  multipleOf: (size) => (size === 1 ? "" : `a multiple of ${size}`),
  minLength: (limit) => `at least ${limit} characters`,
  maxLength: (limit) => `at most ${limit} characters`,
  pattern: (pattern) => `matching ${pattern}`,
  format: (format) => (format === "date" ? "as YYYY-MM-DD" : `matching ${format}`),
};

/**
 * Everything that the form's controls cannot take.
 *
 * @param {Map<string, Field>} fields those that are offered
 * @param {Record<string, unknown>} input
 * @returns {Problem[]}
 */
export function problemsIn(fields, input) {
  const unknown = Object.keys(input).filter((name) => !fields.has(name));
  return [
    ...unknown.map((path) => problem(path, "no argument of this name", input[path])),
    ...[...fields.values()].flatMap((field) => problemOf(field, input) ?? []),
  ];
}

/** What an agent reads of problems. @param {string} heading @param {Problem[]} problems */
export function messageOf(heading, problems) {
  const room = problems.length < MAX_LINES ? MAX_LINES - 1 : MAX_LINES - 2;
  const lines = problems
    .slice(0, room)
    .map(({ path, expected, got }) => `${path}: expected ${expected}; got ${got}`);
  const rest = problems.length > room ? [`… and ${problems.length - room} more`] : [];
  return [heading, ...lines, ...rest].join("\n");
}

/** @param {string} path @param {string} expected @param {unknown} value @returns {Problem} */
export function problem(path, expected, value) {
  return { path, expected, got: shown(value) };
}

/**
 * What a control makes of a text that it is given, such as one without line breaks.
 *
 * @param {Control} control
 * @param {string} text
 * @returns {Control} a copy that has it, in no document
 */
export function probeOf(control, text) {
  const probe = /** @type {Control} */ (control.cloneNode());
  Reflect.set(Object.getPrototypeOf(probe), "value", text, probe);
  return probe;
}

/** Whether a control holds a text that is typed. @param {Field} field */
export function isTyped({ parameter: { choices, type }, controls: [control] }) {
  return (
    !choices &&
    type !== "checkbox" &&
    (control.localName === "textarea" || control.localName === "input")
  );
}

/** @param {Field} field @param {Record<string, unknown>} input @returns {Problem | undefined} */
function problemOf(field, input) {
  const { name, required } = field.parameter;
  const isGiven = Object.hasOwn(input, name);
  const value = isGiven ? input[name] : valueOf(field);
  if (required && isEmpty(value)) {
    const got = isGiven ? shown(value) : "nothing";
    return { path: name, expected: `${expected(field)}, it is required`, got };
  }
  if (!isGiven) return undefined;
  try {
    stepsOfField(field, value);
  } catch (error) {
    if (error instanceof FormFailure) return problem(name, expected(field), value);
    throw error;
  }
  const complaint = value !== "" && isTyped(field) && complaintOf(field, `${value}`);
  return complaint ? problem(name, complaint, value) : undefined;
}

/** Why a control would not be valid with a text, or make another one of it. @param {Field} field @param {string} text */
function complaintOf(field, text) {
  const { maxLength = -1, minLength = -1, type } = field.parameter;
  const [control] = field.controls;
  const said = expected(field);
  if (control.localName === "input" && /[\n\r]/.test(text)) return `${said} of one line`;
  // some browsers take any colour of CSS, which the schema does not have
  if (type === "color" && !/^#[0-9a-f]{6}$/i.test(text)) return said;
  const { validationMessage, validity, value } = probeOf(control, text);
  const isTooLong = maxLength >= 0 && value.length > maxLength;
  const isCut = type === "range" && Number(value) !== Number(text);
  if (isTooLong || isCut || value.length < minLength || validity.patternMismatch) return said;
  if (validity.valid) return "";
  return type === "number" ? said : `${said}: ${validationMessage}`;
}

/** @param {Field} field in words */
function expected({ parameter }) {
  const schema = /** @type {any} */ (schemaOf([parameter]).properties[parameter.name]);
  const { items, type } = schema;
  const choices = (items ?? schema).enum;
  if (choices) {
    const listed = choices
      .slice(0, MAX_CHOICES)
      .map((/** @type {string} */ each) => JSON.stringify(each));
    const rest = choices.length > MAX_CHOICES ? `, … (${choices.length} in all)` : "";
    return `${items ? "a list, each once, of" : "one of"} ${listed.join(", ")}${rest}`;
  }
  if (type === "boolean") return "true or false";
  const bounds = Object.keys(BOUNDS).filter((key) => key in schema);
  const said = bounds.map((key) => BOUNDS[key]?.(schema[key])).filter(Boolean);
  const number = schema.multipleOf === 1 ? "a whole number" : "a number";
  return (type === "number" ? number : "text") + (said.length > 0 ? ` (${said.join(", ")})` : "");
}

/** @param {unknown} value */
function isEmpty(value) {
  return value === "" || value === false || (Array.isArray(value) && value.length === 0);
}

/** @param {unknown} value shortly */
function shown(value) {
  if (Array.isArray(value)) return value.length > 0 ? `a list of ${value.length}` : "an empty list";
  if (typeof value === "object" && value !== null) return "an object";
  const text = JSON.stringify(value);
  const cut = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 1)}…` : text;
  return typeof value === "string" ? `text ${cut}` : cut;
}
