/**
 * Notices registrations that the browser drops without being asked. Chromium does when a declarative form of the same
 * name is removed.
 */

/** How long the list must have been quiet before it is looked at. */
const QUIET_MS = 150;

/**
 * @typedef {object} Registered
 * @property {number} number
 * @property {string} name
 * @property {string} description
 */

export class Losses {
  /** Changes of ours whose event is still to come. */
  #expected = 0;
  #isForeign = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #context;
  #list;
  #onLost;

  /**
   * @param {WebMCP.ModelContext} context
   * @param {() => Registered[]} list what the browser has accepted and was not asked to drop
   * @param {(number: number) => void} onLost
   */
  constructor(context, list, onLost) {
    this.#context = context;
    this.#list = list;
    this.#onLost = onLost;
    context.addEventListener("toolchange", () => this.#note());
  }

  /** We change the list: that will be one event. */
  expect() {
    this.#expected += 1;
  }

  /** The change did not come about; an event that was taken for it was another one's. */
  expectNot() {
    if (this.#expected > 0) this.#expected -= 1;
    else this.look();
  }

  /** Something other than us has, or may have, changed the list: look at it once it is quiet. */
  look() {
    this.#isForeign = true;
    this.#restart();
  }

  #note() {
    if (this.#expected > 0) this.#expected -= 1;
    else this.#isForeign = true;
    if (this.#isForeign) this.#restart();
  }

  #restart() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#compare(), QUIET_MS);
  }

  async #compare() {
    this.#isForeign = false;
    const before = this.#list();
    const listed = await this.#context.getTools().catch(() => undefined);
    if (!listed) return; // the document is gone
    const isListed = (/** @type {Registered} */ { name, description }) =>
      listed.some(
        (tool) =>
          tool.name === name &&
          tool.description === description &&
          Object.is(tool.window, globalThis),
      );
    const still = new Set(this.#list().map(({ number }) => number));
    for (const tool of before) {
      if (still.has(tool.number) && !isListed(tool)) this.#onLost(tool.number);
    }
  }
}
