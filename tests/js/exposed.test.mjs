import assert from "node:assert/strict";
import { test } from "node:test";

import { callExposed } from "../../static/exposed.js";

const EXPOSED = new Map([["shop", { add: (/** @type {number} */ a) => a + 1, price: 3 }]]);

/** @param {string} name @param {string} text */
const call = (name, text = "[1]") =>
  JSON.parse(/** @type {string} */ (callExposed(EXPOSED, "shop", name, text)));

test("an exposed function is called", () => {
  assert.deepEqual(call("add"), { value: 2 });
});

for (const name of ["constructor", "toString", "__proto__", "__defineGetter__", "price", ""]) {
  test(`what an object inherits, or has that is no function, is not exposed: "${name}"`, () => {
    assert.equal(call(name, '["value", 1]').error.code, "PAGE_ERROR");
    assert.equal(/** @type {any} */ ({}).value, undefined);
  });
}

test("arguments that would become a prototype become none", () => {
  const seen = new Map([
    ["shop", { see: (/** @type {any} */ given) => [given.isAdmin ?? "none"] }],
  ]);
  const text = '[{"__proto__": {"isAdmin": true}}]';
  const answer = JSON.parse(/** @type {string} */ (callExposed(seen, "shop", "see", text)));
  assert.deepEqual(answer, { value: ["none"] });
  assert.equal(/** @type {any} */ ({}).isAdmin, undefined);
});
