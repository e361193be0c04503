/**
 * @typedef {Pick<Storage, "getItem" | "setItem">} TextStorage
 * @typedef {{readChange: () => unknown, write: (value: {version: number, lines: {sku: string, quantity: number}[]}) => void}} CartStorage
 */

export const CART_KEY = "pocket-harbour.cart";

/** @param {string | null} text */
function parse(text) {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null;
  }
}

/**
 * The saved cart, as far as there is any storage: without it the shop goes on and forgets the cart on reload.
 *
 * @param {TextStorage | null} storage
 * @returns {CartStorage} `readChange` answers undefined unless somebody else wrote since this tab last read or wrote
 */
export function createCartStorage(storage) {
  /** @type {string | null} */
  let known = null;

  function readText() {
    try {
      return storage === null ? known : storage.getItem(CART_KEY);
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
        storage?.setItem(CART_KEY, text);
        known = text;
      } catch {
        // Full or forbidden: `known` stays what the storage still holds, so that our own old text is not taken for a change.
      }
    },
  };
}

/** @param {Pick<Window, "localStorage">} view @returns {Storage | null} null where merely asking for it throws */
export function localStorageOf(view) {
  try {
    return view.localStorage;
  } catch {
    return null;
  }
}
