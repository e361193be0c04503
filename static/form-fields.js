/** Which of a form's controls a tool offers, and how it calls them. */

import { ask, fieldsOf } from "./forms-controls.js";

/** @typedef {import("./forms-controls.js").Control} Control */
/** @typedef {import("./forms-controls.js").Field} Field */

/**
 * What a person only may give, whatever kind of control asks for it.
 *
 * https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#autofilling-form-controls:-the-autocomplete-attribute
 */
const SECRET = /(^|\s)(cc-[a-z-]+|current-password|new-password|one-time-code)(\s|$)/i;

/** Once a password, always one: a page shows what is typed there by making a text of it. @type {WeakSet<Element>} */
const passwords = new WeakSet();

/**
 * A form's fields by their names, in its order, without secrets and what is hidden.
 *
 * @param {HTMLFormElement} form
 * @returns {Map<string, Field>}
 */
export function offeredFields(form) {
  for (const each of ask(form, "elements")) if (each.type === "password") passwords.add(each);
  const fields = [...fieldsOf(form)].filter(([, { controls }]) => controls.every(isOffered));
  return new Map(
    fields.map(([name, { parameter, controls }]) => {
      const description = parameter.description ?? descriptionOf(controls);
      const offered = { ...parameter, description, ...choicesOf(parameter, controls) };
      return [name, { controls, parameter: offered }];
    }),
  );
}

/** @param {Control} control */
function isOffered(control) {
  const autocomplete = control.getAttribute("autocomplete") ?? "";
  const isSecret = passwords.has(control) || SECRET.test(autocomplete);
  return control.type !== "hidden" && !isSecret;
}

/** Without those that nobody can choose now. @param {Field["parameter"]} parameter @param {Control[]} controls */
function choicesOf({ choices }, [{ options }]) {
  if (!choices || !options) return {};
  return { choices: choices.filter((_, at) => !options[at]?.matches(":disabled")) };
}

/** Where neither the author nor a label says what it is. @param {Control[]} controls */
function descriptionOf([control, ...others]) {
  const group = control.type === "radio" || others.length > 0 ? control.closest("fieldset") : null;
  const legend = group?.querySelector(":scope > legend")?.textContent?.trim();
  if (group) return legend || undefined;
  const label = control.getAttribute("aria-label")?.trim() || labelledBy(control);
  return label || control.getAttribute("placeholder")?.trim() || undefined;
}

/** @param {Control} control */
function labelledBy(control) {
  const ids = control.getAttribute("aria-labelledby")?.split(/\s+/) ?? [];
  const root = /** @type {Document | ShadowRoot} */ (control.getRootNode());
  return ids
    .map((id) => root.getElementById(id)?.textContent?.trim())
    .join(" ")
    .trim();
}

/**
 * What stands in a field, as an argument would give it.
 *
 * @param {Field} field
 * @returns {string | boolean | string[]}
 */
export function valueOf({ parameter: { type }, controls }) {
  const [control] = controls;
  const chosen = (/** @type {Control[]} */ among) => among.filter(({ checked }) => checked);
  switch (type) {
    case "checkbox":
      return control.checked;
    case "checkboxes":
      return chosen(controls).map(({ value }) => value);
    case "radio":
      return chosen(controls)[0]?.value ?? "";
    case "select-multiple":
      return Array.from(control.selectedOptions, ({ value }) => value);
    default:
      return control.value;
  }
}
