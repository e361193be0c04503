import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { shopFunctions } from "../../static/storefront/page.js";
import {
  code,
  DETAILS,
  FEW,
  MANY,
  memory,
  NONE,
  NOW,
  open,
  PLENTY,
  quantities,
  some,
} from "./storefront.mjs";

describe("what Python sees", () => {
  const PUBLIC = [
    "sku",
    "name",
    "category",
    "priceCents",
    "stock",
    "rating",
    "reviewCount",
    "tags",
    "description",
  ];

  test("is JSON through and through", () => {
    const { store } = open();
    const shop = shopFunctions(store);
    const answers = [
      shop.products(),
      shop.product(MANY),
      shop.reviews(MANY),
      shop.put(MANY, 2, shop.version()),
      shop.add(MANY, 1),
      shop.cart(),
      shop.show("/cart"),
      shop.checkout(),
      shop.place(DETAILS, shop.version()),
      shop.orders(),
      shop.order(shop.orders()[0].id),
      shop.clear(shop.version()),
    ];
    for (const answer of answers) assert.deepEqual(JSON.parse(JSON.stringify(answer)), answer);
  });

  test("where agents order is kept for the checkout to show", () => {
    const { store } = open();
    assert.equal(store.getSnapshot().isCheckoutElsewhere, false);
    for (const isOwner of [false, true]) {
      shopFunctions(store).showOwner(isOwner);
      assert.equal(store.getSnapshot().isCheckoutElsewhere, !isOwner);
    }
  });

  test("has the promised fields and none besides", () => {
    const shop = shopFunctions(open().store);
    assert.equal(shop.products().length, 48);
    for (const product of shop.products()) assert.deepEqual(Object.keys(product), PUBLIC);
    assert.deepEqual(Object.keys(some(shop.product(MANY))), [...PUBLIC, "details"]);
    assert.deepEqual(some(shop.product(MANY)).details[0], {
      label: "Weight",
      value: "238 g (size 42)",
    });
    assert.deepEqual(Object.keys(some(shop.reviews(MANY))[0]), [
      "author",
      "rating",
      "date",
      "text",
    ]);
    assert.deepEqual(Object.keys(shop.put(MANY, 1, shop.version())), [
      "version",
      "lines",
      "totalCents",
    ]);
    assert.deepEqual(Object.keys(shop.add(MANY, 1)), ["version", "lines", "totalCents"]);
    assert.deepEqual(Object.keys(shop.cart().lines[0]), [
      "sku",
      "name",
      "quantity",
      "unitPriceCents",
      "lineCents",
    ]);
  });

  test("has of an order what was sold, to whom, and at what price", () => {
    const shop = shopFunctions(open().store);
    shop.put(PLENTY, 2, shop.version());
    const order = shop.place(DETAILS, shop.version());
    const line = {
      sku: PLENTY,
      name: "Logbook Notebook A5",
      quantity: 2,
      unitPriceCents: 1650,
      lineCents: 3300,
    };
    const bill = { lines: [line], deliveryCents: 1290, giftCents: 0, totalCents: 3300 + 1290 };
    assert.deepEqual(order, { id: order.id, placedAt: NOW, ...DETAILS, ...bill });
    assert.deepEqual(shop.order(order.id.toLowerCase()), order);
    assert.deepEqual(shop.orders(), [order]);
  });

  test("has of the checkout what is to pay and how it may be delivered, once there is something in the cart", () => {
    const shop = shopFunctions(open().store);
    assert.throws(() => shop.checkout(), code("EMPTY_CART"));
    shop.put(PLENTY, 2, shop.version());
    const { cartCents, deliveries } = shop.checkout();
    assert.equal(cartCents, 3300);
    assert.deepEqual(
      deliveries.map(({ id, cents }) => [id, cents]),
      [
        ["standard", 490],
        ["express", 1290],
        ["economy", 0],
      ],
    );
  });

  test("is the cart's version without a copy of the cart, also as another tab has left it", () => {
    const storage = memory();
    const { store } = open({ storage });
    const shop = shopFunctions(store);
    assert.equal(shop.version(), 0);
    open({ storage }).store.put(MANY, 3);
    assert.equal(shop.version(), 1);
    assert.equal(store.getSnapshot().cart.version, 1);
    assert.equal(shop.checkout().cartVersion, 1);
  });

  test("is nothing of a cart that has changed since it was read: it stays as it is", () => {
    const { store } = open();
    const shop = shopFunctions(store);
    shop.put(MANY, 2, 0);
    const before = store.getSnapshot();
    const conflict = code("VERSION_CONFLICT", /its version is 1 now, not 0[.]/);
    assert.throws(() => shop.put(MANY, 0, 0), conflict);
    assert.throws(() => shop.clear(0), conflict);
    assert.throws(() => shop.place(DETAILS, 0), conflict);
    assert.equal(store.getSnapshot(), before);
    assert.equal(shop.place(DETAILS, 1).lines.length, 1);
  });

  test("goes through the steps on the way to an order, which take their time and change nothing", async () => {
    const { store } = open();
    /** @type {number[]} */
    const waits = [];
    const shop = shopFunctions(store, async (ms) => void waits.push(ms));
    assert.throws(() => shop.check(DETAILS), code("EMPTY_CART"));
    shop.put(MANY, 1, 0);
    assert.throws(() => shop.check({ ...DETAILS, email: "ada" }), code("BAD_ADDRESS"));
    const before = store.getSnapshot();
    assert.equal(shop.check(DETAILS), undefined);
    await shop.reserve();
    await shop.book();
    assert.deepEqual(waits, [400, 400]);
    assert.equal(store.getSnapshot(), before);
  });

  test("is null for a product or an order that is not there, and an empty list where nobody has written", () => {
    const shop = shopFunctions(open().store);
    assert.equal(shop.product("SH-999"), null);
    assert.equal(shop.reviews("SH-999"), null);
    for (const nonsense of ["PH-222222", "", "__proto__", 7, null, undefined, {}])
      assert.equal(shop.order(nonsense), null);
    assert.deepEqual(shop.reviews("SH-108"), []);
  });

  test("is a copy, so that whoever changes it does not change the shop", () => {
    const shop = shopFunctions(open().store);
    shop.products()[0].tags.push("x");
    some(shop.product(MANY)).details[0].value = "x";
    some(shop.reviews(MANY))[0].text = "x";
    shop.put(MANY, 1, shop.version()).lines[0].quantity = 9;
    assert.ok(!shop.products()[0].tags.includes("x"));
    assert.equal(some(shop.product(MANY)).details[0].value, "238 g (size 42)");
    assert.notEqual(some(shop.reviews(MANY))[0].text, "x");
    assert.equal(shop.cart().lines[0].quantity, 1);
    shop.place(DETAILS, shop.version()).lines[0].quantity = 9;
    shop.orders()[0].lines[0].quantity = 9;
    assert.equal(shop.orders()[0].lines[0].quantity, 1);
  });

  test("marks what was looked at or changed, and nothing for a refusal or a listing", () => {
    const { store } = open();
    const shop = shopFunctions(store);
    shop.products();
    assert.throws(() => shop.put(FEW, 9, shop.version()), code("OUT_OF_STOCK"));
    assert.deepEqual(store.getSnapshot().touched, {});
    shop.product(MANY);
    shop.put(FEW, 1, shop.version());
    assert.deepEqual(Object.keys(store.getSnapshot().touched), [MANY, FEW]);
  });

  test("adds pieces to those in the cart, those of another tab too, and marks the product", () => {
    const storage = memory();
    const { store } = open({ storage });
    const shop = shopFunctions(store);
    shop.add(MANY, 2);
    open({ storage }).store.add(MANY, 3);
    assert.deepEqual(shop.add("sh-101", 1), shop.cart());
    assert.deepEqual(quantities(store), { [MANY]: 6 });
    assert.deepEqual(Object.keys(store.getSnapshot().touched), [MANY]);
    assert.match(store.getSnapshot().announcement.text, /^An agent changed the cart[.]/);
  });

  test("neither adds nor marks anything when it refuses to add", () => {
    const { store } = open();
    const shop = shopFunctions(store);
    for (const pieces of [0, -1, 0.5, "1", null, undefined, 21])
      assert.throws(() => shop.add(MANY, pieces), code("BAD_QUANTITY"), String(pieces));
    assert.throws(() => shop.add("SH-999", 1), code("UNKNOWN_SKU"));
    assert.throws(() => shop.add(NONE, 1), code("OUT_OF_STOCK"));
    assert.deepEqual(shop.cart().lines, []);
    assert.deepEqual(store.getSnapshot().touched, {});
  });

  test("gives the cart as another tab has left it", () => {
    const storage = memory();
    const { store } = open({ storage });
    const shop = shopFunctions(store);
    open({ storage }).store.put(MANY, 3);
    assert.equal(shop.cart().lines[0].quantity, 3);
  });

  test("has the orders that another tab has placed", () => {
    const storage = memory();
    const shop = shopFunctions(open({ storage }).store);
    const other = open({ storage }).store;
    other.put(MANY, 1);
    const { id } = other.place(DETAILS);
    assert.equal(shop.order(id)?.id, id);
    assert.equal(shop.show(`/order/${id}`), `/order/${id}`);
  });

  test("can show any page of the shop, and says so where there is none", () => {
    const { store } = open();
    const shop = shopFunctions(store);
    assert.equal(shop.show("/?category=bags&q=rain"), "/?q=rain&category=bags");
    assert.equal(store.getSnapshot().visit.by, "agent");
    assert.equal(shop.show("/?category=bags&q=rain"), "/?q=rain&category=bags");
    assert.throws(() => shop.show("/nowhere"), code("BAD_PATH"));
    assert.throws(
      () => shop.show("/?category=submarines"),
      code("BAD_PATH", /shoes, bags, outdoor/),
    );
    assert.throws(() => shop.show("https://example.com/"), code("BAD_PATH"));
    assert.throws(() => shop.show("/product/SH-999"), code("UNKNOWN_SKU"));
    assert.throws(() => shop.show("/order/PH-222222"), code("UNKNOWN_ORDER", /[/]orders/));
    assert.equal(store.getSnapshot().visit.page, "catalogue");
    for (const path of ["/cart", "/checkout", "/orders"]) {
      assert.equal(shop.show(path), path);
      assert.equal(store.getSnapshot().visit.path, path);
    }
  });
});
