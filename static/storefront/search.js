/**
 * @typedef {import("./catalogue.js").Product} Product
 * @typedef {import("./routes.js").Filter} Filter
 */

/** @param {string} text @returns {string} without case and accents, so that "tokyo" finds "Tōkyō" */
export const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** @param {Product} product */
const haystack = ({ sku, name, category, tags, description }) =>
  fold([sku, name, category, ...tags, description].join(" "));

/** @type {Record<import("./routes.js").Sort, (one: Product, other: Product) => number>} */
const orders = {
  featured: () => 0,
  "price-asc": (one, other) => one.priceCents - other.priceCents,
  "price-desc": (one, other) => other.priceCents - one.priceCents,
  rating: (one, other) =>
    (other.rating ?? 0) - (one.rating ?? 0) || other.reviewCount - one.reviewCount,
};

/**
 * The products of a shelf: every word must occur somewhere in what the shop says about them.
 *
 * @param {readonly Product[]} products
 * @param {Pick<Filter, "q" | "category" | "sort">} filter
 * @returns {Product[]}
 */
export function selectProducts(products, { q, category, sort }) {
  const words = fold(q).split(/\s+/).filter(Boolean);
  return products
    .filter((product) => category === "" || product.category === category)
    .filter(
      (product) => words.length === 0 || words.every((word) => haystack(product).includes(word)),
    )
    .sort(orders[sort]);
}
