/** What the page's JavaScript holds: `webtools.hold(name)` and `webtools.define(definition, handler)`. */
import { definitionText, NAME, parametersOf } from "./definitions.js";
import { knownOptions } from "./known.js";
import { checkPlace } from "./places.js";
import { leastOf } from "./statuses.js";
import { describe } from "./wire.js";

/** @typedef {import("./handlers.js").Handler} Handler */
/** @typedef {import("./places.js").Place} Place */
/**
 * @typedef {import("./early-slot.js").Wish & Place & {handler?: Handler, holder: string}} Wish `handler` of a tool that
 *   JavaScript defines; `holder` is what the inspector calls whoever holds
 */
/** @typedef {import("./definitions.js").ToolDefinition} ToolDefinition */
/** @typedef {import("./statuses.js").HoldStatus} HoldStatus */

/**
 * One wish that a tool, or a set of tools, be registered.
 *
 * @typedef {object} Hold
 * @property {() => void} release gives it up; harmless twice, and calls in flight are answered
 * @property {HoldStatus} status the tool's state; "unknown" while no app that is loaded defines it. Of a set, that of
 *   the tool that is least far
 */

/**
 * @typedef {object} HoldOptions
 * @property {string} [resourceId] the resource that the tool works on; calls that began for another one are stale
 * @property {object} [owner] whose hold it is; calls that began under another owner's are stale
 * @property {import("./places.js").Target} [target] what the cursor points at while a call runs; the newest hold's counts
 * @property {Record<string, import("./places.js").Target>} [fields] of a tool that JavaScript defines: arguments, and the
 *   controls that show their values
 */

/**
 * What a hold is asked for, once that has been checked.
 *
 * @typedef {object} Plan
 * @property {Pick<Wish, "name" | "text" | "handler">[]} tools
 * @property {Pick<Wish, "resourceId" | "owner" | "holder" | "target" | "fields">} options
 */

const OPTIONS = ["resourceId", "owner", "target", "fields"];

export class Holds {
  #count = 0;
  /** @type {WeakMap<object, number>} */
  #owners = new WeakMap();
  /** @type {Map<number, Wish>} */
  #wishes = new Map();
  /** Those that say where the tool is, by its name; the newest last. @type {Map<string, Set<Wish>>} */
  #placed = new Map();
  #hold;
  #release;
  #retire;
  #stateOf;

  /**
   * @param {(number: number, name: string, text?: string, resourceId?: string, owner?: number) => void} hold
   * @param {(number: number) => void} release
   * @param {(number: number) => void} retire gives up what the old route held
   * @param {(name: string) => HoldStatus} stateOf
   */
  constructor(hold, release, retire, stateOf) {
    this.#hold = hold;
    this.#release = release;
    this.#retire = retire;
    this.#stateOf = stateOf;
  }

  /** @returns {Iterable<Wish>} those that stand, in their order */
  wishes() {
    return this.#wishes.values();
  }

  /** Whether one of them is of a tool that JavaScript defines. */
  get hasDefinitions() {
    return [...this.#wishes.values()].some(({ text }) => text !== undefined);
  }

  /** @param {number} number of a wish that stands @returns {Wish} */
  wish(number) {
    return /** @type {Wish} */ (this.#wishes.get(number));
  }

  /**
   * Hold a tool that Python defines.
   *
   * @param {string} name
   * @param {HoldOptions} [options]
   * @returns {Hold}
   */
  hold(name, options) {
    return this.#holdOf(this.planHold(name, options));
  }

  /**
   * Check what `hold` is given.
   *
   * @param {string} name
   * @param {HoldOptions} [options]
   * @returns {Plan}
   */
  planHold(name, options) {
    if (typeof name !== "string" || !NAME.test(name)) {
      throw new TypeError(
        `webtools.hold: ${describe(name)} is no tool's name, which has 1 to 128 of A-Z a-z 0-9 _ . -`,
      );
    }
    return { tools: [{ name }], options: this.#checked("hold", `"${name}"`, undefined, options) };
  }

  /**
   * Hold a tool that JavaScript defines, or a list of them as a set.
   *
   * @param {ToolDefinition | [ToolDefinition, Handler][]} definition
   * @param {Handler | HoldOptions} [handler] of one tool; of a list, the options
   * @param {HoldOptions} [options]
   * @returns {Hold}
   */
  define(definition, handler, options) {
    return this.#holdOf(this.planDefine(definition, handler, options));
  }

  /**
   * Check what `define` is given.
   *
   * @param {ToolDefinition | [ToolDefinition, Handler][]} definition
   * @param {Handler | HoldOptions} [handler]
   * @param {HoldOptions} [options]
   * @returns {Plan}
   */
  planDefine(definition, handler, options) {
    const isList = Array.isArray(definition);
    const tools = isList ? definition.map(pair) : [pair([definition, handler])];
    const names = tools.map(({ name }) => name);
    const twice = names.find((name, i) => names.indexOf(name) !== i);
    if (twice !== undefined)
      throw new TypeError(`webtools.define: the list has two tools called "${twice}".`);
    const given = /** @type {HoldOptions | undefined} */ (isList ? handler : options);
    const parameters = parametersOf(tools.map(({ text }) => text));
    return {
      tools,
      options: this.#checked("define", `"${names.join('", "')}"`, parameters, given),
    };
  }

  /** Wish for what was planned. @param {Plan} plan @returns {number[]} the wishes' numbers */
  take({ tools, options }) {
    const wishes = tools.map((tool) => ({ ...tool, ...options, number: (this.#count += 1) }));
    for (const wish of wishes) {
      const { number, name, text, resourceId, owner } = wish;
      this.#wishes.set(number, wish);
      this.#place(wish);
      this.#hold(number, name, text, resourceId, owner);
    }
    return wishes.map(({ number }) => number);
  }

  /** Give wishes of the route up that the page leaves. @param {number[]} numbers */
  retire(numbers) {
    for (const number of numbers) if (this.#drop(number)) this.#retire(number);
  }

  /**
   * What the newest hold says that says where the tool is.
   *
   * @param {string} name
   * @returns {Place | undefined}
   */
  placeOf(name) {
    return [...(this.#placed.get(name) ?? [])].at(-1);
  }

  /** @param {Plan} plan @returns {Hold} */
  #holdOf(plan) {
    const numbers = this.take(plan);
    const stateOf = this.#stateOf;
    return {
      release: () => {
        for (const number of numbers) if (this.#drop(number)) this.#release(number);
      },
      get status() {
        return leastOf(plan.tools.map(({ name }) => stateOf(name)));
      },
    };
  }

  /** @param {Wish} wish */
  #place(wish) {
    const { name, target, fields } = wish;
    if (target === undefined && fields === undefined) return;
    this.#placed.set(name, (this.#placed.get(name) ?? new Set()).add(wish));
  }

  /** @param {number} number @returns {boolean} whether it stood */
  #drop(number) {
    const wish = this.#wishes.get(number);
    if (!wish) return false;
    this.#wishes.delete(number);
    const placed = this.#placed.get(wish.name);
    placed?.delete(wish);
    if (placed?.size === 0) this.#placed.delete(wish.name);
    return true;
  }

  /**
   * @param {"hold" | "define"} verb
   * @param {string} names
   * @param {Set<string> | undefined} parameters of tools that JavaScript defines
   * @param {HoldOptions} [options]
   * @returns {Plan["options"]}
   */
  #checked(verb, names, parameters, options) {
    const where = `${verb}(${names})`;
    const known = knownOptions(`webtools.${where}`, options, OPTIONS);
    const { resourceId, owner, target, fields } = known;
    checkPlace(`webtools.${where}`, { target, fields }, parameters);
    if (owner !== undefined && Object(owner) !== owner) {
      throw new TypeError(`webtools.${where}: owner must be an object.`);
    }
    if (resourceId !== undefined && typeof resourceId !== "string") {
      throw new TypeError(`webtools.${where}: resourceId must be a text.`);
    }
    return {
      resourceId,
      owner: this.#numberOf(owner),
      holder: holderOf(verb, owner),
      target,
      fields,
    };
  }

  /** @param {object | undefined} owner @returns {number | undefined} the same for the same owner */
  #numberOf(owner) {
    if (owner === undefined) return undefined;
    const number = this.#owners.get(owner) ?? (this.#count += 1);
    this.#owners.set(owner, number);
    return number;
  }
}

/** @param {string} verb @param {object | undefined} owner @returns {string} who holds, in words */
function holderOf(verb, owner) {
  const name = owner?.constructor?.name;
  const isTelling = typeof name === "string" && name !== "" && name !== "Object";
  return `webtools.${verb}${isTelling ? `, ${name}` : ""}`;
}

/** @param {unknown} item @returns {{name: string, text: string, handler: Handler}} */
function pair(item) {
  const [definition, handler] = Array.isArray(item) ? item : [];
  const { name, text } = definitionText(definition);
  if (typeof handler !== "function")
    throw new TypeError(`webtools.define("${name}"): give a function that handles its calls.`);
  return { name, text, handler };
}
