import { shopError } from "./errors.js";

/**
 * @typedef {import("./catalogue.js").Product} Product
 * @typedef {import("./catalogue.js").Catalogue} Catalogue
 * @typedef {{sku: string, name: string, quantity: number, unitPriceCents: number, lineCents: number}} CartLine
 * @typedef {{version: number, lines: readonly CartLine[], totalCents: number}} Cart `version` grows with each change
 */

export const MAX_PER_LINE = 20;

/** @param {Product} product @returns {number} how many of it one cart may hold */
export const limitOf = (product) => Math.min(product.stock, MAX_PER_LINE);

/** @param {Pick<Product, "sku" | "name" | "priceCents">} product @param {number} quantity @returns {CartLine} */
function cartLine({ sku, name, priceCents }, quantity) {
  return Object.freeze({
    sku,
    name,
    quantity,
    unitPriceCents: priceCents,
    lineCents: priceCents * quantity,
  });
}

/**
 * Reads a line that was sold, at the price of its day.
 *
 * @param {unknown} saved `{sku, name, quantity, unitPriceCents}` if all is well
 * @returns {CartLine | null} null for what is no line
 */
export function restoreLine(saved) {
  const { sku, name, quantity, unitPriceCents } = Object(saved);
  const isWhole =
    typeof sku === "string" &&
    typeof name === "string" &&
    isCount(quantity) &&
    quantity > 0 &&
    Number.isSafeInteger(unitPriceCents) &&
    unitPriceCents >= 0;
  return isWhole ? cartLine({ sku, name, priceCents: unitPriceCents }, quantity) : null;
}

/** @param {number} version @param {readonly CartLine[]} lines @returns {Cart} */
export function makeCart(version, lines) {
  const totalCents = lines.reduce((total, line) => total + line.lineCents, 0);
  return Object.freeze({ version, lines: Object.freeze([...lines]), totalCents });
}

/** @param {Cart} cart @param {string} sku */
export const quantityOf = (cart, sku) => cart.lines.find((line) => line.sku === sku)?.quantity ?? 0;

/** @param {{lines: readonly CartLine[]}} cart or an order */
export const countPieces = ({ lines }) => lines.reduce((count, line) => count + line.quantity, 0);

/** @param {readonly CartLine[]} one @param {readonly CartLine[]} other */
export function sameLines(one, other) {
  return (
    one.length === other.length &&
    one.every((line, i) => line.sku === other[i].sku && line.quantity === other[i].quantity)
  );
}

/** @param {unknown} count @returns {count is number} whether a line may have that many, or that many be added */
const isCount = (count) =>
  typeof count === "number" && Number.isInteger(count) && count >= 0 && count <= MAX_PER_LINE;

/**
 * @param {Product} product
 * @param {unknown} quantity
 * @returns {number} the quantity, checked; 0 stands for removal
 * @throws {Error} `BAD_QUANTITY` unless it is a whole number from 0 to 20, `OUT_OF_STOCK` above what there is
 */
function checkQuantity(product, quantity) {
  if (!isCount(quantity)) {
    throw shopError(
      "BAD_QUANTITY",
      `The quantity must be a whole number from 1 to ${MAX_PER_LINE}, or 0 to remove the line.`,
    );
  }
  if (quantity <= product.stock) return quantity;
  const { name, stock } = product;
  const problem =
    stock === 0
      ? "is out of stock; choose another product"
      : `has only ${stock} left; ask for ${stock} or fewer`;
  throw shopError("OUT_OF_STOCK", `${name} ${problem}.`);
}

/**
 * Sets the quantity of one line. The same cart comes back where nothing changes.
 *
 * @param {Cart} cart
 * @param {Product} product
 * @param {unknown} wanted 0 removes the line
 * @returns {Cart}
 */
export function withQuantity(cart, product, wanted) {
  const quantity = checkQuantity(product, wanted);
  const before = quantityOf(cart, product.sku);
  if (quantity === before) return cart;
  const line = cartLine(product, quantity);
  if (before === 0) return makeCart(cart.version + 1, [...cart.lines, line]);
  const lines = cart.lines.map((old) => (old.sku === product.sku ? line : old));
  return makeCart(
    cart.version + 1,
    lines.filter(({ quantity: kept }) => kept > 0),
  );
}

/**
 * Puts pieces on top of those that the cart has.
 *
 * @param {Cart} cart
 * @param {Product} product
 * @param {unknown} pieces
 * @returns {Cart}
 * @throws {Error} `BAD_QUANTITY` unless it is a whole number from 1 and the line stays within 20, `OUT_OF_STOCK` above
 *   what there is
 */
export function withMore(cart, product, pieces) {
  if (!isCount(pieces) || pieces < 1) {
    throw shopError(
      "BAD_QUANTITY",
      `The pieces to add must be a whole number from 1 to ${MAX_PER_LINE}.`,
    );
  }
  const before = quantityOf(cart, product.sku);
  const room = limitOf(product) - before;
  if (before === 0 || pieces <= room) return withQuantity(cart, product, before + pieces);
  const { name, stock } = product;
  const cure = room > 0 ? `add ${room} at most` : "no more can be added";
  if (stock < before + pieces) {
    throw shopError(
      "OUT_OF_STOCK",
      `${name} has only ${stock} left, ${before} in the cart; ${cure}.`,
    );
  }
  throw shopError(
    "BAD_QUANTITY",
    `A cart holds ${MAX_PER_LINE} pieces of ${name}, and has ${before}; ${cure}.`,
  );
}

/**
 * Reads a saved cart, which may be of an older shop or spoiled: unknown products go, quantities are brought within bounds,
 * prices are today's.
 *
 * @param {unknown} saved `{version, lines: [{sku, quantity}]}` if all is well
 * @param {Catalogue} catalogue
 * @returns {Cart}
 */
export function restoreCart(saved, catalogue) {
  const { version, lines } = /** @type {{version?: unknown, lines?: unknown}} */ (Object(saved));
  /** @type {Map<string, CartLine>} */
  const restored = new Map();
  for (const line of Array.isArray(lines) ? lines : []) {
    const product = catalogue.find(line?.sku);
    const wanted = typeof line?.quantity === "number" ? line.quantity : 0;
    const quantity = product ? Math.min(wanted, limitOf(product)) : 0;
    if (product && Number.isInteger(quantity) && quantity > 0)
      restored.set(product.sku, cartLine(product, quantity));
  }
  const known =
    typeof version === "number" && Number.isSafeInteger(version) && version > 0 ? version : 0;
  return makeCart(known, [...restored.values()]);
}
