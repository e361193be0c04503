import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { givePage } from "./fake_webtools.mjs";
import { forbidWarnings, replace, turn, until } from "./fakes.mjs";

forbidWarnings();

let count = 0;

/** Loads the module anew, as another page does. @returns {Promise<typeof import("../../static/arrival.js")>} */
const load = () => import(`../../static/arrival.js?${(count += 1)}`);

/**
 * The window and document of a page without webtools.
 *
 * @param {import("node:test").TestContext} context
 * @param {object} [members] of the document
 */
function giveWindow(context, members) {
  const window = new EventTarget();
  const querySelector = () => null;
  const document = Object.assign(new EventTarget(), {
    readyState: "interactive",
    querySelector,
    ...members,
  });
  replace(context, "document", document);
  replace(context, "addEventListener", window.addEventListener.bind(window));
  const errors = context.mock.method(console, "error", () => {});
  return { window, document, errors: errors.mock };
}

/** Notes how often something was used and given back. */
function newUse() {
  /** @type {unknown[]} */
  const used = [];
  const use = (/** @type {unknown} */ webtools) => {
    used.push(webtools);
    return () => void used.push("back");
  };
  return { used, use };
}

test("webtools that is there is used at once", async (context) => {
  const webtools = givePage(context);
  const { used, use } = newUse();
  const undo = (await load()).withWebtools(use);
  assert.deepEqual(used, [webtools]);
  undo();
  assert.deepEqual(used, [webtools, "back"]);
});

test("webtools is used when it announces itself, by who still waits", async (context) => {
  const { window } = giveWindow(context);
  const { withWebtools } = await load();
  const gone = newUse();
  const waiting = newUse();
  Object.assign(globalThis, { webtools: { id: "webtools" } }); // an element of this id
  withWebtools(gone.use)();
  const undo = withWebtools(waiting.use);
  const webtools = givePage(context);
  window.dispatchEvent(new Event("webtools"));
  await turn();
  undo();
  assert.deepEqual([gone.used, waiting.used], [[], [webtools, "back"]]);
});

describe("where nothing announces itself, webtools is imported, and failing is told once", () => {
  for (const [what, members, event] of /** @type {[string, object, string | undefined][]} */ ([
    ["when DOMContentLoaded is over", {}, "DOMContentLoaded"],
    ["when load is over", {}, "load"],
    ["at once in a page that is loaded", { readyState: "complete" }, undefined],
  ])) {
    test(what, async (context) => {
      const { window, document, errors } = giveWindow(context, members);
      const { withWebtools } = await load();
      const { used, use } = newUse();
      const undo = withWebtools(use);
      if (event) {
        await turn();
        assert.equal(errors.callCount(), 0);
        (event === "load" ? window : document).dispatchEvent(new Event(event));
      }
      await until(() => errors.callCount() > 0);
      undo();
      withWebtools(use);
      await turn();
      assert.equal(errors.callCount(), 1);
      assert.match(errors.calls[0].arguments[0], /no webtools.*script type="module"/);
      assert.deepEqual(used, []);
    });
  }

  test("not where a script tag is going to load it", async (context) => {
    const { errors } = giveWindow(context, { readyState: "complete", querySelector: () => ({}) });
    (await load()).withWebtools(newUse().use);
    for (let count = 0; count < 20; count += 1) await turn();
    assert.equal(errors.callCount(), 0);
  });
});
