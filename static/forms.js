/**
 * Declarative forms: each `<form toolname tooldescription>` of a document is a tool.
 *
 * The polyfill loads this when there is such a form, or may be. From then on one observer watches the document and the
 * open shadow trees in it, and undoing the polyfill takes all of it away.
 *
 * Source: https://github.com/webmachinelearning/webmcp/blob/main/declarative-api-explainer.md
 */

import {
  callForm,
  cancelCall,
  isSubmitting,
  isWaiting,
  listen,
  SUBMIT_EVENT_MEMBERS,
} from "./forms-calls.js";
import { ATTRIBUTES, hasParts, isElement, isPart } from "./forms-changes.js";
import { ask, attributeOf, fieldsOf } from "./forms-controls.js";
import { schemaOf } from "./forms-schema.js";
import { isUsable } from "./polyfill-frames.js";
import { add, isToolName, remove } from "./polyfill-registering.js";

/**
 * @typedef {import("./forms-controls.js").Control} Control
 * @typedef {import("./forms-controls.js").Field} Field
 * @typedef {import("./polyfill-types.js").Forms} Forms
 * @typedef {import("./polyfill-types.js").KeptTool} KeptTool
 * @typedef {import("./polyfill-types.js").State} State
 *
 * @typedef {object} Known What is known of a form.
 * @property {string} shape a change of it is another tool, and ends a call
 * @property {KeptTool} tool
 */

/**
 * @param {State} state
 * @returns {Forms}
 */
export function startForms(state) {
  const { doc } = state;
  /** The trees that are watched, and what stops listening to each. @type {Map<Document | ShadowRoot, () => void>} */
  const roots = new Map();
  /** @type {Map<HTMLFormElement, Known>} */
  const forms = new Map();
  const observer = new MutationObserver(take);

  watch(doc);
  doc.querySelectorAll("*").forEach(watchShadow);
  update();
  return { look, stop };

  /** @param {boolean} [isInside] also what no observer tells, such as a shadow tree that came late or a label's new text */
  function look(isInside) {
    take(observer.takeRecords());
    if (!isInside) return;
    doc.querySelectorAll("*").forEach(watchShadow);
    update();
  }

  function stop() {
    observer.disconnect();
    roots.forEach((stopListening) => stopListening());
    [...forms.keys()].forEach(forget);
  }

  /** @param {MutationRecord[]} records */
  function take(records) {
    const before = roots.size;
    dropRoots();
    for (const { addedNodes, removedNodes } of records) {
      removedNodes.forEach(forgetInside);
      addedNodes.forEach(watchInside);
    }
    if (roots.size !== before || records.some(concerns)) update();
  }

  /** Whether a form may be another one now; most of what a page does is no matter of forms. @param {MutationRecord} record */
  function concerns({ addedNodes, removedNodes, target, type }) {
    if (type === "attributes" && isPart(target)) return true;
    if ([...addedNodes, ...removedNodes].some(hasParts)) return true;
    return [...forms.keys()].some((form) => ask(form, "contains", target));
  }

  /** Also what is back by now, elsewhere. @param {Node} node */
  function forgetInside(node) {
    for (const form of forms.keys()) if (ask(node, "contains", form)) forget(form);
  }

  /** @param {Node} node */
  function watchInside(node) {
    if (!isElement(node)) return;
    watchShadow(node);
    ask(node, "querySelectorAll", "*").forEach(watchShadow);
  }

  /** @param {Element} element */
  function watchShadow(element) {
    if (!element.shadowRoot) return; // nearly all, so without the detour
    const shadowRoot = ask(element, "shadowRoot");
    if (!shadowRoot || roots.has(shadowRoot)) return;
    watch(shadowRoot);
    shadowRoot.querySelectorAll("*").forEach(watchShadow);
  }

  /** @param {Document | ShadowRoot} root */
  function watch(root) {
    roots.set(root, listen(root));
    observe(root);
  }

  /** @param {Document | ShadowRoot} root */
  function observe(root) {
    observer.observe(root, { subtree: true, childList: true, attributeFilter: ATTRIBUTES });
  }

  /** An observer cannot let go of one tree alone. */
  function dropRoots() {
    const gone = [...roots.keys()].filter((root) => !root.isConnected);
    if (!gone.length) return;
    observer.disconnect();
    for (const root of gone) {
      roots.get(root)?.();
      roots.delete(root);
    }
    [...roots.keys()].forEach(observe);
  }

  function update() {
    dropRoots();
    const found = isUsable(doc) ? [...roots.keys()].flatMap((root) => [...formsIn(root)]) : [];
    const gone = new Set(forms.keys());
    found.forEach((form) => gone.delete(form));
    gone.forEach(forget);
    found.forEach(learn);
  }

  /** @param {HTMLFormElement} form */
  function forget(form) {
    const known = forms.get(form);
    forms.delete(form);
    // The page may take the form away as it takes the submission.
    if (!isSubmitting(form)) cancelCall(form, "The form is gone.");
    if (known && isListed(known)) remove(state, known.tool.name);
  }

  /** @param {HTMLFormElement} form */
  function learn(form) {
    const fields = [...fieldsOf(form).values()];
    const tool = toolOf(form, fields);
    const shape = shapeOf(tool, attributeOf(form, "toolautosubmit") !== null, fields);
    const known = forms.get(form);
    if (known?.shape === shape) return renew(known, tool);
    if (known && isListed(known)) remove(state, known.tool.name);
    if (known && isWaiting(form)) cancelCall(form, "The form is another one now.");
    forms.set(form, { shape, tool });
    // One whose name is taken stays away until it changes, as in Chromium.
    if (isToolName(tool.name) && !state.tools.has(tool.name)) add(state, tool);
  }

  /** Texts and choices that change are the same tool's. @param {Known} known @param {KeptTool} tool */
  function renew(known, tool) {
    if (known.tool.schemaText === tool.schemaText) return;
    const wasListed = isListed(known);
    known.tool = tool;
    if (wasListed) add(state, tool);
  }

  /** @param {Known} known */
  function isListed({ tool }) {
    return state.tools.get(tool.name) === tool;
  }

  /** @param {HTMLFormElement} form @param {Field[]} fields @returns {KeptTool} */
  function toolOf(form, fields) {
    const inputSchema = schemaOf(fields.map(({ parameter }) => parameter));
    return {
      name: attributeOf(form, "toolname") ?? "",
      title: attributeOf(form, "tooltitle") ?? "",
      description: attributeOf(form, "tooldescription") ?? "",
      schemaText: JSON.stringify(inputSchema),
      runForm: (input, run) => callForm(form, input, { ...run, refresh: () => look(true) }),
    };
  }
}

/** Chromium wants the description, though it may be empty. @param {Document | ShadowRoot} root */
function formsIn(root) {
  return /** @type {NodeListOf<HTMLFormElement>} */ (
    root.querySelectorAll("form[toolname][tooldescription]")
  );
}

/**
 * Without what may change in the middle of a call: labels and choices, as when a page fills one list by another.
 *
 * @param {KeptTool} tool @param {boolean} isAutomatic @param {Field[]} fields
 */
function shapeOf({ name, title, description }, isAutomatic, fields) {
  const parts = fields.map(({ parameter, controls }) => {
    const { name, type, required, pattern, min, max, step } = parameter;
    return [name, type, required, pattern, min, max, step, controls.map(ownTexts)];
  });
  return JSON.stringify([name, title, description, isAutomatic, parts]);
}

/** @param {Control} control */
function ownTexts(control) {
  const names = ["toolparamdescription", "aria-description"];
  return names.map((name) => control.getAttribute(name));
}

/** What stands on `SubmitEvent.prototype` meanwhile. */
export { SUBMIT_EVENT_MEMBERS };
