import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { Holds } from "../../static/holds.js";
import { forbidWarnings } from "./fakes.mjs";

forbidWarnings();

/** A border that notes what it is asked for. */
function fakeBorder() {
  /** @type {unknown[][]} */
  const asked = [];
  const border = /** @type {import("../../static/border.js").Border} */ (
    /** @type {unknown} */ ({
      hold: (/** @type {unknown[]} */ ...wish) => asked.push(["hold", ...wish]),
      release: (/** @type {number} */ number) => asked.push(["release", number]),
    })
  );
  return { border, asked };
}

describe("a hold of the page's", () => {
  test("waits for Python, with those that still stand, in their order", () => {
    const { border, asked } = fakeBorder();
    const holds = new Holds(() => "unknown");
    holds.hold("a", { resourceId: "doc-1" });
    holds.hold("b").release();
    holds.hold("c");
    holds.attach(border);
    assert.deepEqual(asked, [
      ["hold", 1, "a", "doc-1", undefined],
      ["hold", 3, "c", undefined, undefined],
    ]);
  });

  test("is told to Python at once when it is up, and released once", () => {
    const { border, asked } = fakeBorder();
    const holds = new Holds(() => "registered");
    holds.attach(border);
    const hold = holds.hold("a");
    assert.equal(hold.status, "registered");
    hold.release();
    hold.release();
    assert.deepEqual(asked, [
      ["hold", 1, "a", undefined, undefined],
      ["release", 1],
    ]);
  });

  test("has the same number for the same owner, and another for another", () => {
    const { border, asked } = fakeBorder();
    const holds = new Holds(() => "unknown");
    holds.attach(border);
    const owner = {};
    for (const each of [owner, owner, {}]) holds.hold("a", { owner: each });
    const [first, second, third] = asked.map((wish) => wish[4]);
    assert.equal(typeof first, "number");
    assert.equal(first, second);
    assert.notEqual(first, third);
  });

  for (const args of [[], [""], [3], ["a", { resourceId: 7 }], ["a", { owner: "me" }]]) {
    test(`refuses ${JSON.stringify(args)} with a TypeError`, () => {
      const holds = new Holds(() => "unknown");
      assert.throws(() => holds.hold(.../** @type {[any]} */ (args)), TypeError);
    });
  }
});
