/** The panel's upper edge, by which it is made higher or lower: with a pointer, or with the arrow keys. */
import { element } from "./markup.js";

const START = 45;
const LEAST = 15;
const MOST = 90;
const STEP = 5;

export class Grip {
  #section;
  /** Per cent of the window's height. */
  #height = START;

  /** @param {HTMLElement} section what it makes higher */
  constructor(section) {
    this.#section = section;
    const limits = { "aria-valuemin": String(LEAST), "aria-valuemax": String(MOST) };
    const labels = { "aria-orientation": "horizontal", "aria-label": "Height of the inspector" };
    this.element = element("div", {
      class: "grip",
      role: "separator",
      tabindex: "0",
      ...labels,
      ...limits,
    });
    this.element.addEventListener("keydown", (event) => this.#onKey(event));
    this.element.addEventListener("pointerdown", ({ pointerId }) =>
      this.element.setPointerCapture(pointerId),
    );
    this.element.addEventListener("pointermove", ({ pointerId, clientY }) => {
      if (!this.element.hasPointerCapture(pointerId)) return;
      this.#set(100 * (1 - clientY / window.innerHeight));
    });
    this.#set(START);
  }

  /** @param {number} height */
  #set(height) {
    this.#height = Math.min(MOST, Math.max(LEAST, height));
    this.#section.style.setProperty("--_height", `${this.#height}vh`);
    this.element.setAttribute("aria-valuenow", String(Math.round(this.#height)));
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    /** @type {Record<string, number>} */
    const goals = {
      ArrowUp: this.#height + STEP,
      ArrowDown: this.#height - STEP,
      Home: LEAST,
      End: MOST,
    };
    if (goals[event.key] === undefined) return;
    event.preventDefault();
    this.#set(goals[event.key]);
  }
}
