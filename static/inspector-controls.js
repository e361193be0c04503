/** A form's controls: a label, what the schema says of it, and where a person writes. */
import { element } from "./markup.js";

/** @typedef {import("./inspector-form.js").Field} Field */
/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} FormControl */

/**
 * @param {Field} field
 * @param {string} prefix of ids
 * @param {string} [text] what a person has written before
 * @returns {{name: string, control: FormControl, element: HTMLElement}}
 */
export function controlOf(field, prefix, text = field.initial) {
  const id = prefix + field.name;
  const control = drawn(field);
  control.id = id;
  if (field.isRequired) control.setAttribute("aria-required", "true");
  control.value = text;
  const said =
    field.kind === "json" ? `${field.description} As JSON text.`.trim() : field.description;
  const hint = element("small", { id: `${id}-hint` }, said);
  if (said) control.setAttribute("aria-describedby", hint.id);
  const label = element("label", { for: id }, [
    element("bdi", {}, field.label),
    ...(field.isRequired ? [element("span", { class: "required" }, " required")] : []),
  ]);
  const parts = [label, control, ...(said ? [hint] : [])];
  return { name: field.name, control, element: element("div", { class: "field" }, parts) };
}

/** @param {Field} field @returns {FormControl} */
function drawn({ kind, choices = [], limits, example = "" }) {
  const off = { autocomplete: "off", spellcheck: "false" };
  if (kind === "choice") return select(choices);
  if (kind === "json") {
    return /** @type {HTMLTextAreaElement} */ (
      element("textarea", { ...off, rows: "3", placeholder: example })
    );
  }
  const type = kind === "text" ? { type: "text" } : { type: "number" };
  const attributes = Object.entries(limits).map(([name, limit]) => [name, String(limit)]);
  const all = { ...off, ...type, ...Object.fromEntries(attributes) };
  return /** @type {HTMLInputElement} */ (element("input", all));
}

/** @param {unknown[]} choices @returns {HTMLSelectElement} */
function select(choices) {
  const options = choices.map((choice) => {
    const said = typeof choice === "string" ? choice : JSON.stringify(choice);
    return element("option", { value: JSON.stringify(choice) }, said);
  });
  const none = element("option", { value: "" }, "—");
  return /** @type {HTMLSelectElement} */ (element("select", {}, [none, ...options]));
}
