import { categories } from "./catalogue.js";
import { shopError } from "./errors.js";

/**
 * @typedef {"catalogue" | "product" | "cart" | "checkout" | "order" | "orders" | "compare" | "message" | "missing"} PageName
 * @typedef {"featured" | "price-asc" | "price-desc" | "rating"} Sort
 * @typedef {{q: string, category: string, sort: Sort}} Filter `category` is "" for all
 * @typedef {{page: PageName, path: string, sku: string, orderId: string, skus: readonly string[]} & Filter} Route
 */

/** @type {{id: Sort, label: string}[]} */
export const sorts = [
  { id: "featured", label: "As on the shelf" },
  { id: "price-asc", label: "Price, low to high" },
  { id: "price-desc", label: "Price, high to low" },
  { id: "rating", label: "Best rated" },
];

const HOST = "http://shop.invalid";
/** @type {{sku: string, orderId: string, skus: readonly string[]} & Filter} */
const NOTHING = { sku: "", orderId: "", skus: [], q: "", category: "", sort: "featured" };
/** @type {PageName[]} pages whose path is their name */
const PLAIN = ["cart", "checkout", "orders", "message"];

/** @param {Partial<Filter>} filter @returns {string} the address of a shelf; whatever is not asked for is left out */
export function cataloguePath({ q = "", category = "", sort = "featured" }) {
  const query = new URLSearchParams();
  if (q.trim()) query.set("q", q);
  if (category) query.set("category", category);
  if (sort !== "featured") query.set("sort", sort);
  return query.size > 0 ? `/?${query}` : "/";
}

/** @param {string} sku */
export const productPath = (sku) => `/product/${encodeURIComponent(sku)}`;

/** @param {readonly string[]} skus */
export const comparePath = (skus) => `/compare?skus=${skus.map(encodeURIComponent).join(",")}`;

/** @param {string} id */
export const orderPath = (id) => `/order/${encodeURIComponent(id)}`;

/** @param {URLSearchParams} query @returns {Filter} */
function readFilter(query) {
  const sort = sorts.find(({ id }) => id === query.get("sort"))?.id ?? "featured";
  return { q: query.get("q") ?? "", category: (query.get("category") ?? "").toLowerCase(), sort };
}

/** @param {URLSearchParams} query @returns {string[]} each once */
function readSkus(query) {
  const skus = (query.get("skus") ?? "").split(",").map((sku) => sku.trim().toUpperCase());
  return [...new Set(skus.filter(Boolean))];
}

/** @param {string} text */
function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * @param {string} path
 * @returns {URL}
 * @throws {Error} `BAD_PATH` for what is not a path of this site
 */
function readPath(path) {
  const url =
    typeof path === "string" && path.startsWith("/") && URL.canParse(path, HOST)
      ? new URL(path, HOST)
      : null;
  if (url?.origin !== HOST)
    throw shopError(
      "BAD_PATH",
      "A path must begin with one slash, like /product/SH-101 or /?q=tent.",
    );
  return url;
}

/**
 * Reads a path with its query; the route's own `path` is the tidy form of it.
 *
 * @param {string} path
 * @returns {Route}
 * @throws {Error} `BAD_PATH`
 */
export function parseRoute(path) {
  const { pathname, search, searchParams } = readPath(path);
  const [, kind, id] = /^\/(product|order)\/([^/]+)\/?$/.exec(pathname) ?? [];
  if (kind === "product") {
    const sku = decode(id).trim().toUpperCase();
    return { ...NOTHING, page: "product", path: productPath(sku), sku };
  }
  if (kind === "order") {
    const orderId = decode(id).trim().toUpperCase();
    return { ...NOTHING, page: "order", path: orderPath(orderId), orderId };
  }
  if (pathname === "/" || pathname === "/index.html") {
    const filter = readFilter(searchParams);
    return { ...NOTHING, page: "catalogue", path: cataloguePath(filter), ...filter };
  }
  if (/^\/compare\/?$/.test(pathname)) {
    const skus = readSkus(searchParams);
    return { ...NOTHING, page: "compare", path: comparePath(skus), skus };
  }
  const plain = PLAIN.find((name) => pathname === `/${name}` || pathname === `/${name}/`);
  if (plain) return { ...NOTHING, page: plain, path: `/${plain}` };
  return { ...NOTHING, page: "missing", path: pathname + search };
}

/** @param {string} id @returns {string} what the shop calls a category */
export const categoryLabel = (id) => categories.find((category) => category.id === id)?.label ?? id;
