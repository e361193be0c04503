import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { fieldsOf, inputOf, wholeInputOf } from "../../static/inspector-form.js";
import { forbidWarnings } from "./fakes.mjs";

forbidWarnings();

/** The field of one property. @param {any} schema @param {any} [rest] @returns {any} */
const field = (schema, rest) => fieldsOf({ properties: { x: schema }, ...rest })?.[0];

/** What a text in the field of one property makes. @param {any} schema @param {string} text @param {any} [rest] @returns {any} */
const value = (schema, text, rest) => inputOf([field(schema, rest)], { x: text });

describe("fieldsOf", () => {
  test("tells by its type what is written in a field", () => {
    const kinds = ["string", "number", "integer", "boolean", "array", "object"];
    assert.deepEqual(
      kinds.map((type) => field({ type }).kind),
      ["text", "number", "integer", "choice", "json", "json"],
    );
  });

  test("marks what is required, and names a field by title and name", () => {
    const { isRequired, label } = field({ type: "string", title: "Word" }, { required: ["x"] });
    assert.deepEqual([isRequired, label], [true, "Word (x)"]);
  });

  test("offers the values of an enum, of a const, and of an anyOf of them", () => {
    assert.deepEqual(field({ enum: ["a", 1, null] }).choices, ["a", 1, null]);
    assert.deepEqual(field({ const: "a" }).choices, ["a"]);
    assert.deepEqual(field({ anyOf: [{ const: 1 }, { const: 2 }] }).choices, [1, 2]);
  });

  test("looks through a reference, and through what may be null as well", () => {
    const $defs = { Color: { enum: ["red"] }, Loop: { $ref: "#/$defs/Loop" } };
    assert.deepEqual(field({ $ref: "#/$defs/Color" }, { $defs }).choices, ["red"]);
    assert.equal(field({ anyOf: [{ type: "integer" }, { type: "null" }] }).kind, "integer");
    const maybe = { anyOf: [{ $ref: "#/$defs/Color" }, { type: "null" }] };
    assert.deepEqual(field(maybe, { $defs }).choices, ["red"]);
    assert.equal(field({ type: ["string", "null"] }).kind, "text");
    assert.equal(field({ $ref: "#/$defs/Loop" }, { $defs }).kind, "json");
  });

  test("begins with the default, and with nothing where that is null", () => {
    assert.equal(field({ type: "integer", default: 10 }).initial, "10");
    assert.equal(field({ enum: ["a"], default: "a" }).initial, '"a"');
    assert.equal(field({ type: "array", default: [1] }).initial, "[\n 1\n]");
    assert.equal(field({ type: "string", default: null }).initial, "");
  });

  test("gives limits to the controls that know them", () => {
    assert.deepEqual(field({ type: "string", maxLength: 9 }).limits, { maxlength: 9 });
    assert.deepEqual(field({ type: "integer", minimum: 1 }).limits, { min: 1, step: 1 });
    assert.deepEqual(field({ type: "number" }).limits, { step: "any" });
  });

  test("has no field for a tool without input, and none to name where the schema has no properties", () => {
    assert.deepEqual(fieldsOf({ type: "object", properties: {} }), []);
    assert.deepEqual(fieldsOf(undefined), []);
    assert.equal(fieldsOf({ type: "object" }), null);
    assert.equal(fieldsOf(true), null);
  });
});

describe("inputOf", () => {
  test("makes of each text what its field says", () => {
    assert.deepEqual(value({ type: "string" }, "7"), { input: { x: "7" } });
    assert.deepEqual(value({ type: "integer" }, "7"), { input: { x: 7 } });
    assert.deepEqual(value({ type: "boolean" }, "false"), { input: { x: false } });
    assert.deepEqual(value({ enum: ["a", 1] }, '"a"'), { input: { x: "a" } });
    assert.deepEqual(value({ type: "array" }, "[1]"), { input: { x: [1] } });
  });

  test("leaves out what is empty, but for a text that is required", () => {
    const required = { required: ["x"] };
    assert.deepEqual(value({ type: "string" }, ""), { input: {} });
    assert.deepEqual(value({ type: "string" }, "", required), { input: { x: "" } });
    assert.deepEqual(value({ type: "integer" }, "", required), { input: {} });
  });

  test("says what is wrong, and in which field", () => {
    assert.match(value({ type: "number" }, "seven").problem, /^x: this is no number/);
    assert.match(value({ type: "integer" }, "1.5").problem, /no whole number/);
    assert.match(value({ type: "object" }, "{").problem, /this is no JSON/);
    assert.equal(value({ type: "object" }, "{").field, "x");
  });

  test("makes no other number of one that JavaScript cannot hold", () => {
    const large = "9007199254740993";
    assert.match(value({ type: "integer" }, large).problem, /^x: 9007199254740993 is too large/);
    assert.match(value({ type: "number" }, `-${large}`).problem, /too large/);
    assert.match(value({ type: "array" }, `[{"a": ${large}}]`).problem, /too large/);
    assert.deepEqual(value({ type: "integer" }, "9007199254740991"), {
      input: { x: 9007199254740991 },
    });
    assert.deepEqual(value({ type: "number" }, "1e300"), { input: { x: 1e300 } });
    assert.deepEqual(value({ type: "array" }, `["${large}"]`), { input: { x: [large] } });
  });
});

test("an input without named properties is one JSON text", () => {
  assert.deepEqual(wholeInputOf('{"a": 1}'), { input: { a: 1 } });
  assert.match(/** @type {any} */ (wholeInputOf("{")).problem, /no JSON/);
});
