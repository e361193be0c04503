/** The inspector: it notes what happens to the page's tools, and shows it. Loaded by `inspecting.js` when it is wanted. */
import { Log } from "./inspector-log.js";
import { Panel } from "./inspector-panel.js";

/** @typedef {import("./inspecting.js").InspectorMode} InspectorMode */

export class Inspector {
  #host;
  #border;
  #log = new Log(() => this.#panel.refreshSoon());
  #panel;
  /** Whether the page wants the log kept while the panel is closed. */
  #isKept = false;

  /**
   * @param {import("./host.js").Host} host
   * @param {import("./border.js").Border} border
   */
  constructor(host, border) {
    this.#host = host;
    this.#border = border;
    this.#panel = new Panel({ host, log: this.#log, wishes: () => border.holds.wishes() }, () =>
      this.#closed(),
    );
  }

  /**
   * Go on from what has been seen, until the page is left.
   *
   * @param {InspectorMode} mode
   * @param {import("./inspector-log.js").Noted[]} seen
   */
  begin(mode, seen) {
    for (const [at, event] of seen) this.#log.note(event, at);
    this.#isKept = true;
    if (seen.length > 0 || this.#panel.isOpen) this.#observe();
    else this.#log.look(() => this.#observe());
    this.#host.addEventListener("status", () => this.#noteStatus());
    if (mode === "open") this.#show(false);
    else window.addEventListener("keydown", (event) => this.#onKey(event), true);
  }

  /** Show it, and go to it. */
  open() {
    this.#show(true);
  }

  /** @param {boolean} takesFocus */
  #show(takesFocus) {
    if (!this.#isKept && !this.#panel.isOpen) this.#log.look(() => this.#observe());
    this.#panel.open(takesFocus);
  }

  #observe() {
    this.#border.observe((event) => this.#log.note(event));
  }

  #closed() {
    if (!this.#isKept) this.#border.observe(undefined);
  }

  #noteStatus() {
    this.#log.note({ what: "page", name: "status", detail: this.#host.status });
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (!isKey(event) || event.defaultPrevented || event.repeat) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (this.#panel.isOpen) this.#panel.close();
    else this.open();
  }
}

/**
 * Whether it is Ctrl+Shift+F: by its letter, and on a keyboard without Latin letters by its place.
 *
 * @param {KeyboardEvent} event
 */
function isKey({ key, code, ctrlKey, shiftKey, altKey, metaKey }) {
  if (!ctrlKey || !shiftKey || altKey || metaKey) return false;
  return /^[a-z]$/i.test(key) ? key.toUpperCase() === "F" : code === "KeyF";
}
