import { shopError } from "./errors.js";
import { comparePath } from "./routes.js";

/**
 * @typedef {import("./catalogue.js").Catalogue} Catalogue
 * @typedef {import("./catalogue.js").Product} Product
 * @typedef {Pick<Product, "sku" | "name" | "priceCents" | "stock" | "rating">} Column
 * @typedef {{label: string, values: string[]}} Row a value for each column; "–" where the shop says nothing
 * @typedef {{path: string, columns: Column[], rows: Row[]}} Comparison
 */

/** How many products are seen side by side. */
export const MOST_COMPARED = 4;

/** @param {Catalogue} catalogue @param {readonly unknown[]} skus @returns {Product[]} each once */
function needProducts(catalogue, skus) {
  const products = new Set();
  for (const sku of skus) {
    const product = catalogue.find(sku);
    if (!product) throw shopError("UNKNOWN_SKU", `There is no product ${JSON.stringify(sku)}.`);
    products.add(product);
  }
  return [...products];
}

/** @param {readonly Product[]} products @returns {Row[]} what most of them tell comes first */
function rowsOf(products) {
  const facts = products.map(
    ({ details }) => new Map(details.map(({ label, value }) => [label, value])),
  );
  const labels = new Set(facts.flatMap((fact) => [...fact.keys()]));
  const count = (/** @type {string} */ label) => facts.filter((fact) => fact.has(label)).length;
  return [...labels]
    .sort((one, other) => count(other) - count(one))
    .map((label) => ({ label, values: facts.map((fact) => fact.get(label) ?? "–") }));
}

/**
 * Puts products side by side.
 *
 * @param {Catalogue} catalogue
 * @param {readonly unknown[]} skus
 * @returns {Comparison}
 * @throws {Error} `UNKNOWN_SKU`, `BAD_COMPARISON` unless there are 2 to 4 different ones
 */
export function compare(catalogue, skus) {
  const products = needProducts(catalogue, skus);
  if (products.length < 2 || products.length > MOST_COMPARED)
    throw shopError("BAD_COMPARISON", `Choose 2 to ${MOST_COMPARED} different products.`);
  return {
    path: comparePath(products.map(({ sku }) => sku)),
    columns: products.map(({ sku, name, priceCents, stock, rating }) => ({
      sku,
      name,
      priceCents,
      stock,
      rating,
    })),
    rows: rowsOf(products),
  };
}
