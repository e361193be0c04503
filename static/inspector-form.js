/** A form's fields from a tool's input schema, and the input from what stands in them. */

/**
 * @typedef {object} Field
 * @property {string} name
 * @property {"text" | "number" | "integer" | "choice" | "json"} kind
 * @property {string} label
 * @property {string} description
 * @property {boolean} isRequired
 * @property {string} [example] of JSON text: what it may look like
 * @property {string} initial what stands in it at first
 * @property {unknown[]} [choices]
 * @property {Record<string, number | string>} limits for the control's attributes
 */

/** @typedef {Record<string, any>} Schema */

/** The one field of a tool whose input has no named properties. @type {Field} */
export const WHOLE = {
  name: "input",
  kind: "json",
  label: "Input",
  description: "",
  isRequired: true,
  example: "{}",
  initial: "{}",
  limits: {},
};

/**
 * @param {unknown} schema a tool's input schema
 * @returns {Field[] | null} null: it is no object with named properties, so the whole input is JSON text
 */
export function fieldsOf(schema) {
  const { properties, required, $defs } = /** @type {Schema} */ (Object(schema));
  if (Object(properties) !== properties) return schema === undefined ? [] : null;
  const names = new Set(Array.isArray(required) ? required : []);
  return Object.entries(properties).map(([name, given]) =>
    fieldOf(name, resolved(given, Object($defs)), names.has(name)),
  );
}

/**
 * The input that the fields' texts make. A field that is empty is left out; a text that is required may be empty.
 *
 * @param {Field[]} fields
 * @param {Record<string, string>} texts by the fields' names
 * @returns {{input: Record<string, unknown>} | {problem: string, field: string}} what is wrong, and where
 */
export function inputOf(fields, texts) {
  /** @type {[string, unknown][]} */
  const values = [];
  for (const field of fields) {
    const text = texts[field.name] ?? "";
    if (text === "" && !(field.isRequired && field.kind === "text")) continue;
    try {
      values.push([field.name, valueOf(field, text)]);
    } catch (error) {
      return {
        problem: `${field.label}: ${/** @type {Error} */ (error).message}`,
        field: field.name,
      };
    }
  }
  return { input: Object.fromEntries(values) };
}

/** @param {string} text @returns {{input: unknown} | {problem: string, field: string}} of a form that is one JSON text */
export function wholeInputOf(text) {
  try {
    return { input: parsed(text) };
  } catch (error) {
    return { problem: /** @type {Error} */ (error).message, field: WHOLE.name };
  }
}

/** @param {string} name @param {Schema} schema @param {boolean} isRequired @returns {Field} */
function fieldOf(name, schema, isRequired) {
  const { title, description = "" } = schema;
  const kind = kindOf(schema);
  const choices = choicesOf(schema);
  const given = schema.default ?? (isRequired ? undefined : null);
  return {
    name,
    kind: choices ? "choice" : kind,
    label: typeof title === "string" && title ? `${title} (${name})` : name,
    description: String(description),
    isRequired,
    initial: given === undefined || given === null ? "" : initialText(kind, choices, given),
    limits: limitsOf(kind, schema),
    ...(choices && { choices }),
    ...(kind === "json" && !choices && { example: schema.type === "array" ? "[]" : "{}" }),
  };
}

/** @param {Schema} schema @returns {Exclude<Field["kind"], "choice">} */
function kindOf({ type }) {
  if (type === "string") return "text";
  if (type === "number" || type === "integer") return type;
  return "json";
}

/** @param {Schema} schema @returns {unknown[] | undefined} */
function choicesOf(schema) {
  if (Array.isArray(schema.enum)) return schema.enum;
  if ("const" in schema) return [schema.const];
  const all = schema.oneOf ?? schema.anyOf;
  const isChoice =
    Array.isArray(all) && all.length > 0 && all.every((each) => "const" in Object(each));
  if (isChoice) return all.map((each) => each.const);
  return schema.type === "boolean" ? [true, false] : undefined;
}

/** @param {Field["kind"]} kind @param {Schema} schema @returns {Field["limits"]} */
function limitsOf(kind, { minimum, maximum, minLength, maxLength, multipleOf }) {
  const limits =
    kind === "text"
      ? { minlength: minLength, maxlength: maxLength }
      : kind === "integer"
        ? { min: minimum, max: maximum, step: multipleOf ?? 1 }
        : kind === "number"
          ? { min: minimum, max: maximum, step: multipleOf ?? "any" }
          : {};
  const given = Object.entries(limits).filter(([, limit]) => limit !== undefined);
  return /** @type {Field["limits"]} */ (Object.fromEntries(given));
}

/** @param {Field["kind"]} kind @param {unknown[] | undefined} choices @param {unknown} value */
function initialText(kind, choices, value) {
  if (choices) return JSON.stringify(value); // a choice stands for itself as JSON text
  return kind === "json" ? JSON.stringify(value, null, 1) : String(value);
}

/** @param {Field} field @param {string} text @returns {unknown} @throws {Error} it is none */
function valueOf({ kind }, text) {
  if (kind === "text") return text;
  if (kind !== "number" && kind !== "integer") return parsed(text);
  const number = Number(text);
  if (!Number.isFinite(number)) throw new Error("this is no number.");
  if (kind === "integer" && !Number.isInteger(number)) throw new Error("this is no whole number.");
  refuseInexact(number, text);
  return number;
}

/**
 * Of a larger whole number the tool would be given another one.
 *
 * @param {number} number @param {string} text
 */
function refuseInexact(number, text) {
  if (Number.isSafeInteger(number) || !/^[-+]?\d+$/.test(text)) return;
  const most = Number.MAX_SAFE_INTEGER;
  throw new Error(`${text} is too large: JavaScript counts to ±${most}. A text can hold it.`);
}

/** @param {string} text @returns {unknown} @throws {Error} */
function parsed(text) {
  /** @type {[number, string][]} */
  const numbers = [];
  /** @param {string} _ @param {unknown} value @param {{source?: string}} [context] none in old browsers */
  const read = (_, value, context) => {
    if (typeof value === "number") numbers.push([value, context?.source ?? `${value}`]);
    return value;
  };
  let value;
  try {
    value = JSON.parse(text, read);
  } catch (error) {
    throw new Error(`this is no JSON (${/** @type {Error} */ (error).message}).`);
  }
  for (const [number, source] of numbers) refuseInexact(number, source);
  return value;
}

/**
 * A property's schema, where it is a reference or may be null as well: the one that it is of.
 *
 * @param {unknown} given
 * @param {Schema} defs
 * @param {number} [depth] of references, which may go in a circle
 * @returns {Schema}
 */
function resolved(given, defs, depth = 0) {
  const schema = /** @type {Schema} */ (Object(given));
  const [, name] = /^#\/\$defs\/(.+)$/.exec(schema.$ref ?? "") ?? [];
  if (name !== undefined && depth < 10) {
    const { $ref, ...rest } = schema;
    return { ...resolved(defs[name], defs, depth + 1), ...rest };
  }
  const all = Array.isArray(schema.anyOf) ? schema.anyOf : [];
  const real = all.filter((each) => Object(each).type !== "null");
  if (real.length === 1 && depth < 10) {
    const { anyOf, ...rest } = schema;
    return { ...resolved(real[0], defs, depth + 1), ...rest };
  }
  if (Array.isArray(schema.type)) {
    const types = schema.type.filter((/** @type {unknown} */ type) => type !== "null");
    return types.length === 1 ? { ...schema, type: types[0] } : schema;
  }
  return schema;
}
