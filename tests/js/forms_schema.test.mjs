import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { schemaOf } from "../../static/forms-schema.js";
import { forbidWarnings } from "./fakes.mjs";

forbidWarnings();

/** @typedef {import("../../static/forms-schema.js").Parameter} Parameter */

/** The property of one parameter. @param {Partial<Parameter>} parameter @returns {any} */
function propertyOf(parameter) {
  const { properties } = schemaOf([{ name: "a", type: "text", required: false, ...parameter }]);
  return properties.a;
}

describe("the schema of a form", () => {
  test("a form without parameters takes an empty object", () => {
    assert.deepEqual(schemaOf([]), { type: "object", properties: {}, required: [] });
  });

  test("required are those that the form requires, in its order", () => {
    const parameters = ["z", "y", "x"].map((name) => ({
      name,
      type: "text",
      required: name !== "y",
    }));
    assert.deepEqual(schemaOf(parameters).required, ["z", "x"]);
  });

  test("a parameter may be called __proto__", () => {
    const schema = schemaOf([{ name: "__proto__", type: "checkbox", required: false }]);
    assert.equal(JSON.stringify(schema.properties), '{"__proto__":{"type":"boolean"}}');
  });

  test("an empty description is none", () => {
    assert.deepEqual(propertyOf({ description: "" }), { type: "string" });
    assert.deepEqual(propertyOf({ description: "D" }), { type: "string", description: "D" });
  });

  for (const [limits, multipleOf] of /** @type {[Partial<Parameter>, number?][]} */ ([
    [{}, 1],
    [{ step: "5" }, 5],
    [{ step: "any" }],
    [{ step: "ANY" }],
    [{ step: "0" }, 1],
    [{ step: "-2" }, 1],
    [{ step: "five" }, 1],
    [{ step: "1e-3" }, 0.001],
    [{ step: "5", min: "10" }, 5],
    [{ step: "2", min: "1" }],
    [{ min: "0.5" }],
    [{ step: "0.1", value: "0.3" }, 0.1],
    [{ step: "2", value: "3" }],
    [{ step: "2", value: "3", min: "4" }, 2],
  ])) {
    test(`a number with ${JSON.stringify(limits)} is a multiple of ${multipleOf ?? "nothing"}`, () => {
      assert.equal(propertyOf({ type: "number", ...limits }).multipleOf, multipleOf);
    });
  }

  for (const [text, minimum] of /** @type {[string, number?][]} */ ([
    ["-.5", -0.5],
    ["1e2", 100],
    ["+1"],
    [" 1"],
    ["1."],
    ["0x10"],
    ["Infinity"],
    [""],
  ])) {
    test(`a number's limit "${text}" is ${minimum ?? "none"}`, () => {
      assert.equal(propertyOf({ type: "number", min: text }).minimum, minimum);
    });
  }

  test("a range goes from 0 to 100, and never backwards", () => {
    assert.deepEqual(propertyOf({ type: "range", step: "any" }), {
      type: "number",
      minimum: 0,
      maximum: 100,
    });
    assert.equal(propertyOf({ type: "range", min: "200" }).maximum, 200);
  });

  test("a pattern that is none, and lengths that are not set, are left out", () => {
    const property = propertyOf({ pattern: "[", minLength: -1, maxLength: -1 });
    assert.deepEqual(property, { type: "string" });
    assert.deepEqual(propertyOf({ pattern: "", minLength: 0, maxLength: 3 }), {
      type: "string",
      pattern: "",
      minLength: 0,
      maxLength: 3,
    });
  });

  test("choices keep their order; several are an array without doubles", () => {
    const choices = [{ value: "x", title: "" }, { value: "" }];
    const one = {
      type: "string",
      anyOf: [
        { type: "string", const: "x", title: "" },
        { type: "string", const: "" },
      ],
      enum: ["x", ""],
    };
    for (const type of ["radio", "select-one"]) {
      assert.deepEqual(propertyOf({ type, choices }), one);
    }
    for (const type of ["checkboxes", "select-multiple"]) {
      const several = { type: "array", items: one, uniqueItems: true };
      assert.deepEqual(propertyOf({ type, choices }), several);
    }
  });
});
