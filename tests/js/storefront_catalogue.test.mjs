import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { categories, openCatalogue } from "../../static/storefront/catalogue.js";
import { audio } from "../../static/storefront/pictures/audio.js";
import { bags } from "../../static/storefront/pictures/bags.js";
import { desk } from "../../static/storefront/pictures/desk.js";
import { kitchen } from "../../static/storefront/pictures/kitchen.js";
import { outdoor } from "../../static/storefront/pictures/outdoor.js";
import { palettes } from "../../static/storefront/pictures/palettes.js";
import { shoes } from "../../static/storefront/pictures/shoes.js";
import { selectProducts } from "../../static/storefront/search.js";
import { catalogue, some } from "./storefront.mjs";

/** @typedef {import("../../static/storefront/routes.js").Filter} Filter */

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
