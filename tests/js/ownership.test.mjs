import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { Ownerships } from "../../static/ownership.js";
import { forbidWarnings, turn } from "./fakes.mjs";

forbidWarnings();

/** @typedef {import("node:test").TestContext} TestContext */

const KEY = "webtools.ownership.cart";

/** The locks of one origin: as `navigator.locks`, but for shared ones. */
class FakeLocks {
  /** @type {{name: string, lose: () => void} | undefined} */
  held;
  /** @type {(() => void)[]} */
  queue = [];

  /** @param {string} name @param {any} options @param {(lock: any) => any} callback */
  request(name, { signal, ifAvailable, steal }, callback) {
    return new Promise((resolve, reject) => {
      const grant = () => {
        const mine = { name, lose: () => reject(new DOMException("stolen", "AbortError")) };
        this.held = mine;
        const free = () => {
          if (this.held !== mine) return;
          this.held = undefined;
          this.queue.shift()?.();
        };
        Promise.resolve()
          .then(() => callback({ name }))
          .then(resolve, reject)
          .finally(free);
      };
      if (steal) {
        const before = this.held;
        this.held = undefined;
        before?.lose();
        grant();
      } else if (!this.held) grant();
      else if (ifAvailable) Promise.resolve(callback(null)).then(resolve, reject);
      else {
        this.queue.push(grant);
        signal.addEventListener("abort", () => {
          this.queue = this.queue.filter((each) => each !== grant);
          reject(signal.reason);
        });
      }
    });
  }
}

/**
 * What the tabs of an origin share; which tab's `localStorage` and channels they are does not matter here.
 *
 * @param {TestContext} context
 */
function newOrigin(context) {
  const texts = new Map();
  const locks = new FakeLocks();
  /** @type {Set<FakeChannel>} */
  const channels = new Set();
  class FakeChannel {
    /** @type {((event: {data: any}) => void) | undefined} */
    onmessage;
    constructor() {
      channels.add(this);
    }
    /** @param {any} data */
    postMessage(data) {
      for (const each of channels) if (each !== this) each.onmessage?.({ data });
    }
    close() {
      channels.delete(this);
    }
  }
  const storage = {
    getItem: (/** @type {string} */ name) => texts.get(name) ?? null,
    setItem: (/** @type {string} */ name, /** @type {string} */ text) => texts.set(name, text),
  };
  const all = { localStorage: storage, BroadcastChannel: FakeChannel, navigator: { locks } };
  for (const [name, value] of Object.entries(all)) replace(context, name, value);
  const newTab = () => {
    /** @type {any[][]} */
    const told = [];
    return { ownerships: new Ownerships((...news) => told.push(news)), told };
  };
  return { texts, locks, channels, storage, newTab };
}

/** @param {TestContext} context @param {string} name @param {unknown} value */
function replace(context, name, value) {
  const before = Object.getOwnPropertyDescriptor(globalThis, name);
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  context.after(() => {
    if (before) Object.defineProperty(globalThis, name, before);
    else Reflect.deleteProperty(globalThis, name);
  });
}

/** Two tabs that want it, of which the first owns. @param {TestContext} context */
async function twoTabs(context) {
  const origin = newOrigin(context);
  const [first, second] = [origin.newTab(), origin.newTab()];
  for (const { ownerships } of [first, second]) {
    ownerships.ask("cart");
    await ownerships.decided();
    await turn();
  }
  return { ...origin, first, second };
}

describe("an ownership", () => {
  test("is the first tab's, with a number that is stored; the next is told that it waits", async (context) => {
    const { first, second, texts } = await twoTabs(context);
    const epoch = first.ownerships.epoch("cart");
    assert.ok(epoch && epoch > 0);
    assert.equal(texts.get(KEY), String(epoch));
    assert.deepEqual(first.told, [["cart", epoch]]);
    assert.equal(second.ownerships.epoch("cart"), undefined);
    assert.deepEqual(second.told, [["cart", undefined, "elsewhere"]]);
  });

  test("is told of at no time within a function that asks", async (context) => {
    const { newTab } = newOrigin(context);
    const { ownerships, told } = newTab();
    ownerships.ask("cart");
    ownerships.takeOver("cart");
    ownerships.release("cart");
    assert.deepEqual(told, []);
    await turn();
    assert.deepEqual(told, [["cart", undefined, "released"]]);
  });

  test("goes to the next tab when it is released, with a higher number, and is not wanted again", async (context) => {
    const { first, second, locks } = await twoTabs(context);
    const epoch = first.ownerships.epoch("cart") ?? 0;
    first.ownerships.release("cart");
    first.ownerships.release("cart");
    await turn();
    assert.ok(/** @type {number} */ (second.ownerships.epoch("cart")) > epoch);
    second.ownerships.release("cart");
    await turn();
    assert.equal(locks.held, undefined);
    assert.deepEqual(first.told.slice(1), [["cart", undefined, "released"]]);
  });

  test("is taken over at once; the tab before queues, and owns again after", async (context) => {
    const { first, second } = await twoTabs(context);
    const before = first.ownerships.epoch("cart") ?? 0;
    second.ownerships.takeOver("cart");
    await turn();
    const taken = second.ownerships.epoch("cart") ?? 0;
    assert.ok(taken > before);
    assert.equal(first.ownerships.epoch("cart"), undefined);
    assert.deepEqual(first.told.slice(1), [["cart", undefined, "elsewhere"]]);
    second.ownerships.close();
    await turn();
    assert.ok(/** @type {number} */ (first.ownerships.epoch("cart")) > taken);
  });

  test("is lost as soon as another number is stored, before the browser says so", async (context) => {
    const { first, texts } = await twoTabs(context);
    texts.set(KEY, String(Number(texts.get(KEY)) + 1));
    assert.equal(first.ownerships.epoch("cart"), undefined);
    assert.deepEqual(first.told.length, 1, "not told within the question");
    await turn();
    assert.deepEqual(first.told[1], ["cart", undefined, "elsewhere"]);
  });

  test("is lost by the news of a higher number, and by no other news", async (context) => {
    const { first, channels } = await twoTabs(context);
    const epoch = first.ownerships.epoch("cart") ?? 0;
    const [channel] = channels;
    for (const data of [null, "cart", { name: "desk", epoch: epoch + 1 }, { name: "cart", epoch }])
      channel.onmessage?.({ data });
    assert.equal(first.ownerships.epoch("cart"), epoch);
    channel.onmessage?.({ data: { name: "cart", epoch: epoch + 1 } });
    assert.equal(first.ownerships.epoch("cart"), undefined);
  });

  test("grows though the clock stands still, and though the storage was wiped", async (context) => {
    const { first, texts } = await twoTabs(context);
    const far = Date.now() + 1_000_000_000;
    texts.set(KEY, String(far));
    first.ownerships.takeOver("cart");
    await turn();
    assert.equal(first.ownerships.epoch("cart"), far + 1);
    texts.clear();
    first.ownerships.takeOver("cart");
    await turn();
    assert.ok(/** @type {number} */ (first.ownerships.epoch("cart")) > 1_000_000_000_000);
  });
});

describe("a page that is left", () => {
  test("lets go, hears nothing, and asks anew when it is back", async (context) => {
    const { first, second, channels } = await twoTabs(context);
    first.ownerships.leave();
    await turn();
    assert.equal(channels.size, 1);
    assert.ok(second.ownerships.epoch("cart"));
    assert.deepEqual(first.told.at(-1), ["cart"]);
    first.ownerships.restore();
    await turn();
    assert.deepEqual(first.told.at(-1), ["cart", undefined, "elsewhere"]);
    assert.equal(channels.size, 2);
  });

  test("while it waits, waits no more", async (context) => {
    const { second, locks } = await twoTabs(context);
    assert.equal(locks.queue.length, 1);
    second.ownerships.leave();
    assert.equal(locks.queue.length, 0);
  });

  test("in the moment of its loss does not queue", async (context) => {
    const { first, texts, locks } = await twoTabs(context);
    texts.set(KEY, "1");
    first.ownerships.epoch("cart");
    first.ownerships.leave();
    await turn();
    assert.deepEqual(first.told.at(-1), ["cart"]);
    assert.equal(locks.queue.length, 0);
  });
});

describe("no tab owns", () => {
  for (const text of ["", "x", "-1", "1.5", "9007199254740993", "9007199254740991"]) {
    test(`where "${text}" is stored, and the lock is let go`, async (context) => {
      const { newTab, texts, locks } = newOrigin(context);
      texts.set(KEY, text);
      const { ownerships, told } = newTab();
      ownerships.ask("cart");
      await turn();
      assert.deepEqual(told, [["cart", undefined, "no storage"]]);
      assert.equal(locks.held, undefined);
    });
  }

  for (const [what, member] of [
    ["reading", "getItem"],
    ["writing", "setItem"],
  ]) {
    test(`where ${what} is refused, until it is asked for again`, async (context) => {
      const { newTab, storage } = newOrigin(context);
      const real = { ...storage };
      Object.assign(storage, {
        [member]: () => {
          throw new DOMException("no", "QuotaExceededError");
        },
      });
      const { ownerships, told } = newTab();
      ownerships.ask("cart");
      await turn();
      assert.deepEqual(told, [["cart", undefined, "no storage"]]);
      assert.equal(ownerships.epoch("cart"), undefined);
      Object.assign(storage, real);
      ownerships.takeOver("cart");
      await turn();
      assert.ok(ownerships.epoch("cart"));
    });
  }

  test("where the browser has no locks", async (context) => {
    const { newTab, texts } = newOrigin(context);
    replace(context, "navigator", {});
    const { ownerships, told } = newTab();
    ownerships.ask("cart");
    await turn();
    assert.deepEqual(told, [["cart", undefined, "no locks"]]);
    assert.equal(texts.size, 0);
  });

  test("where it refuses them, which is told in its own words", async (context) => {
    const { newTab } = newOrigin(context);
    const request = async () => {
      throw new DOMException("not here", "SecurityError");
    };
    replace(context, "navigator", { locks: { request } });
    const { ownerships, told } = newTab();
    ownerships.ask("cart");
    await ownerships.decided();
    await turn();
    assert.deepEqual(told, [["cart", undefined, "SecurityError: not here"]]);
  });
});
