import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { localStorageOf } from "../../static/storefront/storage.js";
import { TOUCH_MS } from "../../static/storefront/store.js";
import { code, FEW, MANY, memory, NONE, open, PLENTY, quantities } from "./storefront.mjs";

describe("store", () => {
  test("sets a line's quantity, adds up the total and raises the version", () => {
    const { store } = open();
    store.put(MANY, 2);
    const cart = store.put(PLENTY, 3);
    assert.deepEqual(cart.lines[0], {
      sku: MANY,
      name: "Tōkyō Runner",
      quantity: 2,
      unitPriceCents: 11900,
      lineCents: 23800,
    });
    assert.equal(cart.totalCents, 2 * 11900 + 3 * 1650);
    assert.equal(cart.version, 2);
  });

  test("keeps a line in its place when its quantity changes, and removes it at 0", () => {
    const { store } = open();
    store.put(MANY, 2);
    store.put(PLENTY, 1);
    store.put(MANY, 5);
    assert.deepEqual(Object.keys(quantities(store)), [MANY, PLENTY]);
    store.put(MANY, 0);
    assert.deepEqual(quantities(store), { [PLENTY]: 1 });
  });

  test("leaves snapshot and version alone where nothing changes", () => {
    const { store } = open();
    store.put(MANY, 2);
    const before = store.getSnapshot();
    let heard = 0;
    store.subscribe(() => heard++);
    store.put(MANY, 2);
    store.put(PLENTY, 0);
    store.showCart(false);
    store.navigate("/");
    assert.equal(store.getSnapshot(), before);
    assert.equal(heard, 0);
  });

  test("never changes a snapshot that it has handed out", () => {
    const { store } = open();
    store.put(MANY, 2);
    const { cart } = store.getSnapshot();
    store.put(MANY, 3);
    assert.equal(cart.lines[0].quantity, 2);
    assert.throws(() => {
      cart.lines[0].quantity = 9;
    }, TypeError);
    assert.throws(() => {
      /** @type {unknown[]} */ (/** @type {unknown} */ (cart.lines)).push(1);
    }, TypeError);
  });

  test("refuses a quantity that is no whole number from 0 to 20", () => {
    const { store } = open();
    for (const quantity of [-1, 1.5, 21, Number.NaN, Infinity, "2", null, undefined, true]) {
      assert.throws(() => store.put(PLENTY, quantity), code("BAD_QUANTITY"), String(quantity));
    }
    assert.deepEqual(quantities(store), {});
  });

  test("refuses more than there is, and says how many there are", () => {
    const { store } = open();
    assert.throws(() => store.put(FEW, 4), code("OUT_OF_STOCK", /only 3 left/));
    assert.throws(() => store.put(NONE, 1), code("OUT_OF_STOCK", /is out of stock/));
    store.put(FEW, 3);
    assert.throws(() => store.add(FEW, 1), code("OUT_OF_STOCK"));
    assert.deepEqual(quantities(store), { [FEW]: 3 });
  });

  test("refuses an unknown SKU, whatever it is", () => {
    const { store } = open();
    for (const sku of ["SH-999", "", undefined, null, 5, ["SH-101", "x"]])
      assert.throws(() => store.put(sku, 1), code("UNKNOWN_SKU"));
  });

  test("adds to what is there, however the SKU is written", () => {
    const { store } = open();
    store.add(MANY, 1);
    store.add(" sh-101 ", 2);
    assert.deepEqual(quantities(store), { [MANY]: 3 });
  });

  test("refuses to add what is no whole number from 1 to 20", () => {
    const { store } = open();
    store.put(PLENTY, 2);
    for (const pieces of [
      0,
      -1,
      1.5,
      21,
      Number.NaN,
      Infinity,
      "2",
      "",
      null,
      undefined,
      true,
      [1],
    ])
      assert.throws(() => store.add(PLENTY, pieces), code("BAD_QUANTITY"), String(pieces));
    assert.deepEqual(quantities(store), { [PLENTY]: 2 });
  });

  test("refuses to add more than there is, or than a line may have, and says how many are left to add", () => {
    const { store } = open();
    assert.throws(() => store.add("SH-999", 1), code("UNKNOWN_SKU"));
    assert.throws(() => store.add(NONE, 1), code("OUT_OF_STOCK", /is out of stock/));
    assert.throws(() => store.add(FEW, 4), code("OUT_OF_STOCK", /ask for 3 or fewer/));
    store.add(FEW, 2);
    assert.throws(() => store.add(FEW, 2), code("OUT_OF_STOCK", /only 3 left, 2 in .* add 1 at/));
    store.add(FEW, 1);
    assert.throws(() => store.add(FEW, 1), code("OUT_OF_STOCK", /no more can be added/));
    store.add(PLENTY, 15);
    assert.throws(() => store.add(PLENTY, 6), code("BAD_QUANTITY", /has 15; add 5 at most/));
    assert.deepEqual(quantities(store), { [FEW]: 3, [PLENTY]: 15 });
  });

  test("empties the cart at once", () => {
    const { store } = open();
    store.add(MANY, 1);
    store.add(PLENTY, 2);
    assert.deepEqual(store.clear(), { version: 3, lines: [], totalCents: 0 });
    assert.equal(store.clear().version, 3);
  });

  test("announces a change, and says so when an agent made it", () => {
    const { store } = open();
    store.put(MANY, 2);
    assert.equal(store.getSnapshot().announcement.text, "Tōkyō Runner: 2 in the cart.");
    store.put(MANY, 0, "agent");
    assert.equal(
      store.getSnapshot().announcement.text,
      "An agent changed the cart. Tōkyō Runner: removed from the cart.",
    );
  });

  test("hears no more after the subscription has ended", () => {
    const { store } = open();
    let heard = 0;
    const stop = store.subscribe(() => heard++);
    store.put(MANY, 1);
    stop();
    stop();
    store.put(MANY, 2);
    assert.equal(heard, 1);
  });

  test("closes the drawer and counts the visit when it navigates", () => {
    const { store } = open();
    store.showCart(true);
    assert.equal(store.navigate("/product/sh-101", { by: "agent" }), "/product/SH-101");
    const { visit, isCartOpen } = store.getSnapshot();
    assert.deepEqual(
      [visit.page, visit.sku, visit.entry, visit.by, isCartOpen],
      ["product", "SH-101", 1, "agent", false],
    );
  });

  test("shows a touched product for a moment, counted from the last touch", () => {
    const { store, timers } = open();
    store.touch(MANY);
    store.touch(MANY);
    assert.deepEqual(
      timers.map(({ ms }) => ms),
      [TOUCH_MS, TOUCH_MS],
    );
    timers[0].callback();
    assert.ok(MANY in store.getSnapshot().touched);
    timers[1].callback();
    assert.deepEqual(store.getSnapshot().touched, {});
  });
});

describe("saved cart", () => {
  test("is there again on the next visit, with its version", () => {
    const storage = memory();
    const { store } = open({ storage });
    store.put(MANY, 2);
    store.put(PLENTY, 4);
    const again = open({ storage }).store;
    assert.deepEqual(again.getSnapshot().cart, store.getSnapshot().cart);
    assert.equal(again.put(PLENTY, 5).version, 3);
  });

  test("is cleaned of what does not fit today's shop", () => {
    const lines = [
      { sku: "GONE-1", quantity: 1 },
      { sku: FEW, quantity: 9 },
      { sku: NONE, quantity: 1 },
      { sku: PLENTY, quantity: 500 },
      { sku: MANY, quantity: "x" },
      { sku: MANY, quantity: { valueOf: 1, toString: 1 } },
      { sku: "BG-203", quantity: 1.5 },
      { sku: "BG-201", quantity: -2 },
      null,
      "line",
    ];
    const { store } = open({ storage: memory(JSON.stringify({ version: "7", lines })) });
    assert.deepEqual(quantities(store), { [FEW]: 3, [PLENTY]: 20 });
  });

  test("that is spoiled makes an empty cart that works", () => {
    for (const text of [
      "",
      "{",
      "null",
      "7",
      "[]",
      '"x"',
      '{"lines":5}',
      '{"version":-3,"lines":{}}',
      '{"version":1e999}',
    ]) {
      const { store } = open({ storage: memory(text) });
      assert.deepEqual(store.getSnapshot().cart, { version: 0, lines: [], totalCents: 0 }, text);
      assert.equal(store.put(MANY, 1).version, 1);
    }
  });

  test("lives as long as the page where there is no storage", () => {
    const locked = {
      getItem() {
        throw new Error("SecurityError");
      },
      setItem() {
        throw new Error("QuotaExceededError");
      },
    };
    for (const storage of [null, locked]) {
      const { store } = open({ storage });
      store.put(MANY, 1);
      store.put(MANY, 2);
      assert.deepEqual(quantities(store), { [MANY]: 2 });
    }
    const view = {
      /** @returns {Storage} */
      get localStorage() {
        throw new Error("SecurityError");
      },
    };
    assert.equal(localStorageOf(view), null);
  });

  test("is not undone by our own old text when the storage is full", () => {
    const storage = memory();
    const { store } = open({ storage });
    store.put(MANY, 1);
    storage.setItem = () => {
      throw new Error("QuotaExceededError");
    };
    store.put(MANY, 2);
    store.put(PLENTY, 1);
    assert.deepEqual(quantities(store), { [MANY]: 2, [PLENTY]: 1 });
  });

  test("of another tab is taken over before a change, so that neither tab loses a line", () => {
    const storage = memory();
    const [one, other] = [open({ storage }).store, open({ storage }).store];
    one.put(MANY, 2);
    other.put(PLENTY, 1);
    one.adopt();
    assert.deepEqual(quantities(one), { [MANY]: 2, [PLENTY]: 1 });
    assert.deepEqual(quantities(other), quantities(one));
    assert.equal(one.getSnapshot().cart.version, 2);
  });

  test("that another tab has thrown away leaves an empty cart with a higher version", () => {
    const storage = memory();
    const { store } = open({ storage });
    store.put(MANY, 2);
    storage.items.clear();
    store.adopt();
    assert.deepEqual(store.getSnapshot().cart, { version: 2, lines: [], totalCents: 0 });
  });
});
