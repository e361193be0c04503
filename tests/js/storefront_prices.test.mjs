import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { DEAL_SKUS, dealAt, runDeals } from "../../static/storefront/deals.js";
import { shopFunctions } from "../../static/storefront/page.js";
import { MOST_WATCHED } from "../../static/storefront/watches.js";
import { catalogue, code, open, some } from "./storefront.mjs";

const [FIRST, SECOND] = DEAL_SKUS;
const MIDNIGHT = Date.parse("1970-01-01T00:00:00Z");
const HOUR_MS = 3_600_000;

/** A shop whose clock a test moves; the deals take their turns. */
function opened() {
  const { store } = open();
  let at = MIDNIGHT;
  /** @type {{callback: () => void, at: number}[]} */
  const timers = [];
  runDeals(store, {
    now: () => new Date(at),
    later: (callback, ms) => timers.push({ callback, at: at + ms }),
  });
  /** @param {number} ms */
  function advance(ms) {
    at += ms;
    while (timers.length > 0 && timers[0].at <= at) timers.shift()?.callback();
  }
  /** @param {string} sku */
  const price = (sku) => some(store.catalogue.find(sku)).priceCents;
  return { store, advance, price, timers };
}

/** @param {string} sku */
const usual = (sku) => some(catalogue.find(sku)).priceCents;

describe("the deal of the hour", () => {
  test("makes one product a fifth cheaper, until the full hour", () => {
    const { price, advance, timers } = opened();
    assert.equal(price(FIRST), Math.round(usual(FIRST) * 0.8));
    assert.equal(price(SECOND), usual(SECOND));
    advance(HOUR_MS - 1);
    assert.equal(price(SECOND), usual(SECOND));
    advance(1);
    assert.equal(price(FIRST), usual(FIRST));
    assert.ok(price(SECOND) < usual(SECOND));
    assert.equal(timers.length, 1);
  });

  test("comes round to every department, each with something to sell", () => {
    const hours = DEAL_SKUS.map((_, hour) => dealAt(catalogue, new Date(hour * HOUR_MS)).sku);
    assert.deepEqual(hours, DEAL_SKUS);
    const products = DEAL_SKUS.map((sku) => some(catalogue.find(sku)));
    assert.equal(new Set(products.map(({ category }) => category)).size, 6);
    assert.ok(products.every(({ stock }) => stock > 0));
  });

  test("changes the cart's version where it changes its prices, and only there", () => {
    const { store, advance } = opened();
    store.add(FIRST, 2);
    const before = store.getSnapshot().cart;
    advance(HOUR_MS);
    const { cart } = store.getSnapshot();
    assert.equal(cart.totalCents, 2 * usual(FIRST));
    assert.equal(cart.version, before.version + 1);
    assert.throws(() => store.clear("agent", before.version), code("VERSION_CONFLICT"));
    advance(HOUR_MS);
    assert.equal(store.getSnapshot().cart, cart);
  });
});

describe("a watched price", () => {
  test("is told when it falls below what is wanted, once", () => {
    const { store, advance } = opened();
    store.watch({ id: "w", sku: SECOND.toLowerCase(), belowCents: usual(SECOND) });
    const text = () => store.getSnapshot().announcement.text;
    assert.match(text(), /not yet below/);
    advance(HOUR_MS);
    assert.match(text(), / now, below €/);
    const { id } = store.getSnapshot().announcement;
    advance(HOUR_MS);
    assert.equal(store.getSnapshot().announcement.id, id);
  });

  test("is told no more once it is watched no more", () => {
    const { store, advance } = opened();
    store.watch({ id: "w", sku: SECOND, belowCents: usual(SECOND) });
    store.unwatch("w");
    store.unwatch("w");
    const { id } = store.getSnapshot().announcement;
    advance(HOUR_MS);
    assert.deepEqual(store.getSnapshot().watches, []);
    assert.equal(store.getSnapshot().announcement.id, id);
  });

  test("is one of a few, and another wish takes the place of the same one's", () => {
    const shop = shopFunctions(open().store);
    for (let i = 0; i < MOST_WATCHED; i++) shop.watch(`w${i}`, FIRST, 100);
    assert.throws(() => shop.watch("more", FIRST, 100), code("TOO_MANY_WATCHES"));
    shop.watch("w0", SECOND, 200);
    assert.throws(() => shop.watch("w0", "XX-1", 100), code("UNKNOWN_SKU"));
    shop.unwatch("w1");
    shop.watch("more", FIRST, 100);
  });
});
