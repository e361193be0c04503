/** By what a form can become another one. */

import { ask } from "./forms-controls.js";

/** By what a form's tool can change. The values that a person gives are not among it. */
export const ATTRIBUTES = [
  ...["toolname", "tooldescription", "tooltitle", "toolautosubmit", "toolparamdescription"],
  ...["name", "type", "required", "min", "max", "step", "pattern", "minlength", "maxlength"],
  ...["disabled", "readonly", "multiple", "form", "for", "id", "aria-description"],
];

/** What a form is made of, wherever in its tree; inside the form anything may be. */
const PARTS = "form, fieldset, input, label, output, select, textarea, button, option";

/** @param {Node} node @returns {node is Element} */
export function isElement(node) {
  return ask(node, "nodeType") === Node.ELEMENT_NODE;
}

/** @param {Node} node */
export function isPart(node) {
  return isElement(node) && ask(node, "matches", PARTS);
}

/** @param {Node} node */
export function hasParts(node) {
  return isPart(node) || (isElement(node) && ask(node, "querySelector", PARTS));
}
