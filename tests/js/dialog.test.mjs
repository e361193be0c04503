import assert from "node:assert/strict";
import { test } from "node:test";

import { ARMING_MS, showDialog } from "../../static/dialog.js";
import { replace, turn } from "./fakes.mjs";

/** As much of an element as the dialog needs; `hear` is an event of the browser's own. */
class FakeElement {
  /** @type {FakeElement[]} */
  children = [];
  textContent = "";
  /** @type {Record<string, (event: object) => void>} */
  #listeners = {};

  /** @param {string} name */
  constructor(name) {
    this.name = name;
  }

  /** @param {string} type @param {(event: object) => void} listener */
  addEventListener(type, listener) {
    this.#listeners[type] = listener;
  }

  /** @param {string} type @param {object} event */
  hear(type, event) {
    this.#listeners[type]?.(event);
  }

  /** @param {FakeElement[]} children */
  append(...children) {
    this.children.push(...children);
  }

  attachShadow() {
    return this;
  }

  setAttribute() {}
  showModal() {}
  focus() {}
  close() {}
  remove() {}
}

/**
 * Show a question; the page has painted it only when the test says so.
 *
 * @param {import("node:test").TestContext} context
 */
function show(context) {
  /** @type {FakeElement[]} */
  const made = [];
  /** @type {(() => void)[]} */
  const frames = [];
  let now = 1000;
  const createElement = (/** @type {string} */ name) => made[made.push(new FakeElement(name)) - 1];
  replace(context, "document", { createElement, documentElement: new FakeElement("html") });
  replace(context, "customElements", { get: () => FakeElement });
  replace(
    context,
    "CSSStyleSheet",
    class {
      replaceSync() {}
    },
  );
  replace(
    context,
    "MutationObserver",
    class {
      observe() {}
      disconnect() {}
    },
  );
  replace(context, "requestAnimationFrame", (/** @type {() => void} */ step) => frames.push(step));
  context.mock.method(performance, "now", () => now);
  const controller = new AbortController();
  const asked = { tool: "pay", title: "Pay\u202e", message: "Now?\u200b", arguments: {} };
  const outcome = showDialog(asked, controller.signal);
  const paint = () => {
    for (let left = 2; left > 0; left -= 1) for (const step of frames.splice(0)) step();
  };
  const [allow] = made.filter(({ textContent }) => textContent === "Allow");
  const click = (/** @type {object} */ how) => allow.hear("click", { isTrusted: true, ...how });
  const isOpen = async () => {
    await turn();
    return (await Promise.race([outcome, "open"])) === "open";
  };
  const pass = (/** @type {number} */ ms) => (now += ms);
  return { outcome, paint, pass, click, isOpen, made };
}

test("a person's click on Allow, half a second after the dialog is seen, allows", async (context) => {
  const { outcome, paint, click, isOpen } = show(context);
  paint();
  click({ timeStamp: 1000 + ARMING_MS - 1 });
  assert.ok(await isOpen());
  click({ timeStamp: 1000 + ARMING_MS });
  assert.equal(await outcome, "allowed");
});

test("a click that a script makes allows nothing", async (context) => {
  const { paint, click, isOpen } = show(context);
  paint();
  click({ timeStamp: 1000 + ARMING_MS, isTrusted: false });
  assert.ok(await isOpen());
});

test("a click before the dialog is seen allows nothing, however long the page has stood still", async (context) => {
  const { paint, pass, click, isOpen } = show(context);
  click({ timeStamp: 1000 + 2 * ARMING_MS });
  pass(10 * ARMING_MS); // the page stands still: nothing is painted
  click({ timeStamp: 1000 + 2 * ARMING_MS });
  paint();
  click({ timeStamp: 1000 + 2 * ARMING_MS }); // made before, heard now
  assert.ok(await isOpen());
});

test("title and message hide nothing", (context) => {
  const texts = show(context).made.map(({ textContent }) => textContent);
  assert.ok(texts.includes("An agent wants to use “Pay\\u202e”"));
  assert.ok(texts.includes("Now?\\u200b"));
});
