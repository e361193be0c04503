/** What an agent gave for a form's fields, checked and then put into the controls. */

import { FormFailure } from "./form-failure.js";
import { fieldsOf } from "./forms-controls.js";

/**
 * @typedef {import("./forms-controls.js").Control} Control
 * @typedef {import("./forms-controls.js").Field} Field
 *
 * @typedef {object} Step
 * @property {Control} control
 * @property {() => boolean} set tells whether it changed anything
 * @property {boolean} [checked] what a box is to be
 */

/** Types whose controls drop a text that they cannot take. */
const STRICT = new Set([
  "color",
  "date",
  "datetime-local",
  "month",
  "number",
  "range",
  "time",
  "week",
]);

/**
 * What is to be set, in the input's order. Nothing is set yet.
 *
 * @param {HTMLFormElement} form
 * @param {object} input
 * @returns {Step[]}
 */
export function stepsOf(form, input) {
  if (Array.isArray(input)) throw new FormFailure("A form takes its parameters by their names.");
  const fields = fieldsOf(form);
  return Object.entries(input).flatMap(([name, value]) => {
    const field = fields.get(name);
    if (!field) throw new FormFailure(`The form has no parameter "${name}".`);
    return stepsOfField(field, value);
  });
}

/**
 * Sets one control, and tells the page so, as if a person had done it; so not of what is hidden.
 *
 * @param {Step} step
 */
export function take({ control, set }) {
  if (!set() || control.type === "hidden") return;
  const { Event } = /** @type {Window & typeof globalThis} */ (control.ownerDocument.defaultView);
  control.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
  control.dispatchEvent(new Event("change", { bubbles: true }));
}

/**
 * The same, but boxes are clicked: that is what some frameworks listen to, React among them. Chromium 156 does not do so
 * when it fills a declarative form, and `take` is what it does.
 *
 * @param {Step} step
 */
export function takeAsPerson(step) {
  const { control, checked } = step;
  if (checked === undefined) take(step);
  else if (control.checked !== checked) HTMLElement.prototype.click.call(control);
}

/** @param {Field} field @param {unknown} value @returns {Step[]} */
function stepsOfField({ parameter: { choices = [], name, type }, controls }, value) {
  const refuse = () =>
    new FormFailure(`The parameter "${name}" cannot be ${JSON.stringify(value)}.`);
  /** The values that are meant; several choices may have one. @param {unknown} wanted */
  const values = (wanted) => {
    const texts = Array.isArray(wanted) ? wanted.map(textOf) : fail(refuse);
    const isKnown = texts.every((text) => choices.some((choice) => choice.value === text));
    if (!isKnown || new Set(texts).size < texts.length) throw refuse();
    return texts;
  };
  const [control] = controls;
  switch (type) {
    case "checkbox":
      return [check(control, flagOf(value) ?? fail(refuse))];
    case "checkboxes": {
      const chosen = values(value);
      return controls.map((each) => check(each, chosen.includes(each.value)));
    }
    case "radio": {
      const [chosen] = values([value]);
      return [check(controls.find((each) => each.value === chosen) ?? control, true)];
    }
    case "select-one":
      return [choose(control, values([value]))];
    case "select-multiple":
      return [choose(control, values(value))];
    default: {
      const text = textOf(value);
      if (text === undefined || !canTake(control, text)) throw refuse();
      return [write(control, text)];
    }
  }
}

/** @param {Control} control @param {string} value @returns {Step} */
function write(control, value) {
  return { control, set: () => change(control, "value", value) };
}

/** @param {Control} control @param {boolean} checked @returns {Step} */
function check(control, checked) {
  return { control, checked, set: () => change(control, "checked", checked) };
}

/** @param {Control} control @param {(string | undefined)[]} values @returns {Step} */
function choose(control, values) {
  const selection = () => Array.from(control.options, ({ selected }) => selected).join();
  return {
    control,
    set() {
      const before = selection();
      const options = [...control.options];
      if (control.multiple) {
        for (const option of options) option.selected = values.includes(option.value);
      } else control.selectedIndex = options.findIndex(({ value }) => value === values[0]);
      return selection() !== before;
    },
  };
}

/**
 * By the prototype's setter: a framework that watches a control has put one of its own on the element, and would take
 * the event for its own doing.
 *
 * @param {Control} control @param {"value" | "checked"} name @param {string | boolean} value
 */
function change(control, name, value) {
  const before = control[name];
  Reflect.set(Object.getPrototypeOf(control), name, value, control);
  return control[name] !== before;
}

/** @param {Control} control @param {string} text */
function canTake({ ownerDocument, type }, text) {
  if (!STRICT.has(type)) return true;
  const probe = ownerDocument.createElement("input");
  probe.type = type === "range" ? "number" : type;
  const empty = probe.value;
  probe.value = text;
  if (probe.type === "number") return probe.value !== "";
  return !text || probe.value !== empty || text === empty;
}

/** @param {unknown} value @returns {string | undefined} none for what is no simple value */
function textOf(value) {
  return ["boolean", "number", "string"].includes(typeof value) ? `${value}` : undefined;
}

/** As Chromium 156 reads it. @param {unknown} value @returns {boolean | undefined} */
function flagOf(value) {
  if (Number.isSafeInteger(value)) return Boolean(value);
  const text = textOf(value)?.toLowerCase();
  if (text === "true" || text === "1") return true;
  return text === "false" || text === "0" ? false : undefined;
}

/** @param {() => FormFailure} refuse @returns {never} */
function fail(refuse) {
  throw refuse();
}
