import { categories } from "./catalogue.js";
import { compare } from "./comparison.js";
import { deliveries } from "./delivery.js";
import { shopError } from "./errors.js";
import { CARD_HEADER, takenOff } from "./gift-cards.js";
import { findOrder } from "./orders.js";
import { parseRoute } from "./routes.js";

/**
 * @typedef {import("./store.js").Store} Store
 * @typedef {import("./catalogue.js").Product} Product
 * @typedef {import("./cart.js").CartLine} CartLine
 * @typedef {import("./orders.js").Order} Order
 */

/** What a step on the way to an order takes. A demo: a real shop would wait for its servers. */
const STEP_MS = 400;

/** @param {number} ms @returns {Promise<void>} */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

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

/** @param {readonly CartLine[]} lines */
const copyLines = (lines) => lines.map((line) => ({ ...line }));

/** @param {Order} order */
const copyOrder = (order) => ({ ...order, lines: copyLines(order.lines) });

/** @param {import("./cart.js").Cart} cart */
const copyCart = (cart) => ({ ...cart, lines: copyLines(cart.lines) });

/**
 * What Python may use of the page. JSON in, JSON out; whatever is called here is an agent's doing.
 *
 * @param {Store} store
 * @param {(ms: number) => Promise<void>} [wait]
 */
export function shopFunctions(store, wait = pause) {
  /** @template Result @param {unknown} sku @param {(product: Product) => Result} read */
  function look(sku, read) {
    const product = store.catalogue.find(sku);
    if (!product) return null;
    store.touch(product.sku);
    return read(product);
  }

  /** The orders of every tab. */
  function orders() {
    store.adopt();
    return store.getSnapshot().orders;
  }

  /** @param {unknown} sku what the cart was changed for @param {import("./cart.js").Cart} cart */
  function shown(sku, cart) {
    look(sku, () => null);
    return copyCart(cart);
  }

  return {
    products: () => store.catalogue.products.map(summary),

    /** @param {unknown} sku @returns the product with `details`, or null */
    product: (sku) => look(sku, withDetails),

    /** @param {unknown} sku @returns its reviews, newest first, or null */
    reviews: (sku) => look(sku, (product) => product.reviews.map((review) => ({ ...review }))),

    /** @param {unknown[]} skus @returns two to four products side by side @throws {Error} `UNKNOWN_SKU`, `BAD_COMPARISON` */
    comparison(skus) {
      const comparison = compare(store.catalogue, skus);
      for (const { sku } of comparison.columns) store.touch(sku);
      return comparison;
    },

    /** @returns {number} what the gift card in use takes off at most */
    giftCents: () => store.getSnapshot().giftCard?.cents ?? 0,

    /**
     * @param {Record<string, string>} headers of the page's credential
     * @param {number | null} most cents to take off
     * @returns what the card takes off at most, and the cart that is to pay
     * @throws {Error} `EMPTY_CART`, `BAD_GIFT_CARD`
     */
    useCard(headers, most) {
      const { totalCents } = store.needLines();
      store.useCard(headers[CARD_HEADER], { by: "agent", most });
      const { giftCard } = store.getSnapshot();
      return {
        cardCents: giftCard?.cents ?? 0,
        cartCents: totalCents,
        leftCents: totalCents - takenOff(giftCard, totalCents),
      };
    },

    /** @param {string} id @param {string} sku @param {number} belowCents @throws {Error} `UNKNOWN_SKU`, `TOO_MANY_WATCHES` */
    watch: (id, sku, belowCents) => store.watch({ id, sku, belowCents }),

    /** @param {string} id of a watch, which may be over */
    unwatch: (id) => store.unwatch(id),

    /** @param {import("./store.js").Message} message shown, not sent @throws {Error} `BAD_ADDRESS` */
    showMessage: (message) => store.showMessage(message),

    cart() {
      store.adopt();
      return copyCart(store.getSnapshot().cart);
    },

    /** The cart's, which grows with each change, also by a person or in another tab. */
    version() {
      store.adopt();
      return store.getSnapshot().cart.version;
    },

    /** @param {unknown} sku @param {unknown} pieces on top of those in the cart */
    add: (sku, pieces) => shown(sku, store.add(sku, pieces, "agent")),

    /** @param {unknown} sku @param {unknown} quantity 0 removes the line @param {number} version that was read */
    put: (sku, quantity, version) => shown(sku, store.put(sku, quantity, "agent", version)),

    /** @param {number} version that was read */
    clear: (version) => copyCart(store.clear("agent", version)),

    /**
     * @returns what is to pay, and how it may be delivered
     * @throws {Error} `EMPTY_CART`
     */
    checkout() {
      const { version, totalCents } = store.needLines();
      return {
        cartVersion: version,
        cartCents: totalCents,
        deliveries: deliveries.map((delivery) => ({ ...delivery })),
      };
    },

    /** @param {boolean} isOwner whether this is the tab in which agents order */
    showOwner: (isOwner) => store.showOwner(isOwner),

    /** @param {unknown} details @throws {Error} `EMPTY_CART` or `BAD_ADDRESS`, as `place` would */
    check: (details) => void store.check(details),

    /** Takes its time, and reserves nothing. */
    reserve: () => wait(STEP_MS),

    /** Takes its time, and books nothing. */
    book: () => wait(STEP_MS),

    /** @param {unknown} details @param {number} version that was read @returns the order, whose page the person sees then */
    place: (details, version) => copyOrder(store.place(details, "agent", version)),

    /** @param {unknown} id @returns the order, or null */
    order(id) {
      const order = findOrder(orders(), id);
      return order ? copyOrder(order) : null;
    },

    /** Newest first. */
    orders: () => orders().map(copyOrder),

    /**
     * @param {string} path
     * @returns the path that the page shows now
     * @throws {Error} `BAD_PATH`, `UNKNOWN_SKU` or `UNKNOWN_ORDER` where there would be nothing to see
     */
    show(path) {
      const { page, sku, skus, orderId, category } = parseRoute(path);
      if (page === "missing") {
        const pages =
          "/, /?q=…&category=…, /product/<sku>, /compare?skus=<sku>,<sku>, /cart, /checkout, /orders or /order/<id>";
        throw shopError("BAD_PATH", `There is no page ${path}; use ${pages}.`);
      }
      if (category && !categories.some(({ id }) => id === category)) {
        const departments = categories.map(({ id }) => id).join(", ");
        throw shopError("BAD_PATH", `There is no category ${category}; use ${departments}.`);
      }
      if (page === "product") store.need(sku);
      if (page === "compare") compare(store.catalogue, skus);
      if (page === "order" && !findOrder(orders(), orderId))
        throw shopError(
          "UNKNOWN_ORDER",
          `There is no order ${orderId}; /orders shows what there is.`,
        );
      return store.navigate(path, { by: "agent" });
    },
  };
}
