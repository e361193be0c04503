import { shopError } from "./errors.js";
import { formatPrice } from "./format.js";

/**
 * A price that somebody waits for.
 *
 * @typedef {{id: string, sku: string, belowCents: number}} Watch
 */

export const MOST_WATCHED = 4;

/**
 * @param {readonly Watch[]} watches
 * @param {Watch} watch takes the place of the one with its id
 * @returns {readonly Watch[]}
 * @throws {Error} `TOO_MANY_WATCHES`
 */
export function withWatch(watches, watch) {
  const others = watches.filter(({ id }) => id !== watch.id);
  if (others.length === MOST_WATCHED)
    throw shopError(
      "TOO_MANY_WATCHES",
      `${MOST_WATCHED} prices are watched already; the person can stop one in the page.`,
    );
  return Object.freeze([...others, Object.freeze(watch)]);
}

/** @param {Watch} watch @param {import("./catalogue.js").Product} product @returns {boolean} */
export const isBelow = ({ belowCents }, { priceCents }) => priceCents < belowCents;

/** @param {Watch} watch @param {import("./catalogue.js").Product} product what there is to tell at this moment */
export const watchSentence = (watch, product) =>
  `${product.name} costs ${formatPrice(product.priceCents)} now, ` +
  `${isBelow(watch, product) ? "below" : "not yet below"} ${formatPrice(watch.belowCents)}.`;
