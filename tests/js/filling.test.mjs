import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { fillAtOnce, FILLING_MS, fillVisibly, taskOf } from "../../static/filling.js";
import { forbidWarnings } from "./fakes.mjs";
import { newLoop } from "./loop.mjs";

forbidWarnings();

/** What has the focus. @type {any} */
let active;

/** A control as far as it is looked at here; its value is its prototype's, as a browser's is. */
class Control extends EventTarget {
  localName = "input";
  checked = false;
  readOnly = false;
  isDisabled = false;
  isUnseen = false;
  maxLength = -1;
  /** @type {{value: string, selected: boolean}[]} */
  options = [];
  /** What the page heard, with the value at that time. @type {string[]} */
  heard = [];
  ownerDocument = {
    defaultView: { Event },
    createElement: () => new Probe(),
  };
  #value = "";

  constructor(/** @type {string} */ type, /** @type {any} */ members = {}) {
    super();
    this.type = type;
    Object.assign(this, members);
    for (const each of ["input", "change"]) {
      this.addEventListener(each, () => this.heard.push(`${each} ${this.value}`));
    }
  }

  get value() {
    return this.#value;
  }

  set value(text) {
    this.#value = text;
  }

  get selectedIndex() {
    return this.options.findIndex(({ selected }) => selected);
  }

  set selectedIndex(index) {
    this.options.forEach((option, at) => (option.selected = at === index));
  }

  matches = () => this.isDisabled;
  checkVisibility = () => !this.isUnseen;
  getRootNode = () => ({ activeElement: active });
  click = () => void (this.checked = this.type === "radio" || !this.checked);
}

/** Takes numbers only. */
class Probe {
  type = "";
  #value = "";
  get value() {
    return this.#value;
  }
  set value(text) {
    this.#value = Number.isNaN(Number(text)) ? "" : text;
  }
}

/** @param {any} elements @param {unknown} value */
const task = (elements, value) => taskOf([elements].flat(), value);

/**
 * Fills controls on a clock of the test's.
 *
 * @param {import("node:test").TestContext} context
 * @param {[Control, unknown][]} fields
 */
function fill(context, fields) {
  const loop = newLoop(context);
  const controller = new AbortController();
  /** @type {any[]} */
  const visited = [];
  const tasks = fields.map(([control, value]) => task(control, value)).filter((each) => !!each);
  let endedAt = -1;
  const filling = fillVisibly(tasks, controller.signal, (control) => void visited.push(control));
  filling.then(() => (endedAt = loop.now));
  return { loop, controller, visited, endedAt: () => endedAt };
}

describe("a text", () => {
  test("is written piece by piece, and is changed once", async (context) => {
    const control = new Control("search");
    const { loop, visited, endedAt } = fill(context, [[control, "rain boots"]]);
    await loop.advance(FILLING_MS);
    const written = control.heard.map((each) => each.replace("input ", ""));
    assert.equal(written.at(-1), "change rain boots");
    assert.equal(written.at(-2), "rain boots");
    const pieces = written.slice(0, -1);
    assert.ok(pieces.length > 3 && pieces.every((piece) => "rain boots".startsWith(piece)));
    assert.deepEqual(visited, [control]);
    assert.ok(endedAt() > 0 && endedAt() <= FILLING_MS);
  });

  test("of many fields takes no longer in all", async (context) => {
    const fields = Array.from("abcdefgh", () => new Control("text"));
    const long = "x".repeat(500);
    const { loop, endedAt } = fill(
      context,
      fields.map((control) => [control, long]),
    );
    await loop.advance(FILLING_MS + 1);
    assert.ok(fields.every(({ value }) => value === long));
    assert.ok(endedAt() > 0 && endedAt() <= FILLING_MS + 1);
  });

  test("is never cut inside of a character", async (context) => {
    const control = new Control("text");
    const { loop } = fill(context, [[control, "👟👟👟"]]);
    await loop.advance(FILLING_MS);
    assert.ok(!control.heard.some((each) => /[\ud800-\udfff]/u.test(each))); // no lone half
  });

  test("stops where the call ends", async (context) => {
    const [first, second] = [new Control("text"), new Control("text")];
    const { loop, controller, endedAt } = fill(context, [
      [first, "rain boots"],
      [second, "more"],
    ]);
    await loop.advance(100);
    controller.abort();
    const { value } = first;
    await loop.advance(FILLING_MS);
    assert.ok(value.length > 0 && value.length < 10);
    assert.deepEqual([first.value, second.value, endedAt()], [value, "", 100]);
    assert.equal(loop.timers.size, 0);
  });

  test("leaves a field to the person who comes into it", async (context) => {
    const control = new Control("text");
    const { loop } = fill(context, [[control, "rain boots"]]);
    await loop.advance(100);
    active = control;
    context.after(() => (active = undefined));
    control.value = "mine";
    await loop.advance(FILLING_MS);
    assert.equal(control.value, "mine");
    assert.ok(!control.heard.some((each) => each.startsWith("change")));
  });

  test("ends where the page makes the field one that is never filled", async (context) => {
    const control = new Control("text");
    const { loop } = fill(context, [[control, "rain boots"]]);
    await loop.advance(100);
    control.type = "password";
    const { value } = control;
    assert.ok(value && value !== "rain boots");
    await loop.advance(FILLING_MS);
    assert.equal(control.value, value);
  });

  test("goes in at once where nothing is to move", () => {
    const control = new Control("textarea", { localName: "textarea" });
    fillAtOnce([/** @type {any} */ (task(control, "notes"))]);
    assert.deepEqual(control.heard, ["input notes", "change notes"]);
  });
});

describe("what is not filled", () => {
  for (const type of ["password", "hidden", "file", "submit", "button"]) {
    test(`is ${type}`, () => assert.equal(task(new Control(type), "x"), undefined));
  }

  for (const [what, control, value] of /** @type {[string, Control, unknown][]} */ ([
    ["disabled", new Control("text", { isDisabled: true }), "x"],
    ["read-only", new Control("text", { readOnly: true }), "x"],
    ["not to be seen", new Control("text", { isUnseen: true }), "x"],
    ["too short for it", new Control("text", { maxLength: 2 }), "abc"],
    [
      "a choice that is disabled",
      new Control("select-one", {
        localName: "select",
        options: [{ value: "shoes", selected: false, disabled: true }],
      }),
      "shoes",
    ],
    ["no control", new Control("text", { localName: "div" }), "x"],
    ["left alone, with null", new Control("text"), null],
    ["left alone, where there is no argument", new Control("text"), undefined],
    ["what it shows already", new Control("text", { value: "x" }), "x"],
    ["not for data", new Control("text"), { a: 1 }],
    ["not for that text", new Control("number"), "many"],
    ["not for that choice", new Control("select-one", { localName: "select" }), "shoes"],
    ["checked already", new Control("checkbox", { checked: true }), true],
    ["not for a text", new Control("checkbox"), "yes"],
  ])) {
    test(`is ${what}`, () => assert.equal(task(control, value), undefined));
  }

  test("is nothing at all", () => assert.equal(taskOf([], "x"), undefined));

  test("is what the person is in", (context) => {
    const control = new Control("text");
    const there = task(control, "x");
    active = control;
    context.after(() => (active = undefined));
    fillAtOnce([/** @type {any} */ (there)]);
    assert.equal(control.value, "");
  });
});

describe("other controls", () => {
  /** @param {any} elements @param {unknown} value */
  const set = (elements, value) => task(elements, value)?.set();

  test("a checkbox is clicked, which every framework hears", () => {
    const control = new Control("checkbox");
    set(control, true);
    assert.equal(control.checked, true);
    set(control, false);
    assert.equal(control.checked, false);
  });

  test("checkboxes of one name are those of a list", () => {
    const boxes = ["a", "b", "c"].map((value) => new Control("checkbox", { value }));
    boxes[0].checked = true;
    set(boxes, ["b", "c"]);
    assert.deepEqual(
      boxes.map(({ checked }) => checked),
      [false, true, true],
    );
  });

  test("of radio buttons the one with the value is chosen", () => {
    const radios = ["match", "price"].map((value) => new Control("radio", { value }));
    set(radios, "price");
    assert.deepEqual(
      radios.map(({ checked }) => checked),
      [false, true],
    );
    assert.equal(task(radios, "rating"), undefined);
  });

  test("an option is selected, and the page is told", () => {
    const options = ["", "shoes"].map((value) => ({ value, selected: value === "" }));
    const control = new Control("select-one", { localName: "select", options });
    set(control, "shoes");
    assert.equal(options[1].selected, true);
    assert.deepEqual(
      control.heard.map((each) => each.split(" ")[0]),
      ["input", "change"],
    );
  });

  test("a number goes in whole", () => {
    const control = new Control("number");
    assert.equal(task(control, 12.5)?.typed, undefined);
    set(control, 12.5);
    assert.equal(control.value, "12.5");
  });
});
