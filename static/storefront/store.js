import { makeCart, quantityOf, restoreCart, sameLines, withMore, withQuantity } from "./cart.js";
import { shopError } from "./errors.js";
import { parseRoute } from "./routes.js";

/**
 * @typedef {import("./cart.js").Cart} Cart
 * @typedef {import("./catalogue.js").Product} Product
 * @typedef {"person" | "agent" | "history"} Actor
 *
 * How the shop came to this route: `entry` counts the navigations, `scrollY` is where it was left in CSS pixels.
 * @typedef {import("./routes.js").Route & {entry: number, by: Actor, replace: boolean, scrollY: number}} Visit
 *
 * @typedef {object} Snapshot immutable; a part that has not changed is the same object as before
 * @property {Cart} cart
 * @property {boolean} isCartOpen the drawer
 * @property {Visit} visit
 * @property {Readonly<Record<string, number>>} touched by SKU, what an agent had to do with in the last moments
 * @property {{id: number, text: string}} announcement for people who listen
 *
 * @typedef {ReturnType<typeof createStore>} Store
 */

export const TOUCH_MS = 2600;

/**
 * The shop's one source of truth, free of framework and DOM.
 *
 * @param {object} options
 * @param {import("./catalogue.js").Catalogue} options.catalogue
 * @param {import("./cart-storage.js").CartStorage} options.storage
 * @param {string} [options.path] where the visit begins
 * @param {number} [options.scrollY]
 * @param {(callback: () => void, ms: number) => unknown} [options.later]
 */
export function createStore({
  catalogue,
  storage,
  path = "/",
  scrollY = 0,
  later = (callback, ms) => setTimeout(callback, ms),
}) {
  /** @type {Set<() => void>} */
  const listeners = new Set();
  /** @type {Visit} */
  const visit = { ...parseRoute(path), entry: 0, by: "history", replace: true, scrollY };
  /** @type {Snapshot} */
  let state = Object.freeze({
    cart: restoreCart(storage.readChange(), catalogue),
    isCartOpen: false,
    visit,
    touched: {},
    announcement: { id: 0, text: "" },
  });

  /** @param {Partial<Snapshot>} changes */
  function update(changes) {
    state = Object.freeze({ ...state, ...changes });
    for (const listener of [...listeners]) listener();
  }

  /** @param {string} text */
  const announce = (text) => ({ announcement: { id: state.announcement.id + 1, text } });

  /** @param {unknown} sku @returns {Product} @throws {Error} `UNKNOWN_SKU` */
  function need(sku) {
    const product = catalogue.find(sku);
    if (product) return product;
    const named = JSON.stringify(sku) ?? "without a SKU";
    throw shopError(
      "UNKNOWN_SKU",
      `There is no product ${named}; look the SKU up in the list of products.`,
    );
  }

  /** Takes over what another tab has saved, so that no change is made to an old cart. */
  function adopt() {
    const saved = storage.readChange();
    if (saved === undefined) return;
    const theirs = restoreCart(saved, catalogue);
    if (sameLines(theirs.lines, state.cart.lines)) return;
    const version = Math.max(theirs.version, state.cart.version + 1);
    update({
      cart: makeCart(version, theirs.lines),
      ...announce("The cart was changed in another tab."),
    });
  }

  /** @param {Cart} cart @param {string} news @param {Actor} by */
  function keep(cart, news, by) {
    storage.write({
      version: cart.version,
      lines: cart.lines.map(({ sku, quantity }) => ({ sku, quantity })),
    });
    update({ cart, ...announce(by === "agent" ? `An agent changed the cart. ${news}` : news) });
  }

  /** @param {string} sku @param {number} serial */
  function untouch(sku, serial) {
    if (state.touched[sku] !== serial) return;
    const { [sku]: _, ...touched } = state.touched;
    update({ touched });
  }

  /** @param {Product} product @param {Cart} cart what it becomes @param {Actor} by @returns {Cart} */
  function keepLine({ sku, name }, cart, by) {
    const quantity = quantityOf(cart, sku);
    const news = quantity === 0 ? "removed from the cart." : `${quantity} in the cart.`;
    if (cart !== state.cart) keep(cart, `${name}: ${news}`, by);
    return cart;
  }

  return {
    catalogue,
    getSnapshot: () => state,

    /** @param {() => void} listener @returns {() => void} the inverse */
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    adopt,
    need,

    /**
     * Sets the quantity of a product in the cart.
     *
     * @param {unknown} sku
     * @param {unknown} quantity 0 removes the line, else 1 to 20 and no more than there are
     * @param {Actor} [by]
     * @returns {Cart}
     * @throws {Error} with `code` `UNKNOWN_SKU`, `BAD_QUANTITY` or `OUT_OF_STOCK`
     */
    put(sku, quantity, by = "person") {
      const product = need(sku);
      adopt();
      return keepLine(product, withQuantity(state.cart, product, quantity), by);
    },

    /**
     * Adds pieces of a product to those in the cart.
     *
     * @param {unknown} sku
     * @param {unknown} pieces 1 or more, so that the line stays within 20 and within what there is
     * @param {Actor} [by]
     * @returns {Cart}
     * @throws {Error} as `put` does
     */
    add(sku, pieces, by = "person") {
      const product = need(sku);
      adopt();
      return keepLine(product, withMore(state.cart, product, pieces), by);
    },

    /** @param {Actor} [by] @returns {Cart} */
    clear(by = "person") {
      adopt();
      if (state.cart.lines.length > 0)
        keep(makeCart(state.cart.version + 1, []), "The cart is empty now.", by);
      return state.cart;
    },

    /** @param {boolean} isCartOpen */
    showCart(isCartOpen) {
      if (isCartOpen !== state.isCartOpen) update({ isCartOpen });
    },

    /**
     * Goes to a page of the shop, and closes the drawer over the old one.
     *
     * @param {string} target a path with its query
     * @param {{by?: Actor, replace?: boolean, scrollY?: number}} [options] `replace` leaves no entry in the history
     * @returns {string} the tidy form of the path
     */
    navigate(target, { by = "person", replace = false, scrollY: offset = 0 } = {}) {
      const route = parseRoute(target);
      const isSame = route.path === state.visit.path;
      const visit = isSame
        ? state.visit
        : { ...route, entry: state.visit.entry + 1, by, replace, scrollY: offset };
      const news =
        by === "agent" && !isSame ? announce("An agent opened another page of the shop.") : {};
      if (!isSame || state.isCartOpen) update({ visit, isCartOpen: false, ...news });
      return route.path;
    },

    /** @param {string} sku shown as touched by an agent for a moment */
    touch(sku) {
      const serial = (state.touched[sku] ?? 0) + 1;
      update({ touched: { ...state.touched, [sku]: serial } });
      later(() => untouch(sku, serial), TOUCH_MS);
    },
  };
}
