import { categories } from "./catalogue.js";
import { shopError } from "./errors.js";
import { parseRoute } from "./routes.js";

/**
 * @typedef {import("./store.js").Store} Store
 * @typedef {import("./catalogue.js").Product} Product
 */

/** @param {Product} product */
function summary({
  sku,
  name,
  category,
  priceCents,
  stock,
  rating,
  reviewCount,
  tags,
  description,
}) {
  return {
    sku,
    name,
    category,
    priceCents,
    stock,
    rating,
    reviewCount,
    tags: [...tags],
    description,
  };
}

/** @param {Product} product */
const withDetails = (product) => ({
  ...summary(product),
  details: product.details.map((detail) => ({ ...detail })),
});

/**
 * What Python may use of the page. JSON in, JSON out; whatever is called here is an agent's doing.
 *
 * @param {Store} store
 */
export function shopFunctions(store) {
  const { catalogue } = store;

  /** @template Result @param {unknown} sku @param {(product: Product) => Result} read */
  function look(sku, read) {
    const product = catalogue.find(sku);
    if (!product) return null;
    store.touch(product.sku);
    return read(product);
  }

  /** @param {import("./cart.js").Cart} cart */
  const copy = ({ version, lines, totalCents }) => ({
    version,
    lines: lines.map((line) => ({ ...line })),
    totalCents,
  });

  /** @param {unknown} sku what the cart was changed for @param {import("./cart.js").Cart} cart */
  function shown(sku, cart) {
    look(sku, () => null);
    return copy(cart);
  }

  return {
    products: () => catalogue.products.map(summary),

    /** @param {unknown} sku @returns the product with `details`, or null */
    product: (sku) => look(sku, withDetails),

    /** @param {unknown} sku @returns its reviews, newest first, or null */
    reviews: (sku) => look(sku, (product) => product.reviews.map((review) => ({ ...review }))),

    cart() {
      store.adopt();
      return copy(store.getSnapshot().cart);
    },

    /** @param {unknown} sku @param {unknown} pieces on top of those in the cart */
    add: (sku, pieces) => shown(sku, store.add(sku, pieces, "agent")),

    /** @param {unknown} sku @param {unknown} quantity 0 removes the line */
    put: (sku, quantity) => shown(sku, store.put(sku, quantity, "agent")),

    clear: () => copy(store.clear("agent")),

    /**
     * @param {string} path
     * @returns the path that the page shows now
     * @throws {Error} `BAD_PATH` or `UNKNOWN_SKU` where there would be nothing to see
     */
    show(path) {
      const { page, sku, category } = parseRoute(path);
      if (page === "missing") {
        const said = `There is no page ${path}; use /, /?q=…&category=…, /product/<sku> or /cart.`;
        throw shopError("BAD_PATH", said);
      }
      if (category && !categories.some(({ id }) => id === category)) {
        const departments = categories.map(({ id }) => id).join(", ");
        throw shopError("BAD_PATH", `There is no category ${category}; use ${departments}.`);
      }
      if (page === "product") store.need(sku);
      return store.navigate(path, { by: "agent" });
    },
  };
}
