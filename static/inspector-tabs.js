/** The panel's tabs, as the ARIA pattern has them: the arrow keys go from one to the next and show it. */
import { element } from "./markup.js";

/** @typedef {import("./inspector-panel.js").View} View */

export class Tabs {
  #views;
  #onSelect;
  #selected = 0;
  /** @type {HTMLElement[]} */
  #tabs;

  /**
   * @param {View[]} views
   * @param {() => void} onSelect
   */
  constructor(views, onSelect) {
    this.#views = views;
    this.#onSelect = onSelect;
    this.#tabs = views.map(({ name }, index) => {
      const labels = { id: `tab-${index}`, "aria-controls": `panel-${index}` };
      const tab = element("button", { type: "button", role: "tab", ...labels }, name);
      tab.addEventListener("click", () => this.#select(index));
      return tab;
    });
    this.panels = views.map((view, index) => {
      const labels = { id: `panel-${index}`, "aria-labelledby": `tab-${index}` };
      return element("div", { role: "tabpanel", tabindex: "0", ...labels }, [view.element]);
    });
    this.list = element("div", { role: "tablist", "aria-label": "Views" }, this.#tabs);
    this.list.addEventListener("keydown", (event) => this.#onKey(event));
    this.#mark();
  }

  /** The one that is shown. */
  get view() {
    return this.#views[this.#selected];
  }

  focus() {
    this.#tabs[this.#selected].focus();
  }

  /** @param {number} index */
  #select(index) {
    this.#selected = index;
    this.#mark();
    this.#onSelect();
  }

  #mark() {
    for (const [index, tab] of this.#tabs.entries()) {
      const isSelected = index === this.#selected;
      tab.setAttribute("aria-selected", String(isSelected));
      tab.tabIndex = isSelected ? 0 : -1;
      this.panels[index].hidden = !isSelected;
    }
  }

  /** @param {KeyboardEvent} event */
  #onKey({ key, target }) {
    const last = this.#tabs.length - 1;
    const isRtl = getComputedStyle(this.list).direction === "rtl";
    const [forward, back] = isRtl ? ["ArrowLeft", "ArrowRight"] : ["ArrowRight", "ArrowLeft"];
    const now = this.#tabs.indexOf(/** @type {HTMLElement} */ (target));
    /** @type {Record<string, number>} */
    const goals = {
      [forward]: now === last ? 0 : now + 1,
      [back]: now === 0 ? last : now - 1,
      Home: 0,
      End: last,
    };
    if (now < 0 || goals[key] === undefined) return;
    this.#select(goals[key]);
    this.focus();
  }
}
