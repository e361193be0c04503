/** The page's change from one route to the next, as one verb: `webtools.navigate(async (route) => {…})`. */

/** @typedef {import("./holds.js").Plan} Plan */

/**
 * One change of route, for its body to name what the new route holds: from the body's end until the next change begins.
 *
 * @typedef {object} RouteChange
 * @property {(name: string, options?: import("./holds.js").HoldOptions) => void} hold names a tool that Python defines
 * @property {(definition: Parameters<import("./holds.js").Holds["define"]>[0], handler?: Parameters<import("./holds.js").Holds["define"]>[1], options?: import("./holds.js").HoldOptions) => void} define
 *   names a tool whose handler is JavaScript, or a list of them
 * @property {() => boolean} isCurrent whether no newer change has begun, which would win: ask after each wait; that of the
 *   newest one stays true when its function has ended
 */

/**
 * What changes of route ask of the page.
 *
 * @typedef {object} Owner
 * @property {() => void} begin tells Python, where it is up, that the page goes between two routes
 * @property {() => void} look calls may have gone stale
 * @property {() => void} end the new route's tools are held
 */

/** The newest change counts, whether JavaScript or Python has begun it. */
export class RouteChanges {
  #holds;
  #owner;
  /** What the route holds that the page is on, by the wishes' numbers. @type {number[]} */
  #held = [];
  /** The newest change, while it is open and JavaScript's. @type {Change | undefined} */
  #open;

  /** The newest change, where JavaScript has begun it; compared only. @type {Change | undefined} */
  #newest;

  /** @param {import("./holds.js").Holds} holds @param {Owner} owner */
  constructor(holds, owner) {
    this.#holds = holds;
    this.#owner = owner;
  }

  /** Whether a change is open that JavaScript has begun. */
  get isOpen() {
    return this.#open !== undefined;
  }

  /**
   * Leave the page's route for another; see `Host.navigate`.
   *
   * @param {(route: RouteChange) => unknown} body
   */
  async navigate(body) {
    if (typeof body !== "function") {
      throw new TypeError("webtools.navigate: give a function that changes the route.");
    }
    this.leave();
    this.#owner.begin();
    const change = new Change(this.#holds, (asking) => asking === this.#newest);
    this.#open = this.#newest = change;
    this.#owner.look();
    let isWell = false;
    try {
      await body(change.route);
      isWell = true;
    } finally {
      this.#end(change, isWell);
    }
  }

  /** The route is left: a change that is open has lost, and what the old route held is released, its calls stale. */
  leave() {
    this.#open = this.#newest = undefined;
    const held = this.#held;
    this.#held = [];
    this.#holds.retire(held);
  }

  /** @param {Change} change @param {boolean} isWell */
  #end(change, isWell) {
    const plans = change.end();
    if (change !== this.#open) return;
    this.#open = undefined;
    if (isWell) this.#held = plans.flatMap((plan) => this.#holds.take(plan));
    this.#owner.end();
  }
}

class Change {
  /** @type {Plan[]} */
  #plans = [];
  #isOver = false;

  /**
   * @param {import("./holds.js").Holds} holds
   * @param {(change: Change) => boolean} isNewest
   */
  constructor(holds, isNewest) {
    /** @type {RouteChange} */
    this.route = Object.freeze({
      hold: (...wanted) => this.#name(holds.planHold(...wanted)),
      define: (...wanted) => this.#name(holds.planDefine(...wanted)),
      isCurrent: () => isNewest(this),
    });
  }

  /** @returns {Plan[]} what was named */
  end() {
    this.#isOver = true;
    return this.#plans;
  }

  /** @param {Plan} plan */
  #name(plan) {
    if (this.#isOver) {
      throw new Error(
        "webtools.navigate: this change of route is over. Name what the route holds before the function ends.",
      );
    }
    this.#plans.push(plan);
  }
}
