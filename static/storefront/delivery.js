import { shopError } from "./errors.js";

/**
 * @typedef {"name" | "email" | "street" | "extra" | "postcode" | "city"} FieldId
 * @typedef {Record<FieldId | "delivery", string>} Details who gets an order, where, and how: `delivery` is an id of `deliveries`
 * @typedef {Partial<Record<keyof Details, string>>} Problems by field, each a sentence that says what to do
 *
 * @typedef {object} Field
 * @property {FieldId} id
 * @property {string} label
 * @property {number} most characters
 * @property {string} autoComplete
 * @property {string} [missing] what to do where it is empty; a field without it may stay so
 * @property {RegExp} [shape]
 * @property {string} [wrong] what to do where it has another shape
 */

/** In the order of the form. @type {readonly Field[]} */
export const fields = [
  { id: "name", label: "Name", most: 60, autoComplete: "name", missing: "Enter a name." },
  {
    id: "email",
    label: "Email",
    most: 100,
    autoComplete: "email",
    missing: "Enter an email address.",
    shape: /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/,
    wrong: "Enter an email address like ada@harbour.example.",
  },
  {
    id: "street",
    label: "Street and number",
    most: 80,
    autoComplete: "address-line1",
    missing: "Enter the street and the number.",
  },
  { id: "extra", label: "Flat, floor or company", most: 80, autoComplete: "address-line2" },
  {
    id: "postcode",
    label: "Postcode",
    most: 10,
    autoComplete: "postal-code",
    missing: "Enter the postcode.",
    shape: /^[\p{L}\d][\p{L}\d -]*[\p{L}\d]$/u,
    wrong: "Enter a postcode of letters, digits, blanks and hyphens, like 2333 AB.",
  },
  {
    id: "city",
    label: "City",
    most: 60,
    autoComplete: "address-level2",
    missing: "Enter the city.",
  },
];

export const deliveries = [
  { id: "standard", label: "Mail boat", days: "three to five days", cents: 490 },
  { id: "express", label: "Speedboat", days: "the next working day", cents: 1290 },
  { id: "economy", label: "With the tide", days: "up to two weeks", cents: 0 },
];

/** @type {Readonly<Details>} */
export const noDetails = Object.freeze({
  name: "",
  email: "",
  street: "",
  extra: "",
  postcode: "",
  city: "",
  delivery: "standard",
});

/** @param {string} id @returns what the shop calls a delivery, how long it takes and what it costs; undefined for no id */
export const findDelivery = (id) => deliveries.find((delivery) => delivery.id === id);

/** @param {unknown} text @returns {string} on one line, without blanks around it; "" for what is no text */
const tidy = (text) => (typeof text === "string" ? text.replace(/[\s\p{Cc}]+/gu, " ").trim() : "");

/** @param {Field} field @param {string} text @returns {string | undefined} */
function problemOf({ most, missing, shape, wrong }, text) {
  if (text === "") return missing;
  if (text.length > most) return `Use ${most} characters at most.`;
  return shape && !shape.test(text) ? wrong : undefined;
}

/** @param {unknown} given @returns {string} an email address @throws {Error} `BAD_ADDRESS` */
export function checkEmail(given) {
  const email = tidy(given);
  const field = /** @type {Field} */ (fields.find(({ id }) => id === "email"));
  const problem = problemOf(field, email);
  if (problem) throw shopError("BAD_ADDRESS", problem);
  return email;
}

/**
 * Reads what a person, an agent or an older shop gave as details.
 *
 * @param {unknown} given
 * @returns {{details: Details, problems: Problems}} no problems: the details may be used
 */
export function readDetails(given) {
  const texts = /** @type {Record<string, unknown>} */ (Object(given));
  const details = { ...noDetails, delivery: tidy(texts.delivery) };
  /** @type {Problems} */
  const problems = {};
  for (const field of fields) {
    details[field.id] = tidy(texts[field.id]);
    const problem = problemOf(field, details[field.id]);
    if (problem) problems[field.id] = problem;
  }
  if (!findDelivery(details.delivery))
    problems.delivery = `Choose one of ${deliveries.map(({ id }) => id).join(", ")}.`;
  return { details, problems };
}

/**
 * @param {unknown} given
 * @returns {Details}
 * @throws {Error} `BAD_ADDRESS` that names each field at fault
 */
export function checkDetails(given) {
  const { details, problems } = readDetails(given);
  const said = Object.entries(problems).map(([field, problem]) => `${field}: ${problem}`);
  if (said.length > 0) throw shopError("BAD_ADDRESS", said.join(" "));
  return details;
}
