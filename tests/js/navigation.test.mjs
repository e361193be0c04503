import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { describe, test } from "node:test";

import { watchPlace } from "../../static/navigation.js";
import { forbidWarnings } from "./fakes.mjs";

forbidWarnings();

/** @typedef {import("node:test").TestContext} TestContext */

/** What a browser's History has on its prototype; an address that is none is refused. */
class FakeHistory {
  #go;

  /** @param {(url: string) => void} go */
  constructor(go) {
    this.#go = go;
  }

  /** @param {unknown} _state @param {string} _title @param {string} url */
  pushState(_state, _title, url) {
    if (!url.startsWith("/")) throw new TypeError("refused");
    this.#go(url);
    return `went to ${url}`;
  }

  /** @param {unknown} _state @param {string} _title @param {string} url */
  replaceState(_state, _title, url) {
    this.#go(url);
  }
}

/** A window at `/`; with a `navigation`, it tells synchronously, as Chromium's does. @param {boolean} hasNavigation */
function fakeWindow(hasNavigation) {
  const navigation = Object.assign(new EventTarget(), { currentEntry: {} });
  const location = { pathname: "/", hash: "" };
  const history = new FakeHistory((url) => {
    const { pathname, hash } = new URL(url, "https://shop.example");
    Object.assign(location, { pathname, hash });
    navigation.dispatchEvent(new Event("currententrychange"));
  });
  const window = Object.assign(new EventTarget(), {
    location,
    history,
    ...(hasNavigation && { navigation }),
  });
  return { window, navigation, location, history };
}

/** Watches a window, and notes each notice. @param {ReturnType<typeof fakeWindow>} fake */
function watching(fake) {
  /** @type {string[]} */
  const told = [];
  const undo = watchPlace(/** @type {any} */ (fake.window), ({ pathname, hash }) => {
    told.push(pathname + hash);
  });
  return { ...fake, told, undo };
}

for (const [way, hasNavigation] of /** @type {const} */ ([
  ["the Navigation API", true],
  ["own properties on the history", false],
])) {
  describe(`a page watched by ${way}`, () => {
    for (const name of /** @type {const} */ (["pushState", "replaceState"])) {
      test(`W11: tells of ${name} one microtask after it has returned`, async () => {
        const { history, told } = watching(fakeWindow(hasNavigation));
        history[name](null, "", "/cart/1");
        assert.deepEqual(told, []);
        await null;
        assert.deepEqual(told, ["/cart/1"]);
      });
    }

    test("tells of the hash, too", async () => {
      const { history, told } = watching(fakeWindow(hasNavigation));
      history.pushState(null, "", "/#lines");
      await null;
      assert.deepEqual(told, ["/#lines"]);
    });

    test("tells nothing where path and hash are what they were", async () => {
      const { history, told } = watching(fakeWindow(hasNavigation));
      history.pushState(null, "", "/?q=shoes");
      await null;
      assert.deepEqual(told, []);
    });

    test("tells once of several calls in one task, and nothing of there and back", async () => {
      const { history, told } = watching(fakeWindow(hasNavigation));
      history.pushState(null, "", "/a");
      history.pushState(null, "", "/b");
      await null;
      history.pushState(null, "", "/a");
      history.pushState(null, "", "/b");
      await null;
      assert.deepEqual(told, ["/b"]);
    });

    test("looks where it is when it is restored from the back-forward cache", async () => {
      const { window, location, told } = watching(fakeWindow(hasNavigation));
      location.pathname = "/earlier";
      window.dispatchEvent(new Event("pageshow"));
      await null;
      assert.deepEqual(told, ["/earlier"]);
    });

    test("is left as it was by the undo, also twice", async () => {
      const fake = fakeWindow(hasNavigation);
      const { history, window, navigation, told, undo } = watching(fake);
      history.pushState(null, "", "/due");
      undo();
      undo();
      await null;
      history.pushState(null, "", "/later");
      await null;
      assert.deepEqual(told, []);
      assert.deepEqual(Reflect.ownKeys(history), []);
      for (const type of ["pageshow", "popstate", "hashchange"]) {
        assert.deepEqual(getEventListeners(window, type), []);
      }
      assert.deepEqual(getEventListeners(navigation, "currententrychange"), []);
    });
  });
}

describe("where there is a Navigation API", () => {
  test("the history is not touched", () => {
    const { history } = watching(fakeWindow(true));
    assert.deepEqual(Reflect.ownKeys(history), []);
  });

  test("that never tells anything, as in a sandboxed frame, the history is watched", () => {
    const fake = fakeWindow(true);
    Object.assign(fake.navigation, { currentEntry: null });
    assert.deepEqual(Reflect.ownKeys(watching(fake).history), ["pushState", "replaceState"]);
  });
});

describe("where there is none", () => {
  for (const type of ["popstate", "hashchange"]) {
    test(`${type} tells`, async () => {
      const { window, location, told } = watching(fakeWindow(false));
      Object.assign(location, { pathname: "/back", hash: "#there" });
      window.dispatchEvent(new Event(type));
      await null;
      assert.deepEqual(told, ["/back#there"]);
    });
  }

  test("the prototype is not touched, and both functions do and give what they did", () => {
    const before = Object.getOwnPropertyDescriptors(FakeHistory.prototype);
    const { history, location } = watching(fakeWindow(false));
    assert.deepEqual(Object.getOwnPropertyDescriptors(FakeHistory.prototype), before);
    assert.equal(history.pushState(null, "", "/a"), "went to /a");
    assert.equal(location.pathname, "/a");
  });

  test("a call that throws throws what it threw, and the next one is told", async () => {
    const { history, told } = watching(fakeWindow(false));
    assert.throws(() => history.pushState(null, "", "https://other.example/"), {
      message: "refused",
    });
    await null;
    history.pushState(null, "", "/a");
    await null;
    assert.deepEqual(told, ["/a"]);
  });

  test("a wrapper that throws when it has navigated is told of", async () => {
    const fake = fakeWindow(false);
    fake.history.pushState = (...args) => {
      FakeHistory.prototype.pushState.apply(fake.history, args);
      throw new Error("a listener of the router's");
    };
    const { history, told } = watching(fake);
    assert.throws(() => history.pushState(null, "", "/a"));
    await null;
    assert.deepEqual(told, ["/a"]);
  });

  test("somebody's wrapper from before is run, and is there again after the undo", () => {
    const fake = fakeWindow(false);
    const theirs = {
      value: (/** @type {any[]} */ ...args) => `wrapped: ${args[2]}`,
      configurable: true,
      enumerable: false,
      writable: false,
    };
    Object.defineProperty(fake.history, "pushState", theirs);
    const { history, undo } = watching(fake);
    assert.equal(history.pushState(null, "", "/a"), "wrapped: /a");
    undo();
    assert.deepEqual(Object.getOwnPropertyDescriptor(history, "pushState"), theirs);
  });

  test("somebody's wrapper from after stays, and goes on to work", async () => {
    const { history, location, told, undo } = watching(fakeWindow(false));
    const ours = history.pushState;
    const theirs = (/** @type {[unknown, string, string]} */ ...args) => ours.apply(history, args);
    history.pushState = theirs;
    history.pushState(null, "", "/a");
    await null;
    undo();
    assert.equal(history.pushState, theirs);
    history.pushState(null, "", "/b");
    await null;
    assert.deepEqual([told, location.pathname], [["/a"], "/b"]);
  });

  test("a prototype that is patched later counts", (context) => {
    const { history } = watching(fakeWindow(false));
    context.mock.method(FakeHistory.prototype, "pushState", () => "patched");
    assert.equal(history.pushState(null, "", "/a"), "patched");
  });

  test("a history that cannot be changed is watched by its events", async () => {
    const fake = fakeWindow(false);
    Object.freeze(fake.history);
    const { window, location, told, undo } = watching(fake);
    location.pathname = "/back";
    window.dispatchEvent(new Event("popstate"));
    await null;
    assert.deepEqual(told, ["/back"]);
    undo();
  });
});
