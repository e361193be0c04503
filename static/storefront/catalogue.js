import { audio } from "./catalogue/audio.js";
import { bags } from "./catalogue/bags.js";
import { desk } from "./catalogue/desk.js";
import { kitchen } from "./catalogue/kitchen.js";
import { outdoor } from "./catalogue/outdoor.js";
import { signReviews } from "./catalogue/reviewers.js";
import { shoes } from "./catalogue/shoes.js";

/**
 * A product as it is written down: `reviews` are [stars, text], `picture` is [drawing, palette].
 *
 * @typedef {object} Entry
 * @property {string} sku
 * @property {string} name
 * @property {number} priceCents
 * @property {number} stock
 * @property {string[]} tags
 * @property {string} description
 * @property {Record<string, string>} details
 * @property {[string, string]} picture
 * @property {[number, string][]} reviews
 *
 * @typedef {{author: string, rating: number, date: string, text: string}} Review
 * @typedef {{label: string, value: string}} Detail
 *
 * @typedef {object} Product
 * @property {string} sku
 * @property {string} name
 * @property {string} category an id of `categories`
 * @property {number} priceCents euro cents
 * @property {number} [usualCents] what a deal costs at other times
 * @property {number} stock pieces
 * @property {number | null} rating mean of the stars with one decimal; null without reviews
 * @property {number} reviewCount
 * @property {string[]} tags
 * @property {string} description
 * @property {Detail[]} details
 * @property {{drawing: string, palette: string}} picture
 * @property {Review[]} reviews newest first
 *
 * @typedef {{products: readonly Product[], find: (sku: unknown) => Product | undefined}} Catalogue
 */

/** The departments, in the order in which the shop shows them. */
export const categories = [
  { id: "shoes", label: "Shoes" },
  { id: "bags", label: "Bags" },
  { id: "outdoor", label: "Outdoor" },
  { id: "kitchen", label: "Kitchen" },
  { id: "desk", label: "Desk" },
  { id: "audio", label: "Audio" },
];

/** @type {Record<string, Entry[]>} */
const entries = { shoes, bags, outdoor, kitchen, desk, audio };

/** @param {Review[]} reviews */
function meanRating(reviews) {
  if (reviews.length === 0) return null;
  const sum = reviews.reduce((total, { rating }) => total + rating, 0);
  return Math.round((sum / reviews.length) * 10) / 10;
}

/** @param {Entry} entry @param {string} category @returns {Product} */
function readEntry({ details, picture: [drawing, palette], reviews: texts, ...entry }, category) {
  const reviews = signReviews(entry.sku, texts);
  return {
    ...entry,
    category,
    rating: meanRating(reviews),
    reviewCount: reviews.length,
    details: Object.entries(details).map(([label, value]) => ({ label, value })),
    picture: { drawing, palette },
    reviews,
  };
}

/**
 * `find` forgives case and outer blanks, and answers undefined for whatever else is no SKU of these products.
 *
 * @param {readonly Product[]} products
 * @returns {Catalogue}
 */
export function createCatalogue(products) {
  const bySku = new Map(products.map((product) => [product.sku, product]));
  return {
    products,
    find: (sku) => (typeof sku === "string" ? bySku.get(sku.trim().toUpperCase()) : undefined),
  };
}

/** @returns {Catalogue} the whole shop */
export function openCatalogue() {
  return createCatalogue(
    categories.flatMap(({ id }) => entries[id].map((entry) => readEntry(entry, id))),
  );
}
