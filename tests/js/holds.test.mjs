import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { Holds } from "../../static/holds.js";
import { forbidWarnings } from "./fakes.mjs";

forbidWarnings();

const DEFINITION = { name: "a", description: "d" };
/** @type {any} */
const CYCLE = {};
CYCLE.properties = CYCLE;
const handler = () => "done";

/** Holds whose keeper notes what it is asked for. @param {Record<string, any>} [states] by the tool's name */
function newHolds(states = {}) {
  /** @type {unknown[][]} */
  const asked = [];
  const holds = new Holds(
    (...wish) => asked.push(["hold", ...wish]),
    (number) => asked.push(["release", number]),
    (number) => asked.push(["retire", number]),
    (name) => states[name] ?? "unknown",
  );
  return { holds, asked };
}

describe("hold", () => {
  test("asks the keeper at once, and releases once", () => {
    const { holds, asked } = newHolds({ a: "registered" });
    const hold = holds.hold("a", { resourceId: "doc-1" });
    assert.equal(hold.status, "registered");
    hold.release();
    hold.release();
    assert.deepEqual(asked, [
      ["hold", 1, "a", undefined, "doc-1", undefined],
      ["release", 1],
    ]);
    assert.deepEqual([...holds.wishes()], []);
  });

  test("takes null for options that are left out", () => {
    const { holds, asked } = newHolds();
    holds.hold("a", /** @type {any} */ (null));
    assert.deepEqual(asked, [["hold", 1, "a", undefined, undefined, undefined]]);
  });

  test("has the same number for the same owner, and another for another", () => {
    const { holds, asked } = newHolds();
    const owner = {};
    for (const each of [owner, owner, {}]) holds.hold("a", { owner: each });
    const [first, second, third] = asked.map((wish) => wish[5]);
    assert.equal(typeof first, "number");
    assert.equal(first, second);
    assert.notEqual(first, third);
  });

  for (const args of [
    [],
    [""],
    [3],
    ["a b"],
    ["a".repeat(129)],
    ["a", 3],
    ["a", []],
    ["a", { resourceId: 7 }],
    ["a", { owner: "me" }],
    ["a", { owner: null }],
    ["a", { resourceID: "doc-1" }],
  ]) {
    test(`refuses ${JSON.stringify(args)} with a TypeError, and holds nothing`, () => {
      const { holds, asked } = newHolds();
      assert.throws(() => holds.hold(.../** @type {[any]} */ (args)), TypeError);
      assert.deepEqual(asked, []);
    });
  }
});

describe("define", () => {
  test("hands the definition over as text, and keeps the handler", () => {
    const { holds, asked } = newHolds();
    holds.define(DEFINITION, handler, { resourceId: "doc-1" });
    const text = JSON.stringify(DEFINITION);
    assert.deepEqual(asked, [["hold", 1, "a", text, "doc-1", undefined]]);
    assert.equal(holds.wish(1).handler, handler);
  });

  test("holds a list as a set, whose status is that of the tool that is least far", () => {
    const { holds, asked } = newHolds({ a: "registered", b: "waiting" });
    const second = { ...DEFINITION, name: "b" };
    const hold = holds.define(
      [
        [DEFINITION, handler],
        [second, handler],
      ],
      { resourceId: "doc-1" },
    );
    assert.equal(hold.status, "waiting");
    assert.deepEqual(
      asked.map(([, , name, , resource]) => [name, resource]),
      [
        ["a", "doc-1"],
        ["b", "doc-1"],
      ],
    );
    hold.release();
    assert.deepEqual(asked.slice(2), [
      ["release", 1],
      ["release", 2],
    ]);
  });

  for (const [why, args] of Object.entries({
    "no definition": [],
    "a name": ["a", handler],
    "no name": [{ description: "d" }, handler],
    "a name that is no text": [{ name: 3, description: "d" }, handler],
    "no description": [{ name: "a" }, handler],
    "no handler": [DEFINITION],
    "a handler that is none": [DEFINITION, "f"],
    "a field that WebMCP has not": [{ ...DEFINITION, execute: handler }, handler],
    "a schema in itself": [{ ...DEFINITION, inputSchema: CYCLE }, handler],
    "a schema that JSON cannot hold": [{ ...DEFINITION, inputSchema: { n: 1n } }, handler],
    "a resource that is no text": [DEFINITION, handler, { resourceId: 7 }],
    "a list with one bad item": [[[DEFINITION, handler], DEFINITION]],
    "a list with one name twice": [
      [
        [DEFINITION, handler],
        [DEFINITION, handler],
      ],
    ],
  })) {
    test(`refuses ${why} with a TypeError, and holds nothing`, () => {
      const { holds, asked } = newHolds();
      assert.throws(() => holds.define(.../** @type {[any]} */ (args)), TypeError);
      assert.deepEqual(asked, []);
    });
  }

  test("takes equal definitions for one, however their fields are ordered", () => {
    const { holds, asked } = newHolds();
    holds.define({ title: "A", description: "d", name: "a" }, handler);
    holds.define({ name: "a", title: "A", description: "d" }, handler);
    assert.equal(asked[0][3], asked[1][3]);
  });
});
