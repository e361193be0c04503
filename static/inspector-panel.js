/**
 * The inspector's panel: `<webtools-inspector>`, docked at the bottom of the page and in nobody's way. Its styles stay in
 * its shadow root, and so do the keys that are pressed in it.
 */
import { element } from "./markup.js";
import { CallsView } from "./inspector-calls.js";
import { EventsView } from "./inspector-events.js";
import { ExportView } from "./inspector-export.js";
import { Grip } from "./inspector-grip.js";
import { STYLE } from "./inspector-style.js";
import { Tabs } from "./inspector-tabs.js";
import { ToolsView } from "./inspector-tools.js";

/**
 * What the panel shows.
 *
 * @typedef {object} Source
 * @property {import("./host.js").Host} host
 * @property {import("./inspector-log.js").Log} log
 * @property {() => Iterable<import("./holds.js").Wish>} wishes of the page's JavaScript
 */

/**
 * @typedef {object} View
 * @property {string} name
 * @property {HTMLElement} element
 * @property {(filter: string) => void} update shows what there is now, of the tools whose name has the text
 * @property {() => boolean} isMoving whether it has to be updated though nothing happens
 */

const NAME = "webtools-inspector";

/** How long changes are gathered before they are shown. */
const GATHER_MS = 100;

/** How often what moves by itself is shown. */
const TICK_MS = 500;

export class Panel {
  #source;
  #onClose;
  /** @type {HTMLElement | undefined} */
  #host;
  /** @type {HTMLElement} */
  #section = element("section");
  /** @type {Tabs | undefined} */
  #tabs;
  #filter = /** @type {HTMLInputElement} */ (element("input"));
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** Where the focus was before it came here. @type {Element | null} */
  #before = null;

  /**
   * @param {Source} source
   * @param {() => void} onClose
   */
  constructor(source, onClose) {
    this.#source = source;
    this.#onClose = onClose;
  }

  get isOpen() {
    return this.#host?.isConnected === true;
  }

  get #hasFocus() {
    return document.activeElement === this.#host;
  }

  /** Show it; harmless where it is shown. @param {boolean} takesFocus */
  open(takesFocus) {
    this.#host ??= this.#draw();
    if (takesFocus && !this.#hasFocus) this.#before = document.activeElement;
    if (!this.isOpen) {
      document.documentElement.append(this.#host);
      this.#section.setAttribute("popover", "manual");
      this.#section.showPopover?.(); // above what the page has, where there are popovers
    }
    this.#update();
    if (!takesFocus) return;
    this.#tabs?.focus();
    // a modal dialog is open, and nothing else can be used: it is not to be covered
    if (!this.#hasFocus) this.#section.removeAttribute("popover");
  }

  /** Give the focus back where it is here; harmless twice. */
  close() {
    if (!this.isOpen) return;
    const hadFocus = this.#hasFocus;
    this.#host?.remove();
    const before = this.#before;
    if (hadFocus && before instanceof HTMLElement && before.isConnected) before.focus();
  }

  /** Something has happened. */
  refreshSoon() {
    if (this.isOpen) this.#timer ??= setTimeout(() => this.#update(), GATHER_MS);
  }

  #update() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const view = this.#tabs?.view;
    if (!this.isOpen || !view) return;
    view.update(this.#filter.value.trim().toLowerCase());
    if (view.isMoving()) this.#timer = setTimeout(() => this.#update(), TICK_MS);
  }

  #draw() {
    const views = [ToolsView, CallsView, EventsView, ExportView].map(
      (View) => new View(this.#source, () => this.#update()),
    );
    const tabs = new Tabs(views, () => this.#update());
    this.#tabs = tabs;
    for (const [name, value] of [
      ...[
        ["type", "search"],
        ["placeholder", "Tool’s name"],
        ["aria-label", "Show tools named"],
      ],
    ])
      this.#filter.setAttribute(name, value);
    this.#filter.addEventListener("input", () => this.#update());
    const close = element("button", { type: "button", class: "close" }, "Close");
    close.addEventListener("click", () => this.close());
    const section = this.#section;
    section.setAttribute("aria-label", "webtools inspector");
    section.append(
      new Grip(section).element,
      element("div", { class: "bar" }, [tabs.list, this.#filter, close]),
      ...tabs.panels,
    );
    section.addEventListener("keydown", (event) => this.#onKey(event));
    for (const name of ["keyup", "keypress"]) section.addEventListener(name, stop);
    const host = newHost(() => this.#gone());
    const root = host.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    root.adoptedStyleSheets = [sheet];
    root.append(section);
    return host;
  }

  /** It is out of the page, by us or by somebody else. */
  #gone() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#onClose();
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    event.stopPropagation(); // no shortcut of the page's
    if (event.key !== "Escape" || event.isComposing) return;
    event.preventDefault();
    if (this.#filter.value && event.target === this.#filter) this.#filter.value = "";
    else this.close();
    this.#update();
  }
}

/** @param {Event} event */
function stop(event) {
  event.stopPropagation();
}

/** The element, which is defined when it is needed first. @param {() => void} onGone */
function newHost(onGone) {
  if (!customElements.get(NAME)) {
    const Host = class extends HTMLElement {
      disconnectedCallback() {
        this.dispatchEvent(new Event("webtools-gone"));
      }
    };
    customElements.define(NAME, Host);
  }
  const host = element(NAME, { lang: "en" });
  host.addEventListener("webtools-gone", onGone);
  return host;
}
