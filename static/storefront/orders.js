import { makeCart, restoreLine } from "./cart.js";
import { readDetails } from "./delivery.js";

/**
 * @typedef {import("./cart.js").CartLine} CartLine
 * @typedef {import("./delivery.js").Details} Details
 *
 * @typedef {object} Bill
 * @property {string} id
 * @property {string} placedAt ISO, a moment
 * @property {readonly CartLine[]} lines
 * @property {number} deliveryCents
 * @property {number} giftCents what a gift card has taken off
 *
 * @typedef {Bill & Details & {totalCents: number}} Order immutable; `totalCents` is with the delivery, less the gift card
 */

/** How many orders one browser keeps; the oldest go. */
export const ORDERS_KEPT = 20;

/** 32 signs that nobody takes for one another. */
const SIGNS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
const ID = new RegExp(`^PH-[${SIGNS}]{6}$`);

/** @returns {string} */
export function newOrderId() {
  const bytes = crypto.getRandomValues(new Uint8Array(6));
  return `PH-${Array.from(bytes, (byte) => SIGNS[byte % SIGNS.length]).join("")}`;
}

/**
 * @param {Bill} bill
 * @param {Details} details
 * @returns {Order}
 */
export const makeOrder = (bill, details) =>
  Object.freeze({
    ...bill,
    ...details,
    totalCents: makeCart(0, bill.lines).totalCents + bill.deliveryCents - bill.giftCents,
  });

/** @param {unknown} cents @returns {cents is number} */
const isPrice = (cents) => typeof cents === "number" && Number.isSafeInteger(cents) && cents >= 0;

/** @param {unknown} date @returns {date is string} */
const isMoment = (date) => typeof date === "string" && !Number.isNaN(Date.parse(date));

/** @param {unknown} saved @returns {Order | null} null for what is no order */
function restoreOrder(saved) {
  const { id, placedAt, lines: savedLines, deliveryCents, giftCents = 0 } = Object(saved);
  const { details, problems } = readDetails(saved);
  const lines = Array.isArray(savedLines) ? savedLines.map(restoreLine) : [];
  const isWhole =
    typeof id === "string" &&
    ID.test(id) &&
    isMoment(placedAt) &&
    isPrice(deliveryCents) &&
    isPrice(giftCents) &&
    Object.keys(problems).length === 0 &&
    lines.length > 0;
  if (!isWhole || !lines.every((line) => line !== null)) return null;
  const bill = { id, placedAt, lines: Object.freeze(lines), deliveryCents, giftCents };
  const order = makeOrder(bill, details);
  return isPrice(order.totalCents) ? order : null;
}

/**
 * Reads saved orders, which may be spoiled: what is no order is left out. Names and prices are those of the day of the order.
 *
 * @param {unknown} saved a list, newest first, if all is well
 * @returns {readonly Order[]}
 */
export function restoreOrders(saved) {
  /** @type {Map<string, Order>} */
  const restored = new Map();
  for (const order of Array.isArray(saved) ? saved.map(restoreOrder) : [])
    if (order) restored.set(order.id, order);
  return Object.freeze([...restored.values()].slice(0, ORDERS_KEPT));
}

/** @param {readonly Order[]} orders @param {Order} order @returns {readonly Order[]} newest first */
export const withOrder = (orders, order) => Object.freeze([order, ...orders].slice(0, ORDERS_KEPT));

/** @param {readonly Order[]} orders @param {unknown} id in any case @returns {Order | undefined} */
export function findOrder(orders, id) {
  const wanted = typeof id === "string" ? id.trim().toUpperCase() : "";
  return orders.find((order) => order.id === wanted);
}
