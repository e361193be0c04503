import { shopError } from "./errors.js";

/**
 * What the shop may tell of a card; its number is not kept.
 *
 * @typedef {{ending: string, cents: number}} GiftCard `cents` is the most that it takes off
 */

/** The demonstration's cards, which never run out. @type {ReadonlyMap<string, number>} */
const CARDS = new Map([
  ["PHGC-2500-7731", 2500],
  ["PHGC-9000-4408", 9000],
]);

/** What the number is called on its way from the person to the shop. */
export const CARD_HEADER = "Gift-Card";

export const DEMO_NUMBERS = [...CARDS.keys()];

/**
 * @param {unknown} number as a person typed it
 * @param {number | null} [most] cents to take off at most
 * @returns {GiftCard}
 * @throws {Error} `BAD_GIFT_CARD`, which does not say the number
 */
export function readCard(number, most = null) {
  const known = typeof number === "string" ? number.trim().toUpperCase() : "";
  const cents = CARDS.get(known);
  if (cents === undefined)
    throw shopError("BAD_GIFT_CARD", "The shop does not know this gift card; look at its number.");
  return Object.freeze({ ending: known.slice(-4), cents: Math.min(cents, most ?? cents) });
}

/** @param {GiftCard | null} card @param {number} cents to pay @returns {number} what the card takes off */
export const takenOff = (card, cents) => Math.min(card?.cents ?? 0, cents);
