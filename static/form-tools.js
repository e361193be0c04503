/** Tools that are made of forms. What follows a form, and fills it, is loaded for the first of them. */

import { definitionText } from "./definitions.js";
import { attempt } from "./fetching.js";
import { takeAnswer } from "./form-answer.js";
import { knownOptions } from "./known.js";

/** @typedef {import("./definitions.js").ToolDefinition} ToolDefinition */
/** @typedef {import("./holds.js").Hold} Hold */
/** @typedef {import("./holds.js").HoldOptions} HoldOptions */

/**
 * @typedef {Omit<ToolDefinition, "inputSchema" | "exposedTo"> & HoldOptions & {submit?: Submit}} FormToolOptions
 *
 * @typedef {"person" | "agent"} Submit who submits the form when it is filled
 *
 * @typedef {object} FormWish One wish that a form be a tool, checked.
 * @property {HTMLFormElement | string} form the form, or what selects it
 * @property {ToolDefinition} texts the definition without its schema
 * @property {Submit} submit
 * @property {HoldOptions} options
 * @property {Hold} [hold] while the form is in the document
 */

const TEXTS = ["name", "description", "title", "annotations"];
const OPTIONS = [...TEXTS, "submit", "resourceId", "owner"];

export class FormTools {
  #holds;
  /** @type {import("./form-following.js").FormFollowing | undefined} */
  #following;
  /** Settles when it is there, or cannot be had. @type {Promise<void> | undefined} */
  #loading;
  /** @type {Set<FormWish>} */
  #wishes = new Set();

  /** @param {import("./holds.js").Holds} holds where the tools are held */
  constructor(holds) {
    this.#holds = holds;
  }

  /**
   * Have a form be a tool from now on, whenever it is in the document.
   *
   * @param {HTMLFormElement | string} form
   * @param {FormToolOptions} options
   * @returns {Hold}
   */
  hold(form, options) {
    const wish = wishOf(form, options);
    this.#holds.planDefine(wish.texts, () => {}, wish.options); // what is wrong with it is said now
    this.#wishes.add(wish);
    if (this.#following) this.#following.add(wish);
    else this.#loading ??= this.#load();
    return {
      release: () => {
        if (this.#wishes.delete(wish)) this.#following?.remove(wish);
      },
      get status() {
        return wish.hold?.status ?? "unknown";
      },
    };
  }

  async #load() {
    try {
      const { FormFollowing } = await attempt(
        "form-following.js",
        () => import("./form-following.js"),
      );
      this.#following = new FormFollowing(this.#holds, takeAnswer);
      for (const wish of this.#wishes) this.#following.add(wish);
    } catch (error) {
      this.#loading = undefined; // the next one tries again
      console.error(
        "webtools: no form is a tool, since what fills forms could not be loaded.",
        error,
      );
    }
  }
}

/**
 * @param {unknown} form
 * @param {FormToolOptions} given
 * @returns {FormWish}
 * @throws {TypeError} it is no form, or an option means nothing
 */
function wishOf(form, given) {
  const where = "webtools.formTool";
  if (typeof form === "string") checkSelector(form);
  else if (Object.prototype.toString.call(form) !== "[object HTMLFormElement]") {
    throw new TypeError(`${where}: give a form, or a selector such as "#contact".`);
  }
  const { submit = "person", resourceId, owner, ...texts } = knownOptions(where, given, OPTIONS);
  const { name, text } = definitionText(texts, where);
  if (submit !== "person" && submit !== "agent") {
    throw new TypeError(`${where}("${name}"): submit must be "person" or "agent".`);
  }
  return {
    form: /** @type {HTMLFormElement | string} */ (form),
    texts: JSON.parse(text),
    submit,
    options: { resourceId, owner },
  };
}

/** @param {string} selector */
function checkSelector(selector) {
  try {
    document.querySelector(selector);
  } catch {
    throw new TypeError(`webtools.formTool: "${selector}" is no selector such as "#contact".`);
  }
}
