/**
 * When the polyfill looks for forms that are tools: until one is found it costs one selector at a listing or a
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

  state.lookForForms = look;
  if (!isOver) {
    void look();
    if (doc.readyState === "loading") {
      doc.addEventListener("DOMContentLoaded", look, { once: true });
      undos.push(() => doc.removeEventListener("DOMContentLoaded", look));
    }
  }
  return () => {
    isOver = true;
    for (const undo of undos.splice(0).reverse()) undo();
  };

  /** @returns {Promise<void> | undefined} there while the first look is under way */
  function look() {
    if (isOver) return undefined;
    const isDue = mode === "watch" || doc.querySelector(FORM);
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
