/**
 * The schema of a form's parameters, from plain descriptions of them. Where the draft is silent it is Chromium 156's.
 *
 * https://webmachinelearning.github.io/webmcp/#synthesize-a-declarative-json-schema-object-algorithm
 */

/**
 * @typedef {{value: string, title?: string}} Choice
 *
 * @typedef {object} Parameter What one name of a form stands for; texts as the attributes have them.
 * @property {string} name
 * @property {string} type a control's `type`; `checkboxes` for several of one name
 * @property {boolean} required
 * @property {string} [description]
 * @property {Choice[]} [choices]
 * @property {string} [pattern]
 * @property {number} [minLength] negative: none
 * @property {number} [maxLength] negative: none
 * @property {string} [min]
 * @property {string} [max]
 * @property {string} [step]
 * @property {string} [value] what the control has at first
 */

/** What a control of the type takes, as Chromium 156 says it. @type {Record<string, string>} */
const FORMATS = {
  color: "^#[0-9a-zA-Z]{6}$",
  date: "date",
  "datetime-local": "^[0-9]{4}-(0[1-9]|1[0-2])-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9]",
  month: "^[0-9]{4}-(0[1-9]|1[0-2])$",
  time: "^([01][0-9]|2[0-3]):[0-5][0-9]",
  week: "^[0-9]{4}-W(0[1-9]|[1-4][0-9]|5[0-3])$",
};

/** https://html.spec.whatwg.org/multipage/input.html#range-state-(type=range) */
const RANGE = { minimum: 0, maximum: 100 };

/** @param {Parameter[]} parameters */
export function schemaOf(parameters) {
  return {
    type: "object",
    // Not by assignment, so that a control may be called `__proto__`.
    properties: Object.fromEntries(parameters.map((each) => [each.name, propertyOf(each)])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  };
}

/** @param {Parameter} parameter */
function propertyOf(parameter) {
  const { description } = parameter;
  return { ...valueOf(parameter), ...(description && { description }) };
}

/** @param {Parameter} parameter @returns {object} */
function valueOf(parameter) {
  const { choices = [], type } = parameter;
  switch (type) {
    case "checkbox":
      return { type: "boolean" };
    case "number":
    case "range":
      return numberOf(parameter);
    case "radio":
    case "select-one":
      return choiceOf(choices);
    case "checkboxes":
    case "select-multiple":
      return { type: "array", items: choiceOf(choices), uniqueItems: true };
    default:
      return textOf(parameter);
  }
}

/** @param {Choice[]} choices */
function choiceOf(choices) {
  const anyOf = choices.map(({ value, title }) => ({
    type: "string",
    const: value,
    ...(title !== undefined && { title }),
  }));
  return { type: "string", anyOf, enum: choices.map(({ value }) => value) };
}

/** @param {Parameter} parameter */
function textOf({ type, pattern, step, minLength = -1, maxLength = -1 }) {
  const format = FORMATS[type] && FORMATS[type] + secondsOf(type, step);
  return {
    type: "string",
    ...(format && { format }),
    ...(pattern !== undefined && isPattern(pattern) && { pattern }),
    ...(minLength >= 0 && { minLength }),
    ...(maxLength >= 0 && { maxLength }),
  };
}

/** The rest of a time's format. @param {string} type @param {string} [step] in seconds */
function secondsOf(type, step) {
  if (type !== "time" && type !== "datetime-local") return "";
  const size = numberIn(step) ?? 0;
  if (size <= 0 || size >= 60) return "$";
  return size < 1 ? "(:[0-5][0-9](\\.[0-9]{1,3})?)?$" : "(:[0-5][0-9])?$";
}

/** @param {Parameter} parameter */
function numberOf({ type, min, max, step, value }) {
  const range = type === "range" ? RANGE : undefined;
  const minimum = numberIn(min) ?? range?.minimum;
  let maximum = numberIn(max) ?? range?.maximum;
  if (range) maximum = Math.max(Number(minimum), Number(maximum));
  const multipleOf = multipleIn(step, numberIn(min) ?? numberIn(value) ?? 0);
  return {
    type: "number",
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(multipleOf && { multipleOf }),
  };
}

/**
 * The step, if what is allowed are its multiples: a control counts its steps from a base.
 *
 * @param {string | undefined} step @param {number} base
 */
function multipleIn(step, base) {
  if (step?.toLowerCase() === "any") return undefined;
  const given = numberIn(step) ?? 1;
  const size = given > 0 ? given : 1;
  const steps = base / size;
  return Math.abs(steps - Math.round(steps)) < 1e-9 ? size : undefined;
}

/** https://html.spec.whatwg.org/multipage/common-microsyntaxes.html#valid-floating-point-number @param {string} [text] */
function numberIn(text = "") {
  return /^-?(\d+|\d*\.\d+)(e[-+]?\d+)?$/i.test(text) ? Number(text) : undefined;
}

/** @param {string} text */
function isPattern(text) {
  try {
    return Boolean(new RegExp(text, "v"));
  } catch {
    return false;
  }
}
