import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { Ownerships } from "../../static/ownership.js";
import { forbidWarnings, replace, turn } from "./fakes.mjs";

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

describe("a stored number", () => {
  for (const text of [
    "",
    "x",
    "-5",
    "1.5",
    "Infinity",
    "99999999999999999999",
    "9007199254740991",
  ]) {
    test(`that is "${text}" is replaced by the next owner`, async (context) => {
      const { newTab, texts } = newOrigin(context);
      texts.set(KEY, text);
      const { ownerships, told } = newTab();
      ownerships.ask("cart");
      await turn();
      const epoch = ownerships.epoch("cart") ?? 0;
      assert.ok(epoch > 1_000_000_000_000);
      assert.equal(texts.get(KEY), String(epoch));
      assert.deepEqual(told, [["cart", epoch]]);
    });
  }

  test("that is the last but one is followed by the last", async (context) => {
    const { newTab, texts } = newOrigin(context);
    texts.set(KEY, String(Number.MAX_SAFE_INTEGER - 1));
    const { ownerships } = newTab();
    ownerships.ask("cart");
    await turn();
    assert.equal(ownerships.epoch("cart"), Number.MAX_SAFE_INTEGER);
  });

  /** @type {Record<string, (origin: ReturnType<typeof newOrigin>) => void>} */
  const gone = {
    "is wiped": ({ texts }) => texts.clear(),
    "is spoilt": ({ texts }) => texts.set(KEY, "garbage"),
    "cannot be read": ({ storage }) => {
      const real = storage.getItem;
      storage.getItem = () => {
        storage.getItem = real;
        throw new DOMException("no", "SecurityError");
      };
    },
  };
  for (const [what, happens] of Object.entries(gone)) {
    test(`that ${what} is gone, at once, until this tab owns again`, async (context) => {
      const origin = newOrigin(context);
      const { ownerships } = origin.newTab();
      ownerships.ask("cart");
      await turn();
      assert.equal(ownerships.isGone("cart"), false);
      happens(origin);
      assert.equal(ownerships.epoch("cart"), undefined);
      assert.equal(ownerships.isGone("cart"), true);
      await turn();
      assert.ok(ownerships.epoch("cart"));
      assert.equal(ownerships.isGone("cart"), false);
    });
  }

  test("that is gone is no reason any more once the browser refuses to store one", async (context) => {
    const { newTab, texts, storage } = newOrigin(context);
    const { ownerships, told } = newTab();
    ownerships.ask("cart");
    await turn();
    texts.clear();
    storage.setItem = () => {
      throw new DOMException("no", "QuotaExceededError");
    };
    assert.equal(ownerships.epoch("cart"), undefined);
    await turn();
    assert.deepEqual(told.at(-1), ["cart", undefined, "no storage"]);
    assert.equal(ownerships.isGone("cart"), false);
  });

  test("that is gone is no reason any more once another tab is heard to own", async (context) => {
    const { first, second, texts } = await twoTabs(context);
    texts.clear();
    assert.equal(first.ownerships.epoch("cart"), undefined);
    await turn();
    assert.ok(second.ownerships.epoch("cart"));
    assert.equal(first.ownerships.isGone("cart"), false);
    assert.deepEqual(first.told.at(-1), ["cart", undefined, "elsewhere"]);
  });

  test("that is another tab's is not gone", async (context) => {
    const { first, texts } = await twoTabs(context);
    texts.set(KEY, String(Number(texts.get(KEY)) + 1));
    assert.equal(first.ownerships.epoch("cart"), undefined);
    assert.equal(first.ownerships.isGone("cart"), false);
    assert.equal(first.ownerships.isGone("desk"), false);
  });

  test("that is gone stays the reason while the lock is waited for", async (context) => {
    const { first, texts, locks } = await twoTabs(context);
    texts.clear();
    first.ownerships.epoch("cart");
    await Promise.resolve();
    locks.queue.length = 0; // nobody follows
    await turn();
    assert.equal(first.ownerships.epoch("cart"), undefined);
    assert.equal(first.ownerships.isGone("cart"), true);
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
