/**
 * The dialog that asks the person. It is drawn in a shadow root with a constructed style sheet, which a strict
 * Content-Security-Policy lets pass; every word of a tool or an agent is set as text.
 */
import { THEME } from "./theme.js";

import { element, revealed, shown } from "./markup.js";

/** @typedef {import("./confirm.js").Question} Question */
/** @typedef {import("./confirm.js").Outcome} Outcome */

/** How long Allow ignores input once it is seen: a double click that was meant for something else must not approve. */
export const ARMING_MS = 500;

const STYLE = `${THEME}
  dialog {
    box-sizing: border-box;
    inline-size: min(30rem, calc(100vw - 2rem));
    max-inline-size: none;
    max-block-size: calc(100vh - 2rem);
    max-block-size: calc(100dvh - 2rem);
    margin: auto;
    padding: 1.25rem;
    border: 1px solid var(--_border);
    border-radius: var(--webtools-radius, 0.75rem);
    background: var(--_background);
    color: var(--_text);
    color-scheme: light dark;
    font: 1rem / 1.5 var(--webtools-font, system-ui, sans-serif);
  }
  dialog[open] { display: flex; flex-direction: column; gap: 1rem; }
  dialog::backdrop { background: rgb(0 0 0 / 50%); }
  h2 { margin: 0; font-size: 1.125rem; line-height: 1.3; overflow-wrap: anywhere; unicode-bidi: plaintext; }
  .what { display: flex; flex-direction: column; gap: 0.75rem; min-block-size: 3rem; overflow: auto; }
  p { margin: 0; white-space: pre-line; overflow-wrap: anywhere; unicode-bidi: plaintext; }
  .label { color: var(--_muted); font-size: 0.875rem; }
  pre {
    margin: 0.25rem 0 0;
    padding: 0.75rem;
    border-radius: 0.375rem;
    background: var(--_surface);
    direction: ltr;
    font: 0.875rem / 1.5 ui-monospace, monospace;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  .answers { display: flex; flex-wrap: wrap; justify-content: flex-end; gap: 0.75rem; }
  button {
    min-block-size: 2.75rem;
    padding: 0.5rem 1.25rem;
    border: 1px solid var(--_border);
    border-radius: 0.5rem;
    background: transparent;
    color: inherit;
    font: inherit;
    cursor: pointer;
  }
  .allow { border-color: var(--_accent); background: var(--_accent); color: var(--_accent-text); }
  :focus-visible { outline: 3px solid var(--_accent); outline-offset: 2px; }
  @media (max-width: 30rem) { button { flex: 1; } }
  @media (prefers-reduced-motion: no-preference) {
    dialog[open] { animation: rise 0.15s ease-out; }
    @keyframes rise { from { transform: translateY(0.5rem); } }
  }
`;

/** The element's name, and the event that tells that something has taken it out of the page. */
const NAME = "webtools-confirm";
const GONE = "webtools-gone";

/**
 * Show a question until it is answered. The focus goes back to where it was.
 *
 * @param {Question} question
 * @param {AbortSignal} signal not aborted yet; then the dialog goes, and its reason is the outcome
 * @returns {Promise<Outcome>} rejects where there is no dialog to be shown
 */
export async function showDialog(question, signal) {
  const { host, root, dialog, allow, deny } = drawn(question);
  /** @type {MutationObserver | undefined} */
  let inside;
  document.documentElement.append(host);
  try {
    return await new Promise((resolve) => {
      let seenAt = Infinity;
      allow.addEventListener("click", ({ isTrusted, timeStamp }) => {
        // A script's click is not the person's, though it may be of a tool that clicks what an agent names. And where
        // the page has stood still, a click comes later than it was made.
        if (isTrusted && timeStamp - seenAt >= ARMING_MS) resolve("allowed");
      });
      deny.addEventListener("click", () => resolve("denied"));
      dialog.addEventListener("keydown", (event) => event.stopPropagation()); // no shortcut of the page's
      dialog.addEventListener("cancel", () => resolve("dismissed"));
      dialog.addEventListener("close", () => resolve("closed"));
      host.addEventListener(GONE, () => resolve("closed")); // for which there is no event of the dialog's
      inside = new MutationObserver(() => resolve("closed"));
      inside.observe(root, { childList: true });
      signal.addEventListener("abort", () => resolve(String(signal.reason)), { once: true });
      dialog.showModal();
      afterPaint(() => (seenAt = performance.now()));
      deny.focus();
    });
  } finally {
    inside?.disconnect();
    dialog.close(); // gives the focus back
    host.remove();
  }
}

/** @param {() => void} step done when what is in the page now has been painted */
function afterPaint(step) {
  requestAnimationFrame(() => requestAnimationFrame(step));
}

/** @param {Question} question */
function drawn({ tool, title, message, arguments: given }) {
  const host = newHost();
  const root = host.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  root.adoptedStyleSheets = [sheet];
  const allow = element("button", { type: "button", class: "allow" }, "Allow");
  const deny = element("button", { type: "button" }, "Deny");
  const what = element("div", { class: "what", id: "what", tabindex: "0" }, [
    element("p", {}, revealed(message)),
    element("div", {}, [
      element("div", { class: "label" }, "With these arguments"),
      element("pre", {}, shown(given)),
    ]),
  ]);
  const labels = { "aria-labelledby": "title", "aria-describedby": "what" };
  const dialog = /** @type {HTMLDialogElement} */ (
    element("dialog", { role: "alertdialog", ...labels }, [
      element("h2", { id: "title" }, `An agent wants to use “${revealed(title || tool)}”`),
      what,
      element("div", { class: "answers" }, [deny, allow]),
    ])
  );
  root.append(dialog);
  return { host, root, dialog, allow, deny };
}

/** The element, which is defined when it is needed first: importing this has no effects. */
function newHost() {
  if (!customElements.get(NAME)) {
    const Host = class extends HTMLElement {
      disconnectedCallback() {
        this.dispatchEvent(new Event(GONE));
      }
    };
    customElements.define(NAME, Host);
  }
  return document.createElement(NAME);
}
