/**
 * Tools that come and go with elements: `holdWhile(element, "read_cart")`, and `withTools(HTMLElement)` for custom
 * elements. Both use the page's webtools as soon as that is there. Importing this module touches no window.
 */

import { findWebtools } from "./arrival.js";
import { knownOptions } from "./known.js";
import { isPresent, Presence } from "./presence.js";
import { leastOf } from "./statuses.js";
import { holdTools, readWanted, textOf } from "./wanted.js";
import { describe } from "./wire.js";

/** @typedef {import("./definitions.js").ToolDefinition} ToolDefinition */
/** @typedef {import("./handlers.js").Handler} Handler */
/** @typedef {import("./holds.js").Hold} Hold */
/** @typedef {import("./wanted.js").Item} Item */
/** @typedef {import("./wanted.js").Tool} Tool */

/**
 * @typedef {object} Options
 * @property {Handler} [execute] of the one definition
 * @property {string} [resourceId] the resource that the tools work on; calls that began for another one are stale
 */

const presence = new Presence();

/**
 * Hold tools while an element is in the page's document: not yet where it is not there yet, and again when it comes
 * back. It ends with `release()`, or when the element cannot come back any more, for it is not kept alive.
 *
 * @param {Element} element calls of tools with an `execute` are stale when they began under another one
 * @param {string | ToolDefinition | Item[]} wanted name of a tool that Python defines; or a definition, whose handler is
 *   the option `execute`; or a list of names and pairs `[definition, execute]`, which come and go together
 * @param {Options} [options]
 * @returns {Hold}
 */
export function holdWhile(element, wanted, options) {
  if (element?.nodeType !== 1) {
    throw new TypeError(
      `holdWhile: ${describe(element)} is no element. Give one that is there, such as document.querySelector("#cart").`,
    );
  }
  const known = knownOptions("holdWhile", options, ["execute", "resourceId"]);
  const { resourceId } = known;
  const tools = readWanted("holdWhile", wanted, known);
  /** @type {(() => void) | undefined} */
  let letGo;
  // the element is not named in here, else a hold that the page keeps would keep it
  const stop = presence.watch(element, (owner) => {
    if (!isPresent(owner)) {
      letGo?.();
      letGo = undefined;
    } else {
      letGo ??= holdTools(tools, { resourceId, owner });
    }
  });
  return {
    release: () => {
      stop();
      letGo?.();
      letGo = undefined;
    },
    get status() {
      const states = findWebtools()?.tools() ?? [];
      const stateOf = (/** @type {Tool} */ { name }) =>
        states.find((each) => each.name === name)?.state ?? "unknown";
      return leastOf(tools.map(stateOf));
    },
  };
}

/**
 * Make a base class of custom elements that hold their tools while they are in the page's document. A subclass names
 * them in `static tools`, or, where they are not always the same, in `get tools()`: a list of names of tools that Python
 * defines, and of pairs `[definition, handler]`; a handler is a method's name, or a function, whose `this` is the element.
 * It may have a `resourceId`, too, the resource that they work on.
 *
 * @template {new (...args: any[]) => any} T
 * @param {T} [Base] default: HTMLElement, where there is one
 */
export function withTools(Base = /** @type {any} */ (globalThis.HTMLElement ?? class {})) {
  return class extends Base {
    /** The newest. @type {Tool[]} */
    #tools = [];
    /** What is held. */
    #wish = "";
    #letGo = () => {};

    connectedCallback() {
      super.connectedCallback?.();
      this.updateTools();
    }

    disconnectedCallback() {
      super.disconnectedCallback?.();
      this.updateTools();
    }

    /** Say that `tools` or `resourceId` may give something else now; quick where they do not. */
    updateTools() {
      const isHere = isPresent(/** @type {any} */ (this));
      const where = `<${this.localName}>`;
      const resourceId = this.resourceId ?? undefined;
      const tools = isHere ? readWanted(where, itemsOf(this, where), { resourceId }) : [];
      const wish = isHere ? textOf(tools, { resourceId }) : "";
      this.#tools = tools;
      if (wish === this.#wish) return;
      this.#letGo();
      this.#wish = wish;
      this.#letGo = holdTools(tools, { resourceId, owner: this }, () => this.#tools);
    }
  };
}

/**
 * @param {any} element
 * @param {string} where
 * @returns {unknown[]} what it wants, as `readWanted` takes it
 */
function itemsOf(element, where) {
  const items = element.tools ?? element.constructor.tools ?? [];
  if (!Array.isArray(items)) {
    throw new TypeError(
      `${where}: its tools must be a list of names and pairs [definition, method].`,
    );
  }
  return items.map((item) =>
    Array.isArray(item) ? [item[0], handlerOf(element, item[1], where)] : item,
  );
}

/**
 * @param {any} element
 * @param {unknown} method
 * @param {string} where
 * @returns {Handler}
 */
function handlerOf(element, method, where) {
  if (typeof method === "function") return (...call) => method.apply(element, call);
  if (typeof method === "string" && typeof element[method] === "function") {
    return (...call) => element[method](...call);
  }
  throw new TypeError(
    `${where}: ${describe(method)} is no method of it. A pair is [definition, method's name or function].`,
  );
}
