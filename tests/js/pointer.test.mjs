import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { between, tipOn, wordsBeside } from "../../static/pointer.js";
import { forbidWarnings } from "./fakes.mjs";

forbidWarnings();

const WINDOW = { width: 800, height: 600 };
const SIZE = { width: 200, height: 50 };

describe("the tip", () => {
  for (const [what, box, tip] of /** @type {[string, any, any][]} */ ([
    ["in the middle", { left: 100, top: 100, right: 200, bottom: 140 }, { x: 150, y: 120 }],
    [
      "in the middle of what is seen",
      { left: -100, top: 500, right: 100, bottom: 900 },
      { x: 50, y: 550 },
    ],
    ["at the edge below", { left: 0, top: 700, right: 100, bottom: 800 }, { x: 50, y: 600 }],
    ["at the edge above", { left: 0, top: -90, right: 100, bottom: -10 }, { x: 50, y: 0 }],
  ])) {
    test(`is ${what}`, () => assert.deepEqual(tipOn(box, WINDOW), tip));
  }
});

describe("the words", () => {
  test("are below the tip and after it", () => {
    assert.deepEqual(wordsBeside({ x: 100, y: 100 }, SIZE, WINDOW), { x: 114, y: 124 });
  });

  test("are above it near the window's end, and never over the edge", () => {
    assert.deepEqual(wordsBeside({ x: 790, y: 590 }, SIZE, WINDOW), { x: 592, y: 532 });
  });

  test("begin in the window, however small that is", () => {
    assert.deepEqual(wordsBeside({ x: 5, y: 5 }, SIZE, { width: 150, height: 40 }), { x: 8, y: 8 });
  });
});

test("a pointer leaves slowly, and arrives where it is to be", () => {
  const [from, to] = [
    { x: 0, y: 100 },
    { x: 100, y: 0 },
  ];
  assert.deepEqual(between(from, to, 0), from);
  assert.deepEqual(between(from, to, 0.5), { x: 50, y: 50 });
  assert.deepEqual(between(from, to, 1), to);
  assert.ok(between(from, to, 0.1).x < 10);
});
