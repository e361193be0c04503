import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { compare } from "../../static/storefront/comparison.js";
import { shopFunctions } from "../../static/storefront/page.js";
import { comparePath, parseRoute } from "../../static/storefront/routes.js";
import { catalogue, code, open } from "./storefront.mjs";

describe("a comparison", () => {
  test("has a value of each product for each fact, what most tell first", () => {
    const { columns, rows, path } = compare(catalogue, ["au-601", "AU-602", "DK-502"]);
    assert.deepEqual(
      columns.map(({ sku }) => sku),
      ["AU-601", "AU-602", "DK-502"],
    );
    assert.equal(path, "/compare?skus=AU-601,AU-602,DK-502");
    for (const { values } of rows) assert.equal(values.length, 3);
    const told = rows.map(({ values }) => values.filter((value) => value !== "–").length);
    assert.deepEqual(told, [...told].sort().reverse());
    assert.deepEqual(rows.find(({ label }) => label === "Battery")?.values, [
      "38 h",
      "7 h, 28 h with case",
      "–",
    ]);
  });

  test("is of two to four different products that the shop has", () => {
    assert.throws(() => compare(catalogue, ["AU-601", "XX-1"]), code("UNKNOWN_SKU", /"XX-1"/));
    assert.throws(() => compare(catalogue, ["AU-601", "au-601"]), code("BAD_COMPARISON"));
    const five = catalogue.products.slice(0, 5).map(({ sku }) => sku);
    assert.throws(() => compare(catalogue, five), code("BAD_COMPARISON", /2 to 4/));
    assert.equal(compare(catalogue, five.slice(1)).columns.length, 4);
  });

  test("has an address", () => {
    const { page, skus, path } = parseRoute("/compare/?skus=au-601,,%20AU-602,AU-601");
    assert.deepEqual([page, skus, path], ["compare", ["AU-601", "AU-602"], comparePath(skus)]);
    assert.deepEqual(parseRoute(comparePath(["A/B", "C&D"])).skus, ["A/B", "C&D"]);
    assert.deepEqual(parseRoute("/compare").skus, []);
  });

  test("that cannot be seen is not shown", () => {
    const { store } = open();
    const shop = shopFunctions(store);
    assert.throws(() => shop.show("/compare?skus=AU-601,XX-1"), code("UNKNOWN_SKU"));
    assert.throws(() => shop.show("/compare"), code("BAD_COMPARISON"));
    shop.show("/compare?skus=AU-601,AU-602");
    assert.equal(store.getSnapshot().visit.page, "compare");
  });

  test("marks its products as touched", () => {
    const { store } = open();
    const answer = shopFunctions(store).comparison(["AU-601", "AU-602"]);
    assert.deepEqual(JSON.parse(JSON.stringify(answer)), answer);
    assert.deepEqual(Object.keys(store.getSnapshot().touched), ["AU-601", "AU-602"]);
  });
});

describe("a message", () => {
  const message = { to: " ada@harbour.example ", subject: "Two", text: "a\nb", path: "/" };

  test("is shown on a page of its own, announced as not sent", () => {
    const { store } = open();
    shopFunctions(store).showMessage(message);
    const { visit, announcement, message: shown } = store.getSnapshot();
    assert.deepEqual([visit.path, visit.by], ["/message", "agent"]);
    assert.deepEqual(shown, { ...message, to: "ada@harbour.example" });
    assert.match(announcement.text, /not sent/);
  });

  test("to what is no address is not shown", () => {
    const { store } = open();
    const before = store.getSnapshot();
    assert.throws(() => store.showMessage({ ...message, to: "nobody" }), code("BAD_ADDRESS"));
    assert.equal(store.getSnapshot(), before);
  });
});
