/**
 * @typedef {"UNKNOWN_SKU" | "OUT_OF_STOCK" | "BAD_QUANTITY" | "BAD_PATH" | "EMPTY_CART" | "BAD_ADDRESS" | "UNKNOWN_ORDER" |
 *   "VERSION_CONFLICT" | "BAD_COMPARISON" | "BAD_GIFT_CARD" | "TOO_MANY_WATCHES"} ShopErrorCode
 */

/**
 * An error whose sentence may be shown to whoever asked, person or agent.
 *
 * @param {ShopErrorCode} code
 * @param {string} message says what to do instead
 * @returns {Error & {code: ShopErrorCode}}
 */
export function shopError(code, message) {
  return Object.assign(new Error(message), { code });
}
