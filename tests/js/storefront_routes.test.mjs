import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { connectHistory } from "../../static/storefront/history.js";
import { cataloguePath, parseRoute, productPath } from "../../static/storefront/routes.js";
import { code, open } from "./storefront.mjs";

/**
 * @typedef {import("../../static/storefront/routes.js").Filter} Filter
 * @typedef {import("../../static/storefront/routes.js").Route} Route
 */

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
      ["/checkout?x=1", { page: "checkout", path: "/checkout" }],
      ["/orders/", { page: "orders", path: "/orders" }],
      [
        "/order/ph-7k3m9q",
        { page: "order", orderId: "PH-7K3M9Q", path: "/order/PH-7K3M9Q", sku: "" },
      ],
      ["/order/", { page: "missing" }],
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
