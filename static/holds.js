/** Holds that the page's JavaScript asks for: `webtools.hold(name)`. */

/**
 * One wish that a tool be registered.
 *
 * @typedef {object} Hold
 * @property {() => void} release gives it up; harmless twice, and calls in flight are answered
 * @property {import("./host.js").ToolState["state"] | "unknown"} status the tool's state; "unknown" while no app that is
 *   loaded defines it
 */

/**
 * @typedef {object} HoldOptions
 * @property {string} [resourceId] the resource that the tool works on; calls that began for another one are stale
 * @property {object} [owner] whose hold it is; calls that began under another owner's are stale
 */

export class Holds {
  #count = 0;
  #owners = new WeakMap();
  /** @type {Map<number, [number, string, string | undefined, number | undefined]>} */
  #wishes = new Map();
  /** @type {import("./border.js").Border | undefined} */
  #border;
  #stateOf;

  /** @param {(name: string) => Hold["status"]} stateOf */
  constructor(stateOf) {
    this.#stateOf = stateOf;
  }

  /**
   * @param {string} name
   * @param {HoldOptions} [options]
   * @returns {Hold}
   */
  hold(name, { resourceId, owner } = {}) {
    if (typeof name !== "string" || !name)
      throw new TypeError("webtools.hold: the tool's name is missing.");
    if (resourceId !== undefined && typeof resourceId !== "string") {
      throw new TypeError(`webtools.hold("${name}"): resourceId must be a text.`);
    }
    const ownerNumber = this.#numberOf(owner);
    const number = (this.#count += 1);
    this.#wishes.set(number, [number, name, resourceId, ownerNumber]);
    this.#border?.hold(number, name, resourceId, ownerNumber);
    const stateOf = this.#stateOf;
    return {
      release: () => {
        if (this.#wishes.delete(number)) this.#border?.release(number);
      },
      get status() {
        return stateOf(name);
      },
    };
  }

  /**
   * Python is up: it is told of the wishes that still stand. One that was released while it waited is never heard of.
   *
   * @param {import("./border.js").Border} border
   */
  attach(border) {
    this.#border = border;
    for (const wish of this.#wishes.values()) border.hold(...wish);
  }

  /** @param {object | undefined} owner @returns {number | undefined} the same for the same owner */
  #numberOf(owner) {
    if (owner === undefined) return undefined;
    // a WeakMap refuses what is no object with a TypeError of its own
    if (!this.#owners.has(owner)) this.#owners.set(owner, (this.#count += 1));
    return this.#owners.get(owner);
  }
}
