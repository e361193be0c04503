/** Follows the forms that are tools: each is one while it is in the document, with the controls that it has. */

import { callForm } from "./form-call.js";
import { offeredFields } from "./form-fields.js";
import { ATTRIBUTES, hasParts, isPart } from "./forms-changes.js";
import { ask } from "./forms-controls.js";
import { schemaOf } from "./forms-schema.js";

/** @typedef {import("./definitions.js").ToolDefinition} ToolDefinition */
/** @typedef {import("./form-tools.js").FormWish} FormWish */
/** @typedef {{form?: HTMLFormElement, text?: string, isTold?: boolean}} Known what is held for a wish, and of which form */

const OBSERVED = {
  subtree: true,
  childList: true,
  attributeFilter: [...ATTRIBUTES, "aria-label", "aria-labelledby", "autocomplete", "placeholder"],
};

/** One observer looks after all of them, and only while there is one. */
export class FormFollowing {
  /** @type {Map<FormWish, Known>} */
  #known = new Map();
  #observer = new MutationObserver((records) => this.#take(records));
  #holds;
  #takeAnswer;

  /**
   * @param {import("./holds.js").Holds} holds
   * @param {import("./form-submitting.js").TakeAnswer} takeAnswer given, since the state behind it is the page's one, and
   *   of what is loaded late there may be copies
   */
  constructor(holds, takeAnswer) {
    this.#holds = holds;
    this.#takeAnswer = takeAnswer;
  }

  /** @param {FormWish} wish */
  add(wish) {
    this.#known.set(wish, {});
    this.#look(wish);
    this.#observe();
  }

  /** Give it up, and the tool. @param {FormWish} wish */
  remove(wish) {
    this.#known.delete(wish);
    wish.hold?.release();
    this.#observe();
  }

  /** @param {MutationRecord[]} records */
  #take(records) {
    if (!this.#hasMoved() && !records.some((record) => this.#concerns(record))) return;
    for (const wish of this.#known.keys()) this.#look(wish);
    this.#observe();
  }

  /** Whether a form has come or gone, which a change outside of its shadow tree does not show. */
  #hasMoved() {
    return [...this.#known].some(([wish, { form }]) => {
      const given = typeof wish.form === "string" ? form : wish.form;
      return given && ask(given, "isConnected") !== (form !== undefined);
    });
  }

  /** Most of what a page does is no matter of forms. @param {MutationRecord} record */
  #concerns({ addedNodes, removedNodes, target }) {
    if (isPart(target) || [...addedNodes, ...removedNodes].some(hasParts)) return true;
    return this.#forms().some((form) => ask(form, "contains", target));
  }

  /** Hold what the form is now. @param {FormWish} wish */
  #look(wish) {
    const known = /** @type {Known} */ (this.#known.get(wish));
    const form = this.#find(wish, known);
    const definition = form && definitionOf(wish, form);
    const text = definition && JSON.stringify(definition);
    if (form === known.form && text === known.text) return;
    const before = wish.hold;
    wish.hold = definition && this.#define(wish, form, definition);
    before?.release();
    Object.assign(known, { form, text });
  }

  /** @param {FormWish} wish @param {HTMLFormElement} form @param {ToolDefinition} definition */
  #define({ texts: { name }, submit, options }, form, definition) {
    const tool = { form, name, submit, takeAnswer: this.#takeAnswer };
    return this.#holds.define(
      definition,
      (input, context) => callForm(tool, input, context),
      options,
    );
  }

  /** @param {FormWish} wish @param {Known} known @returns {HTMLFormElement | undefined} while it is in the document */
  #find({ form, texts }, known) {
    if (typeof form !== "string") return ask(form, "isConnected") ? form : undefined;
    const found = [...document.querySelectorAll(form)];
    const isForm = (/** @type {Element} */ each) => ask(each, "localName") === "form";
    if (found.length > 0 && !found.some(isForm) && !known.isTold) {
      known.isTold = true;
      const [{ localName }] = found;
      console.warn(
        `webtools.formTool("${texts.name}"): ${form} is a <${localName}>, no form, so it is no tool.`,
      );
    }
    return /** @type {HTMLFormElement | undefined} */ (found.find(isForm));
  }

  /** An observer cannot let go of one tree alone. */
  #observe() {
    this.#observer.disconnect();
    if (this.#known.size === 0) return;
    const forms = this.#forms();
    for (const root of new Set([document, ...forms.map((form) => ask(form, "getRootNode"))])) {
      this.#observer.observe(root, OBSERVED);
    }
    for (const form of forms) this.#observer.observe(form, { ...OBSERVED, characterData: true });
  }

  #forms() {
    const forms = [...this.#known.values()].map(({ form }) => form);
    return forms.filter((form) => form !== undefined);
  }
}

/** @param {FormWish} wish @param {HTMLFormElement} form */
function definitionOf({ texts }, form) {
  const parameters = [...offeredFields(form).values()].map(({ parameter }) => parameter);
  return { ...texts, inputSchema: schemaOf(parameters) };
}
