/** The page's webtools, for who holds tools of it. */

/** @param {[{name: string}, unknown][]} pairs @returns {string} */
const namesOf = (pairs) => pairs.map(([{ name }]) => name).join();

/** The page's webtools, which notes what it is asked for. */
class FakeWebtools extends EventTarget {
  /** @type {any[][]} */
  asked = [];
  /** @type {any[]} */
  states = [];
  listeners = 0;
  tools = () => this.states;
  hold = (/** @type {string} */ name, /** @type {object} */ options) =>
    this.#hold("hold", name, options);
  define = (/** @type {any[]} */ pairs, /** @type {object} */ options) =>
    this.#hold("define", pairs, options);

  /** @param {any[]} asked */
  #hold(...asked) {
    this.asked.push(asked);
    const what = asked[0] === "hold" ? asked[1] : namesOf(asked[1]);
    return { release: () => this.asked.push(["release", what]) };
  }

  /** What was asked for in short, since the last time. */
  news() {
    return this.asked
      .splice(0)
      .map(([verb, what]) => (verb === "define" ? `define ${namesOf(what)}` : `${verb} ${what}`));
  }

  /** @param {string} type @param {any} [detail] */
  tell(type, detail = {}) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  addEventListener(/** @type {[any, any]} */ ...args) {
    this.listeners += 1;
    super.addEventListener(...args);
  }

  removeEventListener(/** @type {[any, any]} */ ...args) {
    this.listeners -= 1;
    super.removeEventListener(...args);
  }
}

/** @param {import("node:test").TestContext} context */
export function givePage(context) {
  const webtools = new FakeWebtools();
  Object.assign(globalThis, { webtools });
  context.after(() => Reflect.deleteProperty(globalThis, "webtools"));
  return webtools;
}
