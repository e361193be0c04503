/** The timers and the macrotasks of a page, which run when the test says so. */

/** @typedef {{at: number, run: () => void}} Task */

/** What there is to run, at its time and in its order. */
class Loop {
  now = 0;
  /** @type {Set<Task>} */
  timers = new Set();
  /** @type {Task[]} */
  tasks = [];

  /** @param {number} ms */
  async advance(ms) {
    const end = this.now + ms;
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve)); // promises first
      const next = this.#next();
      if (!next || next.at > end) break;
      this.now = Math.max(this.now, next.at);
      this.timers.delete(next);
      this.tasks = this.tasks.filter((task) => task !== next);
      next.run();
    }
    this.now = end;
  }

  #next() {
    const [first, ...others] = [...this.tasks, ...this.timers];
    return others.reduce((best, each) => (each.at < best.at ? each : best), first);
  }
}

/**
 * Puts a loop that the test drives in the place of the timers and the channels.
 *
 * @param {import("node:test").TestContext} context
 */
export function newLoop(context) {
  const loop = new Loop();
  context.mock.method(performance, "now", () => loop.now);
  context.mock.method(
    globalThis,
    "setTimeout",
    (/** @type {() => void} */ run, /** @type {number} */ ms) => {
      const timer = { at: loop.now + ms, run };
      loop.timers.add(timer);
      return timer;
    },
  );
  context.mock.method(globalThis, "clearTimeout", (/** @type {Task} */ timer) => {
    loop.timers.delete(timer);
  });
  const real = globalThis.MessageChannel;
  const fake = class {
    port1 = { onmessage: () => {}, close: () => {} };
    port2 = {
      postMessage: () => loop.tasks.push({ at: loop.now, run: () => this.port1.onmessage() }),
    };
  };
  globalThis.MessageChannel = /** @type {any} */ (fake);
  context.after(() => {
    globalThis.MessageChannel = real;
  });
  return loop;
}
