/** What an agent gave for a form's fields, checked and then put into the controls. */

import { canTake, check, choose, textOf, write } from "./controls.js";
import { FormFailure } from "./form-failure.js";
import { fieldsOf } from "./forms-controls.js";

/**
 * @typedef {import("./forms-controls.js").Field} Field
 * @typedef {import("./controls.js").Step} Step
 */

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

/** @param {Field} field @param {unknown} value @returns {Step[]} */
export function stepsOfField({ parameter: { choices = [], name, type }, controls }, value) {
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
