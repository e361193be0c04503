import { formatPrice, plural } from "./format.js";

/** @typedef {import("../answers.js").Answer} Answer */

const SUMMARY_CHARS = 120;
const SENTENCE_END = /(?<=[.!?])\s/;

/** @param {{lines: {quantity: number}[], total_cents: number}} cart */
const cartWords = ({ lines, total_cents }) =>
  lines.length === 0
    ? "The cart is empty"
    : `${plural(
        lines.reduce((sum, { quantity }) => sum + quantity, 0),
        "piece",
      )}, ${formatPrice(total_cents)}`;

/** By tool, what matters of its answer. @type {Record<string, (data: any) => string>} */
const SUMMARIES = {
  search_products: ({ total, products }) =>
    total === 0
      ? "Nothing found"
      : `${total} found: ${products.map((/** @type {{name: string}} */ { name }) => name).join(", ")}`,
  list_cart: cartWords,
  add_to_cart: cartWords,
  set_quantity: cartWords,
  clear_cart: cartWords,
  compare_products: ({ summary }) => summary,
  start_checkout: ({ cart_cents, deliveries }) =>
    `${formatPrice(cart_cents)} to pay, ${plural(deliveries.length, "delivery", "deliveries")} to choose from`,
  place_order: ({ id, total_cents }) => `${id}, ${formatPrice(total_cents)}`,
  get_order: ({ id, total_cents }) => `${id}, ${formatPrice(total_cents)}`,
};

/** @param {string} tool @returns {string} for people */
export function titleOf(tool) {
  const words = tool.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** @param {string} text */
const shortened = (text) =>
  text.length > SUMMARY_CHARS ? `${text.slice(0, SUMMARY_CHARS).trimEnd()}…` : text;

/** @param {string} tool @param {any} answer @returns {string} one line */
export function summaryOf(tool, answer) {
  const data = answer.structuredContent;
  if (answer.isError) return shortened(data?.error?.message ?? "It failed.");
  const [text] = (answer.content[0]?.text ?? "").split(SENTENCE_END); // the rest is for the model
  try {
    return shortened(SUMMARIES[tool]?.(data) ?? text);
  } catch {
    return shortened(text); // another version of the tool
  }
}

/** @param {string} input JSON text of a model, which may be none @returns {unknown} */
export function parsed(input) {
  try {
    return JSON.parse(input);
  } catch {
    return { input };
  }
}
