/** The storefront without a browser: its real catalogue, a store whose clock stands still, a storage in memory. */

import assert from "node:assert/strict";

import { openCatalogue } from "../../static/storefront/catalogue.js";
import { CART_KEY, createStorage, ORDERS_KEY } from "../../static/storefront/storage.js";
import { createStore } from "../../static/storefront/store.js";

/**
 * @typedef {import("../../static/storefront/storage.js").TextStorage} TextStorage
 * @typedef {import("../../static/storefront/store.js").Store} Store
 */

export const catalogue = openCatalogue();
export const MANY = "SH-101"; // 14 in stock
export const FEW = "SH-105"; // 3
export const NONE = "SH-107"; // 0
export const PLENTY = "DK-502"; // 60

/** When every order is placed. */
export const NOW = "2026-03-01T10:00:00.000Z";

/** What a person may fill in. */
export const DETAILS = {
  name: "Ada Quay",
  email: "ada@harbour.example",
  street: "Quay 1",
  extra: "",
  postcode: "2333 AB",
  city: "Leiden",
  delivery: "express",
};

/**
 * A Storage of one browser; each tab reads and writes it by itself.
 *
 * @param {string} [text] the saved cart
 * @param {string} [orders] the saved orders
 */
export function memory(text, orders) {
  const saved = { [CART_KEY]: text, [ORDERS_KEY]: orders };
  /** @type {Map<string, string | undefined>} */
  const items = new Map(Object.entries(saved));
  /** @type {TextStorage} */
  const storage = {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
  };
  return { ...storage, items };
}

/**
 * A store with a clock that stands still: its timers only gather.
 *
 * @param {{storage?: TextStorage | null, path?: string}} [options]
 */
export function open({ storage = memory(), path = "/" } = {}) {
  /** @type {{callback: () => void, ms: number}[]} */
  const timers = [];
  /** @param {() => void} callback @param {number} ms */
  const later = (callback, ms) => timers.push({ callback, ms });
  const now = () => new Date(NOW);
  const store = createStore({ catalogue, storage: createStorage(storage), path, later, now });
  return { store, timers };
}

/** @param {Store} store @returns {Record<string, number>} */
export const quantities = (store) =>
  Object.fromEntries(store.getSnapshot().cart.lines.map(({ sku, quantity }) => [sku, quantity]));

/**
 * @param {string} expected
 * @param {RegExp} [text]
 * @returns {(error: unknown) => boolean} whether an error has this code and says this, in a whole sentence
 */
export const code =
  (expected, text = /[.]$/) =>
  (error) =>
    error instanceof Error &&
    /** @type {{code?: unknown}} */ (error).code === expected &&
    text.test(error.message) &&
    error.message.endsWith(".");

/** @template Value @param {Value | null | undefined} value @returns {Value} the value, which must be there */
export function some(value) {
  assert.ok(value !== null && value !== undefined);
  return value;
}
