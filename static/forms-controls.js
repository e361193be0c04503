/** What a form's controls ask for. */

/**
 * @typedef {import("./forms-schema.js").Parameter} Parameter
 * @typedef {Omit<HTMLInputElement & HTMLSelectElement & HTMLTextAreaElement, "type"> & {type: string}} Control whichever
 *   of them it is
 * @typedef {{parameter: Parameter, controls: Control[]}} Field
 * @typedef {Map<HTMLElement, string[]>} Labels the texts of each control's labels
 */

/** Controls that are no parameter, though their name is taken. */
const BARRED = new Set([
  "button",
  "file",
  "hidden",
  "image",
  "output",
  "password",
  "reset",
  "submit",
]);

/** Those to which `pattern` applies: https://html.spec.whatwg.org/multipage/input.html#do-not-apply */
const WITH_PATTERN = new Set(["email", "search", "tel", "text", "url"]);

/** Those to which `readonly` does not apply, see there. */
const NEVER_READ_ONLY = new Set(["checkbox", "color", "hidden", "radio", "range"]);

/** Whose text is not a label's: https://html.spec.whatwg.org/multipage/forms.html#category-label */
const LABELABLE = "button, input, meter, output, progress, select, textarea";

/**
 * A form's fields by their names. A name that controls of different kinds share is none.
 *
 * @param {HTMLFormElement} form
 * @returns {Map<string, Field>}
 */
export function fieldsOf(form) {
  /** @type {Map<string, Control[]>} */
  const named = new Map();
  for (const control of controlsOf(form)) {
    const name = control.getAttribute("name");
    if (name) named.set(name, [...(named.get(name) ?? []), control]);
  }
  const labels = labelsIn(rootOf(form));
  const fields = Array.from(named, ([name, controls]) => fieldOf(name, controls, labels));
  return new Map(
    fields.filter((field) => field !== undefined).map((field) => [field.parameter.name, field]),
  );
}

/**
 * What a node has by its own kind: a form's controls may be called like its members, and hide them.
 *
 * @param {Node} node @param {string} name @param {...unknown} args of a method
 * @returns {any}
 */
export function ask(node, name, ...args) {
  const member = Reflect.get(HTMLFormElement.prototype, name, node);
  return typeof member === "function" ? member.apply(node, args) : member;
}

/** @param {HTMLFormElement} form @param {string} name @returns {string | null} */
export function attributeOf(form, name) {
  return ask(form, "getAttribute", name);
}

/**
 * The button by which the form is submitted.
 *
 * @param {HTMLFormElement} form
 * @returns {HTMLButtonElement | HTMLInputElement | undefined}
 */
export function defaultButton(form) {
  return submitButtons(form).find((each) => !each.matches(":disabled"));
}

/** Whether a form has a button that submits it, disabled or not. @param {HTMLFormElement} form */
export function hasButton(form) {
  return submitButtons(form).length > 0;
}

/** @param {HTMLFormElement} form */
function submitButtons(form) {
  const buttons = [...rootOf(form).querySelectorAll("button, input")].filter(isSubmitButton);
  return buttons.filter((each) => each.form === form);
}

/** @param {any} node @returns {node is HTMLButtonElement | HTMLInputElement} */
export function isSubmitButton(node) {
  return (
    (node.localName === "button" || node.localName === "input") &&
    (node.type === "submit" || node.type === "image")
  );
}

/** Why a form cannot be submitted as it is; empty if it can. @param {HTMLFormElement} form */
export function invalidity(form) {
  return controlsOf(form)
    .filter((control) => control.matches(":invalid") && control.validationMessage)
    .map((control) => `${control.name}: ${control.validationMessage}`)
    .join(" ");
}

/** @param {HTMLFormElement} form @returns {ParentNode} */
function rootOf(form) {
  return ask(form, "getRootNode");
}

/**
 * All at once, since `labels` of each control would go through the tree anew.
 *
 * @param {ParentNode} root
 * @returns {Labels}
 */
function labelsIn(root) {
  /** @type {Labels} */
  const labels = new Map();
  for (const label of root.querySelectorAll("label")) {
    const { control } = label;
    if (control) labels.set(control, [...(labels.get(control) ?? []), textIn(label).trim()]);
  }
  return labels;
}

/** Those that can be changed. @param {HTMLFormElement} form @returns {Control[]} */
function controlsOf(form) {
  return /** @type {Control[]} */ ([...ask(form, "elements")]).filter(
    (each) => each.localName !== "fieldset" && !each.matches(":disabled") && !isReadOnly(each),
  );
}

/** @param {Control} control */
function isReadOnly({ readOnly, type }) {
  return readOnly && !NEVER_READ_ONLY.has(type);
}

/** @param {string} name @param {Control[]} controls @param {Labels} labels @returns {Field | undefined} */
function fieldOf(name, controls, labels) {
  const [first] = controls;
  const type = typeOf(first);
  const isGroup = type === "radio" || type === "checkbox";
  if (!type || BARRED.has(type)) return undefined;
  if (controls.length > 1 && !(isGroup && controls.every((each) => each.type === type)))
    return undefined;
  const required = controls.some((each) => each.required || each.matches("[required]"));
  const description =
    controls.length > 1 ? groupDescription(controls) : first && descriptionOf(first, labels);
  const isSet = type === "checkbox" && controls.length > 1;
  const parameter = { name, type: isSet ? "checkboxes" : type, required, description };
  return {
    parameter: { ...parameter, ...limitsOf(first, type), ...choicesOf(controls, labels) },
    controls,
  };
}

/**
 * Empty for what is no parameter. What is hidden, and an element of the page's own that has a value, is one if it says
 * so, by a description.
 *
 * @param {Control} control @returns {string}
 */
function typeOf(control) {
  const { localName, type } = control;
  const isDescribed = Boolean(control.getAttribute("toolparamdescription"));
  if (localName.includes("-")) return isDescribed && "value" in control ? "text" : "";
  return type === "hidden" && isDescribed ? "text" : (type ?? "");
}

/** @param {Control} control @param {string} type */
function limitsOf(control, type) {
  const of = (/** @type {string} */ name) => control.getAttribute(name) ?? undefined;
  if (type === "number" || type === "range")
    return { min: of("min"), max: of("max"), step: of("step"), value: of("value") };
  if (type === "time" || type === "datetime-local") return { step: of("step") };
  const { minLength, maxLength } = control;
  const lengths = WITH_PATTERN.has(type) || type === "textarea" ? { minLength, maxLength } : {};
  return WITH_PATTERN.has(type) ? { pattern: of("pattern"), ...lengths } : lengths;
}

/** @param {Control[]} controls @param {Labels} labels */
function choicesOf([first, ...others], labels) {
  if (first.localName === "select") {
    const choices = Array.from(first.options, (option) => ({
      value: option.value,
      title: option.textContent ?? "",
    }));
    return { choices };
  }
  if (first.type !== "radio" && !others.length) return {};
  const choices = [first, ...others].map((control) => {
    const title = labelOf(control, labels);
    return { value: control.value, ...(title && { title }) };
  });
  return { choices };
}

/** @param {Control} control @param {Labels} labels */
function descriptionOf(control, labels) {
  const own = control.getAttribute("toolparamdescription");
  return own || labelOf(control, labels) || control.getAttribute("aria-description") || undefined;
}

/** That of the fieldset around all of them. @param {Control[]} controls */
function groupDescription([first, ...others]) {
  const fieldset = first.closest("fieldset");
  const isTogether = others.every((each) => each.closest("fieldset") === fieldset);
  return (isTogether && fieldset?.getAttribute("toolparamdescription")) || undefined;
}

/** @param {Control} control @param {Labels} labels */
function labelOf(control, labels) {
  return labels.get(/** @type {any} */ (control))?.join("; ") ?? "";
}

/** @param {Node} node @returns {string} without that of controls */
function textIn(node) {
  if (node.nodeType === Node.TEXT_NODE) return String(node.nodeValue);
  const isControl = "matches" in node && ask(node, "matches", LABELABLE);
  return isControl ? "" : Array.from(node.childNodes, textIn).join("");
}
