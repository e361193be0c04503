import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { checkDetails, deliveries, fields, readDetails } from "../../static/storefront/delivery.js";
import { ORDERS_KEPT } from "../../static/storefront/orders.js";
import { ORDERS_KEY } from "../../static/storefront/storage.js";
import { code, DETAILS, MANY, memory, NOW, open, PLENTY, quantities } from "./storefront.mjs";

/** @typedef {import("../../static/storefront/store.js").Store} Store */

/** @param {Store} store @returns {string[]} */
const orderIds = (store) => store.getSnapshot().orders.map(({ id }) => id);

/** @param {Store} store @param {string} [sku] */
function buy(store, sku = MANY) {
  store.put(sku, 1);
  return store.place(DETAILS);
}

describe("details of a delivery", () => {
  test("are read without blanks around them, and on one line", () => {
    const { details, problems } = readDetails({
      ...DETAILS,
      name: " Ada\n\u0000 Quay ",
      extra: "\t",
    });
    assert.deepEqual([details, problems], [DETAILS, {}]);
  });

  test("name every field at fault, each with what to do", () => {
    for (const given of [{}, null, undefined, 7, "Ada", { name: 7, email: {}, delivery: [] }]) {
      const { problems } = readDetails(given);
      assert.deepEqual(Object.keys(problems).sort(), [
        "city",
        "delivery",
        "email",
        "name",
        "postcode",
        "street",
      ]);
      for (const problem of Object.values(problems)) assert.match(problem, /^[A-Z].*[.]$/);
    }
    assert.throws(
      () => checkDetails({ ...DETAILS, city: " ", name: "" }),
      code("BAD_ADDRESS", /^name: .* city: /),
    );
  });

  test("may be as long as their field says, and no longer", () => {
    for (const { id, most } of fields) {
      const full = id === "email" ? `${"a".repeat(most - 4)}@b.c` : "a".repeat(most);
      assert.deepEqual(readDetails({ ...DETAILS, [id]: full }).problems, {});
      assert.match(String(readDetails({ ...DETAILS, [id]: `a${full}` }).problems[id]), /at most/);
    }
  });

  test("take an email address and a postcode only in a shape that they can have", () => {
    /** @type {[string, string[], string[]][]} */
    const cases = [
      [
        "email",
        ["a@b.c", "ö.x+y@sub.host.example"],
        ["a", "a@b", "@b.c", "a b@c.d", "a@b..c", "a@b@c.d"],
      ],
      ["postcode", ["2333 AB", "SW1A 1AA", "10115", "00-950"], ["-1", "1-", "12/3", "!", "1"]],
      ["delivery", deliveries.map(({ id }) => id), ["", "toString", "overnight"]],
    ];
    for (const [field, good, bad] of cases) {
      for (const text of good)
        assert.deepEqual(readDetails({ ...DETAILS, [field]: text }).problems, {}, text);
      for (const text of bad)
        assert.deepEqual(
          Object.keys(readDetails({ ...DETAILS, [field]: text }).problems),
          [field],
          text,
        );
    }
  });
});

describe("placing an order", () => {
  test("empties the cart and shows the order, just placed", () => {
    const { store } = open({ path: "/checkout" });
    store.put(MANY, 2);
    store.put(PLENTY, 1);
    store.showCart(true);
    const order = store.place(DETAILS);
    const { cart, visit, orders, isCartOpen } = store.getSnapshot();
    assert.deepEqual(cart, { version: 3, lines: [], totalCents: 0 });
    assert.deepEqual(orders, [order]);
    assert.deepEqual(
      [visit.page, visit.orderId, visit.isPlaced, visit.by, visit.replace, isCartOpen],
      ["order", order.id, true, "person", false, false],
    );
    assert.match(order.id, /^PH-[2-9A-Z]{6}$/);
    assert.equal(order.placedAt, NOW);
    assert.equal(order.totalCents, 2 * 11900 + 1650 + 1290);
  });

  test("is told of once, when all of it is done", () => {
    const { store } = open();
    store.put(MANY, 1);
    /** @type {unknown[]} */
    const seen = [];
    store.subscribe(() => {
      const { cart, orders, visit } = store.getSnapshot();
      seen.push([cart.lines.length, orders.length, visit.page]);
    });
    store.place(DETAILS);
    assert.deepEqual(seen, [[0, 1, "order"]]);
  });

  test("says who did it", () => {
    const { store } = open();
    store.put(MANY, 1);
    const order = store.place(DETAILS, "agent");
    const { announcement, visit } = store.getSnapshot();
    assert.equal(announcement.text, `An agent placed the order ${order.id}.`);
    assert.equal(visit.by, "agent");
    assert.equal(buy(store).id, store.getSnapshot().announcement.text.slice(17, -1));
  });

  test("is refused for an empty cart or a bad address, and nothing changes", () => {
    const { store } = open({ path: "/checkout" });
    assert.throws(() => store.place(DETAILS), code("EMPTY_CART"));
    store.put(MANY, 1);
    const before = store.getSnapshot();
    assert.throws(() => store.place({ ...DETAILS, email: "ada" }), code("BAD_ADDRESS", /^email: /));
    assert.throws(
      () => store.place({ ...DETAILS, delivery: "now" }),
      code("BAD_ADDRESS", /^delivery: .*express/),
    );
    assert.equal(store.getSnapshot(), before);
  });

  test("cannot be done twice by two tabs with the same cart", () => {
    const storage = memory();
    const [one, other] = [open({ storage }).store, open({ storage }).store];
    one.put(MANY, 1);
    other.adopt();
    one.place(DETAILS);
    assert.throws(() => other.place(DETAILS), code("EMPTY_CART"));
  });

  test("is not just done any more once another page was shown", () => {
    const { store } = open();
    const { id } = buy(store);
    store.navigate("/orders");
    store.navigate(`/order/${id}`, { by: "history" });
    assert.deepEqual(
      [store.getSnapshot().visit.orderId, store.getSnapshot().visit.isPlaced],
      [id, false],
    );
  });

  test("forgets nothing of what was typed", () => {
    const { store } = open();
    store.type({ name: "Ada" });
    store.type({ delivery: "economy" });
    store.navigate("/checkout");
    buy(store);
    const { name, city, delivery } = store.getSnapshot().draft;
    assert.deepEqual([name, city, delivery], ["Ada", "", "economy"]);
  });
});

describe("saved orders", () => {
  test("are there again on the next visit, newest first", () => {
    const storage = memory();
    const { store } = open({ storage });
    const orders = [buy(store), buy(store, PLENTY)].reverse();
    assert.deepEqual(open({ storage }).store.getSnapshot().orders, orders);
  });

  test("are the last twenty", () => {
    const { store } = open();
    const ids = Array.from({ length: ORDERS_KEPT + 2 }, () => buy(store).id).reverse();
    assert.deepEqual(orderIds(store), ids.slice(0, ORDERS_KEPT));
  });

  test("of two tabs are all kept", () => {
    const storage = memory();
    const [one, other] = [open({ storage }).store, open({ storage }).store];
    const ids = [buy(one).id, buy(other).id].reverse();
    one.adopt();
    assert.deepEqual([orderIds(one), orderIds(other)], [ids, ids]);
  });

  test("keep the names and prices of their day, also of what the shop has no more", () => {
    const storage = memory();
    const order = buy(open({ storage }).store);
    const line = {
      ...order.lines[0],
      sku: "GONE-1",
      name: "Gone",
      unitPriceCents: 5,
      lineCents: 5,
    };
    const old = { ...order, lines: [line], deliveryCents: 7, totalCents: 12 };
    storage.setItem(ORDERS_KEY, JSON.stringify([old]));
    assert.deepEqual(open({ storage }).store.getSnapshot().orders, [old]);
  });

  test("that are spoiled are left out, and the others stay", () => {
    const storage = memory();
    const order = buy(open({ storage }).store);
    const [line] = order.lines;
    const spoiled = [
      null,
      7,
      "order",
      [],
      {},
      { ...order, id: "PH-1" },
      { ...order, id: { toString: 1 } },
      { ...order, placedAt: "yesterday" },
      { ...order, placedAt: 5 },
      { ...order, email: "" },
      { ...order, delivery: "gone" },
      { ...order, deliveryCents: -1 },
      { ...order, deliveryCents: 1.5 },
      { ...order, lines: [] },
      { ...order, lines: { length: 1 } },
      { ...order, lines: [line, null] },
      { ...order, lines: [{ ...line, quantity: 0 }] },
      { ...order, lines: [{ ...line, quantity: "2" }] },
      { ...order, lines: [{ ...line, unitPriceCents: null }] },
      { ...order, lines: [{ ...line, name: undefined }] },
    ];
    for (const each of spoiled) {
      const { store } = open({ storage: memory(undefined, JSON.stringify([each, order, order])) });
      assert.deepEqual(store.getSnapshot().orders, [order], JSON.stringify(each));
    }
    const wrongTotal = JSON.stringify([{ ...order, totalCents: 1, more: true }]);
    assert.deepEqual(open({ storage: memory(undefined, wrongTotal) }).store.getSnapshot().orders, [
      order,
    ]);
  });

  test("that are no list at all make an empty one that works", () => {
    for (const text of ["", "{", "null", "7", '"x"', '{"length":1}', "[[[]]]"]) {
      const { store } = open({ storage: memory(undefined, text) });
      assert.deepEqual(orderIds(store), [], text);
      assert.equal(buy(store).id, orderIds(store)[0]);
    }
  });

  test("live as long as the page where there is no storage, or no room in it", () => {
    const full = { ...memory(), setItem: () => assert.fail("full") };
    for (const storage of [null, full]) {
      const { store } = open({ storage });
      const ids = [buy(store).id, buy(store).id].reverse();
      assert.deepEqual([orderIds(store), quantities(store)], [ids, {}]);
    }
  });
});
