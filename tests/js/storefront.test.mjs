import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { CALLS_KEPT, createActivity } from "../../static/storefront/activity.js";
import { categories, openCatalogue } from "../../static/storefront/catalogue.js";
import { connectHistory } from "../../static/storefront/history.js";
import { shopFunctions } from "../../static/storefront/page.js";
import { audio } from "../../static/storefront/pictures/audio.js";
import { bags } from "../../static/storefront/pictures/bags.js";
import { desk } from "../../static/storefront/pictures/desk.js";
import { kitchen } from "../../static/storefront/pictures/kitchen.js";
import { outdoor } from "../../static/storefront/pictures/outdoor.js";
import { palettes } from "../../static/storefront/pictures/palettes.js";
import { shoes } from "../../static/storefront/pictures/shoes.js";
import { cataloguePath, parseRoute, productPath } from "../../static/storefront/routes.js";
import { selectProducts } from "../../static/storefront/search.js";
import { CART_KEY, createStorage, localStorageOf } from "../../static/storefront/storage.js";
import { createStore, TOUCH_MS } from "../../static/storefront/store.js";

/**
 * @typedef {import("../../static/storefront/activity.js").Webtools} Webtools
 * @typedef {import("../../static/storefront/storage.js").TextStorage} TextStorage
 * @typedef {import("../../static/storefront/routes.js").Filter} Filter
 * @typedef {import("../../static/storefront/routes.js").Route} Route
 * @typedef {import("../../static/storefront/store.js").Store} Store
 */

const catalogue = openCatalogue();
const MANY = "SH-101"; // 14 in stock
const FEW = "SH-105"; // 3
const NONE = "SH-107"; // 0
const PLENTY = "DK-502"; // 60

/**
 * A Storage of one browser; each tab has its own cart storage over it.
 *
 * @param {string} [text] the saved cart
 */
function memory(text) {
  const items = new Map(text === undefined ? [] : [[CART_KEY, text]]);
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
 * @param {{storage?: TextStorage | null}} [options]
 */
function open({ storage = memory() } = {}) {
  /** @type {{callback: () => void, ms: number}[]} */
  const timers = [];
  /** @param {() => void} callback @param {number} ms */
  const later = (callback, ms) => timers.push({ callback, ms });
  const store = createStore({ catalogue, storage: createStorage(storage), later });
  return { store, timers };
}

/** @param {Store} store @returns {Record<string, number>} */
const quantities = (store) =>
  Object.fromEntries(store.getSnapshot().cart.lines.map(({ sku, quantity }) => [sku, quantity]));

/**
 * @param {string} expected
 * @param {RegExp} [text]
 * @returns {(error: unknown) => boolean} whether an error has this code and says this, in a whole sentence
 */
const code =
  (expected, text = /[.]$/) =>
  (error) =>
    error instanceof Error &&
    /** @type {{code?: unknown}} */ (error).code === expected &&
    text.test(error.message) &&
    error.message.endsWith(".");

/** @template Value @param {Value | null | undefined} value @returns {Value} the value, which must be there */
function some(value) {
  assert.ok(value !== null && value !== undefined);
  return value;
}

describe("catalogue", () => {
  test("has 48 products, eight on each of six shelves, each with its own SKU and name", () => {
    const { products } = catalogue;
    assert.equal(products.length, 48);
    assert.equal(new Set(products.map(({ sku }) => sku)).size, 48);
    assert.equal(new Set(products.map(({ name }) => name)).size, 48);
    for (const { id } of categories)
      assert.equal(products.filter(({ category }) => category === id).length, 8);
  });

  test("has products that are sold out and products that are nearly so", () => {
    assert.ok(catalogue.products.some(({ stock }) => stock === 0));
    assert.ok(catalogue.products.some(({ stock }) => stock > 0 && stock <= 3));
  });

  test("gives every product a picture and a palette that exist, and no two the same drawing", () => {
    const drawings = { ...audio, ...bags, ...desk, ...kitchen, ...outdoor, ...shoes };
    for (const { picture } of catalogue.products) {
      assert.ok(
        drawings[picture.drawing].alt && drawings[picture.drawing].shapes.length > 3,
        picture.drawing,
      );
      assert.ok(palettes[picture.palette], picture.palette);
    }
    assert.equal(new Set(catalogue.products.map(({ picture }) => picture.drawing)).size, 48);
  });

  test("keeps every number in a drawing finite and every path free of holes", () => {
    for (const { shapes } of Object.values({
      ...audio,
      ...bags,
      ...desk,
      ...kitchen,
      ...outdoor,
      ...shoes,
    })) {
      for (const { attributes } of shapes)
        assert.doesNotMatch(JSON.stringify(attributes), /null|NaN|undefined/);
    }
  });

  test("signs the same reviews in the same way on every visit", () => {
    assert.deepEqual(openCatalogue().products, catalogue.products);
  });

  test("counts and averages the reviews that it shows, newest first", () => {
    for (const { reviews, rating, reviewCount } of catalogue.products) {
      assert.equal(reviewCount, reviews.length);
      assert.ok(reviewCount <= 6);
      assert.equal(new Set(reviews.map(({ author }) => author)).size, reviewCount);
      assert.deepEqual(
        reviews.map(({ date }) => date),
        reviews
          .map(({ date }) => date)
          .sort()
          .reverse(),
      );
      const mean = reviews.reduce((sum, review) => sum + review.rating, 0) / reviewCount;
      if (reviewCount === 0) assert.equal(rating, null);
      else assert.ok(Math.abs(some(rating) - mean) <= 0.05 + 1e-9);
    }
    const total = catalogue.products.reduce((sum, { reviewCount }) => sum + reviewCount, 0);
    assert.ok(total >= 110 && total <= 130, `${total} reviews`);
  });

  test("holds one review that tries to give orders to an agent", () => {
    const texts = catalogue.products.flatMap(({ reviews }) => reviews.map(({ text }) => text));
    assert.equal(texts.filter((text) => text.startsWith("Ignore previous instructions")).length, 1);
  });

  test("finds a SKU in any case and nothing for what is no SKU", () => {
    assert.equal(catalogue.find(" sh-101 ")?.sku, "SH-101");
    for (const nonsense of ["", "SH-999", "__proto__", 101, null, undefined, {}])
      assert.equal(catalogue.find(nonsense), undefined);
  });
});

describe("search", () => {
  /** @param {Partial<Filter>} filter */
  const search = (filter) =>
    selectProducts(catalogue.products, { q: "", category: "", sort: "featured", ...filter });

  test("does without accents and case", () => {
    assert.deepEqual(
      search({ q: "TOKYO" }).map(({ sku }) => sku),
      ["SH-101"],
    );
    assert.ok(search({ q: "cafe moka" }).some(({ sku }) => sku === "KT-401"));
  });

  test("wants every word, on the shelf that was asked for", () => {
    const found = search({ q: "laptop", category: "bags" });
    assert.ok(found.length > 0 && found.every(({ category }) => category === "bags"));
    assert.deepEqual(search({ q: "laptop submarine" }), []);
    assert.deepEqual(search({ category: "nowhere" }), []);
  });

  test("sorts without touching the catalogue's own order", () => {
    const before = catalogue.products.map(({ sku }) => sku);
    const cheapFirst = search({ sort: "price-asc" }).map(({ priceCents }) => priceCents);
    assert.deepEqual(
      cheapFirst,
      [...cheapFirst].sort((a, b) => a - b),
    );
    assert.deepEqual(
      search({ sort: "price-desc" }).map(({ priceCents }) => priceCents),
      [...cheapFirst].reverse(),
    );
    assert.equal(search({ sort: "rating" }).at(-1)?.rating, null);
    assert.deepEqual(
      catalogue.products.map(({ sku }) => sku),
      before,
    );
  });
});

describe("routes", () => {
  test("say what a path shows and what its tidy form is", () => {
    /** @type {[string, Partial<Route>][]} */
    const cases = [
      ["/", { page: "catalogue", path: "/", q: "", category: "", sort: "featured" }],
      ["/index.html", { page: "catalogue", path: "/" }],
      [
        "/?category=Bags&q=red%20bag&junk=1",
        { page: "catalogue", q: "red bag", category: "bags", path: "/?q=red+bag&category=bags" },
      ],
      ["/?sort=nonsense", { sort: "featured", path: "/" }],
      ["/?sort=price-asc", { sort: "price-asc", path: "/?sort=price-asc" }],
      ["/product/sh-101/", { page: "product", sku: "SH-101", path: "/product/SH-101" }],
      ["/product/%E0%A4%A", { page: "product", sku: "%E0%A4%A" }],
      ["/cart/", { page: "cart", path: "/cart" }],
      ["/nowhere?x=1", { page: "missing", path: "/nowhere?x=1" }],
    ];
    for (const [path, expected] of cases) {
      assert.deepEqual({ ...parseRoute(path), ...expected }, parseRoute(path), path);
    }
  });

  test("survive a round trip through their tidy form", () => {
    /** @type {Filter} */
    const filter = { q: "Tōkyō & café?", category: "shoes", sort: "rating" };
    const { q, category, sort } = parseRoute(cataloguePath(filter));
    assert.deepEqual({ q, category, sort }, filter);
    assert.equal(parseRoute(productPath("A/B")).sku, "A/B");
  });

  test("refuse what leads out of the shop", () => {
    for (const path of [
      "https://example.com/",
      "//example.com/",
      "/\\example.com",
      "javascript:alert(1)",
      "cart",
      "",
      null,
      7,
    ]) {
      assert.throws(() => parseRoute(/** @type {string} */ (path)), code("BAD_PATH"), String(path));
    }
  });
});

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
      shop.put(MANY, 2),
      shop.add(MANY, 1),
      shop.cart(),
      shop.show("/cart"),
      shop.clear(),
    ];
    for (const answer of answers) assert.deepEqual(JSON.parse(JSON.stringify(answer)), answer);
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
    assert.deepEqual(Object.keys(shop.put(MANY, 1)), ["version", "lines", "totalCents"]);
    assert.deepEqual(Object.keys(shop.add(MANY, 1)), ["version", "lines", "totalCents"]);
    assert.deepEqual(Object.keys(shop.cart().lines[0]), [
      "sku",
      "name",
      "quantity",
      "unitPriceCents",
      "lineCents",
    ]);
  });

  test("is null for a product that is not there, and an empty list where nobody has written", () => {
    const shop = shopFunctions(open().store);
    assert.equal(shop.product("SH-999"), null);
    assert.equal(shop.reviews("SH-999"), null);
    assert.deepEqual(shop.reviews("SH-108"), []);
  });

  test("is a copy, so that whoever changes it does not change the shop", () => {
    const shop = shopFunctions(open().store);
    shop.products()[0].tags.push("x");
    some(shop.product(MANY)).details[0].value = "x";
    some(shop.reviews(MANY))[0].text = "x";
    shop.put(MANY, 1).lines[0].quantity = 9;
    assert.ok(!shop.products()[0].tags.includes("x"));
    assert.equal(some(shop.product(MANY)).details[0].value, "238 g (size 42)");
    assert.notEqual(some(shop.reviews(MANY))[0].text, "x");
    assert.equal(shop.cart().lines[0].quantity, 1);
  });

  test("marks what was looked at or changed, and nothing for a refusal or a listing", () => {
    const { store } = open();
    const shop = shopFunctions(store);
    shop.products();
    assert.throws(() => shop.put(FEW, 9), code("OUT_OF_STOCK"));
    assert.deepEqual(store.getSnapshot().touched, {});
    shop.product(MANY);
    shop.put(FEW, 1);
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
    assert.equal(store.getSnapshot().visit.page, "catalogue");
  });
});

describe("history", () => {
  /** As much of a window as the history needs. */
  function fakeView() {
    /** @type {{path: string, state: unknown}[]} */
    const entries = [{ path: "/", state: null }];
    let at = 0;
    /** @param {unknown} state @param {string} [target] */
    const go = (state, target) => {
      entries[at] = { path: target ?? entries[at].path, state };
    };
    const history = {
      scrollRestoration: "auto",
      get state() {
        return entries[at].state;
      },
      /** @param {unknown} state @param {string} _ @param {string} [target] */
      replaceState: (state, _, target) => go(state, target),
      /** @param {unknown} state @param {string} _ @param {string} target */
      pushState(state, _, target) {
        entries.splice(++at, Infinity);
        go(state, target);
      },
    };
    const location = {
      origin: "http://shop.test",
      get pathname() {
        return entries[at].path.split("?")[0];
      },
      get search() {
        return entries[at].path.slice(this.pathname.length);
      },
    };
    const parts = {
      document: new EventTarget(),
      history,
      location,
      scrollY: 0,
      setTimeout: () => 0,
      clearTimeout: () => {},
    };
    const target = Object.assign(new EventTarget(), parts);
    const back = () => {
      at--;
      target.dispatchEvent(new Event("popstate"));
    };
    const view = /** @type {Window & {document: Document}} */ (/** @type {unknown} */ (target));
    return { view, target, entries, back };
  }

  test("gets an entry for a navigation, and none for a replacement", () => {
    const { store } = open();
    const { view, entries } = fakeView();
    connectHistory(store, view);
    store.navigate("/?q=t", { replace: true });
    store.navigate("/product/SH-101");
    assert.deepEqual(
      entries.map(({ path }) => path),
      ["/?q=t", "/product/SH-101"],
    );
  });

  test("brings the store back to where it was left, scroll position included", () => {
    const { store } = open();
    const { view, target, entries, back } = fakeView();
    connectHistory(store, view);
    target.scrollY = 640;
    store.navigate("/product/SH-101");
    back();
    const { visit } = store.getSnapshot();
    assert.deepEqual([visit.page, visit.by, visit.scrollY], ["catalogue", "history", 640]);
    assert.equal(entries.length, 2);
  });

  test("is left alone once it is untied", () => {
    const { store } = open();
    const { view, entries } = fakeView();
    connectHistory(store, view)();
    store.navigate("/cart");
    view.dispatchEvent(new Event("popstate"));
    assert.equal(entries.length, 1);
    assert.equal(view.history.scrollRestoration, "auto");
    assert.equal(store.getSnapshot().visit.page, "cart");
  });
});

describe("activity", () => {
  /** Node 20 has no Promise.withResolvers. */
  function deferred() {
    /** @type {(value?: unknown) => void} */
    let resolve = () => {};
    /** @type {(reason: Error) => void} */
    let reject = () => {};
    const promise = new Promise((...handles) => {
      [resolve, reject] = handles;
    });
    return { promise, resolve, reject };
  }

  /** webtools, as far as the panel knows it. */
  function fakeWebtools() {
    const ready = deferred();
    const webtools = Object.assign(new EventTarget(), {
      status: /** @type {Webtools["status"]} */ ("loading"),
      ready: ready.promise,
      offered: /** @type {ReturnType<Webtools["tools"]>} */ ([]),
      tools() {
        return this.offered;
      },
    });
    /** @param {string} type @param {object} detail */
    const tell = (type, detail) =>
      webtools.dispatchEvent(Object.assign(new Event(type), { detail }));
    return { webtools, tell, ...ready };
  }

  test("says that there is no Python until webtools is there", () => {
    const activity = createActivity();
    assert.equal(activity.getSnapshot().python, "absent");
    activity.connect(fakeWebtools().webtools);
    assert.equal(activity.getSnapshot().python, "loading");
  });

  test("follows the status, with the reason of a failure", async () => {
    const activity = createActivity();
    const { webtools, tell, reject } = fakeWebtools();
    activity.connect(webtools);
    webtools.status = "failed";
    tell("status", {});
    assert.equal(activity.getSnapshot().python, "failed");
    reject(new Error("The app has a syntax error in line 3."));
    await webtools.ready.catch(() => {});
    await Promise.resolve();
    assert.equal(activity.getSnapshot().reason, "The app has a syntax error in line 3.");
  });

  test("shows the tools anew with every event", () => {
    const activity = createActivity();
    const { webtools, tell } = fakeWebtools();
    activity.connect(webtools);
    webtools.offered = [{ name: "search", state: "registered", inFlight: 0, calls: 0 }];
    tell("toolstate", { tool: "search" });
    assert.deepEqual(activity.getSnapshot().tools, webtools.offered);
  });

  test("keeps the last calls, newest first, each with its end", () => {
    const activity = createActivity();
    const { webtools, tell } = fakeWebtools();
    activity.connect(webtools);
    for (let i = 0; i <= CALLS_KEPT; i++) tell("callstart", { callId: `c${i}`, tool: "search" });
    tell("callend", { callId: "c9", tool: "search", outcome: "error", code: "INVALID", ms: 12 });
    const { calls } = activity.getSnapshot();
    assert.equal(calls.length, CALLS_KEPT);
    assert.deepEqual(calls[0], { callId: "c10", tool: "search", outcome: "running" });
    assert.deepEqual(calls[1], {
      callId: "c9",
      tool: "search",
      outcome: "error",
      code: "INVALID",
      ms: 12,
    });
  });

  test("hears nothing after it is disconnected", async () => {
    const activity = createActivity();
    const { webtools, tell, resolve } = fakeWebtools();
    activity.connect(webtools)();
    const before = activity.getSnapshot();
    tell("callstart", { callId: "c", tool: "search" });
    resolve();
    await webtools.ready;
    assert.equal(activity.getSnapshot(), before);
  });
});
