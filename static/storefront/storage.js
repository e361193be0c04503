/**
 * @typedef {Pick<Storage, "getItem" | "setItem">} TextStorage
 */

/**
 * @template Value
 * @typedef {{readChange: () => unknown, write: (value: Value) => void}} Saved
 */

/** @typedef {Saved<{version: number, lines: {sku: string, quantity: number}[]}>} SavedCart */
/** @typedef {Saved<readonly import("./orders.js").Order[]>} SavedOrders */

export const CART_KEY = "pocket-harbour.cart";
export const ORDERS_KEY = "pocket-harbour.orders";

/** @param {string | null} text */
function parse(text) {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null;
  }
}

/**
 * What is saved under one key, as far as there is any storage: without it the shop goes on and forgets on reload.
 *
 * @param {TextStorage | null} storage
 * @param {string} key
 * @returns {Saved<any>} `readChange` answers undefined unless somebody else wrote since this tab last read or wrote
 */
export function openSaved(storage, key) {
  /** @type {string | null} */
  let known = null;

  function readText() {
    try {
      return storage === null ? known : storage.getItem(key);
    } catch {
      return known;
    }
  }

  return {
    readChange() {
      const text = readText();
      if (text === known) return undefined;
      known = text;
      return parse(text);
    },
    write(value) {
      const text = JSON.stringify(value);
      try {
        storage?.setItem(key, text);
        known = text;
      } catch {
        // Full or forbidden: `known` stays what the storage still holds, so that our own old text is not taken for a change.
      }
    },
  };
}

/** @param {TextStorage | null} storage @returns {{cart: SavedCart, orders: SavedOrders}} all that the shop keeps */
export const createStorage = (storage) => ({
  cart: openSaved(storage, CART_KEY),
  orders: openSaved(storage, ORDERS_KEY),
});

/** @param {Pick<Window, "localStorage">} view @returns {Storage | null} null where merely asking for it throws */
export function localStorageOf(view) {
  try {
    return view.localStorage;
  } catch {
    return null;
  }
}

/** @param {Pick<Window, "sessionStorage">} view @returns {Storage | null} the same of this tab's */
export function sessionStorageOf(view) {
  try {
    return view.sessionStorage;
  } catch {
    return null;
  }
}
