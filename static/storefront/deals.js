/**
 * The deal of the hour: at each full hour another product costs a fifth less. A demonstration's prices have to move, and every
 * tab that looks at the clock comes to the same deal.
 *
 * @typedef {{sku: string, priceCents: number}} Deal
 */

const HOUR_MS = 3_600_000;
/** One of each department, in turn. */
export const DEAL_SKUS = ["SH-104", "BG-206", "OD-304", "KT-404", "DK-505", "AU-603"];

/** @param {import("./catalogue.js").Catalogue} catalogue with the usual prices @param {Date} date @returns {Deal} */
export function dealAt(catalogue, date) {
  const sku = DEAL_SKUS[Math.floor(date.getTime() / HOUR_MS) % DEAL_SKUS.length];
  const { priceCents } = /** @type {import("./catalogue.js").Product} */ (catalogue.find(sku));
  return { sku, priceCents: Math.round(priceCents * 0.8) };
}

/**
 * Shows the deal of this hour, and of each one that comes while the page lives.
 *
 * @param {import("./store.js").Store} store with the usual prices
 * @param {object} [clock]
 * @param {() => Date} [clock.now]
 * @param {(callback: () => void, ms: number) => unknown} [clock.later]
 */
export function runDeals(
  { catalogue, showDeal },
  { now = () => new Date(), later = (callback, ms) => setTimeout(callback, ms) } = {},
) {
  function turn() {
    const date = now();
    showDeal(dealAt(catalogue, date));
    later(turn, HOUR_MS - (date.getTime() % HOUR_MS));
  }
  turn();
}
