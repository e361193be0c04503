import { makeCart, quantityOf, restoreCart, sameLines, withMore, withQuantity } from "./cart.js";
import { createCatalogue } from "./catalogue.js";
import { checkDetails, checkEmail, findDelivery, noDetails } from "./delivery.js";
import { shopError } from "./errors.js";
import { readCard, takenOff } from "./gift-cards.js";
import { makeOrder, newOrderId, restoreOrders, withOrder } from "./orders.js";
import { orderPath, parseRoute } from "./routes.js";
import { isBelow, watchSentence, withWatch } from "./watches.js";

/**
 * @typedef {import("./cart.js").Cart} Cart
 * @typedef {import("./catalogue.js").Product} Product
 * @typedef {import("./delivery.js").Details} Details
 * @typedef {import("./orders.js").Order} Order
 * @typedef {"person" | "agent" | "history"} Actor
 *
 * How the shop came to this route: `entry` counts the navigations, `scrollY` is where it was left in CSS pixels, `isPlaced`
 * says that the order shown has just been placed.
 * @typedef {{entry: number, by: Actor, replace: boolean, scrollY: number, isPlaced: boolean}} Arrival
 * @typedef {import("./routes.js").Route & Arrival} Visit
 *
 * @typedef {{to: string, subject: string, text: string, path: string}} Message `path` is the page that it tells of
 *
 * @typedef {object} Snapshot immutable; a part that has not changed is the same object as before
 * @property {import("./catalogue.js").Catalogue} catalogue at the prices of this hour
 * @property {Cart} cart
 * @property {boolean} isCartOpen the drawer
 * @property {boolean} isCheckoutElsewhere whether it is another tab in which agents order
 * @property {readonly Order[]} orders newest first
 * @property {Readonly<Details>} draft what a person has typed at the checkout, for as long as the page lives
 * @property {import("./gift-cards.js").GiftCard | null} giftCard for the next order; kept while the page lives
 * @property {readonly import("./watches.js").Watch[]} watches
 * @property {Message | null} message the last one that would have been sent
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
 * @param {import("./catalogue.js").Catalogue} options.catalogue at the usual prices
 * @param {{cart: import("./storage.js").SavedCart, orders: import("./storage.js").SavedOrders}} options.storage
 * @param {string} [options.path] where the visit begins
 * @param {number} [options.scrollY]
 * @param {(callback: () => void, ms: number) => unknown} [options.later]
 * @param {() => Date} [options.now]
 */
export function createStore({
  catalogue: usual,
  storage,
  path = "/",
  scrollY = 0,
  later = (callback, ms) => setTimeout(callback, ms),
  now = () => new Date(),
}) {
  /** @type {Set<() => void>} */
  const listeners = new Set();
  /** @type {Visit} */
  const visit = {
    ...parseRoute(path),
    entry: 0,
    by: "history",
    replace: true,
    scrollY,
    isPlaced: false,
  };
  /** @type {Snapshot} */
  let state = Object.freeze({
    catalogue: usual,
    cart: restoreCart(storage.cart.readChange(), usual),
    isCartOpen: false,
    isCheckoutElsewhere: false,
    orders: restoreOrders(storage.orders.readChange()),
    draft: noDetails,
    giftCard: null,
    watches: [],
    message: null,
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
    const product = state.catalogue.find(sku);
    if (product) return product;
    const named = JSON.stringify(sku) ?? "without a SKU";
    throw shopError(
      "UNKNOWN_SKU",
      `There is no product ${named}; look the SKU up in the list of products.`,
    );
  }

  function adoptOrders() {
    const saved = storage.orders.readChange();
    if (saved !== undefined) update({ orders: restoreOrders(saved) });
  }

  function adoptCart() {
    const saved = storage.cart.readChange();
    if (saved === undefined) return;
    const theirs = restoreCart(saved, state.catalogue);
    if (sameLines(theirs.lines, state.cart.lines)) return;
    const version = Math.max(theirs.version, state.cart.version + 1);
    update({
      cart: makeCart(version, theirs.lines),
      ...announce("The cart was changed in another tab."),
    });
  }

  /** Takes over what another tab has saved, so that no change is made to an old cart and no order is lost. */
  function adopt() {
    adoptOrders();
    adoptCart();
  }

  /** @param {Cart} cart @returns {{cart: Cart}} it, saved */
  function savedCart(cart) {
    storage.cart.write({
      version: cart.version,
      lines: cart.lines.map(({ sku, quantity }) => ({ sku, quantity })),
    });
    return { cart };
  }

  /** @param {Cart} cart @param {string} news @param {Actor} by */
  function keep(cart, news, by) {
    const told = by === "agent" ? `An agent changed the cart. ${news}` : news;
    update({ ...savedCart(cart), ...announce(told) });
  }

  /** @param {Order} order @returns {{orders: readonly Order[]}} with those before, saved */
  function savedOrders(order) {
    const orders = withOrder(state.orders, order);
    storage.orders.write(orders);
    return { orders };
  }

  /** @param {import("./routes.js").Route} route @param {Partial<Arrival>} arrival @returns {Visit} */
  const visitOf = (route, arrival) => ({
    ...route,
    by: "person",
    replace: false,
    scrollY: 0,
    isPlaced: false,
    ...arrival,
    entry: state.visit.entry + 1,
  });

  /** @param {string} sku @param {number} serial */
  function untouch(sku, serial) {
    if (state.touched[sku] !== serial) return;
    const { [sku]: _, ...touched } = state.touched;
    update({ touched });
  }

  /** @returns {Cart} which has lines @throws {Error} `EMPTY_CART` */
  function needLines() {
    adopt();
    if (state.cart.lines.length > 0) return state.cart;
    throw shopError("EMPTY_CART", "The cart is empty; add a product first.");
  }

  /**
   * @param {number} [version] which whoever asks has read; a person sees the cart, and names none
   * @throws {Error} `VERSION_CONFLICT`
   */
  function needVersion(version = state.cart.version) {
    if (version === state.cart.version) return;
    const said = `The cart has changed: its version is ${state.cart.version} now, not ${version}.`;
    throw shopError("VERSION_CONFLICT", `${said} Read it again first.`);
  }

  /** @param {unknown} details @returns {{cart: Cart, checked: Details}} @throws {Error} `EMPTY_CART`, `BAD_ADDRESS` */
  const check = (details) => ({ cart: needLines(), checked: checkDetails(details) });

  /** @param {Product} product @param {Cart} cart what it becomes @param {Actor} by @returns {Cart} */
  function keepLine({ sku, name }, cart, by) {
    const quantity = quantityOf(cart, sku);
    const news = quantity === 0 ? "removed from the cart." : `${quantity} in the cart.`;
    if (cart !== state.cart) keep(cart, `${name}: ${news}`, by);
    return cart;
  }

  /** @param {import("./catalogue.js").Catalogue} catalogue @returns {{cart: Cart} | {}} the cart, where its prices change */
  function repriced(catalogue) {
    const { version, lines } = state.cart;
    const cart = restoreCart({ version: version + 1, lines }, catalogue);
    const isSame = cart.lines.every(({ lineCents }, i) => lineCents === lines[i].lineCents);
    return isSame ? {} : savedCart(cart);
  }

  /** @param {import("./catalogue.js").Catalogue} catalogue @returns what is to tell of the prices that somebody waits for */
  function newsOf(catalogue) {
    const news = state.watches.flatMap((watch) => {
      const [before, product] = [state.catalogue.find(watch.sku), catalogue.find(watch.sku)];
      const isNews = before && product && !isBelow(watch, before) && isBelow(watch, product);
      return isNews ? [watchSentence(watch, product)] : [];
    });
    return news.length > 0 ? announce(news.join(" ")) : {};
  }

  return {
    /** At the prices of this hour. */
    get catalogue() {
      return state.catalogue;
    },

    getSnapshot: () => state,

    /** @param {() => void} listener @returns {() => void} the inverse */
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    adopt,
    need,
    needLines,
    check,

    /**
     * Sets the quantity of a product in the cart.
     *
     * @param {unknown} sku
     * @param {unknown} quantity 0 removes the line, else 1 to 20 and no more than there are
     * @param {Actor} [by]
     * @param {number} [version] of the cart that `by` has read
     * @returns {Cart}
     * @throws {Error} with `code` `UNKNOWN_SKU`, `BAD_QUANTITY`, `OUT_OF_STOCK` or `VERSION_CONFLICT`
     */
    put(sku, quantity, by = "person", version) {
      const product = need(sku);
      adopt();
      needVersion(version);
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

    /** @param {Actor} [by] @param {number} [version] as for `put` @returns {Cart} @throws {Error} `VERSION_CONFLICT` */
    clear(by = "person", version) {
      adopt();
      needVersion(version);
      if (state.cart.lines.length > 0)
        keep(makeCart(state.cart.version + 1, []), "The cart is empty now.", by);
      return state.cart;
    },

    /** @param {Partial<Details>} changes what a person has typed at the checkout */
    type(changes) {
      update({ draft: Object.freeze({ ...state.draft, ...changes }) });
    },

    /**
     * Makes an order of the cart, which is empty then, and goes to the order's page.
     *
     * @param {unknown} details
     * @param {Actor} [by]
     * @param {number} [version] as for `put`
     * @returns {Order}
     * @throws {Error} with `code` `EMPTY_CART`, `BAD_ADDRESS` or `VERSION_CONFLICT`
     */
    place(details, by = "person", version) {
      const { cart, checked } = check(details);
      needVersion(version);
      const deliveryCents = findDelivery(checked.delivery)?.cents ?? 0;
      const bill = {
        id: newOrderId(),
        placedAt: now().toISOString(),
        lines: cart.lines,
        deliveryCents,
        giftCents: takenOff(state.giftCard, cart.totalCents + deliveryCents),
      };
      const order = makeOrder(bill, checked);
      update({
        ...savedOrders(order),
        ...savedCart(makeCart(cart.version + 1, [])),
        isCartOpen: false,
        giftCard: null,
        visit: visitOf(parseRoute(orderPath(order.id)), { by, isPlaced: true }),
        ...announce(
          `${by === "agent" ? "An agent placed the order" : "Placed the order"} ${order.id}.`,
        ),
      });
      return order;
    },

    /** @param {import("./deals.js").Deal} deal the only one from now on */
    showDeal({ sku, priceCents }) {
      const catalogue = createCatalogue(
        usual.products.map((product) =>
          product.sku === sku
            ? { ...product, priceCents, usualCents: product.priceCents }
            : product,
        ),
      );
      update({ catalogue, ...repriced(catalogue), ...newsOf(catalogue) });
    },

    /**
     * Lets a gift card lower what the next order costs.
     *
     * @param {unknown} number
     * @param {{by?: Actor, most?: number | null}} [options] `most` cents are taken off at most
     * @throws {Error} `BAD_GIFT_CARD`
     */
    useCard(number, { by = "person", most = null } = {}) {
      const giftCard = readCard(number, most);
      const who = by === "agent" ? "An agent used your" : "Used the";
      update({ giftCard, ...announce(`${who} gift card ending in ${giftCard.ending}.`) });
    },

    dropCard() {
      update({ giftCard: null, ...announce("The gift card is taken off.") });
    },

    /** @param {import("./watches.js").Watch} watch @throws {Error} `UNKNOWN_SKU`, `TOO_MANY_WATCHES` */
    watch({ id, sku, belowCents }) {
      const product = need(sku);
      const watch = { id, sku: product.sku, belowCents };
      const watches = withWatch(state.watches, watch);
      update({
        watches,
        ...announce(`An agent watches a price. ${watchSentence(watch, product)}`),
      });
    },

    /** @param {string} id */
    unwatch(id) {
      const watches = state.watches.filter((watch) => watch.id !== id);
      if (watches.length < state.watches.length) update({ watches });
    },

    /**
     * Shows a message as it would be sent; nothing is.
     *
     * @param {Message} message an agent's
     * @throws {Error} `BAD_ADDRESS`
     */
    showMessage({ to, subject, text, path }) {
      const message = Object.freeze({ to: checkEmail(to), subject, text, path });
      update({
        message,
        isCartOpen: false,
        visit: visitOf(parseRoute("/message"), { by: "agent" }),
        ...announce("An agent opened a message. It was not sent."),
      });
    },

    /** @param {boolean} isOwner whether this is the tab in which agents order */
    showOwner(isOwner) {
      update({ isCheckoutElsewhere: !isOwner });
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
      const visit = isSame ? state.visit : visitOf(route, { by, replace, scrollY: offset });
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
