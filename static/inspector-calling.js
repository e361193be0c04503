/** A form by which a person calls a tool: a field for each property of its input. */
import { element, shown } from "./markup.js";
import { controlOf } from "./inspector-controls.js";
import { fieldsOf, inputOf, WHOLE, wholeInputOf } from "./inspector-form.js";
import { write } from "./inspector-rows.js";

/** @typedef {import("./inspector-panel.js").Source} Source */
/** @typedef {import("./inspector-form.js").Field} Field */
/** @typedef {ReturnType<typeof controlOf>} Control */

export class CallForm {
  #source;
  #refresh;
  #name = "";
  /** The schema's JSON text, of which the fields are. @type {string | undefined} */
  #schema;
  /** @type {Field[] | null} */
  #fields = [];
  /** @type {Control[]} */
  #controls = [];
  /** The call that is in flight. @type {{controller: AbortController, began: number} | undefined} */
  #running;
  #open = element("button", { type: "button", "aria-expanded": "false" }, "Call…");
  #places = element("div", { class: "fields" });
  #call = /** @type {HTMLButtonElement} */ (element("button", { class: "main" }, "Call"));
  #cancel = /** @type {HTMLButtonElement} */ (element("button", { type: "button" }, "Cancel"));
  #said = element("p", { class: "said", role: "status" });
  #answer = element("pre", { "aria-label": "Answer", role: "region", tabindex: "0" });
  #form = element("form", { novalidate: "" }, [
    this.#places,
    element("div", { class: "buttons" }, [this.#call, this.#cancel]),
    this.#said,
    this.#answer,
  ]);
  element = element("div", { class: "calling" }, [this.#open, this.#form]);

  /** @param {Source} source @param {() => void} refresh shows what has changed here */
  constructor(source, refresh) {
    this.#source = source;
    this.#refresh = refresh;
    this.#form.hidden = this.#answer.hidden = this.#cancel.hidden = true;
    this.#open.addEventListener("click", () => {
      this.#form.hidden = !this.#form.hidden;
      this.#open.setAttribute("aria-expanded", String(!this.#form.hidden));
      if (!this.#form.hidden) (this.#controls[0]?.control ?? this.#call).focus();
    });
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
    this.#cancel.addEventListener("click", () => this.#running?.controller.abort());
  }

  /**
   * @param {string} name the tool's
   * @param {boolean} isThere whether it can be called
   * @param {{inputSchema?: unknown} | undefined} definition
   */
  update(name, isThere, definition) {
    this.#name = name;
    this.element.hidden = !isThere;
    const schema = JSON.stringify(definition?.inputSchema);
    if (definition && schema !== this.#schema) this.#draw(definition.inputSchema);
    this.#schema = definition ? schema : this.#schema;
    if (this.#running) this.#tellProgress(this.#running.began);
  }

  /** @param {unknown} schema what stands in fields of the same name stays */
  #draw(schema) {
    const texts = this.#texts();
    this.#fields = fieldsOf(schema);
    const id = `${this.#name}-`;
    this.#controls = (this.#fields ?? [WHOLE]).map((field) =>
      controlOf(field, id, texts[field.name]),
    );
    this.#places.replaceChildren(...this.#controls.map(({ element }) => element));
  }

  #texts() {
    return Object.fromEntries(this.#controls.map(({ name, control }) => [name, control.value]));
  }

  async #submit() {
    if (this.#running) return;
    const texts = this.#texts();
    const made = this.#fields ? inputOf(this.#fields, texts) : wholeInputOf(texts[WHOLE.name]);
    this.#answer.hidden = true;
    const unread = this.#controls.find(({ control }) => control.validity.badInput); // it has no value
    if (unread)
      return this.#refuse({ problem: `${unread.name}: this is no number.`, field: unread.name });
    if ("problem" in made) return this.#refuse(made);
    for (const { control } of this.#controls) control.removeAttribute("aria-invalid");
    const controller = new AbortController();
    const began = performance.now();
    this.#running = { controller, began };
    this.#call.ariaDisabled = "true"; // a disabled one would lose the focus
    this.#cancel.hidden = false;
    write(this.#said, "Calling…");
    const { signal } = controller;
    const answer = await this.#source.host.call(this.#name, made.input, { signal });
    this.#running = undefined;
    this.#call.ariaDisabled = null;
    if (this.#cancel.matches(":focus")) this.#call.focus();
    this.#cancel.hidden = true;
    const ms = Math.round(performance.now() - began);
    write(this.#said, `${answer.isError ? "Error" : "Done"}, after ${ms} ms`);
    write(this.#answer, shown(answer));
    this.#answer.hidden = false;
    this.#refresh();
  }

  /** @param {{problem: string, field: string}} made */
  #refuse({ problem, field }) {
    write(this.#said, problem);
    for (const { name, control } of this.#controls) {
      if (name !== field) control.removeAttribute("aria-invalid");
      else control.setAttribute("aria-invalid", "true");
      if (name === field) control.focus();
    }
  }

  /** The newest report of the newest call of the tool, which is ours unless an agent calls it as well. @param {number} began */
  #tellProgress(began) {
    const calls = [...this.#source.log.calls.values()];
    const call = calls.findLast(({ tool, at }) => tool === this.#name && at >= began);
    const last = call?.progress.at(-1);
    if (last) write(this.#said, last.message);
  }
}
