/**
 * When the polyfill looks for forms that are tools: until one is found it costs one look at a listing or a
 * registration, and nothing in between. `forms.js` is loaded for the first one.
 */

import { replaceProperty } from "./polyfill-properties.js";

/**
 * @typedef {import("./polyfill-types.js").Forms} Forms
 * @typedef {import("./polyfill-types.js").State} State
 */

const FORM = "form[toolname]";

/**
 * @param {State} state
 * @param {"auto" | "watch" | "off"} mode
 * @returns {() => void} takes everything away
 */
export function noticeForms(state, mode) {
  const { doc } = state;
  /** @type {(() => void)[]} */
  const undos = [];
  /** @type {Promise<void> | undefined} */
  let loading;
  let isOver = mode === "off";

  const lookInside = () => look(true);
  state.lookForForms = look;
  if (!isOver) {
    void lookInside();
    if (doc.readyState === "loading") {
      doc.addEventListener("DOMContentLoaded", lookInside, { once: true });
      undos.push(() => doc.removeEventListener("DOMContentLoaded", lookInside));
    }
  }
  return () => {
    isOver = true;
    for (const undo of undos.splice(0).reverse()) undo();
  };

  /**
   * @param {boolean} [isInside] whether to look into shadow trees, too
   * @returns {Promise<void> | undefined} there while the first look is under way
   */
  function look(isInside) {
    if (isOver) return undefined;
    const isDue = mode === "watch" || (isInside ? hasForm(doc) : doc.querySelector(FORM));
    if (!loading && isDue) loading = load().catch(forgetLoading);
    return loading;
  }

  async function load() {
    const { startForms, SUBMIT_EVENT_MEMBERS } = await import("./forms.js");
    if (isOver) return;
    const { SubmitEvent } = /** @type {Window & typeof globalThis} */ (doc.defaultView);
    for (const [name, descriptor] of Object.entries(SUBMIT_EVENT_MEMBERS)) {
      undos.push(replaceProperty(SubmitEvent.prototype, name, descriptor));
    }
    const forms = startForms(state);
    undos.push(forms.stop);
    state.lookForForms = forms.look;
  }

  /** So that what could not be loaded is tried again. */
  function forgetLoading() {
    loading = undefined;
  }
}

/** Whether there is a form in a tree, or in an open shadow tree of it. @param {ParentNode} root @returns {boolean} */
function hasForm(root) {
  if (root.querySelector(FORM)) return true;
  for (const { shadowRoot } of root.querySelectorAll("*")) {
    // A form has none, but may have a control of that name.
    if (shadowRoot?.nodeType === Node.DOCUMENT_FRAGMENT_NODE && hasForm(shadowRoot)) return true;
  }
  return false;
}
